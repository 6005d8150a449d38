import type { Core } from "../../base/core.ts";
import { weeklyFigures } from "../../base/db/schema.ts";
import { lastIdAt } from "../../base/ids.ts";

/** Figures that are counted per week and not per day. */
export interface WeekRow {
  startsAt: number;
  active: number;
  returned: number;
}

/** Selects weeks, oldest first. */
export function selectWeeks(core: Core, since: number): WeekRow[] {
  return core.db
    .prepare<WeekRow>(
      "SELECT starts_at AS startsAt, active, returned FROM weekly_figures WHERE starts_at >= ? ORDER BY starts_at",
    )
    .all(since);
}

/** Returns the first counted day; null if there is none. */
export function findFirstDay(core: Core): number | null {
  return (
    core.db
      .prepare<{ at: number | null }>(
        "SELECT min(starts_at) AS at FROM daily_figures WHERE counted_to IS NOT NULL",
      )
      .get()?.at ?? null
  );
}

/** Counts members, without deleted accounts. */
export function countMembers(core: Core): number {
  const sql = `SELECT (SELECT count(*) FROM builders) - (SELECT count(*) FROM builders WHERE removed_at IS NOT NULL) AS n`;
  return core.db.prepare<{ n: number }>(sql).get()?.n ?? 0;
}

/** Records the builders whose last use is in the time range as active in the week. */
export function storeActiveWeeks(core: Core, week: number, from: number, until: number): void {
  core.db
    .prepare(
      `INSERT OR IGNORE INTO active_builders (builder_id, starts_at)
         SELECT builder_id, ? FROM (
           SELECT builder_id FROM sessions WHERE last_seen_at >= ? AND last_seen_at < ?
           UNION SELECT builder_id FROM tokens WHERE last_used_at >= ? AND last_used_at < ?
           UNION SELECT builder_id FROM grants WHERE last_used_at >= ? AND last_used_at < ?)`,
    )
    .run(week, from, until, from, until, from, until);
}

/**
 * Counts the active builders of a week. `returned` counts the active builders who joined between `joinedFrom`
 * and the start of the week. Stored counts never shrink, even if an account is deleted.
 */
export function countWeek(core: Core, week: number, joinedFrom: number): void {
  core.db.insertNew(weeklyFigures, { startsAt: week });
  core.db
    .prepare(
      `UPDATE weekly_figures SET
         active = max(active, (SELECT count(*) FROM active_builders WHERE starts_at = ?)),
         returned = max(returned, (
           SELECT count(*) FROM builders b CROSS JOIN active_builders a ON a.builder_id = b.id AND a.starts_at = ?
           WHERE b.id > ? AND b.id <= ? AND NOT EXISTS (SELECT 1 FROM arrivals WHERE our_id = b.id)))
       WHERE starts_at = ?`,
    )
    .run(week, week, lastIdAt("builder", joinedFrom - 1), lastIdAt("builder", week - 1), week);
}

/**
 * Deletes old weeks, and the lists of active builders of past weeks. Also deletes weeks in the future. Such
 * weeks exist if the clock was set back.
 */
export function forgetWeeks(core: Core, keptFrom: number, present: { from: number; until: number }): void {
  const { db } = core;
  db.prepare("DELETE FROM weekly_figures WHERE starts_at < ? OR starts_at > ?").run(keptFrom, present.until);
  db.prepare("DELETE FROM active_builders WHERE starts_at < ? OR starts_at > ?").run(
    present.from,
    present.until,
  );
}
