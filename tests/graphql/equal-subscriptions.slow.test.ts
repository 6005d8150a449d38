// Tests docs/contract.md#12.35.
import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { listTokens, revokeToken } from "../../src/core/delegation/tokens/tokens.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { OPERATIONS_MAX } from "../../src/graphql/single-connection.ts";
import { LISTENERS_MAX } from "../../src/http/listeners.ts";
import { createMemberToken, type TestServer, createMember, openTestServer } from "../support.ts";
import { listen, type SentEvent, singleStream } from "./stream.ts";

const POSTS = "subscription { postCreated { id text author { bio } } }";
const ALL = LISTENERS_MAX.each * OPERATIONS_MAX;

/** Calls `ran` with each statement that the server prepares. */
function record({ core }: TestServer, ran: (sql: string) => void): void {
  const { db } = core;
  (core as { db: typeof db }).db = {
    ...db,
    prepare: ((sql: string) => {
      ran(sql);
      return db.prepare(sql);
    }) as typeof db.prepare,
  };
}

/** Counts how often the server read new events and how often it computed a response to `POSTS`. */
function counted(server: TestServer): { reads: number; answers: number } {
  const counts = { reads: 0, answers: 0 };
  record(server, (sql) => {
    if (sql.includes("AS body")) counts.reads++;
    if (sql.includes("AS joinedAt") && sql.includes("bio")) counts.answers++;
  });
  return counts;
}

const idOf = (event: SentEvent | undefined): string => event?.data.payload.data.postCreated.id;

test("all equal operations of one account share one read and one result for each post", async () => {
  await using server = openTestServer();
  const { caller } = createMember(server.core, "ada");
  const counts = counted(server);
  const streams = await Promise.all(
    Array.from({ length: LISTENERS_MAX.each }, () => {
      // Tokens differ, but their rights are equal.
      const { token } = createMemberToken(server.core, "ada");
      return singleStream(server, token);
    }),
  );
  for (const stream of streams)
    for (let i = 0; i < OPERATIONS_MAX; i++) expect(await stream.begin(`o${i}`, POSTS)).toBe(202);
  const all = () =>
    Promise.all(streams.map((of) => Promise.all(Array.from({ length: OPERATIONS_MAX }, () => of.next()))));
  createPost(server.core, caller, { text: "the first, so that all have begun" });
  await all();
  Object.assign(counts, { reads: 0, answers: 0 });

  const post = createPost(server.core, caller, { text: "one" });

  const received = await all();
  expect(received.flat().map(idOf)).toEqual(Array.from({ length: ALL }, () => post.id));
  for (const events of received)
    expect(new Set(events.map((event) => event?.data.id)).size).toBe(OPERATIONS_MAX);
  expect(counts).toEqual({ reads: 1, answers: 1 });
  for (const stream of streams) await stream[Symbol.asyncDispose]();
});

test("separate streams share results as well, and each keeps its order and positions", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  createPost(server.core, caller, { text: "before" });
  const counts = counted(server);
  const streams = await Promise.all(
    Array.from({ length: LISTENERS_MAX.each }, () => listen(server, token, POSTS)),
  );
  createPost(server.core, caller, { text: "the first, so that all have begun" });
  for (const stream of streams) await stream.next();
  Object.assign(counts, { reads: 0, answers: 0 });

  server.core.db.transact(() => {
    for (const text of ["one", "two", "three"]) createPost(server.core, caller, { text });
  });

  const positions: string[][] = [];
  for (const stream of streams) {
    const received = [await stream.next(), await stream.next(), await stream.next()];
    expect(received.map((event) => event?.data.data.postCreated.text)).toEqual(["one", "two", "three"]);
    positions.push(received.map((event) => event?.data.extensions.eventId));
    expect(received.map((event) => event?.id)).toEqual([...(positions.at(-1) ?? [])]);
  }
  expect(new Set(positions.map((ids) => ids.join())).size).toBe(1);
  expect(counts).toEqual({ reads: 1, answers: 3 });
  await streams.pop()?.[Symbol.asyncDispose]();
  await using resumed = await listen(server, token, POSTS, {
    headers: { "last-event-id": positions[0]?.[0] ?? "" },
  });
  expect([await resumed.next(), await resumed.next()].map((event) => event?.id)).toEqual(
    positions[0]?.slice(1) ?? [],
  );
  for (const stream of streams) await stream[Symbol.asyncDispose]();
});

