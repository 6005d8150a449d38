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

/** The states of docs/contract.md#V3, by their names of docs/contract.md#6.19. */
export const DELIVERY_STATES = ["attempting", "awaiting_retry", "acknowledged", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One attempt to make: what to send, where, and signed with what. */
export interface Claim {
  deliveryId: string;
  eventId: string;
  endpointId: string;
  /** Whoever's endpoint it is. */
  ownerId: string;
  /** Counts from 1. */
  attempt: number;
  /** When the first attempt of its schedule began, and when this one does, in steady time. */
  firstAt: number;
  beganAt: number;
  /** When the first attempt of its schedule was due, or, where it is not the first, began; in steady time. */
  dueAt: number;
  /** When this one begins, as a date. */
  startedAt: number;
  url: string;
  /** The newest first; more than one while a rotation is open. None where they cannot be opened. */
  secrets: readonly string[];
  body: string;
  /** By which trace the event came, with a step of this attempt's own; undefined where by none. */
  traceparent?: string | undefined;
}

/** How an attempt ended. The outside world's failures are data, not exceptions. */
export interface Outcome {
  /** The status of the answer; undefined where none came. */
  status?: number | undefined;
  durationMs: number;
  /** What went wrong; undefined where a 2xx came. */
  failure?: Failure | undefined;
  /** The first KiB of the answer. */
  answer?: string | undefined;
}

/**
 * How long an attempt may take (docs/contract.md#6.20) in all, with each address and each request it tries.
 */
export const ATTEMPT_MS = 10 * SECOND;
/**
 * Beside that: how long an attempt may wait to begin, and its end to be written down, while a machine is
 * busy.
 */
const LEASE_SLACK_MS = 20 * SECOND;
/** How many endpoints are looked up at once on the way around the ring, and how many at most in one claim. */
const RING_STEP = 8;
const RING_MAX = 128;

/** Who may have how many attempts running. */
export interface Room {
  /** How many more may begin now for an endpoint. */
  of(endpoint: { endpointId: string; ownerId: string; url: string; isFailing: boolean }): number;
  /**
   * One more begins. Asked and told one by one, so that many endpoints of one owner do not all take the same
   * place.
   */
  take(claim: Claim): void;
}

/** What one look around the ring came to. */
export interface Claimed {
  claims: Claim[];
  /** The next look begins behind this endpoint; "" where this one came to the end of the ring. */
  next: string;
}

/**
 * Claims what is due, oldest first within an endpoint and endpoint by endpoint, so that none can crowd out
 * another: `room` says how many more an endpoint may have running. At most `limit`, at most half of it for
 * one endpoint, and less where its neighbours in the ring have something due too: what an event brought them
 * lies side by side in the table, and is written together. A delivery whose subject is gone ends instead, as
 * `failed` with `subject_gone` (docs/contract.md#6.5). It begins behind the endpoint `after` and goes to the
 * end of the ring, or as far as one look may. A claim that is not settled counts as lost, and falls due
 * again, when an attempt of at most `attemptMs` must be over. Call it in a transaction.
 */
export function claimDue(
  core: Core,
  limit: number,
  after: string,
  room: Room,
  attemptMs: number = ATTEMPT_MS,
): Claimed {
  const now = core.clock.steady();
  const claimed = collectDue(core, limit, after, room, now);
  if (claimed.claims.length === 0) return claimed;
  const endpointIds = [...new Set(claimed.claims.map(({ endpointId }) => endpointId))];
  const secrets = livingSecrets(core, endpointIds);
  for (const claim of claimed.claims) claim.secrets = secrets.get(claim.endpointId) ?? [];
  const ids = claimed.claims.map(({ deliveryId }) => deliveryId);
  markAttempting(core, ids, now, now + attemptMs + LEASE_SLACK_MS);
  return claimed;
}

/**
 * What `claimDue` is going to claim, not marked and without secrets yet: these are read and written for all
 * of them at once.
 */
function collectDue(core: Core, limit: number, after: string, room: Room, now: number): Claimed {
  const claims: Claim[] = [];
  const envelopes = envelopesOnce();
  let next = after;
  for (let examined = 0; examined < RING_MAX; examined += RING_STEP) {
    const step = selectWaiting(core, now, next, RING_STEP);
    const share = Math.ceil(limit / Math.max(2, step.filter(({ isDue }) => isDue === 1).length));
    for (const { id, ownerId, url, isFailing, isDue } of step) {
      if (claims.length >= limit) return { claims, next };
      next = id;
      if (isDue === 0) continue;
      const most = Math.min(
        share,
        room.of({ endpointId: id, ownerId, url, isFailing: isFailing === 1 }),
        limit - claims.length,
      );
      if (most <= 0) continue;
      for (const row of selectDue(core, id, now, most)) {
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
    if (step.length < RING_STEP) return { claims, next: "" };
  }
  return { claims, next };
}

/** Makes the envelope of each event once, however many endpoints it goes to. */
function envelopesOnce(): { of(row: ClaimedRow): string | undefined } {
  const made = new Map<string, string | undefined>();
  return {
    of(row) {
      if (!made.has(row.eventId)) made.set(row.eventId, envelopeOf(row)?.body);
      return made.get(row.eventId);
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

/** When the next attempt, or lease, falls due after the moment `after`; undefined where nothing waits. */
export function nextDue(core: Core, after: number): number | undefined {
  return selectNextDue(core, after);
}

/**
 * Writes down an attempt and the delivery's next state (docs/contract.md#V3). Call it in a transaction; many
 * may share one. Gives that state; undefined for a delivery that was removed meanwhile, alone or with its
 * endpoint: it has nothing to be written.
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

/** A claim, and how its attempt ended. */
export interface Ended {
  claim: Claim;
  outcome: Outcome;
}

/**
 * `settle` for many that were acknowledged, in a few statements for all of them. Call it in a transaction.
 */
export function settleAcknowledged(core: Core, ended: readonly Ended[]): void {
  const there = selectSettleable(
    core,
    ended.map(({ claim }) => claim.deliveryId),
  );
  const ids = new Set(there.map(({ id }) => id));
  const rows = ended.filter(({ claim }) => ids.has(claim.deliveryId)).map((each) => attemptRow(core, each));
  insertAttempts(core, rows);
  markAcknowledged(core, [...ids], core.clock.now());
  const noted = new Set<string>();
  for (const { id, endpointId, isFailing } of there) {
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
 * Takes back the attempts that were running when the program died: they count as not made, and are due at
 * once. Only one server works on a data folder, so at its start every running attempt is a lost one. How
 * many. Call it in a transaction.
 */
export function recoverInterrupted(core: Core): number {
  return recoverAttempting(core, core.clock.steady());
}

/** More than this many are not counted. */
const COUNTED_MAX = 10_000;
const ENDPOINTS_LOOKED_AT = 1000;

export interface Backlog {
  /** Deliveries that wait or run, those of endpoints that are off too; ten thousand stands for any more. */
  waiting: number;
  /**
   * How long the oldest attempt that may be made has been due, in milliseconds; 0 where none is, and in
   * maintenance, where none may.
   */
  overdueMs: number;
}

/** How much there is to do, for the operator: bounded work, of at most the first thousand endpoints. */
export function backlog(core: Pick<Core, "db"> & { clock: Pick<Clock, "now" | "steady"> }): Backlog {
  const waiting = countWaiting(core, COUNTED_MAX);
  if (maintenanceOf(core)) return { waiting, overdueMs: 0 };
  const now = core.clock.steady();
  let oldest = now;
  for (const { id, isDue } of selectWaiting(core, now, "", ENDPOINTS_LOOKED_AT)) {
    if (isDue === 1) oldest = Math.min(oldest, selectOldestDue(core, id) ?? now);
  }
  return { waiting, overdueMs: now - oldest };
}
