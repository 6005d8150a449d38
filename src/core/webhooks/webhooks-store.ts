import { and, eq } from "drizzle-orm";
import type { Core } from "../core.ts";
import { webhookEndpoints, webhookSubscriptions } from "../db/schema.ts";
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
       WHERE e.workspace_id = ? ${id === undefined ? "" : "AND e.id = ?"}
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

export function updateUrl(core: Core, id: string, url: string): void {
  core.db.orm.update(webhookEndpoints).set({ url }).where(eq(webhookEndpoints.id, id)).run();
}

export function replaceSubscriptions(core: Core, endpointId: string, types: readonly EventType[]): void {
  core.db.orm.delete(webhookSubscriptions).where(eq(webhookSubscriptions.endpointId, endpointId)).run();
  core.db.orm
    .insert(webhookSubscriptions)
    .values(types.map((type) => ({ type, endpointId })))
    .run();
}

export function deleteEndpointRow(core: Core, id: string): void {
  core.db.orm.delete(webhookEndpoints).where(eq(webhookEndpoints.id, id)).run();
}

/** The secret before the rotation goes on signing until `until`. */
export function rotateSecretRow(core: Core, id: string, secretSealed: Buffer, until: number): void {
  core.db
    .prepare(
      `UPDATE webhook_endpoints SET previous_sealed = secret_sealed, previous_until = ?, secret_sealed = ? WHERE id = ?`,
    )
    .run(until, secretSealed, id);
}

/** Off: nothing is attempted and what waits is parked. On: what was parked is due now. */
export function setDisabledRow(
  core: Core,
  id: string,
  disabled: { at: number; reason: string } | null,
  now: number,
): void {
  core.db
    .prepare(
      "UPDATE webhook_endpoints SET disabled_at = ?, disabled_reason = ?, failing_since = NULL WHERE id = ?",
    )
    .run(disabled?.at ?? null, disabled?.reason ?? null, id);
  core.db
    .prepare("UPDATE deliveries SET due_at = ? WHERE endpoint_id = ? AND state = 'awaiting_retry'")
    .run(disabled ? null : now, id);
}
