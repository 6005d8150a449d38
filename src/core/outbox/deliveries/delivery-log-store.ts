import type { Core } from "../../base/core.ts";
import { descending, groupByList, type PageRequest, type Walk } from "../../base/page.ts";
import type { DeliveryState } from "./deliveries.ts";
import type { Params } from "../../base/refusals/sentence.ts";
import { failureSentence } from "./failures.ts";
import { wallTimeOf } from "./monotonic-time.ts";
import type { AttemptRecord, Delivery } from "./delivery-log.ts";
import { GIVEN_UP, type GivenUp } from "./cleanup.ts";
import { SUBJECT_IS_GONE, TEXT_IS_UNCHANGED } from "../events/subjects.ts";
import { type LogReader, MAY_READ, mayRead } from "./delivery-reader.ts";

const COLUMNS = `d.id, d.event_id AS eventId, e.type AS eventType, d.endpoint_id AS endpointId, d.state,
              (SELECT d.due_at FROM webhook_endpoints WHERE id = d.endpoint_id AND disabled_at IS NULL) AS dueAt,
              d.created_at AS createdAt, d.settled_at AS settledAt, d.given_up AS givenUp,
              (SELECT count(*) FROM attempts WHERE delivery_id = d.id) AS attempts`;
/** A delivery as stored. `nextAttemptAt` is derived, because a disabled endpoint has no next attempt. */
interface DeliveryRow extends Omit<Delivery, "givenUp" | "nextAttemptAt"> {
  givenUp: GivenUp | null;
  dueAt: number | null;
}

function toDelivery({ clock }: Core, { givenUp, dueAt, ...row }: DeliveryRow): Delivery {
  return {
    ...row,
    nextAttemptAt: row.state === "awaiting_retry" && dueAt !== null ? wallTimeOf(clock, dueAt) : null,
    givenUp: givenUp && { code: givenUp, reason: GIVEN_UP[givenUp] },
  };
}

const DELIVERY = `${COLUMNS} FROM deliveries d CROSS JOIN events e ON e.id = d.event_id`;

/**
 * Selects deliveries of many endpoints that the reader may read, in one statement. Sorted newest first, or
 * oldest first for a backward request.
 */
export function selectDeliveries(
  core: Core,
  reader: LogReader,
  walks: readonly Walk<string>[],
  state: DeliveryState | undefined,
  request: PageRequest,
): ReadonlyMap<string, Delivery[]> {
  const { beyond, order } = descending(request);
  const starts = walks.map(({ id, from }) => ({ id, from: from ?? (request.backwards ? "" : "dlv_~") }));
  // `state` is one of our own four constants. The state is written into the SQL text, so that SQLite can use
  // the index of failed deliveries.
  const byState = state === undefined ? "" : `AND d.state = '${state}'`;
  const rows = core.db
    .prepare<DeliveryRow>(
      `SELECT ${COLUMNS}
       FROM json_each(?) wanted CROSS JOIN json_each((SELECT json_group_array(id) FROM
         (SELECT d.id FROM deliveries d CROSS JOIN events e ON e.id = d.event_id
          WHERE d.endpoint_id = wanted.value ->> 'id' ${byState} AND ${MAY_READ}
            AND d.id ${beyond} wanted.value ->> 'from' ORDER BY d.id ${order} LIMIT ?))) found
       CROSS JOIN deliveries d ON d.id = found.value CROSS JOIN events e ON e.id = d.event_id`,
    )
    .all(JSON.stringify(starts), ...mayRead(reader), request.limit + 1)
    .map((row) => toDelivery(core, row));
  return groupByList(rows, ({ endpointId }) => endpointId, order);
}

/**
 * Selects deliveries by id in one statement, in any order. Leaves out deliveries to endpoints of other
 * workspaces.
 */
