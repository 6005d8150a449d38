import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Caller } from "../../src/core/identity/access/caller.ts";
import { DAY, HOUR } from "../../src/core/base/clock.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { changeProfile, getOwnProfile } from "../../src/core/community/profiles/profiles.ts";
import { localDay } from "../../src/core/community/xp/calendar-days.ts";
import { checkXp } from "../../src/core/services/checkup/xp.ts";
import { getStreak } from "../../src/core/community/xp/streaks.ts";
import { sized } from "../drill.ts";
import { createTestWorld, createMember, openTestServer, type TestWorld } from "../support.ts";
import { call } from "./client.ts";
import { rows } from "./rows.ts";

/**
 * A time and what happens at that time. The builder posts or changes the time zone, or the test expects a
 * streak of this many days.
 */
type Step = readonly [at: string, what: "post" | number | { to: string }];

const from = (zone: string, at = "2009-01-01T00:00:00Z"): Step => [at, { to: zone }];

const HARD_CASES: Readonly<Record<string, readonly Step[]>> = {
  "a builder who has done nothing has no streak": [["2026-11-20T12:00:00Z", 0]],
  "many activities in one day count once": [
    ["2026-11-20T00:00:00.000Z", "post"],
    ["2026-11-20T12:00:00.000Z", "post"],
    ["2026-11-20T23:59:59.999Z", "post"],
    ["2026-11-20T23:59:59.999Z", 1],
  ],
  "activities at 23:59:59.999 and at 00:00 are two days": [
    ["2026-11-20T23:59:59.999Z", "post"],
    ["2026-11-21T00:00:00.000Z", "post"],
    ["2026-11-21T00:00:00.000Z", 2],
  ],
  "an unfinished day keeps yesterday's streak, and a day that ends without activity breaks the streak": [
    ["2026-11-19T10:00:00Z", "post"],
    ["2026-11-20T10:00:00Z", "post"],
    ["2026-11-21T23:59:59.999Z", 2],
    ["2026-11-22T00:00:00.000Z", 0],
    ["2026-11-22T08:00:00Z", "post"],
    ["2026-11-22T08:00:00Z", 1],
  ],
  "29 February of a leap year counts as a day": [
    ["2028-02-28T20:00:00Z", "post"],
    ["2028-02-29T20:00:00Z", "post"],
    ["2028-03-01T20:00:00Z", "post"],
    ["2028-03-01T20:00:00Z", 3],
  ],
  "in a leap year 1 March does not follow 28 February": [
    ["2028-02-28T20:00:00Z", "post"],
    ["2028-03-01T20:00:00Z", 0],
  ],
  "in other years 1 March follows 28 February": [
    ["2026-02-28T20:00:00Z", "post"],
    ["2026-03-01T20:00:00Z", "post"],
    ["2026-03-01T20:00:00Z", 2],
  ],
  "a streak continues across the end of the year": [
    ["2026-12-31T23:30:00Z", "post"],
    ["2027-01-01T00:30:00Z", "post"],
    ["2027-01-01T00:30:00Z", 2],
  ],
  "days end at midnight in the builder's zone: in New York five hours after UTC": [
    from("America/New_York"),
    ["2026-11-20T23:00:00-05:00", "post"],
    ["2026-11-21T04:59:59.999Z", "post"],
    ["2026-11-21T04:59:59.999Z", 1],
    ["2026-11-21T05:00:00.000Z", "post"],
    ["2026-11-21T05:00:00.000Z", 2],
  ],
  "spring forward: the day of 23 hours ends at its own midnight": [
    from("Europe/Berlin"),
    ["2026-03-28T23:59:59.999+01:00", "post"],
    ["2026-03-29T00:00:00.000+01:00", "post"],
    ["2026-03-29T23:59:59.999+02:00", 2],
    ["2026-03-30T00:00:00.000+02:00", "post"],
    ["2026-03-30T00:00:00.000+02:00", 3],
  ],
  "fall back: two activities almost 25 hours apart are one day": [
    from("Europe/Berlin"),
    ["2026-10-25T00:00:00.000+02:00", "post"],
    ["2026-10-25T23:59:59.999+01:00", "post"],
    ["2026-10-25T23:59:59.999+01:00", 1],
    ["2026-10-26T00:00:00.000+01:00", "post"],
    ["2026-10-26T00:00:00.000+01:00", 2],
  ],
  "Lord Howe shifts its clock by half an hour: a day of 24½ hours": [
    from("Australia/Lord_Howe"),
    ["2026-04-05T00:00:00.000+11:00", "post"],
    ["2026-04-05T23:59:59.999+10:30", "post"],
    ["2026-04-05T23:59:59.999+10:30", 1],
    ["2026-04-06T00:00:00.000+10:30", "post"],
    ["2026-04-06T00:00:00.000+10:30", 2],
  ],
  "Lord Howe shifts its clock by half an hour: a day of 23½ hours": [
    from("Australia/Lord_Howe"),
    ["2026-10-04T00:00:00.000+10:30", "post"],
    ["2026-10-04T23:59:59.999+11:00", 1],
    ["2026-10-05T00:00:00.000+11:00", "post"],
    ["2026-10-05T00:00:00.000+11:00", 2],
  ],
  "Samoa had no 30 December 2011: the 31st follows the 29th": [
    from("Pacific/Apia"),
    ["2011-12-28T12:00:00-10:00", "post"],
    ["2011-12-29T12:00:00-10:00", "post"],
    ["2011-12-31T12:00:00+14:00", 2],
    ["2011-12-31T12:00:00+14:00", "post"],
    ["2011-12-31T12:00:00+14:00", 3],
  ],
  "other zones had 30 December 2011": [
    from("Pacific/Auckland"),
    ["2011-12-29T12:00:00+13:00", "post"],
    ["2011-12-31T12:00:00+13:00", 0],
  ],
  "St. John's set its clock back one minute after midnight: the repeated evening keeps the streak": [
    from("America/St_Johns"),
    ["2010-11-06T12:00:00-02:30", "post"],
    ["2010-11-07T00:00:30-02:30", "post"],
    ["2010-11-06T23:30:00-03:30", "post"],
    ["2010-11-06T23:30:00-03:30", 2],
    ["2010-11-07T10:00:00-03:30", "post"],
    ["2010-11-07T10:00:00-03:30", 2],
    ["2010-11-08T10:00:00-03:30", "post"],
    ["2010-11-08T10:00:00-03:30", 3],
  ],
  "a server clock set back removes no day": [
    ["2026-11-20T12:00:00Z", "post"],
    ["2026-11-21T12:00:00Z", "post"],
    ["2026-11-20T12:00:00Z", "post"],
    ["2026-11-20T12:00:00Z", 2],
    ["2026-11-21T12:00:00Z", "post"],
    ["2026-11-22T12:00:00Z", "post"],
    ["2026-11-22T12:00:00Z", 3],
  ],
  "before the first activity a change of zone applies at once": [
    ["2026-11-20T20:00:00Z", { to: "Pacific/Auckland" }],
    ["2026-11-20T20:00:00Z", "post"],
    ["2026-11-21T10:59:59.999Z", "post"],
    ["2026-11-21T10:59:59.999Z", 1],
    ["2026-11-21T11:00:00.000Z", "post"],
    ["2026-11-21T11:00:00.000Z", 2],
  ],
  "a change of zone applies from the end of the current day: no second day in the same evening": [
    ["2026-11-20T20:00:00Z", "post"],
    ["2026-11-20T20:00:00Z", { to: "Pacific/Kiritimati" }],
    ["2026-11-20T23:59:59.999Z", "post"],
    ["2026-11-20T23:59:59.999Z", 1],
  ],
  "a change of zone that is undone before it applies has no effect": [
    from("Europe/Berlin"),
    ["2026-11-20T20:00:00Z", "post"],
    ["2026-11-20T20:00:00Z", { to: "Asia/Tokyo" }],
    ["2026-11-20T21:00:00Z", { to: "America/Lima" }],
    ["2026-11-20T22:00:00Z", { to: "Europe/Berlin" }],
    ["2026-11-20T22:59:59.999Z", 1],
    ["2026-11-20T23:00:00.000Z", "post"],
    ["2026-11-20T23:00:00.000Z", 2],
  ],
  "past days are counted in the zone of their time": [
    from("America/New_York"),
    ["2026-11-20T23:30:00-05:00", "post"],
    ["2026-11-21T00:30:00-05:00", "post"],
    // In Berlin both posts were on the 21st.
    ["2026-11-21T01:00:00-05:00", { to: "Europe/Berlin" }],
    ["2026-11-22T20:00:00+01:00", 2],
    ["2026-11-22T20:00:00+01:00", "post"],
    ["2026-11-22T20:00:00+01:00", 3],
  ],
  "a move west across the date line skips a date without losing a day": [
    from("Pacific/Honolulu"),
    ["2026-11-19T20:00:00-10:00", "post"],
    ["2026-11-20T20:00:00-10:00", "post"],
    ["2026-11-20T21:00:00-10:00", { to: "Pacific/Auckland" }],
    ["2026-11-22T20:00:00+13:00", 2],
    ["2026-11-22T20:00:00+13:00", "post"],
    ["2026-11-22T20:00:00+13:00", 3],
    ["2026-11-23T20:00:00+13:00", "post"],
    ["2026-11-23T20:00:00+13:00", 4],
  ],
  "no activity on the first whole day after a move west breaks the streak": [
    from("Pacific/Honolulu"),
    ["2026-11-20T20:00:00-10:00", "post"],
    ["2026-11-20T21:00:00-10:00", { to: "Pacific/Auckland" }],
    ["2026-11-22T23:59:59.999+13:00", 1],
    ["2026-11-23T00:00:00.000+13:00", 0],
  ],
  "a move east across the date line repeats a date, and both days count": [
    from("Pacific/Auckland"),
    ["2026-11-21T20:00:00+13:00", "post"],
    ["2026-11-22T20:00:00+13:00", "post"],
    ["2026-11-22T20:00:00+13:00", { to: "Pacific/Honolulu" }],
    ["2026-11-22T20:00:00-10:00", 2],
    ["2026-11-22T20:00:00-10:00", "post"],
    ["2026-11-22T20:00:00-10:00", 3],
    ["2026-11-23T20:00:00-10:00", "post"],
    ["2026-11-23T20:00:00-10:00", 4],
  ],
  "alternating zones at each visit does not keep a streak with activity every other day": [
    from("Etc/GMT+12"),
    ["2026-11-20T12:00:00Z", "post"],
    ["2026-11-20T12:00:00Z", { to: "Etc/GMT-14" }],
    ["2026-11-22T12:00:00Z", "post"],
    ["2026-11-22T12:00:00Z", { to: "Etc/GMT+12" }],
    ["2026-11-24T12:00:00Z", "post"],
    ["2026-11-24T12:00:00Z", 1],
  ],
};

