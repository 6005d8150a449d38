import type { Core } from "../../ground/core.ts";
import { pushes, pushSubscriptions } from "../../ground/db/schema-reach.ts";
import type { Push } from "./queue.ts";

/** How many wait, in all or for one browser. */
export function countPushes(core: Core, subscriptionId?: string): number {
  const sql = "SELECT count(*) AS count FROM pushes";
  const found =
    subscriptionId === undefined
      ? core.db.prepare<{ count: number }>(sql).get()
      : core.db.prepare<{ count: number }>(`${sql} WHERE subscription_id = ?`).get(subscriptionId);
  return found?.count ?? 0;
}

export function selectSubscriptionIds(core: Core, builderId: string): string[] {
  return core.db
    .prepare<{ id: string }>("SELECT id FROM push_subscriptions WHERE builder_id = ? ORDER BY id")
    .all(builderId)
    .map(({ id }) => id);
}

/** One that waits already for the same browser stays as it is. */
export function insertPush(core: Core, row: typeof pushes.$inferInsert): void {
  core.db.insertNew(pushes, row);
}

/** Of each browser the first that is due, unless one of its is under way. */
export function selectDuePushes(core: Core, now: number, running: readonly number[], most: number): Push[] {
  return core.db
    .prepare<Push>(
      `SELECT min(q.seq) AS seq, s.id AS subscriptionId, s.builder_id AS builderId, s.endpoint, s.p256dh, s.auth,
              q.notification_id AS notificationId, q.attempts, q.created_at AS createdAt,
              CASE WHEN s.failures > 0 THEN 'failing' WHEN s.succeeded_at IS NULL THEN 'new' ELSE 'proven' END AS standing
       FROM pushes q CROSS JOIN push_subscriptions s ON s.id = q.subscription_id
       WHERE q.due_at <= ? AND q.subscription_id NOT IN
         (SELECT subscription_id FROM pushes WHERE seq IN (SELECT value FROM json_each(?)))
       GROUP BY q.subscription_id ORDER BY seq LIMIT ?`,
    )
    .all(now, JSON.stringify(running), most);
}

export function nextPushDue(core: Core, running: readonly number[]): number | undefined {
  return core.db
    .prepare<{ dueAt: number }>(
      `SELECT due_at AS dueAt FROM pushes WHERE subscription_id NOT IN
         (SELECT subscription_id FROM pushes WHERE seq IN (SELECT value FROM json_each(?)))
       ORDER BY due_at, seq LIMIT 1`,
    )
    .get(JSON.stringify(running))?.dueAt;
}

export function deletePush(core: Core, seq: number): void {
  core.db.prepare("DELETE FROM pushes WHERE seq = ?").run(seq);
}

/** All that waits for the browser waits so long: its push service is asked once, and not once for each. */
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

export function noteTaken(core: Core, subscriptionId: string, now: number): void {
  core.db.patch(pushSubscriptions, { id: subscriptionId }, { succeededAt: now, failures: 0 });
}

/** Counts one more, and tells whether it took nothing so often and since so long. */
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

/** With what is on its way to it. */
export function dropSubscription(core: Core, id: string): void {
  core.db.prepare("DELETE FROM push_subscriptions WHERE id = ?").run(id);
}
