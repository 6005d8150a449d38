import { authenticate } from "../core/access/access.ts";
import type { Caller } from "../core/access/caller.ts";
import type { Core } from "../core/core.ts";
import { CoreError } from "../core/errors.ts";
import { type Charge, createLimiter, refillMs, type Tier, TIERS, type TierName } from "../core/limits.ts";

/** Who asks, and how much they may ask: the token buckets of all callers. */
export interface Meter {
  /** The caller behind an `Authorization` header; undefined without valid credentials. */
  callerOf(authorization: string | null, address: () => string): Caller | undefined;
  /** Takes one token of the caller's bucket, or of the address's; none where the request is free. */
  charge(caller: Caller | undefined, address: () => string, isFree: boolean): Charge;
  /** The three rate headers (CONTRACT «Rate limits»). */
  show(headers: Record<string, string>, caller: Caller | undefined, taken: Charge): void;
}

export function createMeter(core: Core, enterprise: Tier): Meter {
  const tiers: Readonly<Record<TierName, Tier>> = { ...TIERS, enterprise };
  const slowest = Math.max(...Object.values(tiers).map(refillMs));
  const callers = createLimiter(core.clock.elapsed, slowest);
  const strangers = createLimiter(core.clock.elapsed, slowest);
  /** A well-formed token that nobody has is a guess: guesses have a bucket of their own, looked at before the database. */
  const guesses = createLimiter(core.clock.elapsed, slowest);

  return {
    callerOf(authorization, address) {
      const token = authorization === null ? undefined : bearerToken(authorization);
      if (token === undefined) return undefined;
      let wasLookedUp = false;
      const caller = authenticate(core, token, () => {
        wasLookedUp = guesses.charge(address(), tiers.anonymous, 0).remaining > 0;
        return wasLookedUp;
      });
      if (!caller && wasLookedUp) guesses.charge(address(), tiers.anonymous);
      return caller;
    },
    charge(caller, address, isFree) {
      const cost = isFree ? 0 : 1;
      return caller
        ? callers.charge(`${caller.builderId} ${caller.tier}`, tiers[caller.tier], cost)
        : strangers.charge(address(), tiers.anonymous, cost);
    },
    show(headers, caller, taken) {
      headers["x-ratelimit-limit"] = String(tiers[caller?.tier ?? "anonymous"].burst);
      headers["x-ratelimit-remaining"] = String(taken.remaining);
      headers["x-ratelimit-reset"] = String(Math.ceil((core.clock.now() + taken.fullInMs) / 1000));
    },
  };
}

/** Whole seconds after which a refused request succeeds, at least 1. */
export function retryAfterSeconds(taken: Charge): number {
  return Math.max(1, Math.ceil(taken.retryInMs / 1000));
}

export function rateLimited(seconds: number): CoreError {
  return new CoreError(
    "rate_limited",
    `Too many requests; wait ${seconds} second${seconds > 1 ? "s" : ""} (Retry-After).`,
  );
}

/** RFC 6750 §2.1. The scheme's case does not matter (RFC 9110 §11.1); the token's does. */
function bearerToken(authorization: string): string | undefined {
  return /^bearer ([^\s,]+)$/i.exec(authorization)?.[1];
}