export function selectDeliveriesById(core: Core, reader: LogReader, ids: readonly string[]): Delivery[] {
  return core.db
    .prepare<DeliveryRow>(
      `SELECT ${COLUMNS}
       FROM json_each(?) wanted CROSS JOIN deliveries d ON d.id = wanted.value
       CROSS JOIN events e ON e.id = d.event_id CROSS JOIN webhook_endpoints w ON w.id = d.endpoint_id
       WHERE w.workspace_id = ? AND w.removed_at IS NULL AND ${MAY_READ}`,
    )
    .all(JSON.stringify(ids), reader.workspaceId, ...mayRead(reader))
    .map((row) => toDelivery(core, row));
}

/** Whether the subject of the delivery's event is gone, so that nothing can be sent. */
export function isSubjectGone(core: Core, id: string): boolean {
  return (
    core.db
      .prepare(
        `SELECT 1 FROM deliveries d CROSS JOIN events e ON e.id = d.event_id WHERE d.id = ? AND ${SUBJECT_IS_GONE}`,
      )
      .get(id) !== undefined
  );
}

/** Finds a delivery to an endpoint of the reader's workspace. */
export function findDelivery(core: Core, reader: LogReader, id: string): Delivery | undefined {
  const row = core.db
    .prepare<DeliveryRow>(
      `SELECT ${DELIVERY} CROSS JOIN webhook_endpoints w ON w.id = d.endpoint_id
       WHERE d.id = ? AND w.workspace_id = ? AND w.removed_at IS NULL AND ${MAY_READ}`,
    )
    .get(id, reader.workspaceId, ...mayRead(reader));
  return row && toDelivery(core, row);
}

const ATTEMPT = `a.id, a.delivery_id AS deliveryId, a.started_at AS startedAt, a.duration_ms AS durationMs, a.status,
              a.error, CASE WHEN ${TEXT_IS_UNCHANGED} THEN a.answer END AS answer, a.code, a.params`;
/**
 * An attempt as stored. The error message is built from `code`. Rows of older versions store the message
 * itself.
 */
type AttemptRow = Omit<AttemptRecord, "params"> & { params: string | null };

function toAttempt({ params, ...row }: AttemptRow): AttemptRecord {
  const { code } = row;
  if (code === null) return row;
  const parsed: Params | undefined = params === null ? undefined : JSON.parse(params);
  return { ...row, params: parsed, error: failureSentence({ code, params: parsed }) };
}

/** Selects the attempts of many deliveries in one statement, in order of time. */
export function selectAttempts(
  core: Core,
  deliveryIds: readonly string[],
): ReadonlyMap<string, AttemptRecord[]> {
  const rows = core.db
    .prepare<AttemptRow>(
      `SELECT ${ATTEMPT} FROM json_each(?) wanted CROSS JOIN deliveries d ON d.id = wanted.value
       CROSS JOIN events e ON e.id = d.event_id CROSS JOIN attempts a ON a.delivery_id = d.id`,
    )
    .all(JSON.stringify(deliveryIds))
    .map(toAttempt);
  return groupByList(rows, ({ deliveryId }) => deliveryId, "ASC");
}

/**
 * Selects attempts by id in one statement, in any order. Leaves out attempts to endpoints of other
 * workspaces.
 */
export function selectAttemptsById(core: Core, reader: LogReader, ids: readonly string[]): AttemptRecord[] {
  return core.db
    .prepare<AttemptRow>(
      `SELECT ${ATTEMPT}
       FROM json_each(?) wanted CROSS JOIN attempts a ON a.id = wanted.value
       CROSS JOIN deliveries d ON d.id = a.delivery_id CROSS JOIN webhook_endpoints w ON w.id = d.endpoint_id
       CROSS JOIN events e ON e.id = d.event_id
       WHERE w.workspace_id = ? AND w.removed_at IS NULL AND ${MAY_READ}`,
    )
    .all(JSON.stringify(ids), reader.workspaceId, ...mayRead(reader))
    .map(toAttempt);
}
