import { join } from "node:path";
import { unpacked } from "../browser.ts";
import type { Absent } from "./bookworm.ts";
import { emptyFolder, type Program, serve } from "./programs.ts";

/** What a page weighs and how it is judged, by Lighthouse as a phone on a slow line. */
export interface Judged {
  page: string;
  /** Of a hundred. */
  scores: Record<string, number>;
  requests: number;
  /** Compressed, without pictures. */
  bytes: number;
  /** How far what is read moves while the page loads; 0 is not at all. */
  shift: number;
}

const VERSION = "13.5.0";
const CATEGORIES = ["accessibility", "best-practices", "seo", "performance"];

/**
 * The four pages that strangers come to first, of the demo, each judged by Lighthouse, which is fetched by
 * npx. One that npx cannot bring is absent.
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
    const asked = Bun.spawn(
      [
        ...["npx", "-y", `lighthouse@${VERSION}`, server.url + page, "--quiet", "--output=json"],
        ...[`--output-path=${file}`, `--only-categories=${CATEGORIES.join(",")}`],
        "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
      ],
      { env: { ...process.env, ...env, CHROME_PATH: executablePath }, stdout: "ignore", stderr: "pipe" },
    );
    if ((await asked.exited) !== 0)
      return { absent: `Lighthouse did not run: ${(await new Response(asked.stderr).text()).slice(0, 200)}` };
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

/** The first address of that form in the sitemap. */
async function firstOf(url: string, list: RegExp, form: RegExp): Promise<string> {
  const found = async (path: string, pattern: RegExp) =>
    pattern.exec(await (await fetch(url + path)).text())?.[0] ?? "";
  return found(`/sitemaps/${await found("/sitemap.xml", list)}`, form);
}
