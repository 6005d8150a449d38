// Any number of unlisted events must not delay readers (docs/contract.md#5.8).
import { expect, spyOn, test } from "bun:test";
import { hide } from "../moderate.ts";
import { revokeToken } from "../../src/core/delegation/tokens/tokens.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { SECOND } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import type { Page } from "../../src/core/base/page.ts";
import { OPERATOR, requireBuilder } from "../../src/core/identity/access/caller.ts";
import {
  beginRecovery,
  continueRecovery,
  countToRecover,
} from "../../src/core/outbox/deliveries/recovery.ts";
import { type Event, listEvents } from "../../src/core/outbox/events/events.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { LISTENERS_MAX } from "../../src/http/listeners.ts";
import { recordReads } from "../recorded-reads.ts";
import { graph } from "../graphql/ask.ts";
import {
  createMemberToken,
  createTestWorld,
  createMember,
  openTestServer,
  type TestWorld,
} from "../support.ts";
import { rows } from "./rows.ts";

const UNLISTED = 3000;
const READ_AT_ONCE = 500;

/**
 * Fills a log with a listed event, many events of a hidden post, and a listed event. Returns both listed
 * posts.
 */
function fillLog({ core, clock }: Pick<TestWorld, "core" | "clock">, unlisted = UNLISTED) {
  const { caller: ada } = createMember(core, "ada");
  clock.pass(SECOND);
  const first = createPost(core, ada, { text: "First" }).id;
  const { id } = createPost(core, ada, { text: "Hidden" });
  hide(core, OPERATOR, id);
  core.db.transact(() => {
    const copy = core.db.prepare(
      `INSERT INTO events (id, type, body, subject_id, created_at)
       SELECT ?, type, body, subject_id, created_at FROM events WHERE subject_id = ? LIMIT 1`,
    );
    for (let n = 0; n < unlisted; n++) {
      clock.pass(1);
      copy.run(core.makeId("evt", clock.now()), id);
    }
  });
  clock.pass(SECOND);
  const last = createPost(core, ada, { text: "Last" }).id;
  core.db.prepare("DELETE FROM events WHERE type <> 'post.created'").run();
  return { first, last, after: rows(core, "SELECT min(id) AS id FROM events")[0]?.["id"] as string };
}

function openWorld(unlisted = UNLISTED) {
  const world = createTestWorld();
  const { core } = world;
  const log = fillLog(world, unlisted);
  const { caller } = createMemberToken(core, "ada");
  return { ...world, ...log, caller, [Symbol.dispose]: () => world[Symbol.dispose]() };
}

/** Does the same as `fillLog`, with an endpoint that subscribes after the events. */
function openWithEndpoint(unlisted = UNLISTED) {
  const world = createTestWorld();
  const { core } = world;
  createMember(core, "rea");
  const { caller } = createMemberToken(core, "rea");
  const { id: endpointId } = registerEndpoint(core, caller, {
    url: "https://hooks.example.com/in" as CheckedUrl,
    events: ["post.created"],
  });
  core.db.prepare("DELETE FROM webhook_subscriptions").run();
  fillLog(world, unlisted);
  core.db
    .prepare("INSERT INTO webhook_subscriptions (type, endpoint_id) VALUES ('post.created', ?)")
    .run(endpointId);
  const reader = requireBuilder(caller, "webhooks:read");
  return { ...world, reader, endpointId, [Symbol.dispose]: () => world[Symbol.dispose]() };
}

/** Resolves in the middle of a read of the log, when the read has taken four batches. */
async function midWalk(core: Core): Promise<void> {
  const prepare = spyOn(core.db, "prepare");
  const slices = (): number =>
    prepare.mock.calls.filter(([sql]) => sql.includes("found AS MATERIALIZED")).length;
  while (slices() < 4) await new Promise(setImmediate);
  prepare.mockRestore();
}

