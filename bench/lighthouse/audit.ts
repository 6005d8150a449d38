import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../scripts/run.ts";
import { unpacked } from "../../tests/browser.ts";
import { cacheFolder, VERSIONS } from "../peers/versions.ts";

/** The categories of Lighthouse, in the order of its report. */
export const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;

/** The results of Lighthouse for one page. */
export interface Report {
  /** From 0 to 100. */
  scores: Record<(typeof CATEGORIES)[number], number>;
  /** Cumulative layout shift. */
  shift: number;
  /** Largest contentful paint and total blocking time in milliseconds, on Lighthouse's slow phone. */
  paintedMs: number;
  blockedMs: number;
  /** Requests and transferred bytes, both without pictures. */
  requests: number;
  bytes: number;
  /** The audits without a full score, from the weakest, each with its figure. */
  weakest: string[];
}

/** The parts of Lighthouse's report that the bench reads. */
interface Written {
  runtimeError?: { message: string };
  categories: Record<string, { score: number | null; auditRefs: { id: string }[] }>;
  audits: Record<string, WrittenAudit>;
}

interface WrittenAudit {
  score: number | null;
  displayValue?: string;
  numericValue?: number;
  details?: { items?: { resourceType?: string; transferSize?: number }[] };
}

/** Installs Lighthouse on first use and returns its program. */
export async function lighthouse(): Promise<string> {
  const folder = cacheFolder("lighthouse");
  const program = join(folder, "node_modules/lighthouse/cli/index.js");
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  await Bun.write(join(folder, "package.json"), `{ "private": true }`);
  await run(folder, [process.execPath, "add", "--exact", `lighthouse@${VERSIONS.lighthouse}`]);
  return program;
}

/** A Chromium that other programs control through a port. */
export interface OpenChromium extends AsyncDisposable {
  port: number;
}

export async function openChromium(): Promise<OpenChromium> {
  const { executablePath, env } = await unpacked();
  const profile = mkdtempSync(join(tmpdir(), "guildhall-lighthouse-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"];
  const child = Bun.spawn([executablePath, ...flags, `--user-data-dir=${profile}`], {
    env: { ...process.env, ...env },
    stdout: "ignore",
    stderr: "pipe",
  });
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
    rmSync(profile, { recursive: true, force: true });
  };
  let text = "";
  for await (const chunk of child.stderr) {
    text += Buffer.from(chunk).toString();
    const port = /listening on ws:\/\/[\d.]+:(\d+)/.exec(text)?.[1];
    if (port) return { port: Number(port), [Symbol.asyncDispose]: end };
  }
  await end();
  throw new Error(`Chromium did not start: ${text}`);
}

/** Opens a page as Lighthouse's slow phone (its mobile preset) and returns its results. */
export async function audit(program: string, { port }: OpenChromium, url: string): Promise<Report> {
  const flags = [
    "--quiet",
    "--no-enable-error-reporting",
    "--output=json",
    `--port=${port}`,
    `--only-categories=${CATEGORIES.join(",")}`,
  ];
  const report = await run(".", [process.execPath, program, url, ...flags]);
  const { runtimeError, categories, audits } = JSON.parse(report) as Written;
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  const scored = new Set(Object.values(categories).flatMap(({ auditRefs }) => auditRefs.map(({ id }) => id)));
  const requested = audits["network-requests"]?.details?.items ?? [];
  const loaded = requested.filter(({ resourceType }) => resourceType !== "Image");
  const figure = (id: string): number => audits[id]?.numericValue ?? NaN;
  return {
    scores: Object.fromEntries(
      CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? NaN) * 100)]),
    ) as Report["scores"],
    shift: figure("cumulative-layout-shift"),
    paintedMs: figure("largest-contentful-paint"),
    blockedMs: figure("total-blocking-time"),
    requests: loaded.length,
    bytes: loaded.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0),
    weakest: Object.entries(audits)
      .filter(([id, { score }]) => scored.has(id) && score !== null && score < 1)
      .toSorted(([, a], [, b]) => (a.score ?? 0) - (b.score ?? 0))
      .map(
        ([id, { score, displayValue = `${score}` }]) => `${id} (${displayValue.replaceAll("\u00a0", " ")})`,
      ),
  };
}
