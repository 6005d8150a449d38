import type { Core } from "../../base/core.ts";
import { webhookEndpoints } from "../../base/db/schema-delivery.ts";
import type { DisabledCode, HealthFacts } from "./health.ts";

/** The health of one endpoint, as it is written down. */
export interface EndpointRow extends HealthFacts {
  id: string;
  url: string;
  workspaceId: string;
  /** The builder whose it is; null where nobody is left. */
  createdBy: string | null;
  /** When its owner was told that it has been failing for a day; null where they were not. */
  toldAt: number | null;
  /** Attempts that failed since the last one that was acknowledged. */
  failedAttempts: number;
  /** The served time at the first of them; null where there is none, or where it was not recorded. */
  failingServed: number | null;
}

/** Of the endpoint of a delivery; undefined where either was removed meanwhile. */
export function selectHealth(core: Core, deliveryId: string): EndpointRow | undefined {
  return core.db
    .prepare<EndpointRow>(
      `SELECT w.id, w.url, w.workspace_id AS workspaceId, w.created_by AS createdBy, w.told_at AS toldAt,
              w.failed_attempts AS failedAttempts, w.failing_served AS failingServed,
              w.failing_since AS failingSince, w.disabled_at AS disabledAt, w.disabled_reason AS disabledCode
       FROM deliveries d CROSS JOIN webhook_endpoints w ON w.id = d.endpoint_id
       WHERE d.id = ? AND w.removed_at IS NULL`,
    )
    .get(deliveryId);
}

/** How many are in each state, off for which reason, over all workspaces. */
export function countByState(
  core: Core,
): { state: "ok" | "failing" | "disabled"; code: DisabledCode | null; count: number }[] {
  return core.db
    .prepare<{ state: "ok" | "failing" | "disabled"; code: DisabledCode | null; count: number }>(
      `SELECT CASE WHEN disabled_at IS NOT NULL THEN 'disabled'
                   WHEN failing_since IS NOT NULL THEN 'failing' ELSE 'ok' END AS state,
              CASE WHEN disabled_at IS NOT NULL THEN disabled_reason END AS code, count(*) AS count
       FROM webhook_endpoints WHERE removed_at IS NULL GROUP BY state, code`,
    )
    .all();
}

/** The run of failures of an endpoint that acknowledged its last delivery. */
const NO_FAILURES = { failingSince: null, failedAttempts: 0, failingServed: null, toldAt: null };

/** Ends the run of failures: the endpoint has acknowledged a delivery. */
export function clearFailures(core: Core, id: string): void {
  core.db.patch(webhookEndpoints, { id }, NO_FAILURES);
}

export function updateFailures(
  core: Core,
  id: string,
  failures: Pick<EndpointRow, "failingSince" | "failedAttempts" | "failingServed">,
): void {
  const { failingSince, failedAttempts, failingServed } = failures;
  core.db.patch(webhookEndpoints, { id }, { failingSince, failedAttempts, failingServed });
}

export function updateNotifiedAt(core: Core, id: string, now: number): void {
  core.db.patch(webhookEndpoints, { id }, { toldAt: now });
}

/** An endpoint that its owner should look at. */
export interface UnhealthyRow extends HealthFacts {
  id: string;
  url: string;
  workspaceId: string;
}

/**
 * Those of a builder's, in workspaces that they are in: failing since `failingBefore` or earlier, or off for
 * one of `codes`.
 */
export function selectUnhealthy(
  core: Core,
  builderId: string,
  failingBefore: number,
  codes: readonly DisabledCode[],
): UnhealthyRow[] {
  return core.db
    .prepare<UnhealthyRow>(
      `SELECT w.id, w.url, w.workspace_id AS workspaceId,
              w.failing_since AS failingSince, w.disabled_at AS disabledAt, w.disabled_reason AS disabledCode
       FROM webhook_endpoints w
       CROSS JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.builder_id = w.created_by
       WHERE w.created_by = ? AND w.removed_at IS NULL
         AND (CASE WHEN w.disabled_at IS NULL THEN w.failing_since <= ?
                   ELSE w.disabled_reason IN (SELECT value FROM json_each(?)) END)`,
    )
    .all(builderId, failingBefore, JSON.stringify(codes));
}

/** Of anybody: failing, or off for one of `codes`; those that fail longest first. */
export function selectFailing(
  core: Core,
  codes: readonly DisabledCode[],
  limit: number,
): (UnhealthyRow & { owner: string | null })[] {
  return core.db
    .prepare<UnhealthyRow & { owner: string | null }>(
      `SELECT w.id, w.url, w.workspace_id AS workspaceId, b.username AS owner,
              w.failing_since AS failingSince, w.disabled_at AS disabledAt, w.disabled_reason AS disabledCode
       FROM webhook_endpoints w LEFT JOIN builders b ON b.id = w.created_by AND b.removed_at IS NULL
       WHERE w.removed_at IS NULL
         AND (CASE WHEN w.disabled_at IS NULL THEN w.failing_since IS NOT NULL
                   ELSE w.disabled_reason IN (SELECT value FROM json_each(?)) END)
       ORDER BY coalesce(w.failing_since, w.disabled_at), w.id LIMIT ?`,
    )
    .all(JSON.stringify(codes), limit);
}

/**
 * Nothing more is attempted for it. What waits keeps its due time, so that switching costs the same however
 * much that is.
 */
export function disable(core: Core, id: string, code: DisabledCode, now: number): void {
  core.db.patch(webhookEndpoints, { id }, { disabledAt: now, disabledReason: code });
}

/** Deliveries go out again, and what was counted begins anew. */
export function enable(core: Core, id: string): void {
  core.db.patch(webhookEndpoints, { id }, { disabledAt: null, disabledReason: null, ...NO_FAILURES });
}
