import { and, eq } from "drizzle-orm";
import type { Core } from "../core.ts";
import { webhookEndpoints, webhookSubscriptions } from "../db/schema-delivery.ts";
import type { EventType } from "../events/events.ts";
import type { Endpoint } from "./webhooks.ts";

interface EndpointRow {
  id: string;
  url: string;
  events: string;
  createdAt: number;
  disabledAt: number | null;
  disabledReason: string | null;
}

/** Of one workspace, newest first; all of them, or the one with `id`. */
export function selectEndpoints(core: Core, workspaceId: string, id?: string): Endpoint[] {
  return core.db
    .prepare<EndpointRow>(
      `SELECT e.id, e.url, e.created_at AS createdAt,
              e.disabled_at AS disabledAt, e.disabled_reason AS disabledReason,
              (SELECT json_group_array(type ORDER BY type) FROM webhook_subscriptions WHERE endpoint_id = e.id) AS events
       FROM webhook_endpoints e
       WHERE e.workspace_id = ? AND e.removed_at IS NULL ${id === undefined ? "" : "AND e.id = ?"}
       ORDER BY e.id DESC`,
    )
    .all(...(id === undefined ? [workspaceId] : [workspaceId, id]))
    .map(({ disabledAt, disabledReason, ...row }) => ({
      ...row,
      events: JSON.parse(row.events),
      disabled: disabledAt === null ? null : { at: disabledAt, reason: disabledReason ?? "" },
    }));
}

export function findByUrl(core: Core, workspaceId: string, url: string): { id: string } | undefined {
  return core.db.orm
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.workspaceId, workspaceId), eq(webhookEndpoints.url, url)))
    .get();
}

export function insertEndpoint(core: Core, row: typeof webhookEndpoints.$inferInsert): void {
  core.db.orm.insert(webhookEndpoints).values(row).run();
}

export function updateUrl(core: Core, id: string, url: string, createdBy: string): void {
  core.db.orm.update(webhookEndpoints).set({ url, createdBy }).where(eq(webhookEndpoints.id, id)).run();
}

/**
 * Deletes what was ever queued for an endpoint of the private events of whose it is, unless that is `builderId`: what waits would go to
 * the next address, and what has failed could be sent there again.
 */
export function deletePrivateOfOthers(core: Core, id: string, builderId: string): void {
  core.db
    .prepare(
      `DELETE FROM deliveries WHERE endpoint_id = ? AND event_id IN (
         SELECT e.id FROM webhook_endpoints w CROSS JOIN events e ON e.builder_id = w.created_by
         WHERE w.id = ? AND w.created_by <> ?)`,
    )
    .run(id, id, builderId);
}

export function replaceSubscriptions(core: Core, endpointId: string, types: readonly EventType[]): void {
  core.db.orm.delete(webhookSubscriptions).where(eq(webhookSubscriptions.endpointId, endpointId)).run();
  core.db.orm
    .insert(webhookSubscriptions)
    .values(types.map((type) => ({ type, endpointId })))
    .run();
}

/** Gone for everyone, and its address free again. The row stays for the deliveries that hang on it. */
export function markRemoved(core: Core, id: string, now: number): void {
  core.db.prepare("DELETE FROM webhook_subscriptions WHERE endpoint_id = ?").run(id);
  core.db
    .prepare("UPDATE webhook_endpoints SET removed_at = ?, url = 'removed:' || id WHERE id = ?")
    .run(now, id);
}

/** An endpoint that is gone and has deliveries left; undefined where there is none. */
export function selectRemoved(core: Core): string | undefined {
  return core.db
    .prepare<{ id: string }>(
      "SELECT id FROM webhook_endpoints WHERE removed_at IS NOT NULL ORDER BY id LIMIT 1",
    )
    .get()?.id;
}

/** Deletes some deliveries of an endpoint, and the endpoint itself where none is left. */
export function deleteSomeOf(core: Core, endpointId: string, limit: number): void {
  const { changes } = core.db
    .prepare("DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE endpoint_id = ? LIMIT ?)")
    .run(endpointId, limit);
  if (changes < limit) core.db.prepare("DELETE FROM webhook_endpoints WHERE id = ?").run(endpointId);
}

/** The secret before the rotation goes on signing until `until`. */
export function rotateSecretRow(core: Core, id: string, secretSealed: Buffer, until: number): void {
  core.db
    .prepare(
      `UPDATE webhook_endpoints SET previous_sealed = secret_sealed, previous_until = ?, secret_sealed = ? WHERE id = ?`,
    )
    .run(until, secretSealed, id);
}

/** Off: nothing is attempted. What waits keeps its due time, so that switching costs the same however much that is. */
export function setDisabledRow(
  core: Core,
  id: string,
  disabled: { at: number; reason: string } | null,
): void {
  core.db
    .prepare(
      "UPDATE webhook_endpoints SET disabled_at = ?, disabled_reason = ?, failing_since = NULL WHERE id = ?",
    )
    .run(disabled?.at ?? null, disabled?.reason ?? null, id);
}
