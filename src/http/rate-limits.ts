import { authenticate } from "../core/delegation/tokens/tokens.ts";
import { admitAccessToken, isUncachedAccessToken } from "../core/delegation/tokens/app-tokens.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import { RATE_FILL_MAX_MINUTES } from "../core/delegation/apps/app.ts";
import { MINUTE } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { refuseFor } from "../core/base/errors.ts";
import {
  type Charge,
  createLimiter,
  refillMs,
  type RateTier,
  TIERS,
  type TierName,
} from "../core/base/limits.ts";

/** Rate limits of all callers, as token buckets. */
export interface RateLimits {
  /**
   * Returns the caller of an `Authorization` header, or `undefined` without valid credentials. Returns a
   * promise only for an app token that was not seen before, because its signature must be verified. The
   * promise throws rate_limited if one address sends too many new tokens.
   */
  callerOf(
    authorization: string | null,
    address: () => string,
  ): Caller | undefined | Promise<Caller | undefined>;
  /**
   * Verifies the signature of an app token that was not seen before. Returns `undefined` for any other token.
   * Throws rate_limited like `callerOf`.
   */
  verify(authorization: string | null, address: () => string): Promise<unknown> | undefined;
  /**
   * Takes one token from the caller's bucket. Without a caller, takes the token from the bucket of the
   * client's IP address. A free request takes no token.
   */
  charge(caller: Caller | undefined, address: () => string, isFree: boolean): Charge;
  /** Refunds the token that an IP address paid for a request, because a caller now pays. */
  refund(address: () => string): void;
  /** Takes more tokens, for an admitted request that costs more than one token. */
  chargeMore(caller: Caller | undefined, address: () => string, extra: number): Charge;
  /** Sets the three rate headers (docs/contract.md#3.3). */
  setHeaders(headers: Record<string, string>, caller: Caller | undefined, charged: Charge): void;
}

export function createRateLimits(core: Core, rules: { readonly enterprise: RateTier }): RateLimits {
  const tiers: Readonly<Record<TierName, RateTier>> = {
    ...TIERS,
    get enterprise() {
      return rules.enterprise;
    },
  };
  const others = Math.max(RATE_FILL_MAX_MINUTES * MINUTE, ...Object.values(TIERS).map(refillMs));
  const slowest = (): number => Math.max(others, refillMs(rules.enterprise));
  const callers = createLimiter(core.clock.elapsed, slowest);
  const strangers = createLimiter(core.clock.elapsed, slowest);
  /**
   * Buckets for guessed tokens, by IP address. A well-formed but unknown token counts as a guess. The bucket
   * is checked before the database is read.
   */
  const guesses = createLimiter(core.clock.elapsed, slowest);

  return {
    callerOf(authorization, address) {
      const token = authorization === null ? undefined : bearerToken(authorization);
      if (token === undefined) return undefined;
      let wasLookedUp = false;
      if (isUncachedAccessToken(core, token)) return firstUse(token, address);
      const caller = authenticate(core, token, () => {
        wasLookedUp = guesses.charge(address(), tiers.anonymous, 0).remaining > 0;
        return wasLookedUp;
      });
      if (!caller && wasLookedUp) guesses.charge(address(), tiers.anonymous);
      return caller;
    },
    verify(authorization, address) {
      const token = authorization === null ? undefined : bearerToken(authorization);
      return token !== undefined && isUncachedAccessToken(core, token) ? firstUse(token, address) : undefined;
    },
    charge(caller, address, isFree) {
      const cost = isFree ? 0 : 1;
      return caller
        ? callers.charge(bucketOf(caller), tierOf(caller), cost)
        : strangers.charge(address(), tiers.anonymous, cost);
    },
    refund(address) {
      strangers.charge(address(), tiers.anonymous, -1);
    },
    chargeMore(caller, address, extra) {
      const tier = caller ? tierOf(caller) : tiers.anonymous;
      const take = (cost: number): Charge =>
        caller ? callers.charge(bucketOf(caller), tier, cost) : strangers.charge(address(), tier, cost);
      // Takes at most as many tokens as the bucket can hold.
      const cost = Math.min(extra, tier.burst - 1);
      const charged = take(cost);
      // The client has to wait until it can also pay the first token of the retry.
      return charged.allowed ? charged : take(cost + 1);
    },
    setHeaders(headers, caller, charged) {
      headers["x-ratelimit-limit"] = String((caller ? tierOf(caller) : tiers.anonymous).burst);
      headers["x-ratelimit-remaining"] = String(charged.remaining);
      headers["x-ratelimit-reset"] = String(Math.ceil((core.clock.now() + charged.fullInMs) / 1000));
    },
  };

  /**
   * Authenticates an app token that was not seen before. Charges before the signature is verified, so that
   * concurrent guesses are limited too. Refunds a valid token. Over the limit a token may still be valid, so
   * the response is rate_limited instead of unauthorized.
   */
  async function firstUse(token: string, address: () => string): Promise<Caller | undefined> {
    const charged = guesses.charge(address(), tiers.anonymous);
    if (!charged.allowed) throw refuseFor("too_many_new_tokens", charged.retryInMs);
    if (!(await admitAccessToken(core, token))) return undefined;
    guesses.charge(address(), tiers.anonymous, -1);
    return authenticate(core, token, () => false);
  }

  function tierOf({ rate, tier }: Caller): RateTier {
    return rate ?? tiers[tier];
  }
}

/** Returns the key of a caller's bucket. A member and each app of the member have separate buckets. */
function bucketOf({ builderId, appId, tier }: Caller): string {
  return `${builderId} ${appId ?? ""} ${tier}`;
}

/**
 * Parses a bearer token (RFC 6750 §2.1). The scheme is case-insensitive (RFC 9110 §11.1), but the token is
 * not.
 */
function bearerToken(authorization: string): string | undefined {
  return /^bearer ([^\s,]+)$/i.exec(authorization)?.[1];
}
