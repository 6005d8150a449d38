import type { Core } from "../../base/core.ts";
import type { DeliveryState } from "./deliveries.ts";
import { type LogReader, MAY_READ, mayRead } from "./delivery-reader.ts";

/** SQL clause for the newest deliveries of an endpoint that a reader may read. */
const NEWEST = `FROM deliveries d CROSS JOIN events e ON e.id = d.event_id
  WHERE d.endpoint_id = ? AND ${MAY_READ} ORDER BY d.id DESC LIMIT ?`;

export interface RecentDelivery {
  state: DeliveryState;
  createdAt: number;
}

/** Selects the newest deliveries, newest first. */
export function selectRecent(
  core: Core,
  reader: LogReader,
  endpointId: string,
  limit: number,
): RecentDelivery[] {
  return core.db
    .prepare<RecentDelivery>(`SELECT d.state, d.created_at AS createdAt ${NEWEST}`)
    .all(endpointId, ...mayRead(reader), limit);
}

export interface RecentAttempt {
  startedAt: number;
  durationMs: number;
  status: number | null;
  isFailed: 0 | 1;
}

/** The outcome of an attempt, without the request and response bodies. */
export interface LastAttempt {
  startedAt: number;
  durationMs: number;
  /** HTTP status of the response. Null if no response arrived. */
  status: number | null;
  /** Failure code. Null if the attempt was acknowledged. */
  code: string | null;
}

/** Selects all attempts of the newest deliveries, newest delivery first. */
export function selectRecentAttempts(
  core: Core,
  reader: LogReader,
  endpointId: string,
  deliveries: number,
): RecentAttempt[] {
  return core.db
    .prepare<RecentAttempt>(
      `SELECT a.started_at AS startedAt, a.duration_ms AS durationMs, a.status,
              a.code IS NOT NULL OR a.error IS NOT NULL AS isFailed
       FROM (SELECT d.id ${NEWEST}) newest CROSS JOIN attempts a ON a.delivery_id = newest.id`,
    )
    .all(endpointId, ...mayRead(reader), deliveries);
}

/**
 * Selects the last attempts among the newest deliveries of an endpoint, newest first. The calling operation
 * must check permissions.
 */
export function selectLastAttempts(
  core: Core,
  endpointId: string,
  deliveries: number,
  limit: number,
): LastAttempt[] {
  return core.db
    .prepare<LastAttempt>(
      `SELECT a.started_at AS startedAt, a.duration_ms AS durationMs, a.status, a.code
       FROM (SELECT id FROM deliveries WHERE endpoint_id = ? ORDER BY id DESC LIMIT ?) newest
       CROSS JOIN attempts a ON a.delivery_id = newest.id
       ORDER BY a.started_at DESC LIMIT ?`,
    )
    .all(endpointId, deliveries, limit);
}
