import type { Core } from "../../base/core.ts";
import { type attempts, deliveries } from "../../base/db/schema-delivery.ts";
import { OWNER_HAS_ACCESS, ownerMayRead } from "../events/owner-access.ts";
import { EVENT_COLUMNS, type EventRowWithText } from "../events/subjects.ts";
import type { GivenUp } from "./cleanup.ts";

/** A delivery with everything that an attempt needs. */
export interface ClaimedRow extends EventRowWithText {
  id: string;
  eventId: string;
  endpointId: string;
  ownerId: string;
  attempts: number;
  firstAt: number | null;
  dueAt: number;
  url: string;
  traceparent: string | null;
  /**
   * Whether the endpoint may receive events of this type. The value is 0 if an app created the endpoint and
   * may no longer read such events.
   */
  isAllowed: 0 | 1;
}

/** An endpoint with waiting deliveries. */
export interface WaitingEndpoint {
  id: string;
  /**
   * Id of the builder who added the endpoint. If the builder's account is deleted, the id of the endpoint's
   * workspace.
   */
  ownerId: string;
  url: string;
  /** Whether the last attempt failed. */
  isFailing: 0 | 1;
  /**
   * Whether a delivery is due and may be attempted. The endpoint must be enabled and not removed, and its
   * owner or app not suspended.
   */
  isDue: 0 | 1;
}

/**
 * Selects endpoints after `after` that have waiting deliveries, ordered by id. Needs a few index lookups per
 * endpoint.
 */
export function selectWaiting(
  core: Pick<Core, "db">,
  now: number,
  after: string,
  limit: number,
): WaitingEndpoint[] {
  return core.db
    .prepare<WaitingEndpoint>(
      `WITH RECURSIVE waiting (endpointId) AS (
         SELECT min(endpoint_id) FROM deliveries INDEXED BY deliveries_due
         WHERE due_at IS NOT NULL AND endpoint_id > ?
         UNION ALL
         SELECT (SELECT min(endpoint_id) FROM deliveries INDEXED BY deliveries_due
                 WHERE due_at IS NOT NULL AND endpoint_id > waiting.endpointId)
         FROM waiting WHERE waiting.endpointId IS NOT NULL
         LIMIT ?
       )
       SELECT w.id, coalesce(w.created_by, w.workspace_id) AS ownerId, w.url,
              w.failing_since IS NOT NULL AS isFailing,
              w.disabled_at IS NULL AND w.removed_at IS NULL AND b.suspended_at IS NULL AND ${OWNER_HAS_ACCESS}
              AND (SELECT min(due_at) FROM deliveries INDEXED BY deliveries_due
                   WHERE due_at IS NOT NULL AND endpoint_id = w.id) <= ? AS isDue
       FROM waiting
       CROSS JOIN webhook_endpoints w ON w.id = waiting.endpointId
       CROSS JOIN workspaces o ON o.id = w.workspace_id
       LEFT JOIN builders b ON b.id = o.owner_id`,
    )
    .all(after, limit, now);
}

/** Selects the oldest due deliveries of one endpoint. */
export function selectDue(core: Core, endpointId: string, now: number, limit: number): ClaimedRow[] {
  return core.db
    .prepare<ClaimedRow>(
      `SELECT d.id, d.event_id AS eventId, d.endpoint_id AS endpointId,
              coalesce(w.created_by, w.workspace_id) AS ownerId, d.attempts, d.first_at AS firstAt, d.due_at AS dueAt,
              w.url, ${EVENT_COLUMNS}, e.traceparent, ${ownerMayRead("e.type")} AS isAllowed
       FROM deliveries d INDEXED BY deliveries_due
       CROSS JOIN webhook_endpoints w ON w.id = d.endpoint_id
       CROSS JOIN events e ON e.id = d.event_id
       WHERE d.endpoint_id = ? AND d.due_at IS NOT NULL AND d.due_at <= ?
       ORDER BY d.due_at, d.id LIMIT ?`,
    )
    .all(endpointId, now, limit);
}

/**
 * Returns the earliest time after `after` at which an attempt of any endpoint is due or a lease ends. Returns
 * undefined if no such time exists.
 */
export function selectNextDue(core: Core, after: number): number | undefined {
  return (
    core.db
      .prepare<{ dueAt: number | null }>(
        "SELECT min(due_at) AS dueAt FROM deliveries WHERE due_at IS NOT NULL AND due_at > ?",
      )
      .get(after)?.dueAt ?? undefined
  );
}

