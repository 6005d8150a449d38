import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { HOUR } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { findZone } from "../../base/time-zones.ts";
import { orNull, Shown, Timestamp } from "../../base/view.ts";
import { awardXp } from "./award.ts";
import { type RuleName } from "./rules.ts";
import { endOfDay, dayExists, isoDay, localDay } from "./calendar-days.ts";
import {
  deleteComingZone,
  extendRun,
  insertRun,
  insertZone,
  type Run,
  selectLastRun,
  selectLastRuns,
  selectLongest,
  selectZone,
  selectZones,
  type ZoneSpan,
} from "./streaks-store.ts";

export { type Run, type ZoneSpan } from "./streaks-store.ts";

/*
 * Days of a builder's own. They begin and end at midnight where the builder lives, and one follows another
 * without a gap: when the builder moves, the day under way ends as it began, at midnight of the old zone.
 * What is left of the date in the new zone becomes a day of its own when it is twelve hours or more, and
 * otherwise belongs to the day before. So a move makes one day of 12 to 36 hours, and at each moment there is
 * exactly one day: flying east over the date line loses none (although a date is missing), flying west gains
 * none (although one comes twice), and nobody gets two days out of one evening by changing a setting. Who
 * travels eastward around the world gains one, as Phileas Fogg did; a second one is not counted, so the count
 * is never more than a day ahead of the calendar.
 *
 * Days have numbers: the date, counted from the epoch, plus the offset of the span of time in which the zone
 * holds.
 */

export const NextTimeZoneView = Type.Object({
  name: Shown("The name of the zone in the IANA database.", "Pacific/Auckland"),
  since: Timestamp({
    description: "The time from which the zone applies.",
    examples: ["2026-11-20T23:00:00.000Z"],
  }),
});

/** What a builder sees of their own streak. */
export const StreakView = Type.Object(
  {
    streakDays: Type.Integer({
      description:
        "The number of active days in a row. A day without activity breaks the streak only when that day is over.",
      examples: [37],
    }),
    longest: Type.Integer({
      description: "The longest streak so far, in days.",
      examples: [41],
    }),
    activeToday: Type.Boolean({ description: "Whether today already counts towards your streak." }),
    timeZone: Shown("The time zone in which your days end at midnight.", "Europe/Berlin"),
    nextTimeZone: orNull(
      NextTimeZoneView,
      "The time zone that you chose last, if it does not apply yet. `null` otherwise.",
    ),
  },
  { $id: "Streak" },
);
export type Streak = Static<typeof StreakView>;

const UTC: ZoneSpan = { since: 0, zone: "UTC", dayOffset: 0 };

const MILESTONES = [7, 30, 100, 365] as const;

/**
 * Counts today for a builder's streak. Call it in the transaction of what they did: a post, a reply, a
 * prompt, a rating, a job. `award` calls it for what has a rule with `isActivity`. Once a day is enough, more
 * does no harm.
 */
export function markActive(core: Core, builderId: string): void {
  const span = zoneAt(core, builderId, core.clock.now());
  const today = dayAt(core.clock.now(), span);
  const run = selectLastRun(core, builderId);
  // Not earlier than the last one either: clocks are set back, and St. John's used to end summer a minute
  // after midnight.
  if (run !== undefined && today <= run.lastDay) return;
  if (run === undefined || !follows(run.lastDay, today, span)) {
    insertRun(core, builderId, { firstDay: today, lastDay: today, days: 1 });
    return;
  }
  const longer = { ...run, lastDay: today, days: run.days + 1 };
  extendRun(core, builderId, longer);
  reward(core, builderId, longer);
}

/**
 * The zone that a builder has chosen last, also where their days do not end there yet; undefined for none.
 */
export function chosenZone(core: Core, builderId: string): string | undefined {
  return selectZones(core, builderId, 1)[0]?.zone;
}

/** Days in a row as of now: that of yesterday still counts while today lasts. */
export function streakDays(run: Run | null, zone: ZoneSpan | null, now: number): number {
  const span = zone ?? UTC;
  const today = dayAt(now, span);
  return run !== null && (today <= run.lastDay || follows(run.lastDay, today, span)) ? run.days : 0;
}

/** The caller's own streak. Needs `profile:read`. */
export function getStreak(core: Core, caller: Caller): Streak {
  const { builderId } = requireBuilder(caller, "profile:read");
  const now = core.clock.now();
  const span = zoneAt(core, builderId, now);
  const run = selectLastRun(core, builderId) ?? null;
  const [newest] = selectZones(core, builderId, 1);
  return {
    streakDays: streakDays(run, span, now),
    longest: selectLongest(core, builderId),
    activeToday: run !== null && dayAt(now, span) <= run.lastDay,
    timeZone: span.zone,
    nextTimeZone:
      newest !== undefined && newest.since > now ? { name: newest.zone, since: newest.since } : null,
  };
}

