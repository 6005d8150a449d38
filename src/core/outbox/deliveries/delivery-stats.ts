import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { getAnyEndpoint } from "../webhooks/admin.ts";
import { getEndpoint } from "../webhooks/webhooks.ts";
import type { DeliveryState } from "./deliveries.ts";
import {
  type LastAttempt,
  selectLastAttempts,
  selectRecent,
  selectRecentAttempts,
} from "./delivery-stats-store.ts";
import { countToRecover, type Recovered, type RecoveryRange } from "./recovery.ts";

/** Recent statistics of an endpoint for its page. Durations are in ms. */
export interface EndpointFigures {
  /** Number of deliveries in the statistics. */
  deliveries: number;
  byState: Readonly<Record<DeliveryState, number>>;
  /** Share of settled deliveries that were acknowledged, from 0 to 1. Null if no delivery is settled. */
  successRate: number | null;
  /** Duration of acknowledged attempts. Null if no attempt was acknowledged. */
  medianMs: number | null;
  p95Ms: number | null;
  /** Deliveries of each of the last fourteen days in UTC, oldest first. */
  days: readonly { startsAt: number; acknowledged: number; failed: number; waiting: number }[];
  /** The newest attempts of these deliveries, oldest first. */
  attempts: readonly { startedAt: number; durationMs: number; isAcknowledged: boolean }[];
}

/**
 * Number of the newest deliveries that the statistics read. Reading all deliveries of a busy endpoint would
 * block other requests.
 */
const RECENT = 500;
const SHOWN_ATTEMPTS = 60;
const DAYS = 14;

/**
 * Returns statistics of the newest 500 deliveries that the caller may read. Needs `webhooks:read`. Throws
 * not_found.
 */
export function endpointFigures(core: Core, caller: Caller, endpointId: string): EndpointFigures {
  getEndpoint(core, caller, endpointId);
  const reader = requireBuilder(caller, "webhooks:read");
  const deliveries = selectRecent(core, reader, endpointId, RECENT);
  const byState = { attempting: 0, awaiting_retry: 0, acknowledged: 0, failed: 0 };
  for (const { state } of deliveries) byState[state]++;
  const settled = byState.acknowledged + byState.failed;
  const attempts = selectRecentAttempts(core, reader, endpointId, RECENT)
    .map(({ isFailed, ...attempt }) => ({ ...attempt, isAcknowledged: isFailed === 0 }))
    .sort((a, b) => a.startedAt - b.startedAt);
  const times = attempts
    .filter(({ isAcknowledged }) => isAcknowledged)
    .map(({ durationMs }) => durationMs)
    .sort((a, b) => a - b);
  return {
    deliveries: deliveries.length,
    byState,
    successRate: settled === 0 ? null : byState.acknowledged / settled,
    medianMs: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    days: daysUntil(core.clock.now()).map((startsAt) => {
      const ofDay = deliveries.filter(({ createdAt }) => createdAt >= startsAt && createdAt < startsAt + DAY);
      const count = (...states: DeliveryState[]) =>
        ofDay.filter(({ state }) => states.includes(state)).length;
      return {
        startsAt,
        acknowledged: count("acknowledged"),
        failed: count("failed"),
        waiting: count("attempting", "awaiting_retry"),
      };
    }),
    attempts: attempts.slice(-SHOWN_ATTEMPTS),
  };
}

/**
 * Returns the last attempts of an endpoint of any workspace, newest first. Only admins in a session and the
 * operator may call this operation. Throws forbidden, not_found.
 */
export function lastAttempts(core: Core, caller: Caller, endpointId: string, limit: number): LastAttempt[] {
  getAnyEndpoint(core, caller, endpointId);
  return selectLastAttempts(core, endpointId, RECENT, limit);
}

/**
 * Returns the counts that `recoverDeliveries` would return for the same arguments. Each count stops at
 * `most`. Needs `webhooks:read`. Throws not_found.
 */
export function countRecoverable(
  core: Core,
  caller: Caller,
  endpointId: string,
  wanted: RecoveryRange,
  most?: number,
): Recovered {
  getEndpoint(core, caller, endpointId);
  return countToRecover(core, requireBuilder(caller, "webhooks:read"), endpointId, wanted, most);
}

/**
 * Returns the starts of the last fourteen days in UTC, oldest first, in ms since the epoch. Today is the last
 * entry.
 */
function daysUntil(now: number): number[] {
  const today = Math.floor(now / DAY) * DAY;
  return Array.from({ length: DAYS }, (_, index) => today - (DAYS - 1 - index) * DAY);
}

function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}
