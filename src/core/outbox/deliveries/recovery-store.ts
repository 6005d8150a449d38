import type { Core } from "../../base/core.ts";
import { deliveries } from "../../base/db/schema-delivery.ts";
import { type EventBatch, selectEvents } from "../events/events.ts";
import { CATALOGUE, type EventType } from "../events/catalogue.ts";
import { SUBJECT_IS_GONE } from "../events/subjects.ts";
import { type LogReader, MAY_READ, mayRead } from "./delivery-reader.ts";

/**
 * The rows that a recovery sends again: deliveries in a state, or events without a delivery to the endpoint.
 */
export interface Span {
  endpointId: string;
  what: "failed" | "acknowledged" | "missed";
  /** Ids of deliveries or events. Both bounds are exclusive. */
  afterId: string;
  beforeId: string;
}

/** Maximum number of rows that a count reads, whether or not the rows match. */
const ROWS_READ_MAX = 5000;

/**
 * Counts the oldest deliveries of a span that a recovery resends and that the reader may read, up to `most`.
 * Failed deliveries have their own index. Acknowledged deliveries have no such index, so the count reads all
 * deliveries of the span.
 */
export function countDeliveries(core: Core, reader: LogReader, span: Span, most: number): number {
  const { endpointId, what, afterId, beforeId } = span;
  const walked =
    what === "failed"
      ? "deliveries INDEXED BY deliveries_failed WHERE state = 'failed' AND"
      : "deliveries WHERE";
  const sql = `SELECT count(*) AS n FROM (
      SELECT 1 FROM (SELECT event_id, state FROM ${walked} endpoint_id = ? AND id > ? AND id < ? ORDER BY id LIMIT ?) passed
      CROSS JOIN events e ON e.id = passed.event_id
      WHERE passed.state = ? AND ${MAY_READ} AND NOT ${SUBJECT_IS_GONE} LIMIT ?)`;
  const bound = [endpointId, afterId, beforeId, ROWS_READ_MAX, what, ...mayRead(reader), most];
  return core.db.prepare<{ n: number }>(sql).get(...bound)?.n ?? 0;
}

/**
 * Reads the next deliveries of a span, oldest first. `isWanted` is 1 if the delivery has the state of the
 * span and its subject still exists.
 */
export function scanDeliveries(core: Core, span: Span, limit: number): { id: string; isWanted: 0 | 1 }[] {
  const { endpointId, what, afterId, beforeId } = span;
  const rows =
    what === "failed"
      ? `SELECT d.id, NOT ${SUBJECT_IS_GONE} AS isWanted
         FROM deliveries d INDEXED BY deliveries_failed CROSS JOIN events e ON e.id = d.event_id
         WHERE d.endpoint_id = ? AND d.state = 'failed' AND d.id > ? AND d.id < ? ORDER BY d.id LIMIT ?`
      : `SELECT d.id, d.state = 'acknowledged' AND NOT ${SUBJECT_IS_GONE} AS isWanted
         FROM deliveries d CROSS JOIN events e ON e.id = d.event_id
         WHERE d.endpoint_id = ? AND d.id > ? AND d.id < ? ORDER BY d.id LIMIT ?`;
  return core.db.prepare<{ id: string; isWanted: 0 | 1 }>(rows).all(endpointId, afterId, beforeId, limit);
}

interface Subscriber {
  workspaceId: string;
  createdBy: string | null;
  types: string;
}

/**
 * Reads the next events that the endpoint may receive and is subscribed to now, oldest first. The endpoint
 * may receive an event if the member who set the endpoint's URL may read the event. If `asking` is given,
 * returns only events that this reader may read too.
 */
export function scanEvents(core: Core, span: Span, limit: number, asking?: LogReader): EventBatch {
  const subscriber = core.db
    .prepare<Subscriber>(
      `SELECT w.workspace_id AS workspaceId, w.created_by AS createdBy,
              (SELECT json_group_array(type) FROM webhook_subscriptions WHERE endpoint_id = w.id) AS types
       FROM webhook_endpoints w WHERE w.id = ?`,
    )
    .get(span.endpointId);
  if (!subscriber) return { listed: [], lastId: undefined, isEnd: true };
  const types = (JSON.parse(subscriber.types) as EventType[]).filter((type) =>
    isFor(type, subscriber, asking),
  );
  const reader = { workspaceId: subscriber.workspaceId, builderId: subscriber.createdBy ?? "", types };
  return selectEvents(core, reader, { above: span.afterId, below: span.beforeId, order: "ASC", limit });
}