/** The most days in a row that the caller ever had. Needs `profile:read`. */
export function getLongestRun(core: Core, caller: Caller): number {
  return selectLongest(core, requireBuilder(caller, "profile:read").builderId);
}

/** The days that a streak is made of. */
export interface Calendar {
  /** As `getStreak` tells it. */
  streakDays: number;
  /** Until today, which is the last, oldest first: whether they did something on each. */
  days: boolean[];
  /** Today's date in their zone, counted from the epoch. */
  today: number;
}

/** The caller's last days, so many. Two statements. Needs `profile:read`. */
export function getCalendar(core: Core, caller: Caller, count: number): Calendar {
  const { builderId } = requireBuilder(caller, "profile:read");
  // Between two runs lies a day at least.
  return calendarOf(core, builderId, count, Math.ceil(count / 2) + 1);
}

/**
 * What others see of somebody's last days: those that their streak counts now, and none of before. Two
 * statements. Needs `profile:read`.
 */
export function getRunOf(core: Core, caller: Caller, builderId: string, count: number): Calendar {
  requireScope(caller, "profile:read");
  const run = calendarOf(core, builderId, count, 1);
  return run.streakDays > 0 ? run : { ...run, days: run.days.map(() => false) };
}

function calendarOf(core: Core, builderId: string, count: number, most: number): Calendar {
  const now = core.clock.now();
  const span = zoneAt(core, builderId, now);
  const last = dayAt(now, span);
  const runs = selectLastRuns(core, builderId, most);
  return {
    streakDays: streakDays(runs[0] ?? null, span, now),
    days: Array.from({ length: count }, (_, i) => {
      const day = last - count + 1 + i;
      return runs.some(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay);
    }),
    today: localDay(now, span.zone),
  };
}

/**
 * Moves a builder to another zone, from the end of their day under way; at once where no day was ever
 * counted, as nothing could be gained by it. Call it in a transaction. Throws unprocessable for a zone that
 * nobody knows.
 */
export function changeTimeZone(core: Core, builderId: string, name: string): void {
  const zone = findZone(name);
  if (zone === undefined) {
    throw refuse("time_zone_unknown");
  }
  const now = core.clock.now();
  const span = zoneAt(core, builderId, now);
  if (zone === span.zone) {
    deleteComingZone(core, builderId, now);
    // Whoever chooses what holds anyway has chosen: their moments are shown there.
    if (chosenZone(core, builderId) === undefined)
      insertZone(core, builderId, now, { since: now, zone, dayOffset: 0 });
    return;
  }
  const isFresh = selectLastRun(core, builderId) === undefined;
  insertZone(core, builderId, now, isFresh ? { since: now, zone, dayOffset: 0 } : joined(now, span, zone));
}

const SHORTEST_DAY = 12 * HOUR;
/** In days. */
const AHEAD_MAX = 1;

/** The span of a new zone, joined to the day under way in the old one. */
function joined(now: number, old: ZoneSpan, zone: string): ZoneSpan {
  const since = endOfDay(now, old.zone);
  const ownOffset = dayAt(now, old) + 1 - localDay(since, zone);
  const isOwnDay = endOfDay(since, zone) - since >= SHORTEST_DAY && ownOffset <= AHEAD_MAX;
  return { since, zone, dayOffset: isOwnDay ? ownOffset : ownOffset - 1 };
}

/** Whether no day lies between the two: the one before, or the last before a date that the place skipped. */
function follows(before: number, day: number, { zone, dayOffset }: ZoneSpan): boolean {
  return day === before + 1 || (day === before + 2 && !dayExists(day - 1 - dayOffset, zone));
}

function dayAt(at: number, { zone, dayOffset }: ZoneSpan): number {
  return localDay(at, zone) + dayOffset;
}

function zoneAt(core: Core, builderId: string, at: number): ZoneSpan {
  return selectZone(core, builderId, at) ?? UTC;
}

/** A point for each further day, and more for the long way: once in each row of days. */
function reward(core: Core, builderId: string, run: Run): void {
  const grant = (rule: RuleName, day: number) =>
    awardXp(core, { builderId, rule, subjectId: isoDay(day), giverId: "" });
  grant("streak.day", run.lastDay);
  for (const milestone of MILESTONES) if (run.days === milestone) grant(`streak.${milestone}`, run.firstDay);
}
