import { DAY, SECOND } from "../clock.ts";
import type { Core } from "../core.ts";
import { lastIdAt } from "../ids.ts";
import {
  type ClaimedRow,
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
  selectDueEndpoints,
  selectHealth,
  selectNextDue,
  updateFailingSince,
} from "./deliveries-store.ts";
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
  /** The newest first; two while a rotation is open. */
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

/** A claim past this counts as lost: three times what an attempt may take. */
const LEASE_MS = 30 * SECOND;
/** CONTRACT: an endpoint that has acknowledged nothing for this long is disabled. */
const HEALTH_MS = 5 * DAY;
/** Settled deliveries are kept this long, events too (the pull twin reads them). */
export const RETENTION_MS = 30 * DAY;

/** How many endpoints are looked up at once on the way around the ring. */
const RING_STEP = 32;

/**
 * Claims what is due, oldest first within an endpoint and in turns across endpoints, so that none can crowd out another:
 * `roomOf` says how many more an endpoint may have running. At most `limit`, and at most half of it for one endpoint;
 * begins behind `after`, the endpoint served last. Call it in a transaction.
 */
export function claimDue(
  core: Core,
  limit: number,
  after: string,
  roomOf: (endpointId: string) => number,
): Claim[] {
  const now = core.clock.now();
  const claims: Claim[] = [];
  for (const endpointId of dueRing(core, now, after)) {
    const room = Math.min(Math.ceil(limit / 2), roomOf(endpointId), limit - claims.length);
    if (room > 0) claims.push(...selectDue(core, endpointId, now, room).map((row) => claim(core, row, now)));
    if (claims.length >= limit) break;
  }
  return claims;
}

/** All endpoints with something due: those behind `after` first, then from the beginning. */
function* dueRing(core: Core, now: number, after: string): Iterable<string> {
  for (const [from, to] of [
    [after, undefined],
    ["", after],
  ] as const) {
    let last: string = from;
    for (let step = selectDueEndpoints(core, now, last, RING_STEP); step.length > 0;) {
      for (const endpointId of step) {
        if (to !== undefined && endpointId > to) return;
        yield endpointId;
        last = endpointId;
      }
      step = step.length < RING_STEP ? [] : selectDueEndpoints(core, now, last, RING_STEP);
    }
  }
}

function claim(core: Core, row: ClaimedRow, now: number): Claim {
  markAttempting(core, row.id, now, now + LEASE_MS);
  const isRotating = row.previousSealed !== null && (row.previousUntil ?? 0) > now;
  const sealed =
    isRotating && row.previousSealed ? [row.secretSealed, row.previousSealed] : [row.secretSealed];
  return {
    deliveryId: row.id,
    eventId: row.eventId,
    endpointId: row.endpointId,
    attempt: row.attempts + 1,
    firstAt: row.firstAt ?? now,
    startedAt: now,
    url: row.url,
    secrets: sealed.map((value) => core.seal.open("webhook-secret", row.endpointId, value)),
    body: row.body,
  };
}

/** Milliseconds until something is due that is not running; undefined where nothing waits. */
export function msUntilDue(core: Core, now: number): number | undefined {
  const dueAt = selectNextDue(core, now);
  return dueAt === undefined ? undefined : dueAt - now;
}

/**
 * Writes down an attempt and the delivery's next state (§3). Call it in a transaction; many may share one. An endpoint
 * deleted meanwhile took its deliveries along: then there is nothing to write.
 */
export function settle(core: Core, claim: Claim, outcome: Outcome, delaysMs: readonly number[]): void {
  const health = selectHealth(core, claim.endpointId);
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
  else markAwaitingRetry(core, claim.deliveryId, health.disabledAt === null ? next : null);

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
 * server works on a data folder, so at its start every running attempt is a lost one. How many.
 */
export function rescue(core: Core): number {
  return core.db.transact(() => rescueAttempting(core, core.clock.now()));
}

/** Drops settled deliveries and events that were fired more than `keepMs` ago, in small slices. Called now and then. */
export async function prune(core: Core, keepMs = RETENTION_MS): Promise<void> {
  const before = core.clock.now() - keepMs;
  while ((await core.db.write(() => pruneSettled(core, lastIdAt("dlv", before), 500))) > 0);
  while ((await core.db.write(() => pruneEvents(core, lastIdAt("evt", before), 500))) > 0);
}
