import { type Clock, SECOND } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import type { attempts } from "../../base/db/schema-delivery.ts";
import { maintenanceOf } from "../../identity/maintenance/maintenance.ts";
import { envelopeOf } from "../events/subjects.ts";
import { childTraceparent } from "../events/trace.ts";
import { selectHealth, noteAcknowledged, noteFailed } from "../webhooks/health.ts";
import { livingSecrets } from "../webhooks/secrets.ts";
import {
  type ClaimedRow,
  countWaiting,
  deleteDelivery,
  insertAttempts,
  markAcknowledged,
  markAttempting,
  markAwaitingRetry,
  markFailed,
  recoverAttempting,
  selectDue,
  selectNextDue,
  selectOldestDue,
  selectSettleable,
  selectWaiting,
} from "./deliveries-store.ts";
import type { Failure } from "./failures.ts";
import { nextAttemptAt } from "./schedule.ts";

/** The states of docs/contract.md#V3, with the names of docs/contract.md#6.19. */
export const DELIVERY_STATES = ["attempting", "awaiting_retry", "acknowledged", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** An attempt that the server has claimed: the body, the URL and the secrets to sign with. */
export interface Claim {
  deliveryId: string;
  eventId: string;
  endpointId: string;
  /**
   * Id of the builder who added the endpoint. If the builder's account is deleted, the id of the endpoint's
   * workspace.
   */
  ownerId: string;
  /** Number of the attempt, from 1. */
  attempt: number;
  /** Start of the first attempt of the schedule, and start of this attempt, in steady time. */
  firstAt: number;
  beganAt: number;
  /**
   * In steady time. For the first attempt, the time when the attempt was due. For a later attempt, the start
   * of the first attempt.
   */
  dueAt: number;
  /** Start of this attempt, in ms since the epoch. */
  startedAt: number;
  url: string;
  /**
   * Signing secrets, newest first. After a rotation, several secrets sign the request. Empty if no secret can
   * be decrypted.
   */
  secrets: readonly string[];
  body: string;
  /**
   * Trace context of the event with a new span for this attempt. Undefined if the event has no trace context.
   */
  traceparent?: string | undefined;
}

/** Result of an attempt. Failures of the receiver are stored here and not thrown. */
export interface Outcome {
  /** HTTP status. Undefined if no response arrived. */
  status?: number | undefined;
  durationMs: number;
  /** Why the attempt failed. Undefined after a 2xx response. */
  failure?: Failure | undefined;
  /** The first KiB of the response body. */
  answer?: string | undefined;
}

/**
 * Time limit of an attempt (docs/contract.md#6.20). The limit includes all IP addresses and requests that the
 * attempt tries.
 */
export const ATTEMPT_MS = 10 * SECOND;
/**
 * A lease lasts this much longer than the time limit of an attempt. The extra time is needed because a busy
 * machine may start an attempt late and store its result late.
 */
const LEASE_MARGIN_MS = 20 * SECOND;
/**
 * Number of endpoints that one query of the round-robin queue reads, and maximum number of endpoints that one
 * claim reads.
 */
const QUEUE_STEP = 8;
const QUEUE_MAX = 128;

/** Concurrency limits for attempts. */
export interface ConcurrencyLimits {
  /** Returns how many more attempts may start now for an endpoint. */
  freeSlotsFor(endpoint: { endpointId: string; ownerId: string; url: string; isFailing: boolean }): number;
  /**
   * Counts a started attempt. `claimDue` calls this function for each claim, so that two endpoints of one
   * owner cannot both use the owner's last free slot.
   */
  take(claim: Claim): void;
}

/** The result of one pass over the round-robin queue. */
export interface Claimed {
  claims: Claim[];
  /** The next pass starts after this endpoint. Empty if this pass reached the end of the queue. */
  next: string;
  /** Whether a limit may have left due deliveries of a visited endpoint unclaimed. */
  isHeldBack: boolean;
}

/**
 * Claims due deliveries, endpoint by endpoint and oldest first within an endpoint. `limits` limits the
 * running attempts of each endpoint, so that no endpoint can block others. Claims at most `limit` deliveries,
 * and at most half of `limit` for one endpoint. If several endpoints that were read together have due
 * deliveries, each endpoint gets an equal share of `limit`. Deliveries of one event to these endpoints are
 * adjacent in the table, so one write updates these deliveries together. A delivery whose subject is gone
 * ends as `failed` with `subject_gone` (docs/contract.md#6.5). The pass starts after the endpoint `after` and
 * ends at the end of the queue or at the limit of endpoints per claim. If a claim is not settled within
 * `attemptMs` plus slack, the claim is lost and the delivery becomes due again. Call it in a transaction.
 */
export function claimDue(
  core: Core,
  limit: number,
  after: string,
  limits: ConcurrencyLimits,
  attemptMs: number = ATTEMPT_MS,
): Claimed {
  const now = core.clock.steady();
  const claimed = collectDue(core, limit, after, limits, now);
  if (claimed.claims.length === 0) return claimed;
  const endpointIds = [...new Set(claimed.claims.map(({ endpointId }) => endpointId))];
  const secrets = livingSecrets(core, endpointIds);
  for (const claim of claimed.claims) claim.secrets = secrets.get(claim.endpointId) ?? [];
  const ids = claimed.claims.map(({ deliveryId }) => deliveryId);
  markAttempting(core, ids, now, now + attemptMs + LEASE_MARGIN_MS);
  return claimed;
}

/**
 * Collects the deliveries to claim. `claimDue` then reads the secrets for all these deliveries and marks all
 * of them as attempting.
 */
function collectDue(core: Core, limit: number, after: string, room: ConcurrencyLimits, now: number): Claimed {
  const claims: Claim[] = [];
  const envelopes = envelopesOnce();
  let next = after;
  let isHeldBack = false;
  for (let examined = 0; examined < QUEUE_MAX; examined += QUEUE_STEP) {
    const step = selectWaiting(core, now, next, QUEUE_STEP);
    const share = Math.ceil(limit / Math.max(2, step.filter(({ isDue }) => isDue === 1).length));
    for (const { id, ownerId, url, isFailing, isDue } of step) {
      if (claims.length >= limit) return { claims, next, isHeldBack: true };
      next = id;
      if (isDue === 0) continue;
      const most = Math.min(
        share,
        room.freeSlotsFor({ endpointId: id, ownerId, url, isFailing: isFailing === 1 }),
        limit - claims.length,
      );
      isHeldBack ||= most <= 0;
      if (most <= 0) continue;
      const rows = selectDue(core, id, now, most);
      isHeldBack ||= rows.length === most;
      for (const row of rows) {
        if (row.isAllowed === 0) {
          deleteDelivery(core, row.id);
          continue;
        }
        const body = envelopes.of(row);
        if (body === undefined) {
          markFailed(core, row.id, core.clock.now(), "subject_gone");
          continue;
        }
        const claimed = claimOf(core, row, body, now);
        room.take(claimed);
        claims.push(claimed);
      }
    }
    if (step.length < QUEUE_STEP) return { claims, next: "", isHeldBack };
  }
  return { claims, next, isHeldBack };
}

/** Builds the envelope of each event once, even if several endpoints receive the event. */
function envelopesOnce(): { of(row: ClaimedRow): string | undefined } {
  const bodies = new Map<string, string | undefined>();
  return {
    of(row) {
      if (!bodies.has(row.eventId)) bodies.set(row.eventId, envelopeOf(row)?.body);
      return bodies.get(row.eventId);
    },
  };
}

function claimOf(core: Core, row: ClaimedRow, body: string, now: number): Claim {
  return {
    deliveryId: row.id,
    eventId: row.eventId,
    endpointId: row.endpointId,
    ownerId: row.ownerId,
    attempt: row.attempts + 1,
    firstAt: row.firstAt ?? now,
    beganAt: now,
    dueAt: row.firstAt ?? row.dueAt,
    startedAt: core.clock.now(),
    url: row.url,
    secrets: [],
    body,
    traceparent: row.traceparent === null ? undefined : childTraceparent(core, row.traceparent),
  };
}

/**
 * Returns the earliest time after `after` at which an attempt is due or a lease ends. Returns undefined if no
 * such time exists.
 */
export function nextDue(core: Core, after: number): number | undefined {
  return selectNextDue(core, after);
}

/**
 * Stores an attempt and the next state of its delivery (docs/contract.md#V3). Returns this state. If the
 * delivery or its endpoint has been removed since the claim, stores nothing and returns undefined. Call it in
 * a transaction. Several calls may share one transaction.
 */
export function settle(
  core: Core,
  claim: Claim,
  outcome: Outcome,
  delaysMs: readonly number[],
): DeliveryState | undefined {
  const health = selectHealth(core, claim.deliveryId);
  if (!health) return undefined;
  const now = core.clock.now();
  insertAttempts(core, [attemptRow(core, { claim, outcome })]);
  if (outcome.failure === undefined) {
    markAcknowledged(core, [claim.deliveryId], now);
    noteAcknowledged(core, health);
    return "acknowledged";
  }
  const next = nextAttemptAt(delaysMs, claim.attempt, claim.firstAt, claim.beganAt);
  if (next === undefined) markFailed(core, claim.deliveryId, now);
  else markAwaitingRetry(core, claim.deliveryId, next);
  noteFailed(core, health, { startedAt: claim.startedAt, status: outcome.status });
  return next === undefined ? "failed" : "awaiting_retry";
}

/** A claim and the outcome of its attempt. */
export interface Ended {
  claim: Claim;
  outcome: Outcome;
}

/**
 * Does the same as `settle` for many acknowledged deliveries, in a few statements. Call it in a transaction.
 */
export function settleAcknowledged(core: Core, ended: readonly Ended[]): void {
  const settleable = selectSettleable(
    core,
    ended.map(({ claim }) => claim.deliveryId),
  );
  const ids = new Set(settleable.map(({ id }) => id));
  const rows = ended.filter(({ claim }) => ids.has(claim.deliveryId)).map((each) => attemptRow(core, each));
  insertAttempts(core, rows);
  markAcknowledged(core, [...ids], core.clock.now());
  const noted = new Set<string>();
  for (const { id, endpointId, isFailing } of settleable) {
    if (isFailing === 0 || noted.has(endpointId)) continue;
    noted.add(endpointId);
    const health = selectHealth(core, id);
    if (health) noteAcknowledged(core, health);
  }
}

function attemptRow(core: Core, { claim, outcome }: Ended): typeof attempts.$inferInsert {
  return {
    id: core.makeId("att", claim.startedAt),
    deliveryId: claim.deliveryId,
    startedAt: claim.startedAt,
    durationMs: Math.round(outcome.durationMs),
    status: outcome.status ?? null,
    answer: outcome.answer ?? null,
    code: outcome.failure?.code ?? null,
    params: outcome.failure?.params ? JSON.stringify(outcome.failure.params) : null,
  };
}

/**
 * Makes attempts that were running when the process died due again immediately. The interrupted attempts do
 * not count. Only one server uses a data folder. If an attempt is marked as running when the server starts,
 * the attempt was therefore interrupted. Returns the number of deliveries. Call it in a transaction.
 */
export function recoverInterrupted(core: Core): number {
  return recoverAttempting(core, core.clock.steady());
}

/** Highest count of waiting deliveries. Counting stops at this number. */
const COUNTED_MAX = 10_000;
const ENDPOINTS_READ_MAX = 1000;

export interface Backlog {
  /**
   * Number of waiting and running deliveries, including those of disabled endpoints. A value of 10,000 means
   * 10,000 or more.
   */
  waiting: number;
  /**
   * For how long the oldest attempt that may be made has been overdue, in ms. The value is 0 if no attempt is
   * due. In maintenance mode no attempts are made, so the value is also 0.
   */
  overdueMs: number;
}

/**
 * Returns the delivery backlog for the operator. Reads at most the first 1,000 endpoints, so the work is
 * bounded.
 */
export function backlog(core: Pick<Core, "db"> & { clock: Pick<Clock, "now" | "steady"> }): Backlog {
  const waiting = countWaiting(core, COUNTED_MAX);
  if (maintenanceOf(core)) return { waiting, overdueMs: 0 };
  const now = core.clock.steady();
  let oldest = now;
  for (const { id, isDue } of selectWaiting(core, now, "", ENDPOINTS_READ_MAX)) {
    if (isDue === 1) oldest = Math.min(oldest, selectOldestDue(core, id) ?? now);
  }
  return { waiting, overdueMs: now - oldest };
}
