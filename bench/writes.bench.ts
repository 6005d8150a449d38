import { openDatabase } from "../src/core/ground/db/open.ts";
import { fill, guildhall, row, serve } from "./ground.ts";
import { load } from "./load.ts";

/**
 * `POST /v1/feed`, each on disk before its answer, against bare commits of one small row on the same disk.
 */
export async function writes(): Promise<void> {
  using stage = await fill({ builders: 200, posts: 10_000, jobs: 0, prompts: 0 });
  const bare = bareCommits(`${stage.folder}/bare.db`);
  await using ours = await serve(guildhall(stage.folder));
  row("connections", "posts/s", "p50 ms", "p99 ms", "ratio to bare commits, one at a time");
  row("---", "---", "---", "---", "---");
  for (const connections of [1, 4, 16, 64]) {
    const done = await load({
      url: `${ours.url}/v1/feed`,
      method: "POST",
      headers: { authorization: `Bearer ${stage.token}` },
      body: (count) =>
        JSON.stringify({ text: `# Post ${count}\n\nWritten while measuring.`, tags: ["bench"] }),
      connections,
      seconds: 4,
    });
    if (done.refused > 0) throw new Error("a post was refused");
    row(
      connections,
      Math.round(done.perSecond),
      done.p50.toFixed(2),
      done.p99.toFixed(2),
      (done.perSecond / bare).toFixed(2),
    );
  }
  console.log(`\nBare commits of one row: ${Math.round(bare)}/s`);
}

function bareCommits(file: string): number {
  const db = openDatabase(file, { busyMs: 100 });
  const insert = db.prepare("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)");
  const until = performance.now() + 2000;
  let count = 0;
  for (; performance.now() < until; count++) db.transact(() => insert.run(`row ${count}`, "x".repeat(200)));
  db.close();
  return count / 2;
}
