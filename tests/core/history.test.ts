import { expect, test } from "bun:test";
import { recordLastSeen, sessionOf } from "../../src/core/identity/accounts/sessions.ts";
import { recordTokenUses } from "../../src/core/delegation/tokens/tokens.ts";
import {
  type RequestCounts,
  createDayRecorder,
  type DayRecorder,
  listDays,
} from "../../src/core/services/history/history.ts";
import {
  addHistograms,
  percentile,
  countOf,
  differenceOf,
  histogramOf,
} from "../../src/core/services/history/histogram.ts";
import { countActive, countCreated, putDay } from "../../src/core/services/history/history-store.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { newDigest, observe } from "../../src/core/base/digest.ts";
import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import { openSession } from "../../src/core/identity/accounts/sessions.ts";
import { authenticate } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createTestWorld, createMember, NOON, type TestWorld } from "../support.ts";

/** docs/contract.md#12.18 */

const MIDNIGHT = NOON - 12 * HOUR;
const NONE: RequestCounts = { reads: {}, writes: {}, faults: 0 };
const SIZES = { databaseBytes: 4_000_000, freeBytes: 9_000_000 };

/** A day recorder with the request counts of `counted`. `rests.n` counts its pauses. */
function historianOf(
  world: TestWorld,
  counted: () => RequestCounts = () => NONE,
  rests: { n: number } = { n: 0 },
): DayRecorder {
  return createDayRecorder(
    world.core,
    counted,
    () => SIZES,
    async () => void rests.n++,
  );
}

const today = (world: TestWorld) => listDays(world.core, OPERATOR).at(-1);
const dayBefore = (world: TestWorld) => listDays(world.core, OPERATOR).at(-2);

test("counts each creation once, even if it was deleted since, and continues after a restart", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ada = createMember(core, "ada").caller;
  const post = createPost(core, ada, { text: "First", tags: [], media: [] });
  replyTo(core, ada, post.id, { text: "Second" });
  const history = historianOf(world);
  clock.pass(MINUTE);
  await history.tick();
  // Very recent content may still be in a running transaction, so the recorder counts such content in its
  // next run.
  expect(today(world)).toMatchObject({ posts: 0, replies: 0, signUps: 0 });

  clock.pass(15 * MINUTE);
  await history.tick();
  expect(today(world)).toMatchObject({ posts: 1, replies: 1, signUps: 1, ...SIZES });
  deletePost(core, ada, post.id);
  createPost(core, ada, { text: "Third", tags: [], media: [] });
  await history.stop();

  clock.pass(15 * MINUTE);
  await historianOf(world).tick();
  expect(today(world)).toMatchObject({ posts: 2, replies: 1, signUps: 1 });
});

test("the first run counts each day of the last month, and no day before the first member", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ada = createMember(core, "ada").caller;
  for (let day = 0; day < 40; day++) {
    for (let n = 0; n <= day % 3; n++) createPost(core, ada, { text: `Day ${day}`, tags: [], media: [] });
    clock.pass(DAY);
  }
  const rests = { n: 0 };
  await historianOf(world, () => NONE, rests).tick();
  const days = listDays(core, OPERATOR);
  expect(days.map(({ posts }) => posts)).toEqual([
    ...Array.from({ length: 29 }, (_, index) => ((index + 11) % 3) + 1),
    0,
  ]);
  expect(days.map(({ startsAt }) => startsAt)).toEqual(
    Array.from({ length: 30 }, (_, index) => MIDNIGHT + (11 + index) * DAY),
  );
  // Active members of past days are unknown.
  expect(days.slice(0, -1).every(({ active }) => active === null)).toBe(true);
  // A batch covers at most two hours, because a busy day can follow a quiet one.
  expect(rests.n).toBeGreaterThanOrEqual(28 * 12);
  expect(
    listDays(core, OPERATOR, 60)
      .slice(0, 30)
      .every(({ posts }) => posts === 0),
  ).toBe(true);
});

test("a member who signed in or used a token counts as active that day, once, also after the session ends", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ada = createMember(core, "ada");
  const grace = createMember(core, "grace");
  createMember(core, "silent");
  const history = historianOf(world);
  const from = { address: "203.0.113.7", agent: "Firefox" };
  const { secret } = core.db.transact(() => openSession(core, ada.caller.builderId ?? "", from));
  authenticate(core, ada.token, () => true);
  await recordTokenUses(core);
  await history.tick();
  // All three have used the token that they were created with.
  const begun = today(world)?.active ?? 0;

  clock.pass(DAY);
  expect(sessionOf(core, secret, from.address)?.caller.username).toBe("ada");
  authenticate(core, ada.token, () => true);
  authenticate(core, grace.token, () => true);
  await recordTokenUses(core);
  await recordLastSeen(core);
  await history.tick();
  expect(today(world)?.active).toBe(2);
  expect(dayBefore(world)?.active).toBe(begun);
  core.db.prepare("DELETE FROM sessions").run();
  core.db.prepare("UPDATE tokens SET last_used_at = NULL").run();
  clock.pass(HOUR);
  await history.tick();
  expect(today(world)?.active).toBe(2);
});

test("records a session again after midnight", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { caller } = createMember(core, "ada");
  clock.pass(11 * HOUR + 50 * MINUTE);
  const from = { address: "203.0.113.7", agent: "Firefox" };
  const { secret } = core.db.transact(() => openSession(core, caller.builderId ?? "", from));
  clock.pass(20 * MINUTE);
  sessionOf(core, secret, from.address);
  await recordLastSeen(core);
  expect(countActive(core, MIDNIGHT + DAY, MIDNIGHT + 2 * DAY)).toBe(1);
});

