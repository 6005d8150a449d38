import { type Static, Type } from "@sinclair/typebox";
import { Choice, ruled } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { deliverLate } from "../events/events.ts";
import { lastIdAt } from "../../base/ids.ts";
import { TimestampText, parseTimestamp } from "../../base/timestamp.ts";
import type { LogReader } from "./delivery-reader.ts";
import {
  countDeliveries,
  countRecoveries,
  deleteRecovery,
  insertRecovery,
  newestId,
  scanDeliveries,
  scanEvents,
  registeredAt,
  requeue,
  saveRecovery,
  selectRecovery,
  type Span,
  withoutDelivery,
} from "./recovery-store.ts";

/**
 * The range of a recovery: deliveries in a state, and events without a delivery. Times are in ms since the
 * epoch.
 */
export interface RecoveryRange {
  /** The range includes only events fired after `since` and up to `until`. `until` defaults to now. */
  since: number;
  until?: number | undefined;
  state?: RecoverState | undefined;
  /**
   * Whether to include missed events. A missed event has no delivery because the endpoint was disabled or not
   * subscribed.
   */
  missed?: boolean | undefined;
}

export const RECOVER_STATES = ["failed", "acknowledged", "any"] as const;
export type RecoverState = (typeof RECOVER_STATES)[number];

/** The request body of a recovery. */
export const RecoverDraft = Type.Object({
  since: TimestampText({
    description: "Resend only events fired after this time.",
    examples: ["2026-11-20T00:00:00Z"],
  }),
  until: Type.Optional(
    TimestampText({
      description: "Resend only events fired up to this time. Default: now.",
      examples: ["2026-11-21T00:00:00Z"],
    }),
  ),
  state: Type.Optional(
    Choice(
      RECOVER_STATES,
      "The state of the deliveries to resend. `any` means failed and acknowledged. Default: `failed`.",
      ["failed"],
    ),
  ),
  missed: Type.Optional(
    Type.Boolean({
      description: "Whether to also send events that were never delivered to the endpoint. Default: `false`.",
      examples: [true],
      ...ruled("not_boolean"),
    }),
  ),
});

export function recoveryRangeOf({ since, until, state, missed }: Static<typeof RecoverDraft>): RecoveryRange {
  return {
    since: parseTimestamp(since) ?? 0,
    until: until === undefined ? undefined : parseTimestamp(until),
    state,
    missed,
  };
}

/** Number of deliveries and missed events that the reader may read, each counted up to `COUNTED_MAX`. */
export const RecoveryView = Type.Object(
  {
    recovered: Type.Integer({ description: "The number of deliveries that are sent again.", examples: [12] }),
    missed: Type.Optional(
      Type.Integer({
        description: "The number of missed events that are sent. Only present if you set `missed`.",
      }),
    ),
  },
  { $id: "Recovery" },
);
export type Recovered = Required<Static<typeof RecoveryView>>;

/** Largest count of deliveries or events that a response contains. The limit bounds the cost of a request. */
export const COUNTED_MAX = 5000;
/** Number of deliveries per transaction that become due again. Each delivery takes 10 µs. */
const RECOVERY_BATCH = 100;
/** Maximum number of running recoveries of one endpoint. */
const RECOVERIES_MAX = 6;

/**
 * Counts the deliveries and missed events that `beginRecovery` would send again. Each count stops at `most`.
 * Only the oldest `most` events are checked for missed events.
 */
export function countToRecover(
  core: Core,
  reader: LogReader,
  endpointId: string,
  wanted: RecoveryRange,
  most = COUNTED_MAX,
): Recovered {
  const counts = { recovered: 0, missed: 0 };
  for (const span of spansOf(core, endpointId, wanted)) {
    if (span.what === "missed") counts.missed += countMissed(core, reader, span, most);
    else counts.recovered += countDeliveries(core, reader, span, most);
  }
  return counts;
}

/**
 * Starts a recovery and returns the counts of deliveries and events that the reader may read. The first batch
 * is due at once. `continueRecovery` runs the other batches. Call it in a transaction. Throws conflict if too
 * many recoveries of the endpoint are running.
 */
export function beginRecovery(
  core: Core,
  reader: LogReader,
  endpointId: string,
  wanted: RecoveryRange,
): Recovered {
  const counts = countToRecover(core, reader, endpointId, wanted);
  for (const span of spansOf(core, endpointId, wanted)) {
    const reached = recoverSome(core, span);
    if (reached === undefined) continue;
    if (countRecoveries(core, endpointId) >= RECOVERIES_MAX)
      throw refuse("recoveries_too_many", { max: RECOVERIES_MAX });
    insertRecovery(core, { ...span, afterId: reached });
  }
  return counts;
}

/**
 * Runs the next batch of a recovery. Returns whether a recovery was running. Call it repeatedly, each time in
 * a transaction.
 */
export function continueRecovery(core: Core): boolean {
  const recovery = selectRecovery(core);
  if (!recovery) return false;
  const reached = recoverSome(core, recovery);
  if (reached === undefined) deleteRecovery(core, recovery.id);
  else saveRecovery(core, recovery.id, reached);
  return true;
}

/**
 * Returns one span per state, because each state has its own index. Delivery ids start with the time of their
 * event.
 */
function spansOf(
  core: Core,
  endpointId: string,
  { since, until, state = "failed", missed }: RecoveryRange,
): Span[] {
  const kinds: Span["what"][] = state === "any" ? ["failed", "acknowledged"] : [state];
  if (missed === true) kinds.push("missed");
  return kinds.map((what) => {
    const kind = what === "missed" ? "evt" : "dlv";
    // The range ends at the newest id, not at the current time, because event times can be slightly ahead of
    // the clock.
    const last = until === undefined ? newestId(core, endpointId, kind) : lastIdAt(kind, until);
    // Excludes events from before the endpoint was created (docs/contract.md#6.8).
    const from = what === "missed" ? Math.max(since, registeredAt(core, endpointId)) : since;
    return { endpointId, what, afterId: lastIdAt(kind, from), beforeId: `${last}~` };
  });
}

/** Runs one batch of a span. Returns the last id that was read, or undefined after the last batch. */
function recoverSome(core: Core, span: Span): string | undefined {
  return span.what === "missed" ? deliverSome(core, span) : requeueSome(core, span);
}

function requeueSome(core: Core, span: Span): string | undefined {
  const now = core.clock.steady();
  const scanned = scanDeliveries(core, span, RECOVERY_BATCH);
  for (const { id, isWanted } of scanned) if (isWanted === 1) requeue(core, id, now);
  return scanned.length === RECOVERY_BATCH ? scanned.at(-1)?.id : undefined;
}

function deliverSome(core: Core, span: Span): string | undefined {
  const { listed, lastId, isEnd } = scanEvents(core, span, RECOVERY_BATCH);
  for (const eventId of missedAmong(core, span.endpointId, listed))
    deliverLate(core, eventId, span.endpointId);
  return isEnd ? undefined : lastId;
}

function countMissed(core: Core, reader: LogReader, span: Span, most: number): number {
  return missedAmong(core, span.endpointId, scanEvents(core, span, most, reader).listed).length;
}

/**
 * Selects the missed events among these ids. Leaves out events about the endpoint itself, such as its own
 * failures.
 */
function missedAmong(
  core: Core,
  endpointId: string,
  events: readonly { id: string; body: string }[],
): string[] {
  const others = events.filter(({ body }) => !body.includes(endpointId)).map(({ id }) => id);
  return withoutDelivery(core, endpointId, others);
}
