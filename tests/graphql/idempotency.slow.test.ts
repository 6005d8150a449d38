import { describe, expect, test } from "bun:test";
import { revokeToken } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { ROUTES } from "../routes.ts";
import { dumpRows, rows } from "../spec/rows.ts";
import {
  createMemberToken,
  pausedLookup,
  type TestServer,
  createMember,
  openTestServer,
} from "../support.ts";
import { codes, graph, type GraphAnswer } from "./ask.ts";
import { NAME_ARGUMENTS } from "../../src/graphql/mutation.ts";
import { parityRows } from "./parity-rows.ts";
import { openFixtureCommunity } from "./fixture-community.ts";

const POST = 'mutation { createPost(input: { text: "once" }) { post { id text } } }';
const headers = { "idempotency-key": "k" };
const posts = (server: TestServer): number => rows(server.core, "SELECT id FROM posts").length;
const isReplayed = (answer: GraphAnswer): boolean => answer.headers.get("idempotency-replayed") === "true";

describe("a mutation accepts an Idempotency-Key like REST's POST of the same name", () => {
  for (const op of ROUTES.filter(({ kind }) => kind === "write")) {
    test(op.id, async () => {
      await using opened = await openFixtureCommunity();
      const { server, community } = opened;
      const row = parityRows(community)[op.id];
      if (!row) throw new Error(`${op.id} has no row`);
      const camel = (value: unknown): unknown =>
        Array.isArray(value) || typeof value !== "object" || value === null
          ? value
          : Object.fromEntries(
              Object.entries(value).map(([key, inner]) => [
                key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
                camel(inner),
              ]),
            );
      const name = NAME_ARGUMENTS.has(op.param?.name ?? "") ? op.param?.name : "id";
      const input = {
        ...(op.param ? { [name ?? ""]: row.param } : {}),
        ...(camel(row.body ?? {}) as object),
      };
      const ask = () => graph(server, community.ada.token, row.graph, { variables: { input }, headers });
      const first = await ask();
      expect(first.body.errors).toBeUndefined();
      expect(isReplayed(first)).toBe(false);
      const before = dumpRows(server.core);
      const again = await ask();
      if (op.method !== "POST") {
        expect(isReplayed(again)).toBe(false);
        return;
      }
      expect(isReplayed(again)).toBe(true);
      expect(again.body).toEqual(first.body);
      expect(dumpRows(server.core)).toEqual(before);
    });
  }
});

test("the same key with another body returns 422 and runs nothing", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  await graph(server, token, POST, { headers });
  const others = [
    POST.replace("once", "twice"),
    'mutation { a: createPost(input: { text: "once" }) { post { id } } b: createPost(input: { text: "b" }) { post { id } } }',
    'mutation { changeProfile(input: { bio: "b" }) { builder { bio } } }',
  ];
  for (const document of others) {
    const answer = await graph(server, token, document, { headers });
    expect([answer.status, codes(answer)]).toEqual([422, ["unprocessable"]]);
    expect(answer.body.data).toBeUndefined();
  }
  expect(posts(server)).toBe(1);
  expect(rows(server.core, "SELECT bio FROM builders")).toEqual([{ bio: "" }]);
  expect(isReplayed(await graph(server, token, POST, { headers }))).toBe(true);
});

test("a key whose first request still runs returns 409", async () => {
  const { resolve, asked, find } = pausedLookup();
  await using server = openTestServer({ resolve });
  const { token } = createMember(server.core, "ada");
  const document =
    'mutation { registerWebhook(input: { url: "https://slow.example.com/", events: ["post.created"] }) { secret } }';
  const first = graph(server, token, document, { headers });
  await asked;
  for (const other of [document, POST]) {
    const answer = await graph(server, token, other, { headers });
    expect([answer.status, codes(answer)]).toEqual([409, ["conflict"]]);
  }
  find(["93.184.215.14"]);
  const { text } = await first;
  expect(text).toContain("whsec_");
  const again = await graph(server, token, document, { headers });
  expect([again.text, isReplayed(again)]).toEqual([text, true]);
});

