// Tests docs/contract.md#8.10.
import { afterAll, expect, test } from "bun:test";
import { type Client, type ClientOptions, createClient } from "graphql-sse";
import { revokeToken } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { OPERATIONS_MAX } from "../../src/graphql/single-connection.ts";
import { LISTENERS_MAX } from "../../src/http/listeners.ts";
import { createMemberToken, type TestServer, createMember, openTestServer } from "../support.ts";
import { graph } from "./ask.ts";
import { listen, singleStream } from "./stream.ts";
import { deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";

const clients: Client<boolean>[] = [];
afterAll(() => clients.forEach((client) => client.dispose()));

/** Creates the reference client of the protocol, in single or distinct connection mode. */
function clientOf<Single extends boolean>(
  server: TestServer,
  token: string,
  singleConnection: Single,
  more: Partial<ClientOptions> = {},
): Client<Single> {
  const client = createClient({
    url: `${server.url}/graphql`,
    headers: { authorization: `Bearer ${token}` },
    singleConnection,
    retryAttempts: 0,
    ...more,
  } as ClientOptions<Single>);
  clients.push(client as Client<boolean>);
  return client;
}

/** Collects every message of an operation until it completes or fails. */
function follow(client: Client<boolean>, query: string, variables: Record<string, unknown> = {}) {
  const received: any[] = [];
  let end: (() => void) | undefined;
  const ended = new Promise<string>((resolve) => {
    end = client.subscribe(
      { query, variables },
      {
        next: (result) => void received.push(result),
        error: (error) => resolve(String(error)),
        complete: () => resolve("complete"),
      },
    );
  });
  return { told: received, ended, end: () => end?.() };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(5);
}

for (const single of [false, true]) {
  test(`graphql-sse, ${single ? "single connection" : "distinct connections"} mode: queries, mutations, errors and events`, async () => {
    await using server = openTestServer();
    const { token, caller } = createMember(server.core, "ada");
    const client = clientOf(server, token, single);
    const posts = follow(client, "subscription { postCreated { text } }");
    const tagged = follow(client, 'subscription { postCreated(tag: "rust") { text tags } }');

    const query = follow(client, "{ viewer { builder { username } } }");
    expect(await query.ended).toBe("complete");
    expect(query.told).toEqual([{ data: { viewer: { builder: { username: "ada" } } } }]);
    const mutation = follow(client, 'mutation { createPost(input: { text: "by SSE" }) { post { text } } }');
    expect(await mutation.ended).toBe("complete");
    expect(mutation.told[0].data.createPost.post).toEqual({ text: "by SSE" });

    const partial = follow(
      client,
      '{ a: post(id: "post_01kafzq8e5f2r8v0j3n6s1t4wx") { id } rateLimit { cost } }',
    );
    expect(await partial.ended).toBe("complete");
    expect(partial.told[0].data.rateLimit.cost).toBeGreaterThan(0);

    await until(() => posts.told.length > 0);
    createPost(server.core, caller, { text: "one", tags: ["rust"] });
    await until(() => posts.told.length > 1 && tagged.told.length > 0);
    expect(posts.told.map(({ data }) => data.postCreated.text)).toEqual(["by SSE", "one"]);
    expect(tagged.told.map(({ data }) => data.postCreated)).toEqual([{ text: "one", tags: ["rust"] }]);
    expect(posts.told[0].extensions.eventId).toStartWith("evt_");

    posts.end();
    expect(await posts.ended).toBe("complete");
    createPost(server.core, caller, { text: "two", tags: ["rust"] });
    await until(() => tagged.told.length > 1);
    expect(posts.told.length).toBe(2);
    tagged.end();
  });
}

for (const single of [false, true]) {
  test(`graphql-sse, ${single ? "single connection" : "distinct connections"} mode: a client that resumes by \`extensions.eventId\` loses nothing`, async () => {
    await using server = openTestServer();
    const { token, caller } = createMember(server.core, "ada");
    const query = "subscription($after: ID) { postCreated(after: $after) { text } }";
    const first = clientOf(server, token, single);
    const before = follow(first, query);
    // The operation is active once it receives a post.
    while (before.told.length === 0) {
      createPost(server.core, caller, { text: "seen" });
      await Bun.sleep(5);
    }
    first.dispose();
    await before.ended;
    for (const text of ["one", "two"]) createPost(server.core, caller, { text });

    const after = before.told.at(-1).extensions?.eventId;
    const resumed = follow(clientOf(server, token, single), query, { after });
    createPost(server.core, caller, { text: "three" });

    const texts = (): string[] => resumed.told.map(({ data }) => data.postCreated.text);
    await until(() => texts().includes("three"));
    expect(texts().filter((text) => text !== "seen")).toEqual(["one", "two", "three"]);
  });
}

for (const [how, end] of Object.entries({
  "an account that is suspended": ({ core }: TestServer) => setSuspended(core, OPERATOR, "ada", true),
  "a token that is revoked": ({ core }: TestServer, token: string) => revokeToken(core, OPERATOR, token),
}))
  test(`${how} completes each operation of a single connection`, async () => {
    await using server = openTestServer();
    const { token, caller } = createMember(server.core, "ada");
    const client = clientOf(server, token, true);
    const operations = ["tag", "author"].map((name) =>
      follow(client, `subscription { postCreated(${name}: "ada") { text } }`),
    );
    const all = follow(client, "subscription { postCreated { text } }");
    while (all.told.length === 0 || operations[1]?.told.length === 0) {
      createPost(server.core, caller, { text: "begun" });
      await Bun.sleep(5);
    }

    end(server, token);

    expect(await Promise.all([all, ...operations].map(({ ended }) => ended))).toEqual([
      "complete",
      "complete",
      "complete",
    ]);
  });

test("a stream whose own token ends closes the operations of other tokens, so that their clients reconnect", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const other = createMemberToken(server.core, "ada").token;
  await using stream = await singleStream(server, token);
  expect(await stream.begin("mine", "subscription { postCreated { text } }")).toBe(202);
  expect(await stream.begin("others", "subscription { postCreated { text } }", other)).toBe(202);

  revokeToken(server.core, OPERATOR, token);

  expect(await stream.next()).toEqual({ id: "", event: "complete", data: { id: "mine" } });
  expect(await stream.next()).toBeUndefined();
});

