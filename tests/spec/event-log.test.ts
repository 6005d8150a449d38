import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { cleanUpDeliveries } from "../../src/core/outbox/deliveries/cleanup.ts";
import { listTokens } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { createMemberToken, type TestServer, createMember, openTestServer } from "../support.ts";
import { call } from "./client.ts";
import { rows } from "./rows.ts";

const pull = async (server: TestServer, token: string, query = "") =>
  (await call(server, token, `GET /events?limit=100${query}`)).body.data as {
    id: string;
    type: string;
    created_at: string;
  }[];

test("docs/contract.md#5.3: `since` also returns events of the same millisecond as the last event read", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  createPost(server.core, caller, { text: "one" });
  const [first] = await pull(server, token);
  createPost(server.core, caller, { text: "two" });
  const next = await pull(server, token, `&since=${first?.created_at}`);
  expect(next).toHaveLength(1);
  createPost(server.core, caller, { text: "three" });
  expect(await pull(server, token, `&since=${next[0]?.created_at}`)).toHaveLength(1);
});

test("docs/contract.md#5.3: events of one commit share a timestamp, and events of different commits do not", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token, caller } = createMember(core, "ada");
  const posts = core.db.transact(() => ["a", "b"].map((text) => createPost(core, caller, { text })));
  // The two writes run in one batch. If the first write is rolled back, its position in the log is free
  // again.
  const outcomes = await Promise.allSettled([
    core.db.write(() => {
      createPost(core, caller, { text: "never" });
      throw new Error("taken back");
    }),
    core.db.write(() => posts.forEach(({ id }) => deletePost(core, caller, id))),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  const events = rows(core, "SELECT id, created_at FROM events ORDER BY rowid");
  expect(events.map(({ created_at }) => created_at - server.clock.now())).toEqual([0, 0, 1, 1]);
  expect(events.map(({ id }) => id)).toEqual(events.map(({ id }) => id).toSorted());
  // Of deleted posts, only post.deleted is still listed.
  expect((await pull(server, token)).map(({ id }) => id)).toEqual(events.slice(2).map(({ id }) => id));
});

test("docs/contract.md#5.3: `created_at` and positions never decrease when the clock is set back, and deliveries stay due", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  const { token, caller } = createMember(core, "ada");
  await call(server, token, "POST /webhooks", {
    body: { url: "https://hooks.example.com/in", events: ["post.created"] },
  });
  createPost(core, caller, { text: "before" });
  const [before] = await pull(server, token);
  clock.step(-3 * DAY);
  createPost(core, caller, { text: "after" });
  const [after, ...more] = await pull(server, token, `&after=${before?.id}`);
  expect(more).toEqual([]);
  expect((after?.created_at ?? "") > (before?.created_at ?? "")).toBe(true);
  expect(rows(core, "SELECT due_at AS due FROM deliveries ORDER BY id DESC LIMIT 1")).toEqual([
    { due: clock.steady() },
  ]);
});

test("docs/contract.md#5.3: `after` returns the events behind a position, even for a caller who may not read that event", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { caller } = createMember(core, "ada");
  const { token: all } = createMemberToken(core, "ada");
  const { token: hooks } = createMemberToken(core, "ada", ["webhooks:read", "feed:read"]);
  const bo = createMember(core, "bo").caller;
  createPost(core, caller, { text: "one" });
  sendMessage(core, bo, { to: "ada", text: "private" });
  createPost(core, caller, { text: "two" });
  const [one, message, two] = await pull(server, all);
  expect(await pull(server, all, `&after=${one?.id}`)).toEqual([message as never, two as never]);
  expect(await pull(server, hooks, `&after=${message?.id}`)).toEqual([two as never]);
  expect(await pull(server, all, `&after=${two?.id}`)).toEqual([]);
  const pages = await call(server, all, `GET /events?limit=1&after=${one?.id}`);
  expect(pages.body.data).toEqual([message]);
  const next = await call(server, all, `GET /events?limit=1&after=${one?.id}&cursor=${pages.body.next}`);
  expect([next.body.data, next.body.next]).toEqual([[two], null]);
});

test("docs/contract.md#5.3: an `after` older than the log is 400 and names the oldest position; an unknown `after` is 400 too", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  const { token, caller } = createMember(core, "ada");
  createPost(core, caller, { text: "old" });
  createPost(core, caller, { text: "last of the old" });
  const [old, last] = await pull(server, token);
  clock.pass(40 * DAY);
  await cleanUpDeliveries(core, 30 * DAY, async () => {});
  const refused = async (after: string) => (await call(server, token, `GET /events?after=${after}`)).body;
  // The position of the last deleted event is still valid, because no event after that position is missing.
  expect(await pull(server, token, `&after=${last?.id}`)).toEqual([]);
  const empty = await refused(old?.id ?? "");
  expect([empty.error, empty.code, empty.message.includes(last?.id ?? "")]).toEqual([
    "bad_request",
    "place_too_old",
    true,
  ]);
  createPost(core, caller, { text: "kept" });
  const [kept] = await pull(server, token, `&after=${last?.id}`);
  const refusal = await refused(old?.id ?? "");
  expect([refusal.code, refusal.message.includes(kept?.id ?? "")]).toEqual(["place_too_old", true]);
  const ahead = `${(kept?.id ?? "").slice(0, 4)}7zzzzzzzzzzzzzzzzzzzzzzzzz`;
  expect((await refused(ahead)).code).toBe("place_unknown");
  for (const wrong of ["", "x", "post_01kafzq8e5f2r8v0j3n6s1t4wx", "evt_"])
    expect([wrong, (await refused(wrong)).code]).toEqual([wrong, "not_event_id"]);
});

test("reading events counts as a use of the scopes that allowed them", async () => {
  await using server = openTestServer();
  const { caller } = createMember(server.core, "ada");
  const { token, caller: asker } = createMemberToken(server.core, "ada", [
    "webhooks:read",
    "feed:read",
    "messages:read",
  ]);
  const unused = () =>
    listTokens(server.core, OPERATOR, "ada").find(({ id }) => id === asker.credentialId)?.unusedScopes;
  createPost(server.core, caller, { text: "one" });
  expect(unused()).toEqual(["webhooks:read", "feed:read", "messages:read"]);
  await pull(server, token);
  expect(unused()).toEqual(["messages:read"]);
});
