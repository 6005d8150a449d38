import type { Core } from "../../base/core.ts";
import { deliveries } from "../../base/db/schema-delivery.ts";
import { type EventSlice, selectEvents } from "../events/events.ts";
import { CATALOGUE, type EventType } from "../events/catalogue.ts";
import { IS_GONE } from "../events/subjects.ts";
import { type LogReader, MAY_READ, mayRead } from "./delivery-reader.ts";

/** A range that is sent again: of deliveries in a state, or of events that an endpoint has no delivery of. */
export interface Span {
  endpointId: string;
  what: "failed" | "acknowledged" | "missed";
  /** Ids of deliveries, or of events; both ends are left out. */
  afterId: string;
  beforeId: string;
}

/** A count looks at so many rows, whether or not they count. */
const LOOKED_AT_MAX = 5000;

/**
 * How many of the oldest deliveries of a span a recovery sends again, of those that a reader knows of, up to
 * `most`. A failed one is found by its state, an acknowledged one among all others.
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
      WHERE passed.state = ? AND ${MAY_READ} AND NOT ${IS_GONE} LIMIT ?)`;
  const bound = [endpointId, afterId, beforeId, LOOKED_AT_MAX, what, ...mayRead(reader), most];
  return core.db.prepare<{ n: number }>(sql).get(...bound)?.n ?? 0;
}

/**
 * Deliveries on the way of a recovery, the oldest first, and whether each is in the state that it is about,
 * with a subject that is still there.
 */
export function passDeliveries(core: Core, span: Span, limit: number): { id: string; isWanted: 0 | 1 }[] {
  const { endpointId, what, afterId, beforeId } = span;
  const rows =
    what === "failed"
      ? `SELECT d.id, NOT ${IS_GONE} AS isWanted
         FROM deliveries d INDEXED BY deliveries_failed CROSS JOIN events e ON e.id = d.event_id
         WHERE d.endpoint_id = ? AND d.state = 'failed' AND d.id > ? AND d.id < ? ORDER BY d.id LIMIT ?`
      : `SELECT d.id, d.state = 'acknowledged' AND NOT ${IS_GONE} AS isWanted
         FROM deliveries d CROSS JOIN events e ON e.id = d.event_id
         WHERE d.endpoint_id = ? AND d.id > ? AND d.id < ? ORDER BY d.id LIMIT ?`;
  return core.db.prepare<{ id: string; isWanted: 0 | 1 }>(rows).all(endpointId, afterId, beforeId, limit);
}

interface Hearer {
  workspaceId: string;
  createdBy: string | null;
  types: string;
}

/**
 * Events that an endpoint may hear and subscribes to now, the oldest first: it is as much of a reader as the
 * member who gave its address. Those that somebody else who asks may read too, where `asking` is given.
 */
export function passEvents(core: Core, span: Span, limit: number, asking?: LogReader): EventSlice {
  const hearer = core.db
    .prepare<Hearer>(
      `SELECT w.workspace_id AS workspaceId, w.created_by AS createdBy,
              (SELECT json_group_array(type) FROM webhook_subscriptions WHERE endpoint_id = w.id) AS types
       FROM webhook_endpoints w WHERE w.id = ?`,
    )
    .get(span.endpointId);
  if (!hearer) return { listed: [], lastId: undefined, isEnd: true };
  const types = (JSON.parse(hearer.types) as EventType[]).filter((type) => isFor(type, hearer, asking));
  const reader = { workspaceId: hearer.workspaceId, builderId: hearer.createdBy ?? "", types };
  return selectEvents(core, reader, { above: span.afterId, below: span.beforeId, order: "ASC", limit });
}

function isFor(type: EventType, { createdBy }: Hearer, asking: LogReader | undefined): boolean {
  const { scope, audience } = CATALOGUE[type];
  return !asking || (asking.scopes.has(scope) && (audience !== "builder" || asking.builderId === createdBy));
}

/** Those of some events that an endpoint has no delivery of, and that are not on their way to it. */
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

/** The newest event there is, or delivery of an endpoint; "" where there is none. */
export function newestId(core: Core, endpointId: string, kind: "evt" | "dlv"): string {
  const newest = kind === "evt" ? "events" : "deliveries WHERE endpoint_id = ?";
  const bound = kind === "evt" ? [] : [endpointId];
  return (
    core.db.prepare<{ id: string | null }>(`SELECT max(id) AS id FROM ${newest}`).get(...bound)?.id ?? ""
  );
}

/** In ms since the epoch. */
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

/** The recovery that has waited longest, of an endpoint that is on; undefined where there is none. */
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

/** Behind all others. */
const LAST = "(SELECT coalesce(max(turn), 0) + 1 FROM recoveries)";

export function insertRecovery(core: Core, { endpointId, what, afterId, beforeId }: Span): void {
  core.db
    .prepare(
      `INSERT INTO recoveries (endpoint_id, what, after_id, before_id, turn) VALUES (?, ?, ?, ?, ${LAST})`,
    )
    .run(endpointId, what, afterId, beforeId);
}

export function saveRecovery(core: Core, id: number, afterId: string): void {
  core.db.prepare(`UPDATE recoveries SET after_id = ?, turn = ${LAST} WHERE id = ?`).run(afterId, id);
}

export function deleteRecovery(core: Core, id: number): void {
  core.db.prepare("DELETE FROM recoveries WHERE id = ?").run(id);
}

/**
 * failed, acknowledged or awaiting_retry → awaiting_retry, due now, with the whole schedule before it again.
 */
export function requeue(core: Core, id: string, now: number): void {
  const anew = { attempts: 0, firstAt: null, settledAt: null, givenUp: null };
  core.db.patch(deliveries, { id }, { ...anew, state: "awaiting_retry", dueAt: now });
}