/** Counts event loop turns that run while `work` is awaited. */
async function loopTurnsDuring(work: () => unknown): Promise<number> {
  let turns = 0;
  const other = (): void => {
    turns++;
    running = setImmediate(other);
  };
  let running = setImmediate(other);
  await work();
  clearImmediate(running);
  return turns;
}

const titles = (page: Page<Event>): string[] =>
  page.nodes.map(({ data }) => (data["post"] as { title: string }).title);

test("a page ends early before many unlisted events, and the next page continues behind them, in both directions", async () => {
  using world = openWorld();
  const { core, caller } = world;
  for (const [backwards, first, last] of [
    [false, "First", "Last"],
    [true, "Last", "First"],
  ] as const) {
    const page = await listEvents(core, caller, {}, { limit: 2, backwards });
    expect(titles(page)).toEqual([first]);
    expect(backwards ? page.hasPreviousPage : page.hasNextPage).toBe(true);
    const [node] = page.nodes;
    const cursor = node && page.cursorOf(node);
    let next: Page<Event> | undefined;
    const turns = await loopTurnsDuring(async () => {
      next = await listEvents(core, caller, {}, { limit: 2, cursor, backwards });
    });
    expect(next && titles(next)).toEqual([last]);
    expect(backwards ? next?.hasPreviousPage : next?.hasNextPage).toBe(false);
    expect(turns).toBeGreaterThanOrEqual(UNLISTED / READ_AT_ONCE - 2);
  }
});

test("concurrent readers that skip unlisted events yield to the event loop", async () => {
  using world = openWorld();
  const { core, caller } = world;
  const after = rows(core, "SELECT min(id) AS id FROM events")[0]?.["id"] as string;
  const read = () => listEvents(core, caller, { after }, { limit: 2 });
  const turns = await loopTurnsDuring(() => Promise.all([read(), read(), read(), read()]));
  expect(turns).toBeGreaterThanOrEqual(4 * (UNLISTED / READ_AT_ONCE - 2));
});

test("many reads of one member do not delay another member's read", async () => {
  using world = openWorld();
  const { core, caller, after } = world;
  const { caller: bob } = createMember(core, "bob");
  let ended = 0;
  const many = Array.from({ length: 10 }, () =>
    Promise.resolve(listEvents(core, caller, { after }, { limit: 2 })).then(() => ended++),
  );
  const page = await listEvents(core, bob, { after }, { limit: 2 });
  expect(titles(page)).toEqual(["Last"]);
  expect(ended).toBe(0);
  await Promise.all(many);
});

test("a page reflects the state at the end of its read", async () => {
  using world = openWorld();
  const { core, caller, after, last } = world;
  const reading = listEvents(core, caller, { after }, { limit: 2 });
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  hide(core, OPERATOR, last);
  expect((await reading).nodes.map(({ type }) => type)).toEqual(["post.deleted"]);
});

test("a token revoked during a read is refused, over REST and GraphQL", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { first, after } = fillLog(server, 20_000);
  hide(core, OPERATOR, first);
  for (const read of [
    (token: string) => server.request(token, `/events?after=${after}`),
    (token: string) => graph(server, token, "{ viewer { workspace { events { nodes { data } } } } }"),
  ]) {
    const { token } = createMemberToken(core, "ada");
    const answer = read(token);
    await midWalk(core);
    revokeToken(core, OPERATOR, token);
    const refusal = await answer;
    const text = refusal instanceof Response ? await refusal.text() : refusal.text;
    expect(text).toContain("unauthorized");
    expect(text).not.toContain("Last");
  }
});

