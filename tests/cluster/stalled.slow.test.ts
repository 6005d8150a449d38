// docs/contract.md#12.29: a copy that no engine moves any more.
import { expect, test } from "bun:test";
import { createMember } from "../support.ts";
import { createRequester, openFollower, openLeader } from "./nodes.ts";

test("a follower reports a stalled copy and forwards reads until the copy moves again", async () => {
  const leader = openLeader();
  const { token } = createMember(leader.core, "ada");
  await using follower = openFollower(leader, { env: { GUILDHALL_STALL_AFTER: "300ms" } });
  await follower.until(200);
  await createRequester(leader.url, token)("/v1/feed", { method: "POST", body: { text: "Not moved" } });
  expect(await follower.until(503)).toMatchObject({ failing: ["stalled"], follower: { leads: true } });
  const read = await createRequester(follower.url, token)("/v1/feed");
  expect(await read.json()).toMatchObject({ data: [{ text: "Not moved" }] });
  follower.updateCopy();
  expect(await follower.until(200)).toMatchObject({ follower: { lag_seconds: 0 } });
  // The last write reaches only the leader, which then ends. The follower serves reads without its leader,
  // and lacks this write.
  await createRequester(leader.url, token)("/v1/feed", { method: "POST", body: { text: "Lost" } });
  await follower.until(503);
  await leader[Symbol.asyncDispose]();
  expect(await follower.until(200)).toMatchObject({ follower: { leads: false } });
  const alone = await createRequester(follower.url, token)("/v1/feed");
  expect(await alone.json()).toMatchObject({ data: [{ text: "Not moved" }] });
});
