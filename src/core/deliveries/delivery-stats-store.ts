import type { Core } from "../core.ts";
import type { DeliveryState } from "./deliveries.ts";

export interface RecentDelivery {
  state: DeliveryState;
  createdAt: number;
}

/** The newest deliveries of an endpoint, newest first. */
export function selectRecent(core: Core, endpointId: string, limit: number): RecentDelivery[] {
  return core.db
    .prepare<RecentDelivery>(
      `SELECT state, created_at AS createdAt FROM deliveries WHERE endpoint_id = ? ORDER BY id DESC LIMIT ?`,
    )
    .all(endpointId, limit);
}

export interface RecentAttempt {
  startedAt: number;
  durationMs: number;
  status: number | null;
  error: string | null;
}

/** Every attempt of those deliveries, newest delivery first. */
export function selectRecentAttempts(core: Core, endpointId: string, deliveries: number): RecentAttempt[] {
  return core.db
    .prepare<RecentAttempt>(
      `SELECT a.started_at AS startedAt, a.duration_ms AS durationMs, a.status, a.error
       FROM (SELECT id FROM deliveries WHERE endpoint_id = ? ORDER BY id DESC LIMIT ?) d
       CROSS JOIN attempts a ON a.delivery_id = d.id`,
    )
    .all(endpointId, deliveries);
}
