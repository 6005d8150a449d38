import { join } from "node:path";
import { unpacked } from "../browser.ts";
import type { Absent } from "./bookworm.ts";
import { emptyFolder, type Program, serve } from "./programs.ts";

/** Lighthouse's results for a page on a simulated phone with a slow connection. */
export interface Judged {
  page: string;
  /** Scores from 0 to 100. */
  scores: Record<string, number>;
  requests: number;
  /** Transferred bytes without pictures. */
  bytes: number;
  /** Cumulative layout shift; 0 is none. */
  shift: number;
}

const VERSION = "13.5.0";
const CATEGORIES = ["accessibility", "best-practices", "seo", "performance"];

/**
 * Runs Lighthouse by npx on the four most visited public pages of the demo. Absent if npx cannot install
 * Lighthouse.
 */
export async function lighthouse(program: Program): Promise<Judged[] | Absent> {
  using folder = emptyFolder();
  const { executablePath, env } = await unpacked();
  await using server = await serve(program, { cwd: folder.path, args: ["--demo", "--data", "d"] });
  const pages = [
    "/",
    await firstOf(server.url, /posts-[\d-]+\.xml/, /\/posts\/\w+/),
    await firstOf(server.url, /jobs\.xml/, /\/jobs\/\w+/),
    await firstOf(server.url, /builders\.xml/, /\/@[\w-]+/),
  ];
  const judged: Judged[] = [];
  for (const page of pages) {
    const file = join(folder.path, "told.json");
    const child = Bun.spawn(
      [
        ...["npx", "-y", `lighthouse@${VERSION}`, server.url + page, "--quiet", "--output=json"],
        ...[`--output-path=${file}`, `--only-categories=${CATEGORIES.join(",")}`],
        "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
      ],
      { env: { ...process.env, ...env, CHROME_PATH: executablePath }, stdout: "ignore", stderr: "pipe" },
    );
    if ((await child.exited) !== 0)
      return {
        absent: `Lighthouse did not run: ${(await new Response(child.stderr).text()).slice(0, 200)}`,
      };
    judged.push({ page, ...read(await Bun.file(file).json()) });
  }
  return judged;
}

interface Report {
  categories: Record<string, { score: number }>;
  audits: {
    "network-requests": { details: { items: { resourceType: string; transferSize: number }[] } };
    "cumulative-layout-shift": { numericValue: number };
  };
}

function read({ categories, audits }: Report): Omit<Judged, "page"> {
  const taken = audits["network-requests"].details.items.filter(
    ({ resourceType }) => resourceType !== "Image",
  );
  return {
    scores: Object.fromEntries(
      CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]),
    ),
    requests: taken.length,
    bytes: taken.reduce((sum, { transferSize }) => sum + transferSize, 0),
    shift: audits["cumulative-layout-shift"].numericValue,
  };
}

/** First matching URL of the sitemap. */
async function firstOf(url: string, list: RegExp, form: RegExp): Promise<string> {
  const found = async (path: string, pattern: RegExp) =>
    pattern.exec(await (await fetch(url + path)).text())?.[0] ?? "";
  return found(`/sitemaps/${await found("/sitemap.xml", list)}`, form);
}
