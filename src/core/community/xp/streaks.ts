import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { HOUR } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { findZone } from "../../base/time-zones.ts";
import { orNull, DisplayText, Timestamp } from "../../base/view.ts";
import { awardXp } from "./award.ts";
import { type RuleName } from "./rules.ts";
import { endOfDay, dayExists, isoDay, localDay } from "./calendar-days.ts";
import {
  deleteScheduledZone,
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
 * A builder's days begin and end at midnight in the builder's time zone and follow each other without a gap.
 *
 * When the builder changes the zone, the current day ends at midnight of the old zone. The remaining hours of
 * the date in the new zone become a separate day if they are 12 hours or more. Fewer hours belong to the day
 * before. A zone change therefore makes one day of 12 to 36 hours.
 *
 * Consequences:
 * - Flying west over the date line (Honolulu to Auckland) skips a date but loses no day.
 * - Flying east over the date line (Auckland to Honolulu) repeats a date, and both days of that date count.
 * - Changing the setting cannot turn one evening into two days.
 * - Travelling eastward around the world gains a day. A second trip gains no further day, so day numbers are
 *   at most one ahead of the calendar.
 *
 * A day number is the date in the zone (days since the epoch) plus the offset of the `ZoneSpan`.
 */

export const NextTimeZoneView = Type.Object({
  name: DisplayText("The name of the zone in the IANA database.", "Pacific/Auckland"),
  since: Timestamp({
    description: "The time from which the zone applies.",
    examples: ["2026-11-20T23:00:00.000Z"],
  }),
});

/** A builder's own streak. */
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
    timeZone: DisplayText("The time zone in which your days end at midnight.", "Europe/Berlin"),
    nextTimeZone: orNull(
      NextTimeZoneView,
      "The time zone that you chose last, if it does not apply yet. `null` otherwise.",
    ),
  },
  { $id: "Streak" },
);
export type Streak = Static<typeof StreakView>;

const UTC: ZoneSpan = { since: 0, zone: "UTC", dayOffset: 0 };

/** Lengths of a streak that earn a bonus, in days. */
export const MILESTONES = [7, 30, 100, 365] as const;

/**
 * Counts today for a builder's streak. Call it in the transaction of the action: a post, a reply, a prompt, a
 * rating or a job. `award` calls it for rules with `isActivity`. Idempotent within a day.
 */
export function markActive(core: Core, builderId: string): void {
  const span = zoneAt(core, builderId, core.clock.now());
  const today = dayAt(core.clock.now(), span);
  const run = selectLastRun(core, builderId);
  // `today` can be before the last day after the clock was set back. This also happened in St. John's, where
  // summer time ended one minute after midnight.
  if (run !== undefined && today <= run.lastDay) return;
  if (run === undefined || !isNextDay(run.lastDay, today, span)) {
    insertRun(core, builderId, { firstDay: today, lastDay: today, days: 1 });
    return;
  }
  const longer = { ...run, lastDay: today, days: run.days + 1 };
  extendRun(core, builderId, longer);
  awardStreakXp(core, builderId, longer);
}

/**
 * Returns the zone that a builder chose last, even if it is not in effect yet. Returns undefined if the
 * builder never chose a zone.
 */
export function chosenZone(core: Core, builderId: string): string | undefined {
  return selectZones(core, builderId, 1)[0]?.zone;
}

/**
 * Returns the current streak in days. A streak whose last day was yesterday still counts until today ends.
 */
export function streakDays(run: Run | null, zone: ZoneSpan | null, now: number): number {
  const span = zone ?? UTC;
  const today = dayAt(now, span);
  return run !== null && (today <= run.lastDay || isNextDay(run.lastDay, today, span)) ? run.days : 0;
}

/** Returns the caller's own streak. Needs `profile:read`. */
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

/** Returns the caller's longest streak ever, in days. Needs `profile:read`. */
export function getLongestRun(core: Core, caller: Caller): number {
  return selectLongest(core, requireBuilder(caller, "profile:read").builderId);
}

/** The days of a streak. */
export interface Calendar {
  /** The value that `getStreak` returns. */
  streakDays: number;
  /** Whether the builder was active on each day. Oldest first, and the last entry is today. */
  days: boolean[];
  /** Today's date in the builder's zone, in days since the epoch. */
  today: number;
}

/** Returns the caller's last `count` days, with two statements. Needs `profile:read`. */
export function getCalendar(core: Core, caller: Caller, count: number): Calendar {
  const { builderId } = requireBuilder(caller, "profile:read");
  // The last `count` days contain at most this many runs, because at least one inactive day separates two
  // runs.
  return calendarOf(core, builderId, count, Math.ceil(count / 2) + 1);
}

/**
 * Returns the last `count` days of another builder, with two statements. Only days of the current streak are
 * marked. Needs `profile:read`.
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
 * Changes a builder's time zone from the end of the current day on. If the builder has no counted day yet,
 * the zone changes at once, because the change cannot affect a streak. Call it in a transaction. Throws
 * unprocessable for an unknown zone.
 */
export function changeTimeZone(core: Core, builderId: string, name: string): void {
  const zone = findZone(name);
  if (zone === undefined) {
    throw refuse("time_zone_unknown");
  }
  const now = core.clock.now();
  const span = zoneAt(core, builderId, now);
  if (zone === span.zone) {
    deleteScheduledZone(core, builderId, now);
    // Stores the choice even if the chosen zone is already in effect, so that pages show times in that zone.
    if (chosenZone(core, builderId) === undefined)
      insertZone(core, builderId, now, { since: now, zone, dayOffset: 0 });
    return;
  }
  const isFresh = selectLastRun(core, builderId) === undefined;
  insertZone(
    core,
    builderId,
    now,
    isFresh ? { since: now, zone, dayOffset: 0 } : spanOfNewZone(now, span, zone),
  );
}

const SHORTEST_DAY = 12 * HOUR;
/** Largest number of days by which a builder's day number can be ahead of the calendar. */
const AHEAD_MAX = 1;

/** Returns the span of a new zone, which starts at the end of the current day in the old zone. */
function spanOfNewZone(now: number, old: ZoneSpan, zone: string): ZoneSpan {
  const since = endOfDay(now, old.zone);
  const ownOffset = dayAt(now, old) + 1 - localDay(since, zone);
  const isOwnDay = endOfDay(since, zone) - since >= SHORTEST_DAY && ownOffset <= AHEAD_MAX;
  return { since, zone, dayOffset: isOwnDay ? ownOffset : ownOffset - 1 };
}

/** Whether `day` directly follows `before`. A date that the zone skipped may be in between. */
function isNextDay(before: number, day: number, { zone, dayOffset }: ZoneSpan): boolean {
  return day === before + 1 || (day === before + 2 && !dayExists(day - 1 - dayOffset, zone));
}

function dayAt(at: number, { zone, dayOffset }: ZoneSpan): number {
  return localDay(at, zone) + dayOffset;
}

function zoneAt(core: Core, builderId: string, at: number): ZoneSpan {
  return selectZone(core, builderId, at) ?? UTC;
}

/** Awards XP for the last day of the run. Awards the bonus of each milestone once per run. */
function awardStreakXp(core: Core, builderId: string, run: Run): void {
  const grant = (rule: RuleName, day: number) =>
    awardXp(core, { builderId, rule, subjectId: isoDay(day), giverId: "" });
  grant("streak.day", run.lastDay);
  for (const milestone of MILESTONES) if (run.days === milestone) grant(`streak.${milestone}`, run.firstDay);
}
