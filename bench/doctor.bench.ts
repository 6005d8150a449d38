import { statSync } from "node:fs";
import { join } from "node:path";
import { fill, guildhall, residentMiB, row, serve, type Stage } from "./ground.ts";

const GUILDHALL = join(import.meta.dir, "../src/cli/guildhall.ts");

/**
 * What `guildhall doctor` takes on communities of several sizes beside a running server, and how long somebody who
 * writes one post after another waits meanwhile: while it looks at all, at a night's part, and while `--fix` counts
 * the replies of every post anew. The log beside tells whether a long read holds on to it.
 */
export async function doctor(): Promise<void> {
  row(
    "posts",
    "database MB",
    "what",
    "s",
    "memory MiB",
    "writes: p50 ms",
    "p99 ms",
    "longest ms",
    "log MB at most",
  );
  row("---", "---", "---", "---", "---", "---", "---", "---", "---");
  for (const posts of [10_000, 100_000, 1_000_000]) {
    using stage = await fill({ builders: posts / 100, posts, jobs: posts / 20, prompts: posts / 100 });
    const megabytes = (name: string): number => statSync(join(stage.folder, name)).size / 1e6;
    const size = (megabytes("guildhall.db") + megabytes("guildhall.db-wal")).toFixed(0);
    await using server = await serve(guildhall(stage.folder));
    const log = (): number => megabytes("guildhall.db-wal");
    const measure = async (what: string, work: () => Promise<string>): Promise<void> =>
      row(posts.toLocaleString("en-US"), size, what, ...(await beside(server.url, stage, log, work)));
    await measure("nothing", async () => {
      await Bun.sleep(10_000);
      return "";
    });
    await measure("all", () => run(stage, []));
    await measure("all, --nice", () => run(stage, ["--nice"]));
    await measure("a night’s part", () => run(stage, ["--nice", "--sampled"]));
    stage.core.db.transact(() => stage.core.db.prepare("UPDATE posts SET replies = replies + 1").run());
    await measure("--fix of all counts", () => run(stage, ["--fix"]));
  }
}

/** Its peak of memory. */
async function run({ folder }: Stage, options: readonly string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, GUILDHALL, "doctor", "--json", "--data", folder, ...options], {
    stdout: "ignore",
    stderr: "ignore",
  });
  let peak = 0;
  const watch = setInterval(() => {
    if (child.exitCode === null) peak = Math.max(peak, residentMiB(child.pid));
  }, 100);
  await child.exited;
  clearInterval(watch);
  return peak.toFixed(0);
}

/** What somebody beside it sees who writes one post after another. */
async function beside(
  url: string,
  { token }: Stage,
  log: () => number,
  work: () => Promise<string>,
): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ text: "meanwhile" });
  const waits: number[] = [];
  let mostLog = 0;
  let isOver = false;
  const writing = (async () => {
    while (!isOver) {
      const from = performance.now();
      const answer = await fetch(`${url}/v1/feed`, { method: "POST", headers, body });
      await answer.text();
      if (answer.status !== 201) throw new Error(`a post was answered ${answer.status}`);
      waits.push(performance.now() - from);
      mostLog = Math.max(mostLog, log());
      await Bun.sleep(5);
    }
  })();
  const from = performance.now();
  const memory = await work();
  const seconds = (performance.now() - from) / 1000;
  isOver = true;
  await writing;
  waits.sort((a, b) => a - b);
  const at = (share: number): string => (waits[Math.floor(share * (waits.length - 1))] ?? 0).toFixed(1);
  return [seconds.toFixed(1), memory, at(0.5), at(0.99), at(1), mostLog.toFixed(0)];
}
