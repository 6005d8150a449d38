// docs/contract.md#12.29: usage times that a follower reports to its leader, and pictures, which are files
// beside the database.
import { expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { listTokens, recordTokenUses } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import {
  listSessions,
  openSession,
  recordLastSeen,
  sessionOf,
} from "../../src/core/identity/accounts/sessions.ts";
import { HOUR } from "../../src/core/base/clock.ts";
import { urlOf, inProcessEncoder, sent } from "../media/gallery.ts";
import * as made from "../media/sample-images.ts";
import { createMember } from "../support.ts";
import { openFollower, openLeader } from "./nodes.ts";

test("the leader learns when tokens and sessions were used at a follower", async () => {
  await using leader = openLeader();
  const { core } = leader;
  const { token, caller } = createMember(core, "ada");
  const from = { address: "203.0.113.7", agent: "Firefox on Linux" };
  const { secret } = core.db.transact(() => openSession(core, caller.builderId ?? "", from));
  const seenAt = core.clock.now() - 48 * HOUR;
  core.db.prepare("UPDATE sessions SET last_seen_at = ?").run(seenAt);
  core.db.prepare("UPDATE tokens SET last_used_at = NULL").run();
  await recordTokenUses(core);
  await using follower = openFollower(leader);
  const beganAt = Date.now() - 1000;
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${follower.url}/v1/feed`, { headers })).status).toBe(200);
  await fetch(`${follower.url}/`, { headers: { cookie: `__Host-guildhall=${secret}` } });
  leader.clock.step(Date.now() - leader.clock.now());
  await follower.stop();
  await recordTokenUses(core);
  await recordLastSeen(core);
  const [used] = listTokens(core, OPERATOR, "ada");
  expect(used?.lastUsedAt).toBeGreaterThan(beganAt);
  expect(used?.unusedScopes).not.toContain("feed:read");
  const person = sessionOf(core, secret, from.address);
  const [session] = person ? listSessions(core, person.caller) : [];
  expect(session?.lastSeenAt).toBeGreaterThan(beganAt);
});

test("the leader refuses a usage report without a node's signature", async () => {
  await using leader = openLeader();
  const body = JSON.stringify({ tokens: [], sessions: [] });
  const post = (path: string) =>
    fetch(`${leader.url}${path}`, { method: "POST", body, headers: { "content-type": "application/json" } });
  const digest = new Bun.CryptoHasher("sha256").update(body).digest("hex");
  expect((await post(`/cluster/uses?${digest}`)).status).toBe(404);
});

test("a follower fetches a missing picture from its leader once, and serves it to permitted readers", async () => {
  await using leader = openLeader({ encoder: inProcessEncoder() });
  const { token } = createMember(leader.core, "ada");
  const media = await sent(leader, token, made.png(200, 100), "A queue");
  const post = await leader.request(token, "/feed", {
    method: "POST",
    body: { text: "Look", media: [media.id] },
  });
  expect(post.status).toBe(201);
  await using follower = openFollower(leader);
  const path = new URL(urlOf(leader, media)).pathname;
  const theirs = Buffer.from(await (await fetch(`${leader.url}${path}`)).arrayBuffer());
  const first = await fetch(`${follower.url}${path}`);
  expect([first.status, first.headers.get("content-type")]).toEqual([200, "image/webp"]);
  expect(Buffer.from(await first.arrayBuffer()).equals(theirs)).toBe(true);
  const file = join(
    follower.folder,
    "media",
    path.slice("/media/".length, "/media/ab".length),
    path.slice("/media/".length),
  );
  expect(existsSync(file)).toBe(true);
  rmSync(join(leader.folder, "media"), { recursive: true });
  const second = await fetch(`${follower.url}${path}`);
  expect(Buffer.from(await second.arrayBuffer()).equals(theirs)).toBe(true);
  const unknown = await fetch(`${follower.url}/media/${"0".repeat(40)}-160.webp`);
  expect(unknown.status).toBe(404);
  expect(existsSync(join(follower.folder, "media", "00"))).toBe(false);
});