test("adds response times to the day across restarts, and those before midnight to the day before", async () => {
  using world = createTestWorld();
  const { clock } = world;
  const counted = { reads: { "0.001": 90, "0.008": 10 }, writes: { "0.005": 5 }, faults: 1 };
  const first = historianOf(world, () => ({ ...counted }));
  await first.tick();
  expect(today(world)).toMatchObject({ reads: { requests: 100 }, writes: { requests: 5 }, faults: 1 });
  counted.reads = { "0.001": 190, "0.008": 10 };
  counted.faults = 3;
  await first.stop();

  const again = { reads: { "0.001": 7 }, writes: {}, faults: 0 };
  const second = historianOf(world, () => ({ ...again }));
  await second.tick();
  expect(today(world)).toMatchObject({ reads: { requests: 207 }, writes: { requests: 5 }, faults: 3 });
  const { p50, p99 } = today(world)?.reads ?? {};
  expect([p50, p99].map((ms) => Math.round(ms ?? 0))).toEqual([1, 7]);

  clock.pass(12 * HOUR - MINUTE);
  await second.tick();
  again.reads = { "0.001": 10 };
  clock.pass(2 * MINUTE);
  await second.tick();
  expect(dayBefore(world)?.reads.requests).toBe(210);
  expect(today(world)?.reads).toEqual({ requests: 0, p50: null, p99: null });
});

test("writes at most every five minutes, except at the end of a day", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const history = historianOf(world);
  await history.tick();
  const version = core.db.version();
  clock.pass(MINUTE);
  await history.tick();
  expect(core.db.version()).toBe(version);
  clock.pass(4 * MINUTE);
  await history.tick();
  expect(core.db.version()).not.toBe(version);
});

test("a failed write loses nothing: the next one includes its counts", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const history = historianOf(world, () => ({ reads: { "0.001": 5 }, writes: {}, faults: 0 }));
  core.db
    .prepare("CREATE TRIGGER refuse BEFORE INSERT ON daily_figures BEGIN SELECT raise(ABORT, 'full'); END")
    .run();
  expect(history.tick()).rejects.toThrow("full");
  core.db.prepare("DROP TRIGGER refuse").run();
  clock.pass(MINUTE);
  await history.tick();
  expect(today(world)?.reads.requests).toBe(5);
});

test("a clock that was ahead leaves no future day, and later creations are still counted", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ada = createMember(core, "ada").caller;
  const history = historianOf(world, () => ({ reads: { "0.001": 5 }, writes: {}, faults: 0 }));
  await history.tick();
  clock.step(25 * HOUR);
  clock.pass(MINUTE);
  await history.tick();
  clock.step(-25 * HOUR);
  clock.pass(MINUTE);
  await history.tick();
  createPost(core, ada, { text: "Afterwards", tags: [], media: [] });
  clock.pass(15 * MINUTE);
  await history.tick();
  expect(today(world)).toMatchObject({ startsAt: MIDNIGHT, posts: 1 });
  const rows = core.db.prepare<{ n: number }>("SELECT count(*) AS n FROM daily_figures").get();
  expect(rows?.n).toBe(1);
});

test("keeps 400 days", async () => {
  using world = createTestWorld();
  const { core } = world;
  for (const ago of [401, 400, 399, 398]) putDay(core, MIDNIGHT - ago * DAY, { faults: ago });
  await historianOf(world).tick();
  const rows = core.db
    .prepare<{ faults: number }>("SELECT faults FROM daily_figures ORDER BY starts_at")
    .all();
  expect(rows.map(({ faults }) => faults)).toEqual([399, 398, 0]);
});

test("refuses the figures to members", () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  expect(() => listDays(world.core, caller)).toThrow();
});

test("counting reads only the ids and uses of the requested time", () => {
  using world = createTestWorld();
  const { core } = world;
  const seen: string[] = [];
  const spied = { ...core.db, prepare: (sql: string) => (seen.push(sql), core.db.prepare(sql)) };
  const looking = { ...core, db: spied as unknown as typeof core.db };
  countCreated(looking, MIDNIGHT, NOON);
  countActive(looking, MIDNIGHT, NOON);
  expect(seen).toHaveLength(6);
  for (const sql of seen) {
    const places = Array.from({ length: sql.split("?").length - 1 }, () => 1);
    const plan = core.db
      .prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...places)
      .map(({ detail }) => detail);
    expect([sql, plan.filter((step) => /^SCAN (?!\()/.test(step))]).toEqual([sql, []]);
  }
});

test("interpolates a percentile between the bounds, including bounds of a later version", () => {
  const digest = newDigest([0.001, 0.01, 0.1]);
  for (const seconds of [0.0005, 0.0005, 0.005, 0.05, 7]) observe(digest, seconds);
  const times = histogramOf([digest, digest]);
  expect(times).toEqual({ "0.001": 4, "0.01": 2, "0.1": 2, "+Inf": 2 });
  expect(countOf(times)).toBe(10);
  expect(percentile(times, 0.4)).toBe(1);
  expect(percentile(times, 0.5)).toBe(5.5);
  expect(percentile(times, 0.99)).toBe(100);
  const more = addHistograms(times, { "0.05": 90 });
  expect(countOf(more)).toBe(100);
  expect(percentile(more, 0.96)).toBe(50);
  expect(percentile({}, 0.5)).toBeNull();
  expect(differenceOf(times, { "0.001": 3 })).toEqual({ "0.001": 1, "0.01": 2, "0.1": 2, "+Inf": 2 });
});