for (const [situation, steps] of Object.entries(HARD_CASES)) {
  test(`streaks: ${situation}`, () => {
    using world = createTestWorld();
    const { caller } = createMember(world.core, "ada");
    for (const [at, what] of steps) {
      go(world, Date.parse(at));
      if (what === "post") createPost(world.core, caller, { text: "here" });
      else if (typeof what === "number") expect([at, shown(world, caller)]).toEqual([at, what]);
      else changeProfile(world.core, caller, { time_zone: what.to });
    }
    const slices = { db: world.core.db, clock: world.clock, pause: async () => {}, progress() {} };
    expect(checkXp(slices).map(({ severity }) => severity)).toEqual(["ok"]);
  });
}

const ZONES = [
  ...["UTC", "Europe/Berlin", "America/New_York", "Pacific/Honolulu", "Pacific/Auckland", "Asia/Kolkata"],
  ...["Pacific/Kiritimati", "Etc/GMT+12", "Australia/Lord_Howe", "Asia/Tokyo", "America/Los_Angeles"],
];

test("streaks: activity every six hours keeps the streak in any time zone and gains at most one day", () => {
  const visit = fc.record({ moves: fc.boolean(), zone: fc.constantFrom(...ZONES) });
  const start = fc.integer({ min: Date.parse("2026-01-01"), max: Date.parse("2026-12-31") });
  fc.assert(
    fc.property(start, fc.array(visit, { minLength: 8, maxLength: 60 }), (startedAt, visits) => {
      using world = createTestWorld();
      const { caller } = createMember(world.core, "ada");
      visits.forEach(({ moves, zone }, nth) => {
        go(world, startedAt + nth * 6 * HOUR);
        createPost(world.core, caller, { text: "here" });
        if (moves) changeProfile(world.core, caller, { time_zone: zone });
      });
      const days = shown(world, caller);
      const elapsed = ((visits.length - 1) * 6 * HOUR) / DAY;
      expect(rows(world.core, "SELECT days FROM streaks")).toEqual([{ days }]);
      // The streak counts the dates from the first date, in the original zone, to the last date, in the
      // current zone. Traveling around the world adds at most one day.
      const dates =
        localDay(world.clock.now(), getStreak(world.core, caller).timeZone) - localDay(startedAt, "UTC") + 1;
      expect(days).toBeLessThanOrEqual(dates + 1);
      expect(days).toBeGreaterThanOrEqual(Math.floor(elapsed / 2));
    }),
    { numRuns: sized(15, 200) },
  );
});

