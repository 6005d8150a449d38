// docs/contract.md#12.26: the statistics page.
import { expect, test } from "bun:test";
import { deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import {
  type RequestCounts,
  createDayRecorder,
  type DayRecorder,
} from "../../src/core/services/history/history.ts";
import { listStatistics } from "../../src/core/services/history/statistics.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { openSession } from "../../src/core/identity/accounts/sessions.ts";
import { createTestWorld, createMember, NOON, type TestWorld } from "../support.ts";

const NONE: RequestCounts = { reads: {}, writes: {}, faults: 0 };
/** The world's clock starts on a Friday. */
const MONDAY = NOON - 12 * HOUR - 4 * DAY;
const WEEK = 7 * DAY;

function historianOf({ core }: TestWorld): DayRecorder {
  return createDayRecorder(
    core,
    () => NONE,
    () => ({ databaseBytes: 1, freeBytes: 1 }),
    async () => {},
  );
}

function signIn({ core }: TestWorld, ...ids: (string | null)[]): void {
  const from = { address: "203.0.113.7", agent: "Firefox" };
  core.db.transact(() => ids.forEach((id) => openSession(core, id ?? "", from)));
}

const weeksOf = ({ core }: TestWorld) => listStatistics(core, OPERATOR).weeks;
const week = (world: TestWorld, back = 0) => weeksOf(world).at(-1 - back);
const join = ({ core }: TestWorld, name: string) => {
  const { caller } = createMember(core, name);
  // Statistics count sign-ins, so this token use must not count.
  core.db.prepare("UPDATE tokens SET last_used_at = NULL").run();
  return caller;
};

test("adds up each week from Monday on, and claims nothing about weeks before the first count", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  expect(listStatistics(core, OPERATOR)).toMatchObject({ members: 0, since: null });
  const ada = join(world, "ada");
  const history = historianOf(world);
  for (let day = 0; day < 10; day++) {
    const { id } = createPost(core, ada, { text: `Day ${day}` });
    replyTo(core, ada, id, { text: "And" });
    replyTo(core, ada, id, { text: "more" });
    clock.pass(HOUR);
    await history.tick();
    clock.pass(23 * HOUR);
  }
  await history.tick();
  const { members, since, weeks } = listStatistics(core, OPERATOR);
  expect([members, since]).toEqual([1, NOON - 12 * HOUR]);
  expect(weeks).toHaveLength(26);
  expect(weeks.map(({ startsAt }) => startsAt)).toEqual(
    Array.from({ length: 26 }, (_, index) => MONDAY + (index - 23) * WEEK),
  );
  // The first entry covers Friday to Sunday, and the second a whole week. The third week has just begun.
  expect(weeks.slice(-3, -1)).toMatchObject([
    { signUps: 1, posts: 3, replies: 6, jobs: 0, failed: 0 },
    { signUps: 0, posts: 7, replies: 14 },
  ]);
  expect(weeks.at(-4)).toEqual({
    startsAt: MONDAY - WEEK,
    active: null,
    returned: null,
    signUps: null,
    posts: null,
    replies: null,
    jobs: null,
    prompts: null,
    acknowledged: null,
    failed: null,
  });
});

test("counts a member once a week, also after their sessions ended, and counts returning members", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const [ada, bo, cy] = ["ada", "bo", "cy"].map((name) => join(world, name));
  const history = historianOf(world);
  const endAll = () => core.db.prepare("DELETE FROM sessions").run();
  for (const id of [ada?.builderId, bo?.builderId, ada?.builderId]) {
    signIn(world, id ?? "");
    await history.tick();
    endAll();
    clock.pass(10 * HOUR);
  }
  expect(week(world)).toMatchObject({ startsAt: MONDAY, active: 2, returned: 0 });

  // Sign-ins in the last minutes of a week are counted in the next run.
  clock.pass(MONDAY + WEEK - clock.now() - 2 * MINUTE);
  signIn(world, cy?.builderId ?? "");
  clock.pass(4 * MINUTE);
  await history.tick();
  expect(week(world, 1)).toMatchObject({ startsAt: MONDAY, active: 3, returned: 0 });
  expect(week(world)).toMatchObject({ active: 0, returned: 0 });
  // The record of who was active is deleted.
  const kept = () => core.db.prepare<{ n: number }>("SELECT count(*) AS n FROM active_builders").get()?.n;
  expect(kept()).toBe(0);

  const dee = join(world, "dee");
  signIn(world, bo?.builderId ?? "", cy?.builderId ?? "", dee.builderId);
  clock.pass(HOUR);
  await history.tick();
  // Three members were active before, and two of them returned. A member who joined this week does not count
  // as returned.
  expect(week(world)).toMatchObject({ active: 3, returned: 2 });
  deleteAccount(core, OPERATOR, "bo", "bo");
  clock.pass(HOUR);
  await history.tick();
  expect(week(world)).toMatchObject({ active: 3, returned: 2 });
});

test("continues after a restart, leaves no future week, and deletes a week after a year", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  signIn(world, join(world, "ada").builderId);
  await historianOf(world).tick();
  clock.step(3 * WEEK);
  signIn(world, join(world, "bo").builderId);
  await historianOf(world).tick();
  clock.step(-3 * WEEK);
  clock.pass(MINUTE);
  await historianOf(world).tick();
  const rows = () => core.db.prepare("SELECT starts_at AS at, active FROM weekly_figures").all();
  expect(rows()).toEqual([{ at: MONDAY, active: 1 }]);
  clock.pass(58 * WEEK);
  await historianOf(world).tick();
  expect(rows()).toEqual([{ at: MONDAY + 58 * WEEK, active: 0 }]);
});

test("refuses the statistics to members", () => {
  using world = createTestWorld();
  expect(() => listStatistics(world.core, join(world, "ada"))).toThrow("Only a signed-in member");
});
