import type { Core } from "../core.ts";
import { events } from "../db/schema.ts";

export function insertEvent(
  core: Core,
  row: { id: string; type: string; body: string; createdAt: number },
): void {
  core.db.orm.insert(events).values(row).run();
}

export function subscribedEndpoints(core: Core, type: string): string[] {
  return core.db
    .prepare<{ endpointId: string }>(
      "SELECT endpoint_id AS endpointId FROM webhook_subscriptions WHERE type = ?",
    )
    .all(type)
    .map((row) => row.endpointId);
}

/** A delivery that waits for its first attempt: due at once. */
export function insertDelivery(
  core: Core,
  row: { id: string; eventId: string; endpointId: string; dueAt: number },
): void {
  core.db
    .prepare(
      `INSERT INTO deliveries (id, event_id, endpoint_id, state, due_at, created_at)
       VALUES (?, ?, ?, 'awaiting_retry', ?, ?)`,
    )
    .run(row.id, row.eventId, row.endpointId, row.dueAt, row.dueAt);
}
