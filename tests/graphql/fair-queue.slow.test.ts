import { expect, test } from "bun:test";
import { revokeToken } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { createFairQueue } from "../../src/core/base/fair-queue.ts";
import {
  createMemberToken,
  pausedLookup,
  type TestServer,
  createMember,
  openTestServer,
} from "../support.ts";
import { codes, graph } from "./ask.ts";

test("runs one task at a time, round-robin over callers", async () => {
  const turns = createFairQueue();
  const seen: string[] = [];
  let running = 0;
  const work = (name: string) => async () => {
    running++;
    expect(running).toBe(1);
    seen.push(name);
    await new Promise((done) => setImmediate(done));
    running--;
    return name;
  };
  const all = ["a1", "a2", "a3", "a4", "b1", "c1", "b2"].map((name) => turns(name.slice(0, 1), work(name)));
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "a4", "b1", "c1", "b2"]);
  expect(seen).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

test("a task that throws fails alone, and the next one runs", async () => {
  const turns = createFairQueue();
  const fail = (): never => {
    throw new Error("no");
  };
  const all = await Promise.allSettled([
    turns("a", fail),
    turns("a", async () => fail()),
    turns("b", () => 1),
    turns("a", () => 2),
  ]);
  expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled", "fulfilled"]);
  expect(await turns("a", () => 3)).toBe(3);
});

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/**
 * Occupies the CPU for `ms` of CPU time, which the scheduler measures too. Wall time would include pauses of
 * a busy machine.
 */
function work(ms: number): void {
  for (const until = cpuMs() + ms; cpuMs() < until;);
}

/**
 * Returns a list of page lengths, one for each statement of the feed, in order. The page length identifies
 * the query. Each page uses `workMs` of CPU time.
 */
function watch(server: TestServer, workMs = 0): number[] {
  const { db } = server.core;
  const seen: number[] = [];
  (server.core as { db: typeof db }).db = {
    ...db,
    prepare: ((sql: string) => {
      const statement = db.prepare(sql);
      return {
        ...statement,
        get: (...bound: unknown[]) => statement.get(...bound),
        run: (...bound: unknown[]) => statement.run(...bound),
        all: (...bound: unknown[]) => {
          if (/FROM posts p JOIN builders/.test(sql)) seen.push(Number(bound.at(-1)) - 1);
          if (/FROM likes|JOIN likes/.test(sql))
            seen.push((JSON.parse(String(bound[0])) as unknown[]).length);
          if (/FROM posts p JOIN builders/.test(sql)) work(workMs);
          return statement.all(...bound);
        },
      };
    }) as typeof db.prepare,
  };
  return seen;
}

test("runs large queries of one client one after the other, and other requests between them", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token, caller } = createMember(core, "ada");
  core.db.transact(() => {
    for (let i = 0; i < 100; i++) createPost(core, caller, { text: `post ${i}` });
  });
  const seen = watch(server);
  const sizes = Array.from({ length: 20 }, (_, i) => 80 + i);
  const document =
    "query($n: Int!) { feed(first: $n) { edges { node { liked author { username } metrics { likes } replies(first: 1) { edges { cursor } } } } } }";
  const answers = await Promise.all(sizes.map((n) => graph(server, token, document, { variables: { n } })));
  for (const { body } of answers) expect(body.errors).toBeUndefined();
  // Each query finishes its reads before the next query starts.
  const runs = seen.filter((size, i) => size !== seen[i - 1]);
  expect(seen.length).toBe(2 * sizes.length);
  expect(runs.toSorted((a, b) => a - b)).toEqual(sizes);
});

test("starts one of several slow queries in each turn of the event loop, and serves later ones between them", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token, caller } = createMember(core, "ada");
  createPost(core, caller, { text: "a post" });
  const seen = watch(server, 12);
  const inTurns: number[] = [];
  const turn = (): void => void inTurns.push(seen.splice(0).length);
  let isOver = false;
  const loop = (): void => {
    turn();
    if (!isOver) setImmediate(loop);
  };
  loop();
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => graph(server, token, "{ feed(first: 2) { edges { node { text } } } }")),
  );
  isOver = true;
  turn();
  for (const { body } of answers) expect(body.errors).toBeUndefined();
  expect(inTurns.reduce((a, b) => a + b, 0)).toBe(40);
  // Two queries that started in different turns of the event loop may read the database in the same turn.
  expect(Math.max(...inTurns)).toBeLessThanOrEqual(2);
});

test("refuses a queued request completely when its token is revoked before the request runs", async () => {
  for (const headers of [{}, { "idempotency-key": "k" }] as Record<string, string>[]) {
    const { promise: found, resolve: find } = Promise.withResolvers<string[]>();
    const { promise: pending, resolve: wasAsked } = Promise.withResolvers<void>();
    const names: string[] = [];
    await using server = openTestServer({
      resolve: (name) => {
        names.push(name);
        wasAsked();
        return found;
      },
    });
    const [ada, bo] = [createMember(server.core, "ada"), createMember(server.core, "bo")];
    const register = (name: string) =>
      `mutation { registerWebhook(input: { url: "https://${name}.example.com/", events: ["post.created"] }) {
         webhook { deliveries(first: 100) { edges { node { event { type } log { status } } } } } } }`;
    const first = graph(server, ada.token, register("slow"));
    await pending;
    const left = async (): Promise<number> =>
      (await graph(server, bo.token, "{ rateLimit { remaining } }")).body.data.rateLimit.remaining;
    const before = await left();
    const waiting = graph(server, bo.token, register("late"), { headers });
    // Each `left()` request lowers the remaining limit by 1. A larger drop means that the mutation was
    // charged and is queued.
    for (let questions = 1; before - (await left()) === questions;) questions++;
    revokeToken(server.core, OPERATOR, bo.token);
    find(["93.184.215.14"]);
    expect((await first).body.errors).toBeUndefined();
    const refused = await waiting;
    expect([refused.status, codes(refused), names]).toEqual([401, ["unauthorized"], ["slow.example.com"]]);
  }
});

test("a mutation that waits for a name lookup does not block large queries", async () => {
  const { resolve, asked, find } = pausedLookup();
  await using server = openTestServer({ resolve });
  const { token } = createMember(server.core, "ada");
  const slow = graph(
    server,
    token,
    `mutation { registerWebhook(input: { url: "https://slow.example.com/", events: ["post.created"] }) {
       webhook { deliveries(first: 100) { edges { node { event { type } log { status } } } } } } }`,
  );
  await asked;
  const page = "{ feed(first: 100) { edges { node { author { username } replies { edges { cursor } } } } } }";
  expect((await graph(server, token, page)).body.errors).toBeUndefined();
  find(["93.184.215.14"]);
  expect((await slow).body.errors).toBeUndefined();
  // A large query that is refused while it runs keeps the code of its refusal.
  const other = createMemberToken(server.core, "ada", ["jobs:read"]).token;
  expect(codes(await graph(server, other, page))).toEqual(["forbidden"]);
});