function isFor(type: EventType, { createdBy }: Subscriber, asking: LogReader | undefined): boolean {
  const { scope, audience } = CATALOGUE[type];
  return !asking || (asking.scopes.has(scope) && (audience !== "builder" || asking.builderId === createdBy));
}

/** Returns the given events that have no delivery to the endpoint and are not queued for the endpoint. */
export function withoutDelivery(core: Core, endpointId: string, eventIds: readonly string[]): string[] {
  return core.db
    .prepare<{ id: string }>(
      `SELECT wanted.value AS id FROM json_each(?) wanted
       WHERE NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = wanted.value AND endpoint_id = ?)
         AND NOT EXISTS (SELECT 1 FROM fan_outs WHERE event_id = wanted.value)`,
    )
    .all(JSON.stringify(eventIds), endpointId)
    .map(({ id }) => id);
}

/**
 * Returns the id of the newest event, or of the newest delivery of an endpoint. Returns an empty string if
 * none exists.
 */
export function newestId(core: Core, endpointId: string, kind: "evt" | "dlv"): string {
  const newest = kind === "evt" ? "events" : "deliveries WHERE endpoint_id = ?";
  const bound = kind === "evt" ? [] : [endpointId];
  return (
    core.db.prepare<{ id: string | null }>(`SELECT max(id) AS id FROM ${newest}`).get(...bound)?.id ?? ""
  );
}

/** Returns when an endpoint was created, in ms since the epoch. */
export function registeredAt(core: Core, endpointId: string): number {
  return (
    core.db
      .prepare<{ createdAt: number }>("SELECT created_at AS createdAt FROM webhook_endpoints WHERE id = ?")
      .get(endpointId)?.createdAt ?? 0
  );
}

export interface Recovery extends Span {
  id: number;
}

/** Returns the recovery that has waited longest, if any. Leaves out recoveries of disabled endpoints. */
export function selectRecovery(core: Core): Recovery | undefined {
  return core.db
    .prepare<Recovery>(
      `SELECT r.id, r.endpoint_id AS endpointId, r.what, r.after_id AS afterId, r.before_id AS beforeId
       FROM recoveries r INDEXED BY recoveries_by_turn CROSS JOIN webhook_endpoints w ON w.id = r.endpoint_id
       WHERE w.disabled_at IS NULL AND w.removed_at IS NULL ORDER BY r.turn LIMIT 1`,
    )
    .get();
}

export function countRecoveries(core: Core, endpointId: string): number {
  const sql = "SELECT count(*) AS n FROM recoveries WHERE endpoint_id = ?";
  return core.db.prepare<{ n: number }>(sql).get(endpointId)?.n ?? 0;
}

/** SQL expression for the position after the last recovery in the round-robin queue. */
const NEXT_TURN = "(SELECT coalesce(max(turn), 0) + 1 FROM recoveries)";

export function insertRecovery(core: Core, { endpointId, what, afterId, beforeId }: Span): void {
  core.db
    .prepare(
      `INSERT INTO recoveries (endpoint_id, what, after_id, before_id, turn) VALUES (?, ?, ?, ?, ${NEXT_TURN})`,
    )
    .run(endpointId, what, afterId, beforeId);
}

export function saveRecovery(core: Core, id: number, afterId: string): void {
  core.db.prepare(`UPDATE recoveries SET after_id = ?, turn = ${NEXT_TURN} WHERE id = ?`).run(afterId, id);
}

export function deleteRecovery(core: Core, id: number): void {
  core.db.prepare("DELETE FROM recoveries WHERE id = ?").run(id);
}

/**
 * Moves a delivery from any settled state or awaiting_retry to awaiting_retry. The delivery becomes due at
 * once, with all attempts of the schedule.
 */
export function requeue(core: Core, id: string, now: number): void {
  const fullSchedule = { attempts: 0, firstAt: null, settledAt: null, givenUp: null };
  core.db.patch(deliveries, { id }, { ...fullSchedule, state: "awaiting_retry", dueAt: now });
}
