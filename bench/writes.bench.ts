import { openDatabase } from "../src/core/base/db/open.ts";
import { cpuMs, createBenchCommunity, guildhall, median, row, serve } from "./server.ts";
import { load } from "./load.ts";

/**
 * Measures `POST /v1/feed` with durable commits. Measures bare commits of one small row on the same disk just
 * before each row of the table, and compares the two.
 */
export async function writes(): Promise<void> {
  using stage = await createBenchCommunity({ builders: 200, posts: 10_000, jobs: 0, prompts: 0 });
  await using ours = await serve(guildhall(stage.folder));
  const posts = (connections: number, seconds: number) =>
    load({
      url: `${ours.url}/v1/feed`,
      method: "POST",
      headers: { authorization: `Bearer ${stage.token}` },
      body: (count) =>
        JSON.stringify({ text: `# Post ${count}\n\nWritten while measuring.`, tags: ["bench"] }),
      connections,
      seconds,
    });
  await posts(4, 2);
  row(
    "connections",
    "posts/s",
    "p50 ms",
    "p99 ms",
    "CPU µs a post",
    "bare commits/s, one at a time",
    "a bare commit: p50 ms",
    "posts/s ÷ bare",
    "p50 ÷ bare",
  );
  row(...Array<string>(9).fill("---"));
  for (const connections of [1, 4, 16, 64]) {
    const bare = bareCommits(`${stage.folder}/bare-${connections}.db`);
    const before = cpuMs(ours.pid);
    const done = await posts(connections, 4);
    if (done.refused > 0) throw new Error("a post was refused");
    row(
      connections,
      Math.round(done.perSecond),
      done.p50.toFixed(2),
      done.p99.toFixed(2),
      Math.round(((cpuMs(ours.pid) - before) * 1000) / done.requests),
      Math.round(bare.perSecond),
      bare.p50.toFixed(2),
      (done.perSecond / bare.perSecond).toFixed(2),
      (done.p50 / bare.p50).toFixed(2),
    );
  }
}

/** Measures bare commits. The first thousand only bring the WAL to its full length and are not counted. */
function bareCommits(file: string): { perSecond: number; p50: number } {
  const db = openDatabase(file, { busyMs: 100 });
  const insert = db.prepare("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)");
  const commit = (count: number) => db.transact(() => insert.run(`row ${count % 100}`, "x".repeat(200)));
  for (let count = 0; count < 1000; count++) commit(count);
  db.prepare("PRAGMA wal_checkpoint(RESTART)").get();
  const taken: number[] = [];
  const until = performance.now() + 1000;
  for (let from = performance.now(); from < until; from = performance.now()) {
    commit(taken.length);
    taken.push(performance.now() - from);
  }
  db.close();
  return { perSecond: taken.length, p50: median(taken) };
}
