import type { Core } from "../../base/core.ts";
import { pushKeys, pushSubscriptions } from "../../base/db/schema-channels.ts";
import type { PushSubscription } from "./push.ts";

export function selectPushKeys(core: Core): { publicKey: Buffer; sealed: Buffer } | undefined {
  return core.db
    .prepare<{ publicKey: Buffer; sealed: Buffer }>("SELECT public_key AS publicKey, sealed FROM push_keys")
    .get();
}

export function insertPushKeys(core: Core, row: typeof pushKeys.$inferInsert): void {
  core.db.insert(pushKeys, row);
}

/** Selects one builder's subscriptions, newest first. */
export function selectSubscriptions(
  core: Core,
  builderId: string,
): (Omit<PushSubscription, "isCurrent"> & { sessionId: string })[] {
  return core.db
    .prepare<Omit<PushSubscription, "isCurrent"> & { sessionId: string }>(
      `SELECT p.id, p.session_id AS sessionId, s.agent, p.created_at AS createdAt, p.succeeded_at AS succeededAt
       FROM push_subscriptions p CROSS JOIN sessions s ON s.id = p.session_id
       WHERE p.builder_id = ? ORDER BY p.id DESC`,
    )
    .all(builderId);
}

interface PushTarget {
  id: string;
  builderId: string;
  endpoint: string;
  p256dh: Buffer;
  auth: Buffer;
}
const TARGET_COLUMNS = "id, builder_id AS builderId, endpoint, p256dh, auth";

export function findSubscription(core: Core, id: string): PushTarget | undefined {
  return core.db.prepare<PushTarget>(`SELECT ${TARGET_COLUMNS} FROM push_subscriptions WHERE id = ?`).get(id);
}

export function findSubscriptionAt(core: Core, endpoint: string): PushTarget | undefined {
  return core.db
    .prepare<PushTarget>(`SELECT ${TARGET_COLUMNS} FROM push_subscriptions WHERE endpoint = ?`)
    .get(endpoint);
}

export function insertSubscription(core: Core, row: typeof pushSubscriptions.$inferInsert): void {
  core.db.insert(pushSubscriptions, row);
}

/** Deletes a subscription with its queued pushes. */
export function deleteSubscription(core: Core, id: string): void {
  core.db.prepare("DELETE FROM push_subscriptions WHERE id = ?").run(id);
}

/** Deletes all subscriptions of a builder. Returns the number of deleted rows. */
export function deleteSubscriptionsOf(core: Core, builderId: string): number {
  return core.db.prepare("DELETE FROM push_subscriptions WHERE builder_id = ?").run(builderId).changes;
}

export function deleteSubscriptionsOfSession(core: Core, sessionId: string): void {
  core.db.prepare("DELETE FROM push_subscriptions WHERE session_id = ?").run(sessionId);
}

/** Deletes the oldest subscriptions of a builder beyond `most`. */
export function deleteSubscriptionsBeyond(core: Core, builderId: string, most: number): void {
  core.db
    .prepare(
      `DELETE FROM push_subscriptions WHERE id IN
         (SELECT id FROM push_subscriptions WHERE builder_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    )
    .run(builderId, most);
}
