// Tests docs/contract.md#5.4.
import { expect, test } from "bun:test";
import { revokeToken } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { createMemberToken, type TestServer, createMember, openTestServer } from "../support.ts";
import { until } from "../delivery/receiver.ts";
import { call } from "./client.ts";
import { spyOnDatabase } from "./rows.ts";

/** Starts a request without awaiting the response. `leave` disconnects. */
function begin(server: TestServer, token: string, query: string, headers: Record<string, string> = {}) {
  const leaving = new AbortController();
  const answer = fetch(`${server.url}/v1/events${query}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: leaving.signal,
  });
  return { answer, leave: () => leaving.abort() };
}

const STREAM = { accept: "text/event-stream" };

/** Yields the events of a stream. A comment is an empty object. */
async function* blocks(answer: Response): AsyncGenerator<Record<string, string>> {
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const lines = text
        .slice(0, end)
        .split("\n")
        .filter((line) => !line.startsWith(":"));
      text = text.slice(end + 2);
      yield Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)));
    }
  }
}

test.concurrent(
  "docs/contract.md#5.3: `wait` returns with the first event, or with an empty page at the end of the time",
  async () => {
    await using server = openTestServer();
    const { token, caller } = createMember(server.core, "ada");
    createPost(server.core, caller, { text: "before" });
    const [before] = (await call(server, token, "GET /events")).body.data;
    const waiting = begin(server, token, `?after=${before.id}&wait=30`);
    const soon = await Promise.race([waiting.answer.then(() => "answered"), Bun.sleep(300)]);
    expect(soon).toBeUndefined();
    createPost(server.core, caller, { text: "after" });
    const answer = await waiting.answer;
    const { data } = (await answer.json()) as { data: { type: string }[] };
    expect([answer.status, data.map(({ type }) => type)]).toEqual([200, ["post.created"]]);
    // Existing events are returned at once, and the wait is bounded.
    expect((await call(server, token, "GET /events?wait=30")).body.data).toHaveLength(2);
    expect((await call(server, token, "GET /events?wait=1&since=2030-01-01T00:00:00Z")).body).toEqual({
      data: [],
      next: null,
    });
    for (const wrong of ["-1", "31", "1.5", "x"])
      expect([wrong, (await call(server, token, `GET /events?wait=${wrong}`)).status]).toEqual([wrong, 400]);
  },
);

test.concurrent(
  "an event that the caller may not read does not end a wait; a revoked token ends it with 401",
  async () => {
    await using server = openTestServer();
    const { core } = server;
    const { caller } = createMember(core, "ada");
    const { token } = createMemberToken(core, "ada", ["webhooks:read", "feed:read"]);
    const bo = createMember(core, "bo").caller;
    const waiting = begin(server, token, "?wait=30&since=2026-11-01T00:00:00Z");
    sendMessage(core, bo, { to: "ada", text: "private" });
    expect(await Promise.race([waiting.answer.then(() => "answered"), Bun.sleep(400)])).toBeUndefined();
    createPost(core, caller, { text: "public" });
    const body = (await (await waiting.answer).json()) as { data: { type: string }[] };
    expect(body.data.map(({ type }) => type)).toEqual(["post.created"]);
    const ending = begin(server, token, "?wait=30&since=2030-01-01T00:00:00Z");
    await Bun.sleep(200);
    revokeToken(core, OPERATOR, token);
    expect((await ending.answer).status).toBe(401);
  },
);

test.concurrent("a HEAD request neither waits nor opens a stream", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  for (const accept of ["application/json", "text/event-stream"]) {
    const answer = await fetch(`${server.url}/v1/events?wait=30&since=2030-01-01T00:00:00Z`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${token}`, accept },
    });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "application/json; charset=utf-8",
    ]);
  }
});