test("a stream reports its start position, so that a loss before its first event loses nothing", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const subscription = "subscription { postCreated { text } }";
  for (const text of ["of an empty log", "of one with events"]) {
    const opened = await listen(server, token, subscription);
    const begin = opened.headers.get("last-event-id") ?? "";
    await opened[Symbol.asyncDispose]();
    createPost(server.core, caller, { text });

    await using resumed = await listen(server, token, subscription, { headers: { "last-event-id": begin } });
    expect((await resumed.next())?.data.data.postCreated.text).toBe(text);
    expect(resumed.headers.get("last-event-id")).toBe(begin);
  }

  const stream = await (await send(server, token, "PUT")).text();
  const begun = await send(server, token, "POST", { stream, body: operation("a") });
  expect(begun.headers.get("last-event-id")).toStartWith("evt_");
});

test("the start position of a stream remains valid when the event before it is deleted with an account", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token, caller } = createMember(core, "ada");
  createMember(core, "bo");
  sendMessage(core, caller, { to: "bo", text: "The last event is bo's alone." });
  const subscription = "subscription { postCreated { text } }";
  const opened = await listen(server, token, subscription);
  const begin = opened.headers.get("last-event-id") ?? "";
  await opened[Symbol.asyncDispose]();

  deleteAccount(core, OPERATOR, "bo", "bo");
  createPost(core, caller, { text: "after it" });

  await using resumed = await listen(server, token, subscription, { headers: { "last-event-id": begin } });
  expect((await resumed.next())?.data.data.postCreated.text).toBe("after it");
});

test("a client gets its start position in the stream before any event", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const query = encodeURIComponent("subscription { postCreated { text } }");
  const answer = await send(server, token, "GET", { query: `?query=${query}`, accept: "text/event-stream" });
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes("id:")) break;
  }
  expect(text).toBe(`:\n\nid: ${answer.headers.get("last-event-id")}\n\n`);
});

