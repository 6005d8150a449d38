import type { Core } from "../../base/core.ts";
import { notePruned } from "../events/log.ts";
import type { GivenUp } from "./cleanup.ts";

/** An endpoint with waiting deliveries. */
export interface EndpointWithBacklog {
  id: string;
  /**
   * When the endpoint stopped receiving attempts, in ms since the epoch. Null if the endpoint is enabled and
   * its owner is not suspended.
   */
  offSince: number | null;
}

/**
 * Selects endpoints after `after` that have waiting deliveries, ordered by id. Needs one index lookup per
 * endpoint.
 */
export function selectEndpointsWithBacklog(core: Core, after: string, limit: number): EndpointWithBacklog[] {
  return core.db
    .prepare<EndpointWithBacklog>(
      `WITH RECURSIVE waiting (endpointId) AS (
         SELECT min(endpoint_id) FROM deliveries INDEXED BY deliveries_due
         WHERE due_at IS NOT NULL AND endpoint_id > ?
         UNION ALL
         SELECT (SELECT min(endpoint_id) FROM deliveries INDEXED BY deliveries_due
                 WHERE due_at IS NOT NULL AND endpoint_id > waiting.endpointId)
         FROM waiting WHERE waiting.endpointId IS NOT NULL
         LIMIT ?
       )
       SELECT w.id, coalesce(w.disabled_at, b.suspended_at) AS offSince
       FROM waiting
       CROSS JOIN webhook_endpoints w ON w.id = waiting.endpointId
       CROSS JOIN workspaces o ON o.id = w.workspace_id
       LEFT JOIN builders b ON b.id = o.owner_id`,
    )
    .all(after, limit);
}

/**
 * Returns when an endpoint stopped receiving attempts, in ms since the epoch. Returns null if the endpoint
 * still receives attempts or does not exist.
 */
export function findOffSince(core: Core, id: string): number | null {
  return (
    core.db
      .prepare<{ offSince: number | null }>(
        `SELECT coalesce(w.disabled_at, b.suspended_at) AS offSince
         FROM webhook_endpoints w CROSS JOIN workspaces o ON o.id = w.workspace_id
         LEFT JOIN builders b ON b.id = o.owner_id
         WHERE w.id = ?`,
      )
      .get(id)?.offSince ?? null
  );
}

/** Counts the waiting deliveries of an endpoint, up to `most`. */
export function countWaitingFor(core: Core, endpointId: string, most: number): number {
  return (
    core.db
      .prepare<{ n: number }>(
        `SELECT count(*) AS n FROM (SELECT 1 FROM deliveries INDEXED BY deliveries_due
         WHERE due_at IS NOT NULL AND endpoint_id = ? LIMIT ?)`,
      )
      .get(endpointId, most)?.n ?? 0
  );
}

/**
 * Gives up the deliveries of an endpoint that have been due for the longest time. Changes their state from
 * awaiting_retry to failed, with a reason. Returns the number of changed rows.
 */
export function giveUpOldest(
  core: Core,
  endpointId: string,
  reason: GivenUp,
  now: number,
  limit: number,
): number {
  return core.db
    .prepare(
      `UPDATE deliveries SET state = 'failed', due_at = NULL, settled_at = ?, given_up = ?
       WHERE id IN (SELECT id FROM deliveries INDEXED BY deliveries_due
                    WHERE due_at IS NOT NULL AND endpoint_id = ? AND state = 'awaiting_retry'
                    ORDER BY due_at, id LIMIT ?)`,
    )
    .run(now, reason, endpointId, limit).changes;
}

/** A row that a cleanup has read, and whether that row may be deleted. */
export interface ScannedRow {
  id: string;
  isDeletable: 0 | 1;
}

/** Selects deliveries between two ids, oldest first. A settled delivery may be deleted. */
export function scanDeliveries(core: Core, after: string, before: string, limit: number): ScannedRow[] {
  return core.db
    .prepare<ScannedRow>(
      `SELECT id, settled_at IS NOT NULL AS isDeletable FROM deliveries WHERE id > ? AND id < ? ORDER BY id LIMIT ?`,
    )
    .all(after, before, limit);
}

export function deleteDeliveries(core: Core, ids: readonly string[]): void {
  core.db
    .prepare("DELETE FROM deliveries WHERE id IN (SELECT value FROM json_each(?)) AND settled_at IS NOT NULL")
    .run(JSON.stringify(ids));
}

/**
 * Selects events between two ids, oldest first. An event may be deleted if no delivery of the event exists
 * and if the event was queued for all its subscribers.
 */
export function scanEvents(core: Core, after: string, before: string, limit: number): ScannedRow[] {
  return core.db
    .prepare<ScannedRow>(
      `SELECT e.id, NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = e.id)
              AND NOT EXISTS (SELECT 1 FROM fan_outs WHERE event_id = e.id) AS isDeletable
       FROM events e WHERE e.id > ? AND e.id < ? ORDER BY e.id LIMIT ?`,
    )
    .all(after, before, limit);
}

export function deleteEvents(core: Core, ids: readonly string[]): void {
  core.db
    .prepare(
      `DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))
         AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = events.id)
         AND NOT EXISTS (SELECT 1 FROM fan_outs WHERE event_id = events.id)`,
    )
    .run(JSON.stringify(ids));
  notePruned(core, ids);
}