/** Moves deliveries from awaiting_retry to attempting, with a lease until `leaseUntil`, in one statement. */
export function markAttempting(
  core: Core,
  ids: readonly string[],
  startedAt: number,
  leaseUntil: number,
): void {
  core.db
    .prepare(
      `UPDATE deliveries SET state = 'attempting', attempts = attempts + 1, due_at = ?, first_at = coalesce(first_at, ?)
       WHERE id IN (SELECT value FROM json_each(?))`,
    )
    .run(leaseUntil, startedAt, JSON.stringify(ids));
}

/** Deletes a delivery that may no longer be sent. The deleted delivery is not listed in the delivery log. */
export function deleteDelivery(core: Core, id: string): void {
  core.db.prepare("DELETE FROM deliveries WHERE id = ?").run(id);
}

/** Moves deliveries from attempting to acknowledged, in one statement. */
export function markAcknowledged(core: Core, ids: readonly string[], now: number): void {
  core.db
    .prepare(
      `UPDATE deliveries SET state = 'acknowledged', due_at = NULL, settled_at = ?
       WHERE id IN (SELECT value FROM json_each(?))`,
    )
    .run(now, JSON.stringify(ids));
}

/**
 * Selects the given deliveries that still exist and whose endpoint is not removed. `isFailing` is 1 if the
 * endpoint is failing.
 */
export function selectSettleable(
  core: Core,
  ids: readonly string[],
): { id: string; endpointId: string; isFailing: 0 | 1 }[] {
  return core.db
    .prepare<{ id: string; endpointId: string; isFailing: 0 | 1 }>(
      `SELECT d.id, d.endpoint_id AS endpointId, w.failing_since IS NOT NULL AS isFailing
       FROM json_each(?) wanted CROSS JOIN deliveries d ON d.id = wanted.value
       CROSS JOIN webhook_endpoints w ON w.id = d.endpoint_id
       WHERE w.removed_at IS NULL`,
    )
    .all(JSON.stringify(ids));
}

/** Moves a delivery from attempting to awaiting_retry. */
export function markAwaitingRetry(core: Core, id: string, dueAt: number): void {
  core.db.patch(deliveries, { id }, { state: "awaiting_retry", dueAt });
}

/** Moves a delivery from attempting to failed, or from awaiting_retry to failed with a reason. */
export function markFailed(core: Core, id: string, now: number, givenUp: GivenUp | null = null): void {
  core.db.patch(deliveries, { id }, { state: "failed", dueAt: null, settledAt: now, givenUp });
}

/**
 * Moves all deliveries from attempting to awaiting_retry and does not count the unfinished attempt. Returns
 * the number of changed rows.
 */
export function recoverAttempting(core: Core, now: number): number {
  return core.db
    .prepare(
      `UPDATE deliveries SET state = 'awaiting_retry', attempts = max(attempts - 1, 0), due_at = ?
       WHERE state = 'attempting'`,
    )
    .run(now).changes;
}

/** Inserts the rows of many attempts in one statement. */
export function insertAttempts(core: Core, rows: readonly (typeof attempts.$inferInsert)[]): void {
  core.db
    .prepare(
      `INSERT INTO attempts (id, delivery_id, started_at, duration_ms, status, answer, code, params)
       SELECT r.value ->> 'id', r.value ->> 'deliveryId', r.value ->> 'startedAt', r.value ->> 'durationMs',
              r.value ->> 'status', r.value ->> 'answer', r.value ->> 'code', r.value ->> 'params'
       FROM json_each(?) r`,
    )
    .run(JSON.stringify(rows));
}

/** Counts waiting deliveries up to `most`, because counting millions would block the thread. */
export function countWaiting(core: Pick<Core, "db">, most: number): number {
  return (
    core.db
      .prepare<{ n: number }>(
        "SELECT count(*) AS n FROM (SELECT 1 FROM deliveries WHERE due_at IS NOT NULL LIMIT ?)",
      )
      .get(most)?.n ?? 0
  );
}

/**
 * Returns when the oldest waiting delivery of an endpoint is due. Running deliveries count from the end of
 * their lease.
 */
export function selectOldestDue(core: Pick<Core, "db">, endpointId: string): number | undefined {
  return (
    core.db
      .prepare<{ dueAt: number | null }>(
        "SELECT min(due_at) AS dueAt FROM deliveries INDEXED BY deliveries_due WHERE due_at IS NOT NULL AND endpoint_id = ?",
      )
      .get(endpointId)?.dueAt ?? undefined
  );
}
