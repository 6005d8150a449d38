import { MINUTE } from "./clock.ts";

/**
 * A tier of docs/contract.md#V8: sustained rate in requests per minute, and burst, the capacity of the
 * bucket.
 */
export interface RateTier {
  sustained: number;
  burst: number;
}

export type TierName = "anonymous" | "personal" | "oauth" | "enterprise";

/** Tiers of docs/contract.md#V8. The operator sets the enterprise tier (docs/contract.md#3.2). */
export const TIERS: Readonly<Record<Exclude<TierName, "enterprise">, RateTier>> = {
  anonymous: { sustained: 60, burst: 120 },
  personal: { sustained: 600, burst: 1200 },
  oauth: { sustained: 3000, burst: 6000 },
};

/** Returns how long an empty bucket of this tier takes to fill, in ms. */
export function refillMs(tier: RateTier): number {
  return (tier.burst / tier.sustained) * MINUTE;
}

/** A token bucket: the tokens that it held at `at` (elapsed ms of the clock). */
export interface Bucket {
  tokens: number;
  at: number;
}

export interface Charge {
  bucket: Bucket;
  allowed: boolean;
  /** Number of whole tokens left in the bucket. */
  remaining: number;
  /** Milliseconds until the bucket is full again. */
  fullInMs: number;
  /** Milliseconds until a token is available; 0 when one is available now. */
  retryInMs: number;
}

/**
 * Takes `cost` tokens from a bucket. The bucket refills at the sustained rate up to its burst. A negative
 * cost returns tokens. A new caller starts with a full bucket. A refused request costs nothing, so waiting
 * `retryInMs` is always enough.
 */
export function charge(bucket: Bucket | undefined, tier: RateTier, elapsed: number, cost = 1): Charge {
  const perMs = tier.sustained / MINUTE;
  const held = bucket
    ? Math.min(tier.burst, bucket.tokens + Math.max(0, elapsed - bucket.at) * perMs)
    : tier.burst;
  // Many small refills round down, but a wait of exactly `retryInMs` must be enough. So a shortage of a
  // ten-thousandth of a token is accepted, and the balance becomes negative. Without the negative balance, a
  // caller that is always slightly early would exceed the sustained rate.
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

/** Token buckets of many callers in bounded memory. */
export interface Limiter {
  /** Takes a token from the caller's bucket. `cost` 0 only reads, -1 returns a token. */
  charge(key: string, tier: RateTier, cost?: number): Charge;
}

const GENERATION_MAX_KEYS = 100_000;

/**
 * Keeps two generations of buckets. A bucket unused for `refillMs` is full again and equals a new one, so the
 * older generation is dropped as a whole. A flood of new callers ends a generation early instead of growing
 * it.
 */
export function createLimiter(elapsed: () => number, refillMs: number | (() => number)): Limiter {
  const dropAfterMs = typeof refillMs === "number" ? () => refillMs : refillMs;
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();
  let rotatedAt = elapsed();

  return {
    charge(key, tier, cost = 1) {
      const now = elapsed();
      if (now - rotatedAt >= dropAfterMs() || young.size >= GENERATION_MAX_KEYS) {
        old = now - rotatedAt >= 2 * dropAfterMs() ? new Map() : young;
        young = new Map();
        rotatedAt = now;
      }
      const taken = charge(young.get(key) ?? old.get(key), tier, now, cost);
      if (cost !== 0) young.set(key, taken.bucket);
      return taken;
    },
  };
}
