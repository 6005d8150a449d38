import { DAY } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { weeklyFigures } from "../core/base/db/schema.ts";
import { lastIdAt } from "../core/base/ids.ts";
import { SESSION_IDLE_MS } from "../core/identity/accounts/sessions.ts";
import { insertSession } from "../core/identity/accounts/sessions-store.ts";
import { addCreated, countCreated, raiseActive } from "../core/services/history/history-store.ts";
import { WEEK, weekOf } from "../core/services/history/weeks.ts";

/** Number of weeks that the page of the statistics shows. */
const WEEKS = 26;

/**
 * Writes the statistics of the last weeks from the rows of the demo. A member counts as active on the days of
 * their posts, replies and likes, because nobody has used a session.
 */
export function writeStatistics(core: Core, now: number): void {
  const first = weekOf(now) - (WEEKS - 1) * WEEK;
  for (let startsAt = first; startsAt < now; startsAt += DAY) {
    const until = Math.min(startsAt + DAY, now);
    addCreated(core, startsAt, countCreated(core, startsAt, until), until);
  }
  for (const { period, active } of activeBy(core, DAY, first, now))
    raiseActive(core, first + period * DAY, active);
  for (const { period, active, returned } of activeBy(core, WEEK, first, now))
    core.db.insertNew(weeklyFigures, { startsAt: first + period * WEEK, active, returned });
}

/**
 * Writes a session for each member who was active in the last 30 days, so that the About page counts them.
 * The hash is random, so nobody has the cookie. `visitor` is the member as whom visitors of the demo sign in.
 */
export function writeSessions(core: Core, now: number, visitor: string | undefined): void {
  const since = now - SESSION_IDLE_MS;
  const seen = core.db
    .prepare<{ builderId: string; lastSeenAt: number }>(
      `SELECT builder_id AS builderId, max(at) AS lastSeenAt FROM (
         SELECT author_id AS builder_id, created_at AS at FROM posts WHERE id > ?
         UNION ALL SELECT builder_id, liked_at FROM likes WHERE liked_at > ? AND liked_at <= ?)
       WHERE builder_id IS NOT ? GROUP BY builder_id`,
    )
    .all(lastIdAt("post", since), since, now, visitor ?? null);
  for (const { builderId, lastSeenAt } of seen) {
    insertSession(core, {
      id: core.makeId("ses", lastSeenAt),
      hash: Buffer.from(core.random.bytes(32)),
      builderId,
      address: "",
      agent: "",
      createdAt: lastSeenAt,
      lastSeenAt,
      expiresAt: lastSeenAt + SESSION_IDLE_MS,
    });
  }
}

/**
 * Counts the active members of each period of `length` since `first`. `returned` counts the active members
 * who joined in the period before.
 */
function activeBy(
  core: Core,
  length: number,
  first: number,
  now: number,
): { period: number; active: number; returned: number }[] {
  return core.db
    .prepare<{ period: number; active: number; returned: number }>(
      `WITH span (length, first, lowest, until) AS (VALUES (?, ?, ?, ?)),
       acts (period, builder_id) AS (
         SELECT CAST((created_at - first) / length AS INTEGER), author_id FROM span CROSS JOIN posts WHERE id > lowest
         UNION SELECT CAST((liked_at - first) / length AS INTEGER), builder_id FROM span CROSS JOIN likes
         WHERE post_id > lowest AND liked_at < until)
       SELECT period, count(*) AS active,
              sum(b.created_at >= first + (period - 1) * length AND b.created_at < first + period * length) AS returned
       FROM span CROSS JOIN acts a CROSS JOIN builders b ON b.id = a.builder_id GROUP BY period`,
    )
    .all(length, first, lastIdAt("post", first - 1), now);
}
