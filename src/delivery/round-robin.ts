import type { Core } from "../core/base/core.ts";
import { type Claim, claimDue, type Claimed } from "../core/outbox/deliveries/deliveries.ts";
import type { ConcurrencyLimits } from "./concurrency-limits.ts";

/** Round-robin over all endpoints with due deliveries, with the current position. */
export interface RoundRobin {
  /** Claims at most `most` due deliveries, starting at the current position. */
  claim(most: number): Promise<Claim[]>;
  /** Whether the last round found no due delivery and `markDirty` was not called since. */
  isQuiet(): boolean;
  /** Reports that an endpoint may have a due delivery that the current round no longer visits. */
  markDirty(): void;
  /** Start of the current round, in steady time. The round covers deliveries that were due at this time. */
  roundStartedAt(): number;
}

export function createRoundRobin(core: Core, limits: ConcurrencyLimits, attemptMs: number): RoundRobin {
  let after = "";
  let isQuiet = false;
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
        roundStartedAt = core.clock.steady();
      }
      const { claims, next } = await claimSome(most);
      after = next;
      if (claims.length > 0) isQuiet = false;
      return claims;
    },
    isQuiet: () => after === "" && isQuiet,
    markDirty: () => void (isQuiet = false),
    roundStartedAt: () => roundStartedAt,
  };
}