test("fifty simultaneous requests create one post, and a retry gets its response", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const received = await Promise.all(
    Array.from({ length: 50 }, () => graph(server, token, POST, { headers })),
  );
  const created = received.filter(({ status }) => status === 200);
  expect(created.length).toBeGreaterThan(0);
  expect(new Set(created.map(({ text }) => text)).size).toBe(1);
  expect(created.filter((answer) => !isReplayed(answer))).toHaveLength(1);
  for (const other of received.filter(({ status }) => status !== 200))
    expect([other.status, codes(other)]).toEqual([409, ["conflict"]]);
  expect(posts(server)).toBe(1);
  const retry = await graph(server, token, POST, { headers });
  expect([retry.text, isReplayed(retry)]).toEqual([created[0]?.text ?? "", true]);
});

test("a retry of several mutations runs those that failed, and repeats none that succeeded", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token } = createMember(core, "ada");
  const document = `mutation { a: createPost(input: { text: "a" }) { post { id } }
    send: sendMessage(input: { to: "bo", text: "hi" }) { message { text } }
    b: createPost(input: { text: "b" }) { post { id } } }`;
  const first = await graph(server, token, document, { headers });
  expect(codes(first)).toEqual(["not_found"]);
  expect(posts(server)).toBe(2);
  createMember(core, "bo");
  const second = await graph(server, token, document, { headers });
  expect(second.body.errors).toBeUndefined();
  expect(second.body.data).toEqual({ ...first.body.data, send: { message: { text: "hi" } } });
  const third = await graph(server, token, document, { headers });
  expect(third.body).toEqual(second.body);
  expect([posts(server), rows(core, "SELECT id FROM messages").length]).toEqual([2, 1]);
});

test("a refused mutation leaves the key unused; a key belongs to an account and workspace, and ends after 24 hours", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  const { token } = createMember(core, "ada");
  const bo = createMember(core, "bo").token;
  expect(codes(await graph(server, token, POST.replace("once", " "), { headers }))).toEqual(["bad_request"]);
  const reader = createMemberToken(core, "ada", ["feed:read"]).token;
  expect(codes(await graph(server, reader, POST, { headers }))).toEqual(["forbidden"]);
  expect(rows(core, "SELECT key FROM idempotency_keys")).toEqual([]);
  const first = await graph(server, token, POST, { headers });
  expect(codes(await graph(server, reader, POST, { headers }))).toEqual(["forbidden"]);
  expect(isReplayed(await graph(server, bo, POST, { headers }))).toBe(false);
  // REST keys are separate from GraphQL keys.
  expect(
    (await server.request(token, "/feed", { method: "POST", body: { text: "rest" }, headers })).status,
  ).toBe(201);
  expect((await graph(server, token, POST, { headers })).text).toBe(first.text);
  clock.pass(DAY);
  const late = await graph(server, token, POST.replace("once", "a day later"), { headers });
  expect([late.status, isReplayed(late)]).toEqual([200, false]);
});

test("a key has 1 to 255 characters, works with aliases of any length, and is ignored on queries", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  for (const key of ["", "k".repeat(256)]) {
    const answer = await graph(server, token, POST, { headers: { "idempotency-key": key } });
    expect([key.length, answer.status, codes(answer)]).toEqual([key.length, 400, ["bad_request"]]);
  }
  const long = POST.replace("createPost", `${"a".repeat(5000)}: createPost`);
  const first = await graph(server, token, long, { headers });
  expect(first.body.errors).toBeUndefined();
  expect((await graph(server, token, long, { headers })).text).toBe(first.text);
  const reads = await Promise.all(
    ["{ feed { edges { node { id } } } }", "{ viewer { scopes } }"].flatMap((document) =>
      [1, 2].map(() => graph(server, token, document, { headers })),
    ),
  );
  for (const read of reads)
    expect([read.status, read.body.errors, isReplayed(read)]).toEqual([200, undefined, false]);
});

test("a mutation that waits for a name lookup stores nothing if its token is revoked meanwhile", async () => {
  const { resolve, asked, find } = pausedLookup();
  await using server = openTestServer({ resolve });
  const { token } = createMember(server.core, "ada");
  const document =
    'mutation { registerWebhook(input: { url: "https://slow.example.com/", events: ["post.created"] }) { secret } }';
  const answer = graph(server, token, document);
  await asked;
  revokeToken(server.core, OPERATOR, token);
  find(["93.184.215.14"]);
  expect(codes(await answer)).toEqual(["unauthorized"]);
  expect(rows(server.core, "SELECT id FROM webhook_endpoints")).toEqual([]);
});
