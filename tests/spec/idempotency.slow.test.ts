// Tests docs/contract.md#2.16.
import { type BuilderCaller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { forgetOldKeys, runOnce, withKeyLock } from "../../src/core/base/idempotency/idempotency.ts";
import { countUnread, sendMessage } from "../../src/core/community/messages/messages.ts";
import {
  createMemberToken,
  type TestServer,
  createTestWorld,
  createMember,
  openTestServer,
} from "../support.ts";
import { exchange } from "../http/raw.ts";
import { call } from "./client.ts";
import { reopen, rows } from "./rows.ts";

const keyed = (key: string, body: unknown = { text: "once" }) => ({
  body,
  headers: { "idempotency-key": key },
});
const webhook = { url: "https://hooks.example.com/in", events: ["post.created"] };
const posts = (server: TestServer): number => rows(server.core, "SELECT id FROM posts").length;

test("same key and body: returns the first response again, with Idempotency-Replayed: true", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const first = await call(server, token, "POST /feed", keyed("k"));
  expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([201, null]);
  for (let i = 0; i < 3; i++) {
    server.clock.pass(1000);
    const again = await call(server, token, "POST /feed", keyed("k"));
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  }
  expect(posts(server)).toBe(1);
  expect(rows(server.core, "SELECT id FROM events")).toHaveLength(1);
});