test("streaks: repeated travel around the world gains at most one day", () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  const start = Date.parse("2026-11-01T00:00:00Z");
  const round = ["Asia/Shanghai", "Etc/GMT+8", "UTC"];
  let moves = 0;
  for (let hours = 0; hours <= 30 * 24; hours += 4) {
    go(world, start + hours * HOUR);
    createPost(world.core, caller, { text: "here" });
    // Changes to the next zone as soon as the previous change has taken effect.
    if (getStreak(world.core, caller).nextTimeZone === null)
      changeProfile(world.core, caller, { time_zone: round[moves++ % 3] ?? "" });
  }
  expect(moves).toBeGreaterThan(30);
  expect(shown(world, caller)).toBeGreaterThan(28);
  // The maximum is thirty days, the current day, and one day gained by traveling around the world.
  expect(shown(world, caller)).toBeLessThanOrEqual(32);
  expect(rows(world.core, "SELECT count(*) AS runs FROM streaks")).toEqual([{ runs: 1 }]);
});

test("streaks: the owner sees the longest streak, today, the time zone and the upcoming time zone", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  expect(getStreak(core, caller)).toEqual({
    streakDays: 0,
    longest: 0,
    activeToday: false,
    timeZone: "UTC",
    nextTimeZone: null,
  });
  for (const at of [
    "2026-11-10T10:00:00Z",
    "2026-11-11T10:00:00Z",
    "2026-11-12T10:00:00Z",
    "2026-11-20T10:00:00Z",
  ]) {
    go(world, Date.parse(at));
    createPost(core, caller, { text: "here" });
  }
  changeProfile(core, caller, { time_zone: "europe/BERLIN" });
  expect(getStreak(core, caller)).toEqual({
    streakDays: 1,
    longest: 3,
    activeToday: true,
    timeZone: "UTC",
    nextTimeZone: { name: "Europe/Berlin", since: Date.parse("2026-11-21T00:00:00Z") },
  });
  go(world, Date.parse("2026-11-21T00:00:00Z"));
  expect(getStreak(core, caller)).toMatchObject({
    streakDays: 1,
    activeToday: false,
    timeZone: "Europe/Berlin",
    nextTimeZone: null,
  });
});

