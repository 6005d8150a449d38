import type { Core } from "../../base/core.ts";
import { webhookEndpoints } from "../../base/db/schema-delivery.ts";
import type { DisabledCode, HealthFacts } from "./health.ts";

/** The stored health of one endpoint. */
export interface EndpointRow extends HealthFacts {
  id: string;
  url: string;
  workspaceId: string;
  /** Id of the owner. Null if the owner's account is deleted. */
  createdBy: string | null;
  /**
   * When the owner was notified that the endpoint has been failing for a day. Null before the notification.
   */
  notifiedAt: number | null;
  /** Number of failed attempts since the last acknowledged attempt. */
  failedAttempts: number;
  /**
   * The served time at the first failed attempt since the last acknowledged attempt. Null without failures,
   * or if the time was not recorded.
   */
  failingServed: number | null;
}

/**
 * Returns the health of a delivery's endpoint, or undefined if the delivery or the endpoint was removed
 * since.
 */
export function selectHealth(core: Core, deliveryId: string): EndpointRow | undefined {
  return core.db
    .prepare<EndpointRow>(
      `SELECT w.id, w.url, w.workspace_id AS workspaceId, w.created_by AS createdBy, w.told_at AS notifiedAt,
              w.failed_attempts AS failedAttempts, w.failing_served AS failingServed,
              w.failing_since AS failingSince, w.disabled_at AS disabledAt, w.disabled_reason AS disabledCode
       FROM deliveries d CROSS JOIN webhook_endpoints w ON w.id = d.endpoint_id
       WHERE d.id = ? AND w.removed_at IS NULL`,
    )
    .get(deliveryId);
}

/** Counts the endpoints of all workspaces by state and reason. */
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

/** Failure columns of an endpoint without failures. */
const NO_FAILURES = { failingSince: null, failedAttempts: 0, failingServed: null, toldAt: null };

/** Clears the failures, because the endpoint has acknowledged a delivery. */
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

/** An endpoint that needs its owner's attention. */
export interface UnhealthyRow extends HealthFacts {
  id: string;
  url: string;
  workspaceId: string;
}

/**
 * Selects a builder's endpoints that need attention, in the workspaces that the builder is still a member of.
 * These endpoints have been failing since `failingBefore` or earlier, or are disabled for one of `codes`.
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

/**
 * Selects endpoints of all owners that are failing or disabled for one of `codes`. Sorted by how long the
 * endpoints have been failing, longest first.
 */
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
 * Disables an endpoint, which stops all its attempts. Waiting deliveries keep their due time, so the cost
 * does not depend on the number of deliveries.
 */
export function disable(core: Core, id: string, code: DisabledCode, now: number): void {
  core.db.patch(webhookEndpoints, { id }, { disabledAt: now, disabledReason: code });
}

/** Enables an endpoint, so that its deliveries resume, and clears the failures. */
export function enable(core: Core, id: string): void {
  core.db.patch(webhookEndpoints, { id }, { disabledAt: null, disabledReason: null, ...NO_FAILURES });
}