test("`Idempotency-Replayed` has this exact spelling on the wire, over REST and GraphQL", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const query = `mutation { createPost(input: { text: "once" }) { post { id } } }`;
  const bodies = { "/v1/feed": { text: "once" }, "/graphql": { query } };
  for (const [path, sent] of Object.entries(bodies)) {
    const body = JSON.stringify(sent);
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nIdempotency-Key: k\r\n`;
    const request = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    await exchange(server.url, request, { answers: 1 });
    const { text } = await exchange(server.url, request, { answers: 1 });
    expect([path, text.match(/^idempotency-replayed: .*$/gim)]).toEqual([
      path,
      ["Idempotency-Replayed: true"],
    ]);
  }
});

test("the same body without a key, or with another key, is a new request", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const ids = new Set<string>();
  for (const init of [
    { body: { text: "once" } },
    { body: { text: "once" } },
    keyed("a"),
    keyed("b"),
    keyed("B"),
  ]) {
    const response = await call(server, token, "POST /feed", init);
    expect(response.headers.has("idempotency-replayed")).toBe(false);
    ids.add(response.body.id);
  }
  expect([ids.size, posts(server)]).toEqual([5, 5]);
});

test("same key with another body: 422", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  await call(server, token, "POST /feed", keyed("k"));
  for (const body of [{ text: "twice" }, { text: "once", tags: [] }, { text: "once", more: 1 }]) {
    const response = await call(server, token, "POST /feed", keyed("k", body));
    expect([response.status, response.body.error]).toEqual([422, "unprocessable"]);
    expect(response.headers.has("idempotency-replayed")).toBe(false);
  }
  expect((await call(server, token, "POST /feed", keyed("k"))).status).toBe(201);
  expect(posts(server)).toBe(1);
});

test("a key in flight is 409; fifty requests at once make one post, and a retry gets its response", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => call(server, token, "POST /feed", keyed("k"))),
  );
  const created = responses.filter(({ status }) => status === 201);
  expect(created.length).toBeGreaterThan(0);
  expect(new Set(created.map(({ text }) => text)).size).toBe(1);
  expect(created.filter(({ headers }) => !headers.has("idempotency-replayed"))).toHaveLength(1);
  const others = responses.filter(({ status }) => status !== 201);
  expect(others.every(({ body }) => body.error === "conflict")).toBe(true);
  expect(posts(server)).toBe(1);
  const retry = await call(server, token, "POST /feed", keyed("k"));
  expect([retry.status, retry.text]).toEqual([201, created[0]?.text ?? ""]);
  expect(retry.headers.get("idempotency-replayed")).toBe("true");
});

test("the transaction itself replays a response that another process of the same data stored", () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  const { builderId, workspaceId } = caller as BuilderCaller;
  const request = { builderId, workspaceId, route: "POST /feed", key: "k", body: "{}" };
  let runs = 0;
  const ask = () => world.core.db.transact(() => runOnce(world.core, request, () => String(++runs)));
  expect([ask(), ask(), runs]).toEqual([
    { answer: "1", replayed: false },
    { answer: "1", replayed: true },
    1,
  ]);
});

test("a key is locked until its request is answered, and is free again when the request fails", async () => {
  using world = createTestWorld();
  const { core } = world;
  const request = { builderId: "b", workspaceId: "w", route: "POST /feed", key: "k", body: "{}" };
  const { promise, reject } = Promise.withResolvers<string>();
  const first = withKeyLock(core, request, () => promise);
  const second = () => withKeyLock(core, request, async () => "second");
  await expect(second()).rejects.toMatchObject({ error: "conflict" });
  expect(await withKeyLock(core, { ...request, key: "other" }, async () => "other")).toBe("other");
  reject(new Error("broken off"));
  await expect(first).rejects.toThrow("broken off");
  expect(await second()).toBe("second");
});

test("keys are kept per account and route, shared by all tokens of the account", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const second = createMemberToken(server.core, "ada").token;
  const bo = createMember(server.core, "bo").token;
  const first = await call(server, token, "POST /feed", keyed("k"));
  const shared = await call(server, second, "POST /feed", keyed("k"));
  expect([shared.text, shared.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
  const others = await call(server, bo, "POST /feed", keyed("k"));
  expect([others.status, others.headers.has("idempotency-replayed")]).toEqual([201, false]);
  expect(others.body.author.username).toBe("bo");
  const elsewhere = await call(server, token, "POST /webhooks", keyed("k", webhook));
  expect([elsewhere.status, elsewhere.headers.has("idempotency-replayed")]).toEqual([201, false]);
});

test("a refused request frees the key", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  expect((await call(server, token, "POST /feed", keyed("k", { text: "" }))).status).toBe(400);
  expect(
    (await call(server, token, "POST /webhooks", keyed("k", { ...webhook, url: "http://a.example" }))).status,
  ).toBe(422);
  const reader = createMemberToken(server.core, "ada", ["feed:read"]).token;
  expect((await call(server, reader, "POST /feed", keyed("k"))).status).toBe(403);
  expect(rows(server.core, "SELECT key FROM idempotency_keys")).toEqual([]);
  const { body } = await call(server, token, "POST /webhooks", { body: webhook });
  expect((await call(server, token, "POST /webhooks", keyed("k", webhook))).status).toBe(409);
  await call(server, token, `DELETE /webhooks/${body.id}`);
  for (const [request, init] of [
    ["POST /feed", keyed("k")],
    ["POST /webhooks", keyed("k", webhook)],
  ] as const) {
    const response = await call(server, token, request, init);
    expect([request, response.status, response.headers.has("idempotency-replayed")]).toEqual([
      request,
      201,
      false,
    ]);
  }
});

test("a replay needs the scope like any request, but ignores conditions that changed since", async () => {
  let address = "93.184.215.14";
  await using server = openTestServer({ resolve: async () => [address] });
  const { token } = createMember(server.core, "ada");
  const reader = createMemberToken(server.core, "ada", ["feed:read", "webhooks:read"]).token;
  const first = await call(server, token, "POST /webhooks", keyed("k", webhook));
  await call(server, token, "POST /feed", keyed("k"));
  expect((await call(server, reader, "POST /webhooks", keyed("k", webhook))).status).toBe(403);
  expect((await call(server, reader, "POST /feed", keyed("k"))).status).toBe(403);
  // The URL now resolves to a private address, so the server would refuse a new registration.
  address = "10.0.0.1";
  const again = await call(server, token, "POST /webhooks", keyed("k", webhook));
  expect([again.status, again.text]).toEqual([201, first.text]);
});

test("a key is kept for 24 h and is then free", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const first = await call(server, token, "POST /feed", keyed("k"));
  server.clock.pass(DAY - 1);
  await forgetOldKeys(server.core);
  expect((await call(server, token, "POST /feed", keyed("k"))).text).toBe(first.text);
  server.clock.pass(1);
  // The second request has a different body. If the key still existed, the server would refuse the request.
  const second = await call(server, token, "POST /feed", keyed("k", { text: "new day" }));
  expect([second.status, second.headers.has("idempotency-replayed")]).toEqual([201, false]);
  const replay = await call(server, token, "POST /feed", keyed("k", { text: "new day" }));
  expect(replay.text).toBe(second.text);
  server.clock.pass(DAY);
  await forgetOldKeys(server.core);
  expect(rows(server.core, "SELECT key FROM idempotency_keys")).toEqual([]);
  expect(posts(server)).toBe(2);
});

test("a key survives a restart", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const post = await call(server, token, "POST /feed", keyed("k"));
  const endpoint = await call(server, token, "POST /webhooks", keyed("k", webhook));
  using again = reopen(server);
  for (const [request, init, first] of [
    ["POST /feed", keyed("k"), post],
    ["POST /webhooks", keyed("k", webhook), endpoint],
  ] as const) {
    const response = await call(again, token, request, init);
    expect([response.status, response.text, response.headers.get("idempotency-replayed")]).toEqual([
      201,
      first.text,
      "true",
    ]);
  }
  expect((await call(again, token, "POST /feed", keyed("k", { text: "x" }))).status).toBe(422);
});

test("the response to a registration is replayed with its secret and Location, and is stored encrypted", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const first = await call(server, token, "POST /webhooks", keyed("k", webhook));
  const again = await call(server, token, "POST /webhooks", keyed("k", webhook));
  expect(again.body.secret).toMatch(/^whsec_/);
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(again.headers.get("location")).toBe(first.headers.get("location") ?? "");
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(rows(server.core, "SELECT id FROM webhook_endpoints")).toHaveLength(1);
  const bytes = Buffer.concat(
    readdirSync(server.folder).map((name) => readFileSync(join(server.folder, name))),
  );
  expect(bytes.includes(first.body.secret.slice(6))).toBe(false);
});

test("a key has 1 to 255 characters", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  for (const key of ["k", "k".repeat(255), 'a b/c?d="e"', "{}"]) {
    const first = await call(server, token, "POST /feed", keyed(key));
    const again = await call(server, token, "POST /feed", keyed(key));
    expect([key, first.status, again.text]).toEqual([key, 201, first.text]);
  }
  for (const key of ["", "k".repeat(256)]) {
    const { status, body } = await call(server, token, "POST /feed", keyed(key));
    expect([key.length, status, body.details]).toEqual([
      key.length,
      400,
      [expect.objectContaining({ path: "Idempotency-Key", message: expect.any(String) })],
    ]);
    expect(body.message).toContain("Idempotency-Key");
  }
});

test("a key on a request other than POST is ignored", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const { body } = await call(server, token, "POST /webhooks", { body: webhook });
  const path = `/webhooks/${body.id}`;
  for (const events of [["dm.received"], ["post.created"]]) {
    const response = await call(server, token, `PATCH ${path}`, keyed("k", { events }));
    expect([response.status, response.body.events]).toEqual([200, events]);
  }
  for (let i = 0; i < 2; i++) {
    expect((await call(server, token, "GET /feed", { headers: { "idempotency-key": "k" } })).status).toBe(
      200,
    );
  }
  expect(rows(server.core, "SELECT key FROM idempotency_keys")).toEqual([]);
});

test("tokens of another workspace of the same account have their own keys", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  server.core.db.transact(() => {
    server.core.db
      .prepare("INSERT INTO workspaces (id, name, created_at) VALUES ('ws_shared', 'shared', 0)")
      .run();
    server.core.db
      .prepare(
        "INSERT INTO workspace_members (workspace_id, builder_id, role, joined_at) VALUES ('ws_shared', ?, 'member', 0)",
      )
      .run(caller.builderId);
  });
  const draft = {
    name: "shared",
    scopes: ["webhooks:write", "webhooks:read", "feed:read"],
    tier: "enterprise" as const,
    workspaceId: "ws_shared",
  };
  const { token: shared } = createToken(server.core, OPERATOR, "ada", draft);
  const body = { url: "https://hooks.example.com/x", events: ["post.created"] };
  const init = { method: "POST", body, headers: { "idempotency-key": "k" } };
  const make = async (query: string) => {
    const answer = await server.request(query, "/webhooks", init);
    const text = await answer.text();
    expect([answer.status, answer.headers.has("idempotency-replayed"), text]).toEqual([
      201,
      false,
      expect.any(String),
    ]);
    return JSON.parse(text) as { id: string; secret: string };
  };
  const [own, other] = [await make(token), await make(shared)];
  expect(other.id).not.toBe(own.id);
  expect(other.secret).not.toBe(own.secret);
});

test("a key reused to mark another message as read is 422, not a replay", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const [one, two] = ["one", "two"].map((text) => sendMessage(server.core, ada.caller, { to: "bo", text }));
  const headers = { "idempotency-key": "read-1" };
  const read = (up_to = "") =>
    call(server, bo.token, `POST /messages/${one?.threadId}/read`, { body: { up_to }, headers });
  expect((await read(one?.id)).body.unread).toBe(1);
  expect((await read(two?.id)).status).toBe(422);
  expect((await read(one?.id)).headers.get("idempotency-replayed")).toBe("true");
  expect(countUnread(server.core, bo.caller)).toBe(1);
});
