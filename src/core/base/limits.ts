import { MINUTE } from "./clock.ts";

/**
 * docs/contract.md#V8: the sustained rate in requests per minute, and the burst that a rested caller may
 * spend at once.
 */
export interface RateTier {
  sustained: number;
  burst: number;
}

export type TierName = "anonymous" | "personal" | "oauth" | "enterprise";

/** The tiers of docs/contract.md#V8. Enterprise is the operator's to set (docs/contract.md#3.2). */
export const TIERS: Readonly<Record<Exclude<TierName, "enterprise">, RateTier>> = {
  anonymous: { sustained: 60, burst: 120 },
  personal: { sustained: 600, burst: 1200 },
  oauth: { sustained: 3000, burst: 6000 },
};

/** Milliseconds in which an empty bucket of this tier is full again. */
export function refillMs(tier: RateTier): number {
  return (tier.burst / tier.sustained) * MINUTE;
}

/** A token bucket at rest: how many tokens it held at `at` (the clock's elapsed ms). */
export interface Bucket {
  tokens: number;
  at: number;
}

export interface Charge {
  bucket: Bucket;
  allowed: boolean;
  /** Whole tokens left. */
  remaining: number;
  /** Milliseconds until the bucket is full again. */
  fullInMs: number;
  /** Milliseconds until one token is there; 0 when one is there now. */
  retryInMs: number;
}

/**
 * Takes `cost` tokens from a bucket that refills steadily, at the sustained rate, up to its capacity, the
 * burst; less than 0 gives back. A caller never seen starts full. A refused request costs nothing, so waiting
 * `retryInMs` always suffices.
 */
export function charge(bucket: Bucket | undefined, tier: RateTier, elapsed: number, cost = 1): Charge {
  const perMs = tier.sustained / MINUTE;
  const held = bucket
    ? Math.min(tier.burst, bucket.tokens + Math.max(0, elapsed - bucket.at) * perMs)
    : tier.burst;
  // A ten-thousandth is lent for the rounding of many small refills: a wait of exactly `retryInMs` must be
  // enough. It stays owed, or a caller who always comes that little too early would get more than the
  // sustained rate.
  const allowed = held + 1e-4 >= cost;
  const left = allowed ? Math.min(tier.burst, held - cost) : held;
  return {
    bucket: { tokens: left, at: elapsed },
    allowed,
    remaining: Math.max(0, Math.floor(left + 1e-4)),
    fullInMs: (tier.burst - left) / perMs,
    retryInMs: left + 1e-4 >= cost ? 0 : (cost - left) / perMs,
  };
}

/** Buckets of many callers in bounded memory. */
export interface Limiter {
  /** Takes a token of this caller's bucket; `cost` 0 only looks, -1 gives one back. */
  charge(key: string, tier: RateTier, cost?: number): Charge;
}

const GENERATION_MAX_KEYS = 100_000;

/**
 * Two generations of buckets: one untouched for as long as an empty one takes to fill (`refillMs`) is full
 * again and means the same as none, so the older generation is dropped whole. A flood of new callers turns
 * the generations early instead of growing them.
 */
export function createLimiter(elapsed: () => number, refillMs: number | (() => number)): Limiter {
  const restMs = typeof refillMs === "number" ? () => refillMs : refillMs;
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();
  let rotatedAt = elapsed();

  return {
    charge(key, tier, cost = 1) {
      const now = elapsed();
      if (now - rotatedAt >= restMs() || young.size >= GENERATION_MAX_KEYS) {
        old = now - rotatedAt >= 2 * restMs() ? new Map() : young;
        young = new Map();
        rotatedAt = now;
      }
      const taken = charge(young.get(key) ?? old.get(key), tier, now, cost);
      if (cost !== 0) young.set(key, taken.bucket);
      return taken;
    },
  };
}