test("streaks: each further day gives a point, and seven days in a row a bonus, once per streak", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const start = Date.parse("2026-11-01T10:00:00Z");
  for (const day of [0, 1, 2, 3, 4, 5, 6, 7, 20, 21]) {
    go(world, start + day * DAY);
    createPost(core, caller, { text: "here" });
  }
  const given = rows(
    core,
    "SELECT rule, subject_id AS day FROM xp_entries WHERE rule LIKE 'streak.%' ORDER BY seq",
  );
  expect(given).toEqual([
    ...[2, 3, 4, 5, 6, 7].map((day) => ({ rule: "streak.day", day: `2026-11-0${day}` })),
    { rule: "streak.7", day: "2026-11-01" },
    { rule: "streak.day", day: "2026-11-08" },
    { rule: "streak.day", day: "2026-11-22" },
  ]);
  expect(getOwnProfile(core, caller).badges).toContain("streak-7");
});

test("streaks: a rolled-back post counts for no day", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  expect(() =>
    core.db.transact(() => {
      createPost(core, caller, { text: "here" });
      throw new Error("no");
    }),
  ).toThrow("no");
  expect([shown(world, caller), getOwnProfile(core, caller).xp]).toEqual([0, 0]);
});

test("streaks: an unknown time zone is 422, and a value that is not text is 400", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  for (const zone of ["Mars/Olympus", "+02:00", "GMT+2", "Europe/Berlin ", "constructor", "../etc/passwd"]) {
    const { status, body } = await call(server, token, "PATCH /profiles/me", { body: { time_zone: zone } });
    expect([zone, status, body.error]).toEqual([zone, 422, "unprocessable"]);
  }
  for (const zone of ["", 7, null, "x".repeat(65)]) {
    const { status } = await call(server, token, "PATCH /profiles/me", { body: { time_zone: zone } });
    expect([zone, status]).toEqual([zone, 400]);
  }
  expect((await call(server, token, "GET /profiles/me/streak")).body).toEqual({
    streak_days: 0,
    longest: 0,
    active_today: false,
    time_zone: "UTC",
    next_time_zone: null,
  });
});

function go(world: TestWorld, at: number): void {
  world.clock.step(at - world.clock.now());
}

function shown({ core }: TestWorld, caller: Caller): number {
  return getOwnProfile(core, caller).streakDays;
}
