import type { Core } from "../core.ts";
import { type LogReader, MAY_READ } from "./delivery-reader.ts";

/** How many failed deliveries of an endpoint are behind `afterId`, of those that the reader may read. */
export function countFailed(
  core: Core,
  { builderId }: LogReader,
  endpointId: string,
  afterId: string,
): number {
  return (
    core.db
      .prepare<{ n: number }>(
        `SELECT count(*) AS n FROM deliveries d INDEXED BY deliveries_failed CROSS JOIN events e ON e.id = d.event_id
         WHERE d.endpoint_id = ? AND d.state = 'failed' AND d.id > ? AND ${MAY_READ}`,
      )
      .get(endpointId, afterId, builderId)?.n ?? 0
  );
}

/** The oldest of all of them. */
export function selectFailed(core: Core, endpointId: string, afterId: string, limit: number): string[] {
  return core.db
    .prepare<{ id: string }>(
      `SELECT id FROM deliveries INDEXED BY deliveries_failed
       WHERE endpoint_id = ? AND state = 'failed' AND id > ? ORDER BY id LIMIT ?`,
    )
    .all(endpointId, afterId, limit)
    .map(({ id }) => id);
}

export interface Recovery {
  endpointId: string;
  /** All that failed behind this id is still to be recovered. */
  afterId: string;
}

/** A recovery under way, of this endpoint or of any; undefined where there is none. */
export function selectRecovery(core: Core, endpointId?: string): Recovery | undefined {
  return core.db
    .prepare<Recovery>(
      `SELECT id AS endpointId, recover_after AS afterId FROM webhook_endpoints
       WHERE recover_after IS NOT NULL ${endpointId === undefined ? "" : "AND id = ?"} ORDER BY id LIMIT 1`,
    )
    .get(...(endpointId === undefined ? [] : [endpointId]));
}

export function saveRecovery(core: Core, endpointId: string, afterId: string | null): void {
  core.db.prepare("UPDATE webhook_endpoints SET recover_after = ? WHERE id = ?").run(afterId, endpointId);
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
