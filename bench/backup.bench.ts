import { readdirSync, statSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { fill, guildhall, median, residentMiB, row, serve } from "./ground.ts";
import { type Beat, steady } from "./steady.ts";

const PER_SECOND = 500;
const QUIET_MS = 20_000;
const POSTS = 760_000;

/**
 * `guildhall backup` of a gigabyte beside 500 posts a second that come evenly: how long each waited from when it was
 * due, before, meanwhile and afterwards, and how far the write-ahead log grew. Before that, a start with the same
 * database, and the memory of a server at rest.
 */
export async function backup(): Promise<void> {
  using stage = await fill({ builders: 2000, posts: POSTS, jobs: 20_000, prompts: 10_000 });
  const database = join(stage.folder, "guildhall.db");
  stage.core.db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  console.log(`Database: ${Math.round(statSync(database).size / 1e6)} MB\n`);
  await starts(stage.folder);

  await using server = await serve(guildhall(stage.folder));
  const load = await steady({
    url: `${server.url}/v1/feed`,
    headers: { authorization: `Bearer ${stage.token}` },
    perSecond: PER_SECOND,
    body: (count) => JSON.stringify({ text: `# Post ${count}\n\nWritten while measuring.`, tags: ["bench"] }),
  });
  const began = performance.now();
  let logBytes = 0;
  const watch = setInterval(() => (logBytes = Math.max(logBytes, statSync(`${database}-wal`).size)), 20);
  await Bun.sleep(QUIET_MS);
  const [before, from] = [logBytes, performance.now() - began];
  const child = Bun.spawn([process.execPath, "src/cli/guildhall.ts", "backup", "--data", stage.folder], {
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error("the backup failed");
  const until = performance.now() - began;
  await Bun.sleep(QUIET_MS);
  clearInterval(watch);
  const beats = await load.stop();
  const [name = ""] = readdirSync(join(stage.folder, "backups")).filter((each) => each.endsWith(".zst"));
  const bytes = statSync(join(stage.folder, "backups", name)).size;
  row("500 posts a second", "posts", "p50 ms", "p99 ms", "p99.9 ms", "longest ms");
  row("---", "---", "---", "---", "---", "---");
  part("before the backup", beats, 1000, from);
  part("while it was made", beats, from, until);
  part("20 s afterwards", beats, until, Infinity);
  const mb = (size: number): number => Math.round(size / 1e6);
  console.log(
    `\nThe backup took ${((until - from) / 1000).toFixed(1)} s and has ${mb(bytes)} MB; the write-ahead log grew from ${mb(before)} to ${mb(logBytes)} MB at most. Load of the machine: ${loadavg()[0]?.toFixed(1)}.`,
  );
}

async function starts(folder: string): Promise<void> {
  const taken: number[] = [];
  let rest = 0;
  for (let i = 0; i < 5; i++) {
    const from = performance.now();
    await using server = await serve(guildhall(folder));
    taken.push(performance.now() - from);
    if (i < 4) continue;
    await Bun.sleep(10_000);
    rest = residentMiB(server.pid);
  }
  console.log(
    `Start: ${Math.round(median(taken))} ms (${Math.round(Math.max(...taken))} at most of five); at rest: ${rest} MiB\n`,
  );
}

function part(name: string, beats: readonly Beat[], from: number, until: number): void {
  const waits = beats.filter(({ at }) => at >= from && at < until).map(({ waited }) => waited);
  waits.sort((a, b) => a - b);
  const at = (share: number): string =>
    (waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0).toFixed(1);
  row(name, waits.length, at(0.5), at(0.99), at(0.999), at(1));
}
