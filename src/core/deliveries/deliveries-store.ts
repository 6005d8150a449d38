import type { Core } from "../core.ts";
import { attempts } from "../db/schema-delivery.ts";

/** A delivery whose attempt has been claimed, with all that the attempt needs. */
export interface ClaimedRow {
  id: string;
  eventId: string;
  endpointId: string;
  attempts: number;
  firstAt: number | null;
  url: string;
  secretSealed: Buffer;
  previousSealed: Buffer | null;
  previousUntil: number | null;
  body: string;
}

/** An endpoint that deliveries wait for. */
export interface WaitingEndpoint {
  id: string;
  url: string;
  /** 1 where something is due, and may be attempted: it is on, not removed, and its owner not suspended. */
  isDue: 0 | 1;
}

/** Endpoints behind `after` that something waits for, in the order of their ids: a few looks into the index for each. */
export function selectWaiting(core: Core, now: number, after: string, limit: number): WaitingEndpoint[] {
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
       SELECT w.id, w.url,
              w.disabled_at IS NULL AND w.removed_at IS NULL AND b.suspended_at IS NULL
              AND (SELECT min(due_at) FROM deliveries INDEXED BY deliveries_due
                   WHERE due_at IS NOT NULL AND endpoint_id = w.id) <= ? AS isDue
       FROM waiting
       CROSS JOIN webhook_endpoints w ON w.id = waiting.endpointId
       CROSS JOIN workspaces o ON o.id = w.workspace_id
       LEFT JOIN builders b ON b.id = o.owner_id`,
    )
    .all(after, limit, now);
}

/** The oldest due deliveries of one endpoint. */
export function selectDue(core: Core, endpointId: string, now: number, limit: number): ClaimedRow[] {
  return core.db
    .prepare<ClaimedRow>(
      `SELECT d.id, d.event_id AS eventId, d.endpoint_id AS endpointId, d.attempts, d.first_at AS firstAt,
              w.url, w.secret_sealed AS secretSealed, w.previous_sealed AS previousSealed,
              w.previous_until AS previousUntil, e.body
       FROM deliveries d INDEXED BY deliveries_due
       CROSS JOIN webhook_endpoints w ON w.id = d.endpoint_id
       CROSS JOIN events e ON e.id = d.event_id
       WHERE d.endpoint_id = ? AND d.due_at IS NOT NULL AND d.due_at <= ?
       ORDER BY d.due_at, d.id LIMIT ?`,
    )
    .all(endpointId, now, limit);
}

/** When the next attempt anywhere is due, running ones left out; undefined where nothing waits. */
export function selectNextDue(core: Core, after: number): number | undefined {
  return (
    core.db
      .prepare<{ dueAt: number | null }>(
        "SELECT min(due_at) AS dueAt FROM deliveries WHERE due_at IS NOT NULL AND due_at > ?",
      )
      .get(after)?.dueAt ?? undefined
  );
}

/** awaiting_retry → attempting, until `leaseUntil` at most. */
export function markAttempting(core: Core, id: string, startedAt: number, leaseUntil: number): void {
  core.db
    .prepare(
      `UPDATE deliveries SET state = 'attempting', attempts = attempts + 1, due_at = ?, first_at = coalesce(first_at, ?)
       WHERE id = ?`,
    )
    .run(leaseUntil, startedAt, id);
}

/** attempting → acknowledged. */
export function markAcknowledged(core: Core, id: string, now: number): void {
  core.db
    .prepare("UPDATE deliveries SET state = 'acknowledged', due_at = NULL, settled_at = ? WHERE id = ?")
    .run(now, id);
}

/** attempting → awaiting_retry. */
export function markAwaitingRetry(core: Core, id: string, dueAt: number): void {
  core.db.prepare("UPDATE deliveries SET state = 'awaiting_retry', due_at = ? WHERE id = ?").run(dueAt, id);
}

/** attempting → failed. */
export function markFailed(core: Core, id: string, now: number): void {
  core.db
    .prepare("UPDATE deliveries SET state = 'failed', due_at = NULL, settled_at = ? WHERE id = ?")
    .run(now, id);
}

/** attempting → awaiting_retry, the attempt taken back: it never ended. How many. */
export function rescueAttempting(core: Core, now: number): number {
  return core.db
    .prepare(
      `UPDATE deliveries SET state = 'awaiting_retry', attempts = max(attempts - 1, 0), due_at = ?
       WHERE state = 'attempting'`,
    )
    .run(now).changes;
}

export function insertAttempt(core: Core, row: typeof attempts.$inferInsert): void {
  core.db
    .prepare(
      `INSERT INTO attempts (id, delivery_id, started_at, duration_ms, status, error, answer)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.deliveryId,
      row.startedAt,
      row.durationMs,
      row.status ?? null,
      row.error ?? null,
      row.answer ?? null,
    );
}

export interface Health {
  failingSince: number | null;
  disabledAt: number | null;
}

/** Of the endpoint of a delivery; undefined where either was removed meanwhile. */
export function selectHealth(core: Core, deliveryId: string): Health | undefined {
  return core.db
    .prepare<Health>(
      `SELECT w.failing_since AS failingSince, w.disabled_at AS disabledAt
       FROM deliveries d CROSS JOIN webhook_endpoints w ON w.id = d.endpoint_id
       WHERE d.id = ? AND w.removed_at IS NULL`,
    )
    .get(deliveryId);
}

export function updateFailingSince(core: Core, endpointId: string, failingSince: number | null): void {
  core.db
    .prepare("UPDATE webhook_endpoints SET failing_since = ? WHERE id = ?")
    .run(failingSince, endpointId);
}

/** Nothing more is attempted for it; what waits is kept. */
export function disableEndpoint(core: Core, endpointId: string, reason: string, now: number): void {
  core.db
    .prepare("UPDATE webhook_endpoints SET disabled_at = ?, disabled_reason = ? WHERE id = ?")
    .run(now, reason, endpointId);
}

/** Deletes settled deliveries older than an id, a slice at a time. How many went. */
export function pruneSettled(core: Core, beforeId: string, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM deliveries WHERE id IN
         (SELECT id FROM deliveries WHERE id < ? AND settled_at IS NOT NULL ORDER BY id LIMIT ?)`,
    )
    .run(beforeId, limit).changes;
}

/** Events so old that nobody can ask for them, and that no delivery needs. How many went. */
export function pruneEvents(core: Core, beforeId: string, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM events WHERE id IN
         (SELECT id FROM events e WHERE e.id < ?
            AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = e.id)
            AND NOT EXISTS (SELECT 1 FROM fan_outs WHERE event_id = e.id)
          ORDER BY e.id LIMIT ?)`,
    )
    .run(beforeId, limit).changes;
}

/** How much waits, counted up to `most`: a count of millions would hold up the thread. */
export function countWaiting(core: Core, most: number): number {
  return (
    core.db
      .prepare<{ n: number }>(
        "SELECT count(*) AS n FROM (SELECT 1 FROM deliveries WHERE due_at IS NOT NULL LIMIT ?)",
      )
      .get(most)?.n ?? 0
  );
}

/** When the oldest of an endpoint's waiting deliveries is due; running ones count from the end of their lease. */
export function selectOldestDue(core: Core, endpointId: string): number | undefined {
  return (
    core.db
      .prepare<{ dueAt: number | null }>(
        "SELECT min(due_at) AS dueAt FROM deliveries INDEXED BY deliveries_due WHERE due_at IS NOT NULL AND endpoint_id = ?",
      )
      .get(endpointId)?.dueAt ?? undefined
  );
}
