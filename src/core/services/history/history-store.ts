import type { Core } from "../../base/core.ts";
import { dailyFigures } from "../../base/db/schema.ts";
import { type IdKind, lastIdAt } from "../../base/ids.ts";

/** Number of items created in a time range. */
export interface CreatedCounts {
  signUps: number;
  posts: number;
  replies: number;
  jobs: number;
  prompts: number;
  acknowledged: number;
  failed: number;
}

export type DayRow = typeof dailyFigures.$inferSelect;

/** A day as stored in the database, where the durations of requests are JSON. */
export interface StoredDay extends Omit<DayRow, "reads" | "writes"> {
  reads: string;
  writes: string;
}

const COLUMNS = `starts_at AS startsAt, counted_to AS countedTo, sign_ups AS signUps, posts, replies, jobs, prompts,
              acknowledged, failed, active, reads, writes, faults, database_bytes AS databaseBytes, free_bytes AS freeBytes`;

export function selectDays(core: Core, since: number, until: number): StoredDay[] {
  return core.db
    .prepare<StoredDay>(
      `SELECT ${COLUMNS} FROM daily_figures WHERE starts_at >= ? AND starts_at <= ? ORDER BY starts_at`,
    )
    .all(since, until);
}

export function findDay(core: Core, startsAt: number): StoredDay | undefined {
  return core.db.prepare<StoredDay>(`SELECT ${COLUMNS} FROM daily_figures WHERE starts_at = ?`).get(startsAt);
}

/** Returns the time up to which created items are counted; null before the first count. */
export function findCountedTo(core: Core): number | null {
  return (
    core.db.prepare<{ at: number | null }>("SELECT max(counted_to) AS at FROM daily_figures").get()?.at ??
    null
  );
}

/** Returns when the first builder joined; null if no builder exists. */
export function findFirstArrival(core: Core): number | null {
  return (
    core.db.prepare<{ at: number }>("SELECT created_at AS at FROM builders ORDER BY id LIMIT 1").get()?.at ??
    null
  );
}

/**
 * Counts the items that were created from `from` until before `until`. Scans only the ids of that time range,
 * because an id contains the time of creation.
 */
export function countCreated(core: Core, from: number, until: number): CreatedCounts {
  const within = (kind: IdKind): [string, string] => [lastIdAt(kind, from - 1), lastIdAt(kind, until - 1)];
  const { db } = core;
  const arrived = db.prepare<{ n: number }>(
    // Excludes members who were imported from another community, because they did not sign up here.
    `SELECT count(*) AS n FROM builders b WHERE b.id > ? AND b.id <= ?
       AND NOT EXISTS (SELECT 1 FROM arrivals a WHERE a.our_id = b.id)`,
  );
  const posts = db.prepare<{ all: number; replies: number }>(
    'SELECT count(*) AS "all", count(parent_id) AS replies FROM posts WHERE id > ? AND id <= ?',
  );
  const jobs = db.prepare<{ n: number }>("SELECT count(*) AS n FROM jobs WHERE id > ? AND id <= ?");
  const prompts = db.prepare<{ n: number }>("SELECT count(*) AS n FROM prompts WHERE id > ? AND id <= ?");
  const attempts = db.prepare<{ all: number; failed: number }>(
    `SELECT count(*) AS "all", count(coalesce(code, error)) AS failed FROM attempts WHERE id > ? AND id <= ?`,
  );
  const post = posts.get(...within("post")) ?? { all: 0, replies: 0 };
  const attempt = attempts.get(...within("att")) ?? { all: 0, failed: 0 };
  return {
    signUps: arrived.get(...within("builder"))?.n ?? 0,
    posts: post.all - post.replies,
    replies: post.replies,
    jobs: jobs.get(...within("job"))?.n ?? 0,
    prompts: prompts.get(...within("prompt"))?.n ?? 0,
    acknowledged: attempt.all - attempt.failed,
    failed: attempt.failed,
  };
}

/** Counts the builders whose session, token or app was last used in this time range. */
export function countActive(core: Core, from: number, until: number): number {
  return (
    core.db
      .prepare<{ n: number }>(
        `SELECT count(*) AS n FROM (
           SELECT builder_id FROM sessions WHERE last_seen_at >= ? AND last_seen_at < ?
           UNION SELECT builder_id FROM tokens WHERE last_used_at >= ? AND last_used_at < ?
           UNION SELECT builder_id FROM grants WHERE last_used_at >= ? AND last_used_at < ?)`,
      )
      .get(from, until, from, until, from, until)?.n ?? 0
  );
}

export function addCreated(core: Core, startsAt: number, created: CreatedCounts, countedTo: number): void {
  core.db.insertNew(dailyFigures, { startsAt });
  core.db
    .prepare(
      `UPDATE daily_figures SET counted_to = ?, sign_ups = sign_ups + ?, posts = posts + ?, replies = replies + ?,
         jobs = jobs + ?, prompts = prompts + ?, acknowledged = acknowledged + ?, failed = failed + ?
       WHERE starts_at = ?`,
    )
    .run(
      countedTo,
      created.signUps,
      created.posts,
      created.replies,
      created.jobs,
      created.prompts,
      created.acknowledged,
      created.failed,
      startsAt,
    );
}

/**
 * Stores a count of active builders, unless the stored count is larger. A later count can be too small:
 * sessions may have ended, and a use on a later day overwrites a builder's earlier use.
 */
export function raiseActive(core: Core, startsAt: number, active: number): void {
  core.db.insertNew(dailyFigures, { startsAt });
  core.db
    .prepare("UPDATE daily_figures SET active = max(coalesce(active, 0), ?) WHERE starts_at = ?")
    .run(active, startsAt);
}

export function putDay(core: Core, startsAt: number, change: Partial<DayRow>): void {
  core.db.insertNew(dailyFigures, { startsAt });
  core.db.patch(dailyFigures, { startsAt }, change);
}

/**
 * Removes days in the future and limits `counted_to` to now. Such values exist if the clock was ahead and was
 * then set back.
 */
export function deleteFutureDays(core: Core, now: number): void {
  core.db.prepare("DELETE FROM daily_figures WHERE starts_at > ?").run(now);
  core.db
    .prepare("UPDATE daily_figures SET counted_to = ? WHERE counted_to > ? AND starts_at <= ?")
    .run(now, now, now);
}

export function deleteDaysBefore(core: Core, before: number): void {
  core.db.prepare("DELETE FROM daily_figures WHERE starts_at < ?").run(before);
}