/** Sends a protocol request without the client library. */
const send = (
  server: TestServer,
  token: string | undefined,
  method: string,
  init: { stream?: string; query?: string; body?: object; accept?: string } = {},
) =>
  fetch(`${server.url}/graphql${init.query ?? ""}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(init.stream ? { "x-graphql-event-stream-token": init.stream } : {}),
      ...(init.body ? { "content-type": "application/json" } : {}),
      ...(init.accept ? { accept: init.accept } : {}),
    },
    ...(init.body ? { body: JSON.stringify(init.body) } : {}),
  });
const operation = (id: string, query = "subscription { postCreated { text } }") => ({
  query,
  extensions: { operationId: id },
});

test("a request with an invalid operation gets the error, and the stream gets nothing", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const stream = await (await send(server, token, "PUT")).text();
  for (const query of ["{", "{ nothing }", "query($a: Int!) { feed(first: $a) { edges { cursor } } }"]) {
    const refused = await send(server, token, "POST", { stream, body: operation("a", query) });
    expect([query, refused.status, (await refused.json()).errors[0].extensions.code]).toEqual([
      query,
      400,
      "bad_request",
    ]);
  }
  for (const [id, reason] of [
    [undefined, "operation_unnamed"],
    ["x".repeat(201), "operation_unnamed"],
  ] as const) {
    const refused = await send(server, token, "POST", {
      stream,
      body: { ...operation("a"), extensions: { operationId: id } },
    });
    expect([refused.status, (await refused.json()).errors[0].extensions.reason]).toEqual([400, reason]);
  }
  expect((await send(server, token, "POST", { stream, body: operation("a") })).status).toBe(202);
  expect((await send(server, token, "POST", { stream, body: operation("a") })).status).toBe(409);
  expect((await send(server, token, "DELETE", { stream, query: "?operationId=a" })).status).toBe(200);
  expect((await send(server, token, "POST", { stream, body: operation("a") })).status).toBe(202);
});

test("a stream belongs to its account, opens once, and opens without credentials by its token alone", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const { token: other } = createMember(server.core, "bo");
  const reserved = await send(server, token, "PUT");
  const stream = await reserved.text();
  expect([reserved.status, reserved.headers.get("content-type"), stream.length]).toEqual([
    201,
    "text/plain; charset=utf-8",
    22,
  ]);
  expect((await send(server, undefined, "PUT")).status).toBe(401);
  for (const method of ["GET", "POST", "DELETE"]) {
    const init = {
      stream,
      query: method === "DELETE" ? "?operationId=a" : "",
      ...(method === "POST" ? { body: operation("a") } : {}),
    };
    expect([method, (await send(server, other, method, init)).status]).toEqual([method, 404]);
    expect([method, (await send(server, token, method, { ...init, stream: "nonsense" })).status]).toEqual([
      method,
      404,
    ]);
    if (method !== "GET")
      expect([method, (await send(server, undefined, method, init)).status]).toEqual([method, 401]);
  }
  // A request as sent by the browser's `EventSource`.
  const open = await send(server, undefined, "GET", {
    query: `?token=${stream}`,
    accept: "text/event-stream",
  });
  expect([
    open.status,
    open.headers.get("content-type"),
    open.headers.get("x-accel-buffering"),
    open.headers.get("cache-control"),
  ]).toEqual([200, "text/event-stream; charset=utf-8", "no", "private, no-store"]);
  expect((await send(server, token, "GET", { stream, accept: "text/event-stream" })).status).toBe(409);
  expect(server.logged.join("\n")).not.toContain(stream);
  revokeToken(server.core, OPERATOR, token);
  const rest = await open.text();
  expect(rest.replaceAll(":\n\n", "")).toBe("");
});

test("limits an account to five streams, reserved or open, with fifty operations each", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const streams: string[] = [];
  for (let i = 0; i < LISTENERS_MAX.each; i++) streams.push(await (await send(server, token, "PUT")).text());
  for (let i = 0; i < 20; i++)
    expect((await send(server, createMemberToken(server.core, "ada").token, "PUT")).status).toBe(409);
  const [stream = ""] = streams;
  const open = await send(server, token, "GET", { stream, accept: "text/event-stream" });
  for (let i = 0; i < OPERATIONS_MAX; i++)
    expect((await send(server, token, "POST", { stream, body: operation(`o${i}`) })).status).toBe(202);
  for (let i = 0; i < 20; i++) {
    const refused = await send(server, token, "POST", { stream, body: operation(`more${i}`) });
    expect([refused.status, (await refused.json()).errors[0].extensions.reason]).toEqual([
      409,
      "operations_too_many",
    ]);
  }
  expect((await send(server, createMember(server.core, "bo").token, "PUT")).status).toBe(201);
  await open.body?.cancel();
  let status = 409;
  while (status === 409) status = (await send(server, token, "PUT")).status;
  expect(status).toBe(201);
});

test("a client that does not read gets only as many results as its buffer holds", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  server.core.db.transact(() => {
    for (let i = 0; i < 100; i++) createPost(server.core, caller, { text: "x".repeat(2_000) });
  });
  const { db } = server.core;
  let reads = 0;
  (server.core as { db: typeof db }).db = {
    ...db,
    prepare: ((sql: string) => {
      if (/FROM posts p/.test(sql)) reads++;
      return db.prepare(sql);
    }) as typeof db.prepare,
  };
  const stream = await (await send(server, token, "PUT")).text();
  const page = "{ feed(first: 100) { edges { node { text } } } }";
  for (let i = 0; i < 20; i++)
    expect((await send(server, token, "POST", { stream, body: operation(`o${i}`, page) })).status).toBe(202);
  await graph(server, token, "{ rateLimit { cost } }");
  // The stream is not open yet, so the server reads only as much as its buffer holds.
  expect(reads).toBe(2);
  const open = await send(server, token, "GET", { stream, accept: "text/event-stream" });
  let text = "";
  for await (const chunk of open.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.split("event: complete").length > 20) break;
  }
  expect(text.split("event: next").length - 1).toBe(20);
});
