import type { Core } from "../core/base/core.ts";
import { type Ended, settle, settleAcknowledged } from "../core/outbox/deliveries/deliveries.ts";
import type { ConcurrencyLimits } from "./concurrency-limits.ts";
import type { DeliveryCounters } from "../core/outbox/deliveries/counters.ts";

/** Results of ended attempts that are not stored yet. */
export interface PendingResults {
  add(end: Ended): void;
  /**
   * Stores at most `most` results. If a result cannot be stored, the error is reported. The attempt is then
   * repeated when its lease expires.
   */
  settle(most: number): Promise<void>;
  isEmpty(): boolean;
  /** Drops all results. The new leader repeats the attempts. */
  discard(): void;
}

/** Creates the list of pending results. Calls `report` for each result that could not be stored. */
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
   * Stores all results in a few statements. If that fails, stores each result separately, so that one bad
   * result does not block the others.
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
      // Free the slots before the write, so that claims in the same commit can use them.
      for (const { claim, outcome } of batch) limits.finish(claim, outcome.failure === undefined);
      const [acknowledged, failed] = [isAcknowledged, isFailed].map((fits) => batch.filter(fits));
      await Promise.all([settleTogether(acknowledged ?? []), ...(failed ?? []).map(settleOne)]);
    },
    isEmpty: () => ended.length === 0,
    discard() {
      for (const { claim, outcome } of ended.splice(0)) limits.finish(claim, outcome.failure === undefined);
    },
  };
}

const isFailed = ({ outcome }: Ended): boolean => outcome.failure !== undefined;
const isAcknowledged = (end: Ended): boolean => !isFailed(end);
