import { WRITE_SECONDS, type WriteFigures } from "../../base/db/writer.ts";
import { type Digest, mergeDigests, newDigest, observe } from "../../base/digest.ts";
import { SECOND } from "../../base/clock.ts";
import type { Claim, Outcome } from "./deliveries.ts";

/**
 * Delivery counters since the start of the delivery thread. The object is plain data, so that the thread can
 * send it to the main thread.
 */
export interface DeliveryCounters {
  /** Number of attempts by outcome. */
  attempts: Record<string, number>;
  /** Number of deliveries by final state. */
  ended: { acknowledged: number; failed: number };
  /** Duration of attempts, in seconds. */
  attemptSeconds: Digest;
  /** Seconds from the first due time of a delivery to its acknowledgement, over all attempts. */
  deliverySeconds: Digest;
  /** Timings of the database writes of the delivery loop. */
  commits: Digest;
  writes: Digest;
  /** Number of failures of the thread's periodic tasks, and time of the last success. */
  upkeep: { failures: number; succeededAt?: number };
  /** Number of attempts to send emails and pushes. The map key is the text "way kind host outcome". */
  outgoing: Record<string, number>;
}

/** The number of attempts to one host with the same outcome. */
export interface OutgoingAttempts {
  way: "mail" | "push";
  /** Kind of the mail, or `push` for every push. */
  kind: string;
  /**
   * Host of the mail server or push service. The value is `other` if there are too many hosts for the labels
   * of a metric.
   */
  host: string;
  /** `sent` for a successful attempt, otherwise an error code. */
  outcome: string;
  count: number;
}

/** Replaces the host when there are too many hosts for the labels of a metric. */
export const OTHER_HOSTS = "other";

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
/**
 * Upper bounds of the histogram buckets, in seconds. The largest bound is a day, which covers all seven
 * attempts of a delivery.
 */
export const DELIVERY_SECONDS = [
  0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 21_600, 86_400,
] as const;

const NO_WRITES = { commits: newDigest(WRITE_SECONDS), writes: newDigest(WRITE_SECONDS) };

/**
 * Creates counters. The delivery loop passes the timings of its own database writes, which the database
 * measures.
 */
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

/**
 * Counts a finished attempt. `steady` is the current steady time. The wall-clock time would be wrong, because
 * due times are steady times.
 */
export function noteAttempt(tally: DeliveryCounters, claim: Claim, outcome: Outcome, steady: number): void {
  const how = outcomeOf(outcome);
  tally.attempts[how] = (tally.attempts[how] ?? 0) + 1;
  observe(tally.attemptSeconds, outcome.durationMs / SECOND);
  if (outcome.failure !== undefined) return;
  tally.ended.acknowledged++;
  observe(tally.deliverySeconds, (steady - claim.dueAt) / SECOND);
}

/**
 * Returns the label of an outcome: one of our own codes, or the class of an HTTP status. A receiver therefore
 * cannot create new labels.
 */
function outcomeOf({ failure, status = 0 }: Outcome): string {
  if (failure === undefined) return "acknowledged";
  return failure.code === "status" ? `status_${Math.floor(status / 100)}xx` : failure.code;
}

/** Adds up the counters of all delivery threads that the process has started. */
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
    mergeDigests(
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