test("a client that disconnects during the first read of a wait frees its listener slot", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { after } = fillLog(server, 20_000);
  hide(core, OPERATOR, rows(core, "SELECT max(id) AS id FROM posts")[0]?.["id"] as string);
  const { token, caller } = createMemberToken(core, "ada");
  const headers = { authorization: `Bearer ${token}` };
  for (let n = 0; n < LISTENERS_MAX.each; n++) {
    const leaving = new AbortController();
    const url = `${server.url}/v1/events?after=${after}&wait=30`;
    const answer = fetch(url, { headers, signal: leaving.signal }).catch(() => undefined);
    await midWalk(core);
    leaving.abort();
    await answer;
  }
  // This read ends after all reads that began before it.
  await listEvents(core, caller, { after }, { limit: 1 });
  const leaving = new AbortController();
  for (let n = 0; n < LISTENERS_MAX.each; n++) {
    const stream = await fetch(`${server.url}/v1/events`, {
      headers: { ...headers, accept: "text/event-stream" },
      signal: leaving.signal,
    });
    expect(stream.status).toBe(200);
  }
  leaving.abort();
});

test("a stream skips unlisted events once, not again at each commit", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { after, last } = fillLog(server, 20_000);
  hide(core, OPERATOR, last);
  core.db.prepare("DELETE FROM events WHERE type <> 'post.created'").run();
  const { token, caller } = createMemberToken(core, "ada");
  const leaving = new AbortController();
  const stream = await fetch(`${server.url}/v1/events?after=${after}`, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    signal: leaving.signal,
  });
  const reader = stream.body?.getReader();
  const read = async (): Promise<string> => Buffer.from((await reader?.read())?.value ?? []).toString();
  expect(await read()).toBe(":\n\n");
  const coming = read();
  // This read ends after the stream's reads, which began before it.
  await listEvents(core, caller, { after }, { limit: 1 });
  const prepare = spyOn(core.db, "prepare");
  createPost(core, caller, { text: "New" });
  expect(await coming).toContain('"title":"New"');
  expect(prepare.mock.calls.filter(([sql]) => sql.includes("found AS MATERIALIZED")).length).toBeLessThan(5);
  prepare.mockRestore();
  leaving.abort();
});

test("a position that is too old is refused without a scan", () => {
  using world = openWorld();
  const { core, reads } = recordReads(world.core);
  core.db.prepare("UPDATE event_log SET pruned_id = last_id").run();
  const after = core.makeId("evt", 1);
  const read = () => listEvents(core, world.caller, { after }, { limit: 2 });
  expect(read).toThrow(expect.objectContaining({ code: "place_too_old" }));
  expect(reads.rows).toBeLessThan(10);
});

test("a recovery of missed events skips unlisted events in batches, and its count reads a bounded number", () => {
  using world = openWithEndpoint();
  const { reader, endpointId } = world;
  const { core } = world;
  const wanted = { since: 0, missed: true };
  // The second event is beyond this limit.
  expect(countToRecover(core, reader, endpointId, wanted, READ_AT_ONCE)).toEqual({ recovered: 0, missed: 1 });
  core.db.transact(() => beginRecovery(core, reader, endpointId, wanted));
  let slices = 0;
  while (core.db.transact(() => continueRecovery(core))) slices++;
  expect(slices).toBeGreaterThan(UNLISTED / READ_AT_ONCE);
  const delivered =
    "SELECT e.body ->> '$.data.post.id' AS id FROM deliveries d JOIN events e ON e.id = d.event_id";
  expect(rows(core, delivered)).toHaveLength(2);
});

test("a count of failed deliveries reads a bounded number of rows, even when their subjects are gone", () => {
  using world = openWithEndpoint(6000);
  const { core, reader, endpointId } = world;
  core.db
    .prepare(
      `INSERT INTO deliveries (id, event_id, endpoint_id, state, due_at, created_at, settled_at)
       SELECT replace(id, 'evt_', 'dlv_'), id, ?, 'failed', created_at, created_at, created_at FROM events`,
    )
    .run(endpointId);
  // The last event is behind more than 5,000 events of a hidden post.
  expect(countToRecover(core, reader, endpointId, { since: 0 }).recovered).toBe(1);
  const hidden = "SELECT id FROM deliveries ORDER BY id LIMIT 2000 OFFSET 1";
  core.db.prepare(`DELETE FROM deliveries WHERE id IN (${hidden})`).run();
  expect(countToRecover(core, reader, endpointId, { since: 0 }).recovered).toBe(2);
});
