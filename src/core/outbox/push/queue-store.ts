import type { Core } from "../../base/core.ts";
import { pushes, pushSubscriptions } from "../../base/db/schema-channels.ts";
import type { QueuePosition, ResumePoint, Waiting } from "../../base/queue-limits.ts";
import type { DuePush, Push } from "./queue.ts";

/**
 * A member's browser. If notifications were skipped for this browser, a separate pass sends these
 * notifications later. `resumePlace` is the position in the notifications where this pass continues.
 * `resumePlace` is null if no notification was skipped.
 */
export interface Browser {
  id: string;
  builderId: string;
  endpoint: string;
  resumePlace: number | null;
}

const BROWSER = "id, builder_id AS builderId, endpoint, resume_place AS resumePlace";

export function selectBrowsers(core: Core, builderId: string): Browser[] {
  return core.db
    .prepare<Browser>(`SELECT ${BROWSER} FROM push_subscriptions WHERE builder_id = ? ORDER BY id`)
    .all(builderId);
}

/** Selects browsers that were skipped while their queue was full, if the time to continue has passed. */
export function selectBrowsersBehind(core: Core, now: number, limit: number): Browser[] {
  return core.db
    .prepare<Browser>(
      `SELECT ${BROWSER} FROM push_subscriptions WHERE resume_at <= ? ORDER BY resume_at LIMIT ?`,
    )
    .all(now, limit);
}

export function setBrowserResume(core: Core, id: string, resume: ResumePoint | null): void {
  core.db.patch(
    pushSubscriptions,
    { id },
    { resumePlace: resume?.place ?? null, resumeAt: resume?.at ?? null },
  );
}

/**
 * Counts the waiting pushes of a browser, of the browser's member and of the push service's host. Counts
 * either urgent or ordinary pushes. The count of the host stops at `hostMax`.
 */
export function countWaitingPushes(
  core: Core,
  { id, builderId }: Browser,
  lane: { host: string; urgent: number },
  hostMax: number,
): Waiting {
  return core.db
    .prepare<Waiting>(
      `SELECT (SELECT count(*) FROM pushes WHERE subscription_id = ? AND urgent = ?) AS recipient,
              (SELECT count(*) FROM push_subscriptions s CROSS JOIN pushes q ON q.subscription_id = s.id
               WHERE s.builder_id = ? AND q.urgent = ?) AS member,
              (SELECT count(*) FROM (SELECT 1 FROM pushes WHERE host = ? AND urgent = ? LIMIT ?)) AS host`,
    )
    .get(id, lane.urgent, builderId, lane.urgent, lane.host, lane.urgent, hostMax) as Waiting;
}

/** Inserts a push. If a push of the same notification already waits for the browser, keeps that push. */
export function insertPush(core: Core, row: typeof pushes.$inferInsert): void {
  core.db.insertNew(pushes, row);
}

const STANDING = `CASE WHEN s.failures > 0 THEN 'failing' WHEN s.succeeded_at IS NULL THEN 'new' ELSE 'proven' END`;

/** Selects due pushes after a position with their browsers, ordered by due time. */
export function selectDuePushes(core: Core, now: number, after: QueuePosition, most: number): DuePush[] {
  return core.db
    .prepare<DuePush>(
      `SELECT q.seq, q.due_at AS dueAt, s.id AS subscriptionId, s.builder_id AS builderId, s.endpoint,
              ${STANDING} AS standing
       FROM pushes q CROSS JOIN push_subscriptions s ON s.id = q.subscription_id
       WHERE q.due_at <= ? AND (q.due_at, q.seq) > (?, ?) ORDER BY q.due_at, q.seq LIMIT ?`,
    )
    .all(now, after.dueAt, after.seq, most);
}

