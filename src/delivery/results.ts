import type { Core } from "../core/base/core.ts";
import { type Ended, settle, settleAcknowledged } from "../core/outbox/deliveries/deliveries.ts";
import type { ConcurrencyLimits } from "./concurrency-limits.ts";
import type { DeliveryCounters } from "../core/outbox/deliveries/counters.ts";

/** Attempts that have ended, until it is written down how. */
export interface PendingResults {
  add(end: Ended): void;
  /**
   * Writes down at most so many of them. One that cannot be written is told, and attempted again when its
   * lease is over.
   */
  settle(most: number): Promise<void>;
  isEmpty(): boolean;
  /** Lets all of them be: whoever leads by now attempts them again. */
  drop(): void;
}

/** `report` is told of each that could not be written down. */
export function createPendingResults(
  core: Core,
  limits: ConcurrencyLimits,
  delaysMs: readonly number[],
  report: (err: unknown) => void,
  tally: DeliveryCounters,
): PendingResults {
  const ended: Ended[] = [];

  async function settleOne({ claim, outcome }: Ended): Promise<void> {
    try {
      const state = await core.db.write(() => settle(core, claim, outcome, delaysMs));
      if (state === "failed") tally.ended.failed++;
    } catch (err) {
      report(err);
    }
  }

  /**
   * All in a few statements; where that fails, each by itself, so that one takes none of the others with it.
   */
  async function settleTogether(acknowledged: readonly Ended[]): Promise<void> {
    if (acknowledged.length === 0) return;
    try {
      await core.db.write(() => settleAcknowledged(core, acknowledged));
    } catch {
      await Promise.all(acknowledged.map(settleOne));
    }
  }

  return {
    add: (end) => void ended.push(end),
    async settle(most) {
      const batch = ended.splice(0, most);
      // Before the write: claims that are in the same commit may have the place.
      for (const { claim, outcome } of batch) limits.ended(claim, outcome.failure === undefined);
      const [acknowledged, failed] = [isAcknowledged, isFailed].map((fits) => batch.filter(fits));
      await Promise.all([settleTogether(acknowledged ?? []), ...(failed ?? []).map(settleOne)]);
    },
    isEmpty: () => ended.length === 0,
    drop() {
      for (const { claim, outcome } of ended.splice(0)) limits.ended(claim, outcome.failure === undefined);
    },
  };
}

const isFailed = ({ outcome }: Ended): boolean => outcome.failure !== undefined;
const isAcknowledged = (end: Ended): boolean => !isFailed(end);
