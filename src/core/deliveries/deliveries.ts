import { DAY, SECOND } from "../clock.ts";
import type { Core } from "../core.ts";
import { continueFanOut } from "../events/events.ts";
import { lastIdAt } from "../ids.ts";
import { continueMatching } from "../job-filters/matching.ts";
import { continueRemoval } from "../webhooks/webhooks.ts";
import {
  type ClaimedRow,
  countWaiting,
  disableEndpoint,
  insertAttempt,
  markAcknowledged,
  markAttempting,
  markAwaitingRetry,
  markFailed,
  pruneEvents,
  pruneSettled,
  rescueAttempting,
  selectDue,
  selectHealth,
  selectNextDue,
  selectOldestDue,
  selectWaiting,
  updateFailingSince,
} from "./deliveries-store.ts";
import { continueRecovery } from "./recovery.ts";
import { nextAttemptAt } from "./schedule.ts";

/** §3, «State». */
export const DELIVERY_STATES = ["attempting", "awaiting_retry", "acknowledged", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One attempt to make: what to send, where, and signed with what. */
export interface Claim {
  deliveryId: string;
  eventId: string;
  endpointId: string;
  /** Counts from 1. */
  attempt: number;
  firstAt: number;
  startedAt: number;
  url: string;
  /** The newest first; two while a rotation is open. None where they can not be opened. */
  secrets: string[];
  body: string;
}

/** How an attempt ended. The outside world's failures are data, not exceptions. */
export interface Outcome {
  /** The status of the answer; undefined where none came. */
  status?: number | undefined;
  durationMs: number;
  /** What went wrong, in words; undefined where a 2xx came. */
  error?: string | undefined;
  /** The first KiB of the answer. */
  answer?: string | undefined;
}

/** CONTRACT «Delivery»: how long an attempt may take in all, with each address and each request it tries. */
export const ATTEMPT_MS = 10 * SECOND;
/** Beside that: how long an attempt may wait to begin, and its end to be written down, while a machine is busy. */
const LEASE_SLACK_MS = 20 * SECOND;
/** CONTRACT: an endpoint that has acknowledged nothing for this long is disabled. */
const HEALTH_MS = 5 * DAY;
/** How many endpoints are looked up at once on the way around the ring, and how many at most in one turn. */
const RING_STEP = 8;
const RING_TURN = 128;

/** What one turn came to. */
export interface Turn {
  claims: Claim[];
  /** The next turn begins behind this endpoint; "" where this one came to the end of the ring. */
  next: string;
}

/**
 * Claims what is due, oldest first within an endpoint and in turns across endpoints, so that none can crowd out another:
 * `roomOf` says how many more an endpoint may have running. At most `limit`, and at most half of it for one endpoint. The
 * turn begins behind the endpoint `after` and goes to the end of the ring, or as far as a turn may. A claim that is not settled
 * counts as lost, and falls due again, when an attempt of at most `attemptMs` must be over. Call it in a transaction.
 */
export function claimDue(
  core: Core,
  limit: number,
  after: string,
  roomOf: (endpointId: string, url: string) => number,
  attemptMs: number = ATTEMPT_MS,
): Turn {
  const leaseMs = attemptMs + LEASE_SLACK_MS;
  const now = core.clock.now();
  const claims: Claim[] = [];
  let next = after;
  for (let looked = 0; looked < RING_TURN; looked += RING_STEP) {
    const step = selectWaiting(core, now, next, RING_STEP);
    for (const { id, url, isDue } of step) {
      if (claims.length >= limit) return { claims, next };
      next = id;
      if (isDue === 0) continue;
      const room = Math.min(Math.ceil(limit / 2), roomOf(id, url), limit - claims.length);
      if (room > 0)
        claims.push(...selectDue(core, id, now, room).map((row) => claim(core, row, now, leaseMs)));
    }
    if (step.length < RING_STEP) return { claims, next: "" };
  }
  return { claims, next };
}

function claim(core: Core, row: ClaimedRow, now: number, leaseMs: number): Claim {
  markAttempting(core, row.id, now, now + leaseMs);
  return {
    deliveryId: row.id,
    eventId: row.eventId,
    endpointId: row.endpointId,
    attempt: row.attempts + 1,
    firstAt: row.firstAt ?? now,
    startedAt: now,
    url: row.url,
    secrets: openSecrets(core, row, now),
    body: row.body,
  };
}

/** One endpoint whose secret was damaged must not keep the others from being served. */
function openSecrets(core: Core, row: ClaimedRow, now: number): string[] {
  const isRotating = row.previousSealed !== null && (row.previousUntil ?? 0) > now;
  const sealed =
    isRotating && row.previousSealed ? [row.secretSealed, row.previousSealed] : [row.secretSealed];
  try {
    return sealed.map((value) => core.seal.open("webhook-secret", row.endpointId, value));
  } catch {
    return [];
  }
}

/** When the next attempt, or lease, falls due after the moment `after`; undefined where nothing waits. */
export function nextDue(core: Core, after: number): number | undefined {
  return selectNextDue(core, after);
}

/**
 * Writes down an attempt and the delivery's next state (§3). Call it in a transaction; many may share one. A delivery
 * that was removed meanwhile, alone or with its endpoint, has nothing to be written.
 */
export function settle(core: Core, claim: Claim, outcome: Outcome, delaysMs: readonly number[]): void {
  const health = selectHealth(core, claim.deliveryId);
  if (!health) return;
  const now = core.clock.now();
  insertAttempt(core, {
    id: core.makeId("att", claim.startedAt),
    deliveryId: claim.deliveryId,
    startedAt: claim.startedAt,
    durationMs: Math.round(outcome.durationMs),
    status: outcome.status ?? null,
    error: outcome.error ?? null,
    answer: outcome.answer ?? null,
  });
  if (outcome.error === undefined) {
    markAcknowledged(core, claim.deliveryId, now);
    if (health.failingSince !== null) updateFailingSince(core, claim.endpointId, null);
    return;
  }
  const next = nextAttemptAt(delaysMs, claim.attempt, claim.firstAt, claim.startedAt);
  if (next === undefined) markFailed(core, claim.deliveryId, now);
  else markAwaitingRetry(core, claim.deliveryId, next);

  const failingSince = health.failingSince ?? claim.startedAt;
  if (health.failingSince === null) updateFailingSince(core, claim.endpointId, failingSince);
  const reason = disablingReason(outcome, now - failingSince);
  if (health.disabledAt === null && reason !== undefined)
    disableEndpoint(core, claim.endpointId, reason, now);
}

function disablingReason(outcome: Outcome, failingForMs: number): string | undefined {
  if (outcome.status === 410) return "The receiver answered 410 Gone.";
  if (failingForMs >= HEALTH_MS) return "The receiver has acknowledged nothing for five days.";
  return undefined;
}

/**
 * Takes back the attempts that were running when the program died: they count as not made, and are due at once. Only one
 * server works on a data folder, so at its start every running attempt is a lost one. How many. Call it in a transaction.
 */
export function rescue(core: Core): number {
  return rescueAttempting(core, core.clock.now());
}

/**
 * Goes on, by one slice each, with what is too much for one transaction: a job that meets many filters, an event
 * on its way to many subscribers, a recovery, the deliveries of a removed endpoint. Returns whether there was anything. Call it in a transaction, again and again.
 */
export function continueUnfinished(core: Core): boolean {
  const did = [continueMatching(core), continueFanOut(core), continueRecovery(core), continueRemoval(core)];
  return did.includes(true);
}

/** So many old rows are deleted at once, in 3 ms. */
const PRUNE_SLICE = 100;

/** Drops settled deliveries and events that were fired more than `keepMs` ago, in small slices. Called now and then. */
export async function prune(core: Core, keepMs: number): Promise<void> {
  const before = core.clock.now() - keepMs;
  while ((await core.db.write(() => pruneSettled(core, lastIdAt("dlv", before), PRUNE_SLICE))) > 0);
  while ((await core.db.write(() => pruneEvents(core, lastIdAt("evt", before), PRUNE_SLICE))) > 0);
}

/** More than this many are not counted. */
const COUNTED_MAX = 10_000;
const ENDPOINTS_LOOKED_AT = 1000;

export interface Backlog {
  /** Deliveries that wait or run, those of endpoints that are off too; ten thousand stands for any more. */
  waiting: number;
  /** How long the oldest attempt that may be made has been due, in milliseconds; 0 where none is. */
  overdueMs: number;
}

/** How much there is to do, for the operator: bounded work, of at most the first thousand endpoints. */
export function backlog(core: Core): Backlog {
  const now = core.clock.now();
  let oldest = now;
  for (const { id, isDue } of selectWaiting(core, now, "", ENDPOINTS_LOOKED_AT)) {
    if (isDue === 1) oldest = Math.min(oldest, selectOldestDue(core, id) ?? now);
  }
  return { waiting: countWaiting(core, COUNTED_MAX), overdueMs: now - oldest };
}
