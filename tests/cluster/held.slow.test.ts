// docs/scaling.md#when-the-file-may-be-read: the rule, as a follower applies it.
import { expect, test } from "bun:test";
import { closeSync, constants, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createMember } from "../support.ts";
import { openFollower, openLeader } from "./nodes.ts";

test("a follower forwards reads after the engine died, until an engine holds the copy again", async () => {
  await using leader = openLeader();
  const { token } = createMember(leader.core, "ada");
  await using follower = openFollower(leader);
  const pipe = join(follower.folder, "guildhall.db-held");
  Bun.spawnSync(["mkfifo", pipe]);
  const hold = (): number => openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const posts = async (): Promise<number> => {
    const answer = await fetch(`${follower.url}/v1/feed`, { headers: { authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { data: unknown[] }).data.length;
  };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  await fetch(`${leader.url}/v1/feed`, {
    method: "POST",
    headers,
    body: JSON.stringify({ text: "Not copied" }),
  });

  const held = hold();
  await follower.until(200);
  expect(await posts()).toBe(0);
  closeSync(held);
  expect(await posts()).toBe(1);
  expect(await follower.until(503)).toMatchObject({ copy: "copy_not_held" });
  const again = hold();
  await follower.until(200);
  expect(await posts()).toBe(0);
  closeSync(again);
  // Without a pipe, no engine changes the copy. So the follower reads the copy again.
  rmSync(pipe);
  await follower.until(200);
  expect(await posts()).toBe(0);
});
