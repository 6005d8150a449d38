import { WRITE_SECONDS, type WriteFigures } from "../../base/db/writer.ts";
import { type Digest, joined, newDigest, note } from "../../base/digest.ts";
import { SECOND } from "../../base/clock.ts";
import type { Claim, Outcome } from "./deliveries.ts";

/** What was counted of deliveries since the start. Plain data, which the thread tells the program. */
export interface DeliveryCounters {
  /** Attempts by how they ended. */
  attempts: Record<string, number>;
  /** Deliveries by the state that they ended in. */
  ended: { acknowledged: number; failed: number };
  /** Seconds that an attempt took. */
  attemptSeconds: Digest;
  /** Seconds from when a delivery was first due until it was acknowledged, with all its attempts. */
  deliverySeconds: Digest;
  /** How the loop's own writes do. */
  commits: Digest;
  writes: Digest;
  /** What the thread does now and then beside it: how often that failed, and when it last came to its end. */
  upkeep: { failures: number; succeededAt?: number };
  /** Attempts at mails and pushes, each count under "way kind host outcome". */
  outgoing: Record<string, number>;
}

/** Attempts that went to one host and ended the same way. */
export interface OutgoingAttempts {
  way: "mail" | "push";
  /** Of a mail; `push` for every push. */
  kind: string;
  /** Where a mail server listens, or the host of a push service; `other` beyond a bound. */
  host: string;
  /** `sent`, or how it failed. */
  outcome: string;
  count: number;
}

/** The host of attempts that have no label of their own. */
export const OTHER_HOSTS = "other";

/** Counts one attempt. */
export function noteOutgoing(
  { outgoing }: Pick<DeliveryCounters, "outgoing">,
  { way, kind, host, outcome }: Omit<OutgoingAttempts, "count">,
): void {
  const key = [way, kind, host, outcome].join(" ");
  outgoing[key] = (outgoing[key] ?? 0) + 1;
}

export function outgoingAttempts({ outgoing }: Pick<DeliveryCounters, "outgoing">): OutgoingAttempts[] {
  return Object.entries(outgoing).map(([key, count]) => {
    const [way = "", kind = "", host = "", outcome = ""] = key.split(" ");
    return { way: way as OutgoingAttempts["way"], kind, host, outcome, count };
  });
}

export const ATTEMPT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** Up to the seven attempts of a day. */
export const DELIVERY_SECONDS = [
  0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 21_600, 86_400,
] as const;

const NO_WRITES = { commits: newDigest(WRITE_SECONDS), writes: newDigest(WRITE_SECONDS) };

/** The loop's own writes are counted where they are made. */
export function newDeliveryCounters({
  commits,
  writes,
}: Pick<WriteFigures, "commits" | "writes"> = NO_WRITES): DeliveryCounters {
  return {
    commits,
    writes,
    attempts: {},
    upkeep: { failures: 0 },
    outgoing: {},
    ended: { acknowledged: 0, failed: 0 },
    attemptSeconds: newDigest(ATTEMPT_SECONDS),
    deliverySeconds: newDigest(DELIVERY_SECONDS),
  };
}

/** An attempt has ended; `steady` is the time by which deliveries are due. */
export function noteAttempt(tally: DeliveryCounters, claim: Claim, outcome: Outcome, steady: number): void {
  const how = outcomeOf(outcome);
  tally.attempts[how] = (tally.attempts[how] ?? 0) + 1;
  note(tally.attemptSeconds, outcome.durationMs / SECOND);
  if (outcome.failure !== undefined) return;
  tally.ended.acknowledged++;
  note(tally.deliverySeconds, (steady - claim.dueAt) / SECOND);
}

/** A code that the program has, or the class of a status: a receiver cannot make one up. */
function outcomeOf({ failure, status = 0 }: Outcome): string {
  if (failure === undefined) return "acknowledged";
  return failure.code === "status" ? `status_${Math.floor(status / 100)}xx` : failure.code;
}

/** What several lives of the thread have counted. */
export function sumCounters(lives: readonly DeliveryCounters[]): DeliveryCounters {
  const all = newDeliveryCounters();
  for (const { attempts, ended, upkeep, outgoing } of lives) {
    all.upkeep = { ...all.upkeep, ...upkeep, failures: all.upkeep.failures + upkeep.failures };
    for (const [how, count] of Object.entries(attempts)) all.attempts[how] = (all.attempts[how] ?? 0) + count;
    for (const [key, count] of Object.entries(outgoing)) all.outgoing[key] = (all.outgoing[key] ?? 0) + count;
    all.ended.acknowledged += ended.acknowledged;
    all.ended.failed += ended.failed;
  }
  const as = (name: "attemptSeconds" | "deliverySeconds" | "commits" | "writes"): Digest =>
    joined(
      all[name].bounds,
      lives.map((life) => life[name]),
    );
  return {
    ...all,
    attemptSeconds: as("attemptSeconds"),
    deliverySeconds: as("deliverySeconds"),
    commits: as("commits"),
    writes: as("writes"),
  };
}
