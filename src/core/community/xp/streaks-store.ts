import type { Core } from "../../base/core.ts";
import { streaks, timeZones } from "../../base/db/schema.ts";

/** Consecutive active days, in the builder's own day numbers. */
export interface Run {
  firstDay: number;
  lastDay: number;
  days: number;
}

/** The time zone that defines a builder's days from the time `since` on. */
export interface ZoneSpan {
  /** Start, in ms since the epoch. Can be in the future. */
  since: number;
  zone: string;
  /**
   * The number that is added to a date in the zone (days since the epoch) to get the builder's day number.
   */
  dayOffset: number;
}

export function selectLastRun(core: Core, builderId: string): Run | undefined {
  return core.db
    .prepare<Run>(
      `SELECT first_day AS firstDay, last_day AS lastDay, days FROM streaks
       WHERE builder_id = ? ORDER BY first_day DESC LIMIT 1`,
    )
    .get(builderId);
}

export function insertRun(core: Core, builderId: string, run: Run): void {
  core.db.insert(streaks, { builderId, ...run });
}

export function extendRun(core: Core, builderId: string, run: Run): void {
  const { firstDay, lastDay, days } = run;
  core.db.patch(streaks, { builderId, firstDay }, { lastDay, days });
}

/** Selects the newest runs, newest first. */
export function selectLastRuns(core: Core, builderId: string, limit: number): Run[] {
  return core.db
    .prepare<Run>(
      `SELECT first_day AS firstDay, last_day AS lastDay, days FROM streaks
       WHERE builder_id = ? ORDER BY first_day DESC LIMIT ?`,
    )
    .all(builderId, limit);
}

/** Returns the length of the longest run, in days. */
export function selectLongest(core: Core, builderId: string): number {
  return (
    core.db
      .prepare<{ days: number | null }>("SELECT max(days) AS days FROM streaks WHERE builder_id = ?")
      .get(builderId)?.days ?? 0
  );
}

/** Returns the zone in effect at a time, or undefined before the builder's first zone. */
export function selectZone(core: Core, builderId: string, at: number): ZoneSpan | undefined {
  return core.db
    .prepare<ZoneSpan>(
      `SELECT since, zone, day_offset AS dayOffset FROM time_zones
       WHERE builder_id = ? AND since <= ? ORDER BY since DESC LIMIT 1`,
    )
    .get(builderId, at);
}

/** Returns a builder's zones, newest first, including a scheduled change. */
export function selectZones(core: Core, builderId: string, limit: number): ZoneSpan[] {
  return core.db
    .prepare<ZoneSpan>(
      `SELECT since, zone, day_offset AS dayOffset FROM time_zones
       WHERE builder_id = ? ORDER BY since DESC LIMIT ?`,
    )
    .all(builderId, limit);
}

/** Inserts a zone. Replaces a scheduled change that has not started. */
export function insertZone(core: Core, builderId: string, now: number, span: ZoneSpan): void {
  deleteScheduledZone(core, builderId, now);
  core.db.upsert(timeZones, { builderId, ...span });
}

export function deleteScheduledZone(core: Core, builderId: string, now: number): void {
  core.db.prepare("DELETE FROM time_zones WHERE builder_id = ? AND since > ?").run(builderId, now);
}
