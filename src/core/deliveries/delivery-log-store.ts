import type { Core } from "../core.ts";
import { descending, inLists, type PageRequest, type Walk } from "../page.ts";
import type { DeliveryState } from "./deliveries.ts";
import type { AttemptRecord, Delivery } from "./delivery-log.ts";

const COLUMNS = `d.id, d.event_id AS eventId, e.type AS eventType, d.endpoint_id AS endpointId, d.state,
              (SELECT d.due_at FROM webhook_endpoints WHERE id = d.endpoint_id AND disabled_at IS NULL) AS dueAt,
              d.created_at AS createdAt, d.settled_at AS settledAt,
              (SELECT count(*) FROM attempts WHERE delivery_id = d.id) AS attempts`;
const DELIVERY = `${COLUMNS} FROM deliveries d CROSS JOIN events e ON e.id = d.event_id`;

/** Deliveries of many endpoints in one statement, newest first, or the other way round. */
export function selectDeliveries(
  core: Core,
  walks: readonly Walk<string>[],
  state: DeliveryState | undefined,
  request: PageRequest,
): ReadonlyMap<string, Delivery[]> {
  const { beyond, order } = descending(request);
  const places = walks.map(({ id, from }) => ({ id, from: from ?? (request.backwards ? "" : "dlv_~") }));
  // A state is one of four words of ours; written out, it meets the index of the failed.
  const byState = state === undefined ? "" : `AND state = '${state}'`;
  const rows = core.db
    .prepare<Delivery>(
      `SELECT ${COLUMNS}
       FROM json_each(?) wanted CROSS JOIN json_each((SELECT json_group_array(id) FROM
         (SELECT id FROM deliveries WHERE endpoint_id = wanted.value ->> 'id' ${byState}
            AND id ${beyond} wanted.value ->> 'from' ORDER BY id ${order} LIMIT ?))) found
       CROSS JOIN deliveries d ON d.id = found.value CROSS JOIN events e ON e.id = d.event_id`,
    )
    .all(JSON.stringify(places), request.limit + 1);
  return inLists(rows, ({ endpointId }) => endpointId, order);
}

/** Deliveries to endpoints of this workspace, by their ids, in one statement and any order. */
export function selectDeliveriesById(core: Core, workspaceId: string, ids: readonly string[]): Delivery[] {
  return core.db
    .prepare<Delivery>(
      `SELECT ${COLUMNS}
       FROM json_each(?) wanted CROSS JOIN deliveries d ON d.id = wanted.value
       CROSS JOIN events e ON e.id = d.event_id CROSS JOIN webhook_endpoints w ON w.id = d.endpoint_id
       WHERE w.workspace_id = ? AND w.removed_at IS NULL`,
    )
    .all(JSON.stringify(ids), workspaceId);
}

/** A delivery to an endpoint of this workspace. */
export function findDelivery(core: Core, workspaceId: string, id: string): Delivery | undefined {
  return core.db
    .prepare<Delivery>(
      `SELECT ${DELIVERY} CROSS JOIN webhook_endpoints w ON w.id = d.endpoint_id
       WHERE d.id = ? AND w.workspace_id = ? AND w.removed_at IS NULL`,
    )
    .get(id, workspaceId);
}

const ATTEMPT = `a.id, a.delivery_id AS deliveryId, a.started_at AS startedAt, a.duration_ms AS durationMs, a.status,
              a.error, a.answer`;

/** Of many deliveries in one statement, each in the order in which they were made. */
export function selectAttempts(
  core: Core,
  deliveryIds: readonly string[],
): ReadonlyMap<string, AttemptRecord[]> {
  const rows = core.db
    .prepare<AttemptRecord>(
      `SELECT ${ATTEMPT} FROM json_each(?) wanted CROSS JOIN attempts a ON a.delivery_id = wanted.value`,
    )
    .all(JSON.stringify(deliveryIds));
  return inLists(rows, ({ deliveryId }) => deliveryId, "ASC");
}

/** Attempts on deliveries of this workspace, by their ids, in one statement and any order. */
export function selectAttemptsById(core: Core, workspaceId: string, ids: readonly string[]): AttemptRecord[] {
  return core.db
    .prepare<AttemptRecord>(
      `SELECT ${ATTEMPT}
       FROM json_each(?) wanted CROSS JOIN attempts a ON a.id = wanted.value
       CROSS JOIN deliveries d ON d.id = a.delivery_id CROSS JOIN webhook_endpoints w ON w.id = d.endpoint_id
       WHERE w.workspace_id = ? AND w.removed_at IS NULL`,
    )
    .all(JSON.stringify(ids), workspaceId);
}
