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
  passDeliveries,
  passEvents,
  registeredAt,
  requeue,
  saveRecovery,
  selectRecovery,
  type Span,
  withoutDelivery,
} from "./recovery-store.ts";

/**
 * What of a range is sent again: deliveries in these states, and what fired without one. Times in ms since
 * the epoch.
 */
export interface RecoveryRange {
  /** What was fired after it; `until` the moment of asking, or earlier. */
  since: number;
  until?: number | undefined;
  state?: RecoverState | undefined;
  /**
   * Also what fired while the endpoint was off, or did not subscribe to it: events that it has no delivery
   * of.
   */
  missed?: boolean | undefined;
}

export const RECOVER_STATES = ["failed", "acknowledged", "any"] as const;
export type RecoverState = (typeof RECOVER_STATES)[number];

/** What the transports are sent. */
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

/** How many of it a reader knows of, each counted up to `COUNTED_MAX`. */
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

/** More than this many are not counted, so that asking costs the same however many there are. */
export const COUNTED_MAX = 5000;
/** So many are made due at once; each costs 10 µs. */
const RECOVERY_SLICE = 100;
/** So many ranges of one endpoint may be under way. */
const RECOVERIES_MAX = 6;

/**
 * What `beginRecovery` would send again, each counted up to `most`; of missed ones among the oldest `most`.
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
 * Makes a range due again, and returns how many of it a reader knows of. The first are due at once; where
 * they are many, `continueRecovery` does the rest. Call it in a transaction. Throws conflict where too many
 * ranges are under way.
 */
export function beginRecovery(
  core: Core,
  reader: LogReader,
  endpointId: string,
  wanted: RecoveryRange,
): Recovered {
  const counts = countToRecover(core, reader, endpointId, wanted);
  for (const span of spansOf(core, endpointId, wanted)) {
    const place = recoverSome(core, span);
    if (place === undefined) continue;
    if (countRecoveries(core, endpointId) >= RECOVERIES_MAX)
      throw refuse("recoveries_too_many", { max: RECOVERIES_MAX });
    insertRecovery(core, { ...span, afterId: place });
  }
  return counts;
}

/**
 * One slice more of a recovery. Returns whether one was under way. Call it in a transaction, again and again.
 */
export function continueRecovery(core: Core): boolean {
  const recovery = selectRecovery(core);
  if (!recovery) return false;
  const place = recoverSome(core, recovery);
  if (place === undefined) deleteRecovery(core, recovery.id);
  else saveRecovery(core, recovery.id, place);
  return true;
}

/** Each walks an index of its own; a delivery is fired when its event is. */
function spansOf(
  core: Core,
  endpointId: string,
  { since, until, state = "failed", missed }: RecoveryRange,
): Span[] {
  const whats: Span["what"][] = state === "any" ? ["failed", "acknowledged"] : [state];
  if (missed === true) whats.push("missed");
  return whats.map((what) => {
    const kind = what === "missed" ? "evt" : "dlv";
    // What there is by now, told by ids: the moment of an event may be a little ahead of the clock.
    const last = until === undefined ? newestId(core, endpointId, kind) : lastIdAt(kind, until);
    // Nothing from before the endpoint was there (docs/contract.md#6.8).
    const from = what === "missed" ? Math.max(since, registeredAt(core, endpointId)) : since;
    return { endpointId, what, afterId: lastIdAt(kind, from), beforeId: `${last}~` };
  });
}

/** One slice of a range; how far it got, or undefined where that was the last. */
function recoverSome(core: Core, span: Span): string | undefined {
  return span.what === "missed" ? deliverSome(core, span) : requeueSome(core, span);
}

function requeueSome(core: Core, span: Span): string | undefined {
  const now = core.clock.steady();
  const passed = passDeliveries(core, span, RECOVERY_SLICE);
  for (const { id, isWanted } of passed) if (isWanted === 1) requeue(core, id, now);
  return passed.length === RECOVERY_SLICE ? passed.at(-1)?.id : undefined;
}

function deliverSome(core: Core, span: Span): string | undefined {
  const { listed, lastId, isEnd } = passEvents(core, span, RECOVERY_SLICE);
  for (const eventId of missedAmong(core, span.endpointId, listed))
    deliverLate(core, eventId, span.endpointId);
  return isEnd ? undefined : lastId;
}

function countMissed(core: Core, reader: LogReader, span: Span, most: number): number {
  return missedAmong(core, span.endpointId, passEvents(core, span, most, reader).listed).length;
}

/** What tells of an endpoint's own trouble is not for itself. */
function missedAmong(
  core: Core,
  endpointId: string,
  events: readonly { id: string; body: string }[],
): string[] {
  const others = events.filter(({ body }) => !body.includes(endpointId)).map(({ id }) => id);
  return withoutDelivery(core, endpointId, others);
}
