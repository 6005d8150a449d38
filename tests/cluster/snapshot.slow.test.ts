// docs/scaling.md#a-snapshot-that-is-copied: runs the documented commands and reads the result at a follower.
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "../program/documents.ts";
import { createMember } from "../support.ts";
import { openFollower, openLeader } from "./nodes.ts";

const PAGE = "docs/scaling.md";

test("a follower reads each snapshot that is renamed over its copy", async () => {
  if (!Bun.which("sqlite3")) return console.log("sqlite3 is not here: no snapshot was made");
  await using leader = openLeader();
  const { token } = createMember(leader.core, "ada");
  await using follower = openFollower(leader, { isMoved: false });
  const between = join(leader.folder, "between");
  mkdirSync(between);
  // Takes the commands of the page `PAGE` (`sqlite3 -readonly … VACUUM INTO` and a rename), with other
  // folders.
  const commands = blocksOf(PAGE, readFileSync(join(import.meta.dir, "../..", PAGE), "utf8"))
    .filter(({ runBy }) => runBy === "tests/cluster/snapshot.slow.test.ts")
    .flatMap((block) => block.commands);
  const copy = (): void => {
    for (const [index, folder] of [leader.folder, follower.folder].entries()) {
      const command = commands[index]?.replaceAll("/srv/guild", folder).replaceAll("/mnt/guild", between);
      const { exitCode, stderr } = Bun.spawnSync(["sh", "-c", String(command)]);
      expect([exitCode, stderr.toString()]).toEqual([0, ""]);
    }
  };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  for (const text of ["Raku", "Raku and celadon"]) {
    await fetch(`${leader.url}/v1/feed`, { method: "POST", headers, body: JSON.stringify({ text }) });
    copy();
  }
  await fetch(`${leader.url}/v1/feed`, { method: "POST", headers, body: JSON.stringify({ text: "Later" }) });
  await follower.until(200);
  // The first request after a file was replaced is forwarded to the leader.
  await fetch(`${follower.url}/v1/feed`, { headers });
  const answer = await fetch(`${follower.url}/v1/feed`, { headers });
  const { data } = (await answer.json()) as { data: { text: string }[] };
  expect(data.map(({ text }) => text)).toEqual(["Raku and celadon", "Raku"]);
  // The search index refers to row numbers, which a snapshot may change.
  const found = await fetch(`${follower.url}/search?q=celadon`, { headers: { accept: "text/html" } });
  expect(await found.text()).toContain("Raku and");
});
