import type { Core } from "../core/base/core.ts";
import { type Claim, claimDue, type Claimed } from "../core/outbox/deliveries/deliveries.ts";
import type { ConcurrencyLimits } from "./concurrency-limits.ts";

/** The endpoints in their order, and how far the loop has come around. */
export interface RoundRobin {
  /** Claims at most so many of what is due, from where it stands on. */
  claim(most: number): Promise<Claim[]>;
  /** Whether the last time around found nothing, and nobody has been told of anything since. */
  isQuiet(): boolean;
  /** Something may be due that was passed by. */
  disturb(): void;
  /** What was due by then has been looked at this time around; what fell due since has not. */
  lookedFrom(): number;
}

export function createRoundRobin(core: Core, limits: ConcurrencyLimits, attemptMs: number): RoundRobin {
  let after = "";
  let isQuiet = false;
  let lookedFrom = core.clock.steady();

  /** A place that was taken by a claim that is not stored is given back. */
  async function claimSome(most: number): Promise<Claimed> {
    const taken: Claim[] = [];
    const take = (claim: Claim): void => {
      limits.begun(claim);
      taken.push(claim);
    };
    try {
      return await core.db.write(() => claimDue(core, most, after, { of: limits.roomOf, take }, attemptMs));
    } catch (error) {
      for (const claim of taken) limits.ended(claim, undefined);
      throw error;
    }
  }

  return {
    async claim(most) {
      if (after === "") {
        isQuiet = true;
        lookedFrom = core.clock.steady();
      }
      const { claims, next } = await claimSome(most);
      after = next;
      if (claims.length > 0) isQuiet = false;
      return claims;
    },
    isQuiet: () => after === "" && isQuiet,
    disturb: () => void (isQuiet = false),
    lookedFrom: () => lookedFrom,
  };
}