test("computes results separately for different accounts, scopes, variables or documents", async () => {
  await using server = openTestServer();
  const { core } = server;
  const [ada, bo] = [createMember(core, "ada"), createMember(core, "bo")];
  const document =
    "subscription($tag: String) { postCreated(tag: $tag) { text viewerCanEdit author { bio } } }";
  const narrow = createMemberToken(core, "ada", ["feed:read"]).token;
  await using mine = await listen(server, ada.token, document);
  await using scoped = await listen(server, narrow, document);
  await using others = await listen(server, bo.token, document);
  await using tagged = await listen(server, ada.token, document, { variables: { tag: "rust" } });
  await using another = await listen(server, ada.token, "subscription { postCreated { a: text } }");

  createPost(core, ada.caller, { text: "plain" });
  createPost(core, ada.caller, { text: "tagged", tags: ["rust"] });

  const first = (await mine.next())?.data;
  expect(first).toMatchObject({ data: { postCreated: { text: "plain", viewerCanEdit: true } } });
  expect(first.errors).toBeUndefined();
  const lacking = (await scoped.next())?.data;
  expect(lacking.data.postCreated).toEqual({ text: "plain", viewerCanEdit: false, author: { bio: null } });
  expect(lacking.errors[0].extensions.code).toBe("forbidden");
  expect((await others.next())?.data.data.postCreated).toMatchObject({ text: "plain", viewerCanEdit: false });
  expect((await tagged.next())?.data.data.postCreated.text).toBe("tagged");
  expect((await another.next())?.data.data).toEqual({ postCreated: { a: "plain" } });
});

test("shares nothing across commits: a deleted post is sent to no later stream", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token, caller } = createMember(core, "ada");
  await using first = await listen(server, token, POSTS);
  const { id } = createPost(core, caller, { text: "deleted" });
  expect((await first.next())?.data.data.postCreated.id).toBe(id);

  deletePost(core, caller, id);
  createPost(core, caller, { text: "kept" });

  const begin = first.headers.get("last-event-id") ?? "";
  await using second = await listen(server, token, POSTS, { headers: { "last-event-id": begin } });
  expect((await second.next())?.data.data.postCreated.text).toBe("kept");
});

test("each scope of a shared result counts as used by every token that receives it", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { caller } = createMember(core, "ada");
  const tokens = [createMemberToken(core, "ada"), createMemberToken(core, "ada")];
  const streams = await Promise.all(tokens.map(({ token }) => listen(server, token, POSTS)));

  createPost(core, caller, { text: "one" });
  for (const stream of streams) await stream.next();

  const [first, second] = listTokens(core, OPERATOR, "ada");
  expect(first?.unusedScopes).not.toContain("profile:read");
  expect(second?.unusedScopes).not.toContain("profile:read");
  for (const stream of streams) await stream[Symbol.asyncDispose]();
});

for (const [how, end] of Object.entries({
  "a token that is revoked": (server: TestServer, token: string) => revokeToken(server.core, OPERATOR, token),
  "an account that is suspended": ({ core }: TestServer) => setSuspended(core, OPERATOR, "ada", true),
}))
  for (const [at, statement] of Object.entries({ "the read": "AS body", "the answer": "AS joinedAt" }))
    test(`${how} during ${at} receives nothing from it, and equal operations with access receive everything`, async () => {
      await using server = openTestServer();
      const { core } = server;
      const { token } = createMember(core, "ada");
      const { caller } = createMember(core, "bo");
      const kept = createMemberToken(core, "ada").token;
      await using stream = await listen(server, token, POSTS);
      await using other = await listen(server, kept, POSTS);
      let isEnded = false;
      record(server, (sql) => {
        if (isEnded || !sql.includes(statement)) return;
        isEnded = true;
        end(server, token);
      });

      createPost(core, caller, { text: "one" });

      expect((await stream.next())?.event).toBe("complete");
      expect(await stream.next()).toBeUndefined();
      expect(isEnded).toBe(true);
      const received = await other.next();
      if (how.startsWith("a token")) expect(received?.data.data.postCreated.text).toBe("one");
      else expect(received?.event).toBe("complete");
    });

test("an account with hundreds of operations does not delay an operation of another account", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token } = createMember(core, "ada");
  const bo = createMember(core, "bo");
  const counts = counted(server);
  const streams = await Promise.all(
    Array.from({ length: LISTENERS_MAX.each }, () => singleStream(server, token)),
  );
  for (const [n, stream] of streams.entries())
    for (let i = 0; i < OPERATIONS_MAX; i++) {
      const different = POSTS.replace("postCreated", `of${n}of${i}: postCreated`);
      expect(await stream.begin(`o${i}`, different)).toBe(202);
    }
  await using otherStream = await listen(server, bo.token, POSTS);
  Object.assign(counts, { reads: 0, answers: 0 });
  let before = 0;
  const received = otherStream.next().then(() => (before = counts.answers));

  createPost(core, bo.caller, { text: "one" });

  for (const many of streams) for (let i = 0; i < OPERATIONS_MAX; i++) await many.next();
  await received;
  expect(counts.answers).toBe(ALL + 1);
  expect(before).toBeLessThan(5);
  for (const many of streams) await many[Symbol.asyncDispose]();
});
