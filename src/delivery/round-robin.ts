import type { Core } from "../core/base/core.ts";
import { type Claim, claimDue, type Claimed } from "../core/outbox/deliveries/deliveries.ts";
import type { ConcurrencyLimits } from "./concurrency-limits.ts";

/** Round-robin over all endpoints with due deliveries, with the current position. */
export interface RoundRobin {
  /** Claims at most `most` due deliveries, starting at the current position. */
  claim(most: number): Promise<Claim[]>;
  /**
   * Whether another claim would find nothing: the last round left no due delivery that could be claimed, and
   * `markDirty` was not called since.
   */
  isQuiet(): boolean;
  /** Reports that an endpoint may have a due delivery that the current round no longer visits. */
  markDirty(): void;
  /** Reports that an attempt has ended, so its slot is free for a delivery that had none. */
  noteFreeSlot(): void;
  /** Start of the current round, in steady time. The round covers deliveries that were due at this time. */
  roundStartedAt(): number;
}

export function createRoundRobin(core: Core, limits: ConcurrencyLimits, attemptMs: number): RoundRobin {
  let after = "";
  let isQuiet = false;
  /** Whether a limit may have left due deliveries of this round unclaimed. */
  let isHeldBack = false;
  let roundStartedAt = core.clock.steady();

  /** Claims due deliveries. If the claims cannot be stored, frees their slots. */
  async function claimSome(most: number): Promise<Claimed> {
    const claimed: Claim[] = [];
    const take = (claim: Claim): void => {
      limits.start(claim);
      claimed.push(claim);
    };
    try {
      return await core.db.write(() =>
        claimDue(core, most, after, { freeSlotsFor: limits.freeSlotsFor, take }, attemptMs),
      );
    } catch (error) {
      for (const claim of claimed) limits.finish(claim, undefined);
      throw error;
    }
  }

  return {
    async claim(most) {
      if (after === "") {
        isQuiet = true;
        isHeldBack = false;
        roundStartedAt = core.clock.steady();
      }
      const claimed = await claimSome(most);
      after = claimed.next;
      isHeldBack ||= claimed.isHeldBack;
      // If nothing was claimed, the deliveries that are held back wait for a free slot.
      if (claimed.isHeldBack && claimed.claims.length > 0) isQuiet = false;
      return claimed.claims;
    },
    isQuiet: () => after === "" && isQuiet,
    markDirty: () => void (isQuiet = false),
    noteFreeSlot: () => void (isQuiet &&= !isHeldBack),
    roundStartedAt: () => roundStartedAt,
  };
}