/** Returns the oldest push that is due for a browser, urgent pushes first. */
export function selectNextPush(core: Core, now: number, subscriptionId: string): Push | undefined {
  return core.db
    .prepare<Push>(
      `SELECT q.seq, s.id AS subscriptionId, s.builder_id AS builderId, s.endpoint, s.p256dh, s.auth,
              q.notification_id AS notificationId, q.attempts, q.created_at AS createdAt, ${STANDING} AS standing
       FROM pushes q CROSS JOIN push_subscriptions s ON s.id = q.subscription_id
       WHERE q.subscription_id = ? AND q.due_at <= ? ORDER BY q.urgent DESC, q.seq LIMIT 1`,
    )
    .get(subscriptionId, now);
}

/** Returns the earliest due time of a push after `now`. */
export function nextPushDue(core: Core, now: number): number | undefined {
  const sql = "SELECT min(due_at) AS dueAt FROM pushes WHERE due_at > ?";
  return core.db.prepare<{ dueAt: number | null }>(sql).get(now)?.dueAt ?? undefined;
}

export function deletePush(core: Core, seq: number): void {
  core.db.prepare("DELETE FROM pushes WHERE seq = ?").run(seq);
}

/**
 * Counts a failed attempt and delays all waiting pushes of the browser until `dueAt`. The push service then
 * gets no further request for this browser before `dueAt`.
 */
export function deferPushes(
  core: Core,
  subscriptionId: string,
  { seq, dueAt }: { seq: number; dueAt: number },
): void {
  core.db.prepare("UPDATE pushes SET attempts = attempts + 1 WHERE seq = ?").run(seq);
  core.db
    .prepare("UPDATE pushes SET due_at = max(due_at, ?) WHERE subscription_id = ?")
    .run(dueAt, subscriptionId);
}

export function noteAccepted(core: Core, subscriptionId: string, now: number): void {
  core.db.patch(pushSubscriptions, { id: subscriptionId }, { succeededAt: now, failures: 0 });
}

/**
 * Counts a failure of the browser. Returns whether the browser has reached both limits in `dead`: the number
 * of failures and the time without success.
 */
export function noteFailure(
  core: Core,
  subscriptionId: string,
  dead: { failures: number; silentSince: number },
): boolean {
  const found = core.db
    .prepare<{ failures: number; since: number }>(
      `UPDATE push_subscriptions SET failures = failures + 1 WHERE id = ?
       RETURNING failures, coalesce(succeeded_at, created_at) AS since`,
    )
    .get(subscriptionId);
  return found !== undefined && found.failures >= dead.failures && found.since < dead.silentSince;
}

/** Deletes a subscription with its queued pushes. */
export function dropSubscription(core: Core, id: string): void {
  core.db.prepare("DELETE FROM push_subscriptions WHERE id = ?").run(id);
}

/**
 * Returns the number of waiting pushes up to `most`. Also returns the times when the oldest push was queued
 * and when the first push is due.
 */
export function selectWaitingPushes(
  { db }: Pick<Core, "db">,
  most: number,
): { waiting: number; oldestAt: number | null; dueAt: number | null } {
  return (
    db
      .prepare<{ waiting: number; oldestAt: number | null; dueAt: number | null }>(
        `SELECT (SELECT count(*) FROM (SELECT 1 FROM pushes LIMIT ?)) AS waiting,
                (SELECT created_at FROM pushes WHERE seq = (SELECT min(seq) FROM pushes)) AS oldestAt,
                (SELECT min(due_at) FROM pushes) AS dueAt`,
      )
      .get(most) ?? { waiting: 0, oldestAt: null, dueAt: null }
  );
}

/** Returns the host with the most pushes among the oldest `most` pushes. */
export function selectMostAwaitedHost(
  { db }: Pick<Core, "db">,
  most: number,
): { host: string; waiting: number; oldestAt: number } | undefined {
  return db
    .prepare<{ host: string; waiting: number; oldestAt: number }>(
      `SELECT host, count(*) AS waiting, min(created_at) AS oldestAt
       FROM (SELECT host, created_at FROM pushes ORDER BY seq LIMIT ?)
       GROUP BY host ORDER BY waiting DESC, host LIMIT 1`,
    )
    .get(most);
}
