import type { Core } from "../../base/core.ts";
import { streaks, timeZones } from "../../base/db/schema.ts";

/** Days in a row, in the builder's own count. */
export interface Run {
  firstDay: number;
  lastDay: number;
  days: number;
}

/** A zone whose days a builder counts by, since when. */
export interface ZoneSpan {
  /** Milliseconds since the epoch; may lie ahead. */
  since: number;
  zone: string;
  /** The number of a day is its date in the zone plus this. */
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

/** The newest runs, newest first. */
export function selectLastRuns(core: Core, builderId: string, limit: number): Run[] {
  return core.db
    .prepare<Run>(
      `SELECT first_day AS firstDay, last_day AS lastDay, days FROM streaks
       WHERE builder_id = ? ORDER BY first_day DESC LIMIT ?`,
    )
    .all(builderId, limit);
}

/** The most days in a row that there ever were. */
export function selectLongest(core: Core, builderId: string): number {
  return (
    core.db
      .prepare<{ days: number | null }>("SELECT max(days) AS days FROM streaks WHERE builder_id = ?")
      .get(builderId)?.days ?? 0
  );
}

/** The zone in force at a moment; undefined before the first one. */
export function selectZone(core: Core, builderId: string, at: number): ZoneSpan | undefined {
  return core.db
    .prepare<ZoneSpan>(
      `SELECT since, zone, day_offset AS dayOffset FROM time_zones
       WHERE builder_id = ? AND since <= ? ORDER BY since DESC LIMIT 1`,
    )
    .get(builderId, at);
}

/** The history of a builder's zones, newest first, with one that is to come. */
export function selectZones(core: Core, builderId: string, limit: number): ZoneSpan[] {
  return core.db
    .prepare<ZoneSpan>(
      `SELECT since, zone, day_offset AS dayOffset FROM time_zones
       WHERE builder_id = ? ORDER BY since DESC LIMIT ?`,
    )
    .all(builderId, limit);
}

/** Replaces what was to come, if anything: it never began. */
export function insertZone(core: Core, builderId: string, now: number, span: ZoneSpan): void {
  deleteComingZone(core, builderId, now);
  core.db.upsert(timeZones, { builderId, ...span });
}

export function deleteComingZone(core: Core, builderId: string, now: number): void {
  core.db.prepare("DELETE FROM time_zones WHERE builder_id = ? AND since > ?").run(builderId, now);
}
