import type { Core } from "../core.ts";
import type { DeliveryState } from "./deliveries.ts";
import type { AttemptRecord, Delivery } from "./delivery-log.ts";

const DELIVERY = `d.id, d.event_id AS eventId, e.type AS eventType, d.endpoint_id AS endpointId, d.state, d.due_at AS dueAt,
              d.created_at AS createdAt, d.settled_at AS settledAt,
              (SELECT count(*) FROM attempts WHERE delivery_id = d.id) AS attempts
       FROM deliveries d CROSS JOIN events e ON e.id = d.event_id`;

/** Deliveries of one endpoint before `beforeId`, newest first. */
export function selectDeliveries(
  core: Core,
  endpointId: string,
  state: DeliveryState | undefined,
  beforeId: string,
  limit: number,
): Delivery[] {
  // A state is one of four words of ours; written out, it meets the index of the failed.
  const byState = state === undefined ? "" : `AND d.state = '${state}'`;
  return core.db
    .prepare<Delivery>(
      `SELECT ${DELIVERY}
       WHERE d.endpoint_id = ? ${byState} AND d.id < ?
       ORDER BY d.id DESC LIMIT ?`,
    )
    .all(endpointId, beforeId, limit);
}

/** A delivery to an endpoint of this workspace. */
export function findDelivery(core: Core, workspaceId: string, id: string): Delivery | undefined {
  return core.db
    .prepare<Delivery>(
      `SELECT ${DELIVERY} CROSS JOIN webhook_endpoints w ON w.id = d.endpoint_id
       WHERE d.id = ? AND w.workspace_id = ?`,
    )
    .get(id, workspaceId);
}

/** In the order in which they were made. */
export function selectAttempts(core: Core, deliveryId: string): AttemptRecord[] {
  return core.db
    .prepare<AttemptRecord>(
      `SELECT id, started_at AS startedAt, duration_ms AS durationMs, status, error, answer
       FROM attempts WHERE delivery_id = ? ORDER BY id`,
    )
    .all(deliveryId);
}

/** failed or awaiting_retry → awaiting_retry, due now, with the whole schedule before it again. */
export function requeue(core: Core, id: string, now: number): void {
  core.db
    .prepare(
      `UPDATE deliveries SET state = 'awaiting_retry', attempts = 0, first_at = NULL, settled_at = NULL, due_at = ?
       WHERE id = ?`,
    )
    .run(now, id);
}

/** The same for all of an endpoint that failed and were made after `afterId`. How many. */
export function requeueFailed(core: Core, endpointId: string, afterId: string, now: number): number {
  return core.db
    .prepare(
      `UPDATE deliveries SET state = 'awaiting_retry', attempts = 0, first_at = NULL, settled_at = NULL, due_at = ?
       WHERE endpoint_id = ? AND state = 'failed' AND id > ?`,
    )
    .run(now, endpointId, afterId).changes;
}