test.concurrent(
  "five requests per account may wait; a disconnect frees a slot, and a server that stops answers all",
  async () => {
    const server = openTestServer();
    const { token } = createMember(server.core, "ada");
    const query = "?wait=30&since=2030-01-01T00:00:00Z";
    // A waiting request reads the log a second time once it occupies a slot.
    const statements = spyOnDatabase(server.core);
    const reads = (): number => statements.filter((sql) => sql.includes("events_by_audience")).length;
    await call(server, token, "GET /events?since=2030-01-01T00:00:00Z");
    const once = reads();
    expect(once).toBeGreaterThan(0);
    const wait = (count: number) => {
      const before = reads();
      const waiting = Array.from({ length: count }, () => begin(server, token, query));
      return { waiting, isCounted: () => reads() >= before + 2 * once * count };
    };
    const { waiting, isCounted } = wait(5);
    await until(isCounted);
    expect((await call(server, token, `GET /events${query}`)).body.error).toBe("conflict");
    waiting[0]?.leave();
    await waiting[0]?.answer.catch(() => {});
    // The server notices a disconnect after a delay. Until then, another request exceeds the limit.
    let status: number | string = 409;
    const open = waiting.slice(1);
    while (status === 409) {
      const again = wait(1);
      const answered = again.waiting[0]?.answer.then((answer) => answer.status) ?? 0;
      status = await Promise.race([answered, until(again.isCounted).then(() => "counted")]);
      if (status === "counted") open.push(...again.waiting);
    }
    expect(status).toBe("counted");
    await server[Symbol.asyncDispose]();
    for (const { answer } of open) expect((await answer).status).toBe(200);
  },
);

test.concurrent(
  "docs/contract.md#5.3: a stream sends the same log, and each id is a position to resume from",
  async () => {
    await using server = openTestServer();
    const { core } = server;
    const { token, caller } = createMember(core, "ada");
    createPost(core, caller, { text: "before" });
    const [before] = (await call(server, token, "GET /events")).body.data;
    const now = begin(server, token, "", STREAM);
    const answer = await now.answer;
    expect(
      ["content-type", "x-accel-buffering", "cache-control"].map((name) => answer.headers.get(name)),
    ).toEqual(["text/event-stream; charset=utf-8", "no", "private, no-store"]);
    const eventBlocks = blocks(answer);
    await eventBlocks.next();
    createPost(core, caller, { text: "one" });
    createPost(core, caller, { text: "two" });
    const record = (await eventBlocks.next()).value as Record<string, string>;
    const two = (await eventBlocks.next()).value as Record<string, string>;
    const pulled = (await call(server, token, `GET /events?after=${before.id}`)).body.data;
    expect([record, two].map(({ data }) => JSON.parse(data ?? ""))).toEqual(pulled);
    expect([record["id"], two["id"]]).toEqual(pulled.map(({ id }: { id: string }) => id));
    now.leave();
    const later = begin(server, token, `?after=${before.id}`, {
      ...STREAM,
      "last-event-id": record["id"] ?? "",
    });
    const again = blocks(await later.answer);
    await again.next();
    expect((await again.next()).value).toEqual(two);
    revokeToken(core, OPERATOR, token);
    expect((await again.next()).done).toBe(true);
  },
);

test.concurrent("a stream is refused at once without the scope or with an unusable position", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const feed = createMemberToken(server.core, "ada", ["feed:read"]).token;
  const ask = async (asker: string, query: string, headers: Record<string, string>) =>
    (await begin(server, asker, query, headers).answer).status;
  expect(await ask(token, "", { ...STREAM, "last-event-id": "nonsense" })).toBe(400);
  expect(await ask(token, "?after=evt_7zzzzzzzzzzzzzzzzzzzzzzzzz", STREAM)).toBe(400);
  expect(await ask(feed, "", STREAM)).toBe(403);
  for (const [accept, type] of [
    ["application/json, text/event-stream;q=0.5", "application/json; charset=utf-8"],
    ["text/event-stream;q=0", "application/json; charset=utf-8"],
    ["*/*", "application/json; charset=utf-8"],
  ] as const) {
    const { answer } = begin(server, token, "", { accept });
    expect([accept, (await answer).headers.get("content-type")]).toEqual([accept, type]);
  }
  const head = await fetch(`${server.url}/v1/events`, {
    method: "HEAD",
    headers: { authorization: `Bearer ${token}` },
  });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});
