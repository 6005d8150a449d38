// Tests docs/contract.md#V8, docs/contract.md#3.1 and docs/contract.md#3.4.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { MINUTE } from "../../src/core/base/clock.ts";
import {
  type Bucket,
  charge,
  createLimiter,
  refillMs,
  type RateTier,
  TIERS,
} from "../../src/core/base/limits.ts";

const tiers = fc.oneof(
  fc.constantFrom(...Object.values(TIERS), { sustained: 60_000, burst: 120_000 }),
  fc.record({ sustained: fc.integer({ min: 1, max: 5000 }), burst: fc.integer({ min: 1, max: 50 }) }),
);
/** Milliseconds between two requests. Fractions occur with the real clock. */
const gaps = fc.oneof(
  fc.constant(0),
  fc.double({ min: 0, max: 3, noNaN: true }),
  fc.integer({ min: 0, max: 5000 }),
  fc.double({ min: 0, max: 200_000, noNaN: true }),
);

test("rate limits per tier match the table of the specification", () => {
  expect(TIERS).toEqual({
    anonymous: { sustained: 60, burst: 120 },
    personal: { sustained: 600, burst: 1200 },
    oauth: { sustained: 3000, burst: 6000 },
  });
});

test("a bucket never exceeds burst + rate × time in any interval, and always serves the requests that Remaining promises", () => {
  fc.assert(
    fc.property(tiers, fc.array(gaps, { minLength: 1, maxLength: 300 }), (tier, waits) => {
      let bucket: Bucket | undefined;
      let now = 1000;
      let promised: number | undefined;
      const passedAt: number[] = [];
      for (const wait of waits) {
        now += wait;
        const taken = charge(bucket, tier, now);
        bucket = taken.bucket;
        if (taken.allowed) passedAt.push(now);
        if (promised !== undefined && promised > 0) expect(taken.allowed).toBe(true);
        promised = taken.remaining;
        expect(taken.remaining).toBeGreaterThanOrEqual(0);
        expect(taken.remaining).toBeLessThan(tier.burst);
        expect(taken.fullInMs).toBeLessThanOrEqual(refillMs(tier) * 1.001);
      }
      // Checks each interval from an allowed request to the last allowed request.
      const until = passedAt.at(-1) ?? 0;
      for (const [before, from] of passedAt.entries()) {
        const most = tier.burst + ((until - from) * tier.sustained) / MINUTE;
        expect(passedAt.length - before).toBeLessThanOrEqual(Math.floor(most + 0.001));
      }
    }),
    { numRuns: 300 },
  );
});

test("a caller that retries exactly on time, or slightly too early, never exceeds the sustained rate", () => {
  for (const tier of [...Object.values(TIERS), { sustained: 7, burst: 3 }, { sustained: 59_999, burst: 1 }]) {
    for (const early of [0, 0.00005, 0.0001, 0.00011]) {
      let bucket: Bucket | undefined;
      let now = 0;
      let passed = 0;
      for (let i = 0; i < 60_000; i++) {
        const taken = charge(bucket, tier, now);
        bucket = taken.bucket;
        if (taken.allowed) passed++;
        now += Math.max(0, taken.retryInMs - (early * MINUTE) / tier.sustained);
      }
      expect(passed).toBeLessThanOrEqual(Math.floor(tier.burst + (now * tier.sustained) / MINUTE + 0.001));
    }
  }
});

test("a retry succeeds after retryInMs and fails slightly earlier", () => {
  fc.assert(
    fc.property(tiers, fc.array(gaps, { maxLength: 100 }), (tier, waits) => {
      let bucket: Bucket | undefined;
      let now = 1000;
      for (const wait of waits) {
        now += wait;
        let taken = charge(bucket, tier, now);
        while (taken.allowed) taken = charge(taken.bucket, tier, now);
        expect(taken.retryInMs).toBeGreaterThan(0);
        // The time in which a thousandth of a token refills.
        const little = MINUTE / tier.sustained / 1000;
        expect(taken.retryInMs).toBeLessThanOrEqual(1001 * little);
        if (taken.retryInMs > little) {
          expect(charge(taken.bucket, tier, now + taken.retryInMs - little).allowed).toBe(false);
        }
        const after = charge(taken.bucket, tier, now + taken.retryInMs);
        expect(after.allowed).toBe(true);
        // A client that waits for the rounded-up Retry-After is allowed too.
        expect(charge(taken.bucket, tier, now + Math.ceil(taken.retryInMs / 1000) * 1000).allowed).toBe(true);
        bucket = after.bucket;
        now += taken.retryInMs;
      }
    }),
    { numRuns: 100 },
  );
});

test("a bucket is full after fullInMs", () => {
  fc.assert(
    fc.property(tiers, fc.integer({ min: 1, max: 60 }), (tier, count) => {
      let taken = charge(undefined, tier, 0);
      for (let i = 1; i < Math.min(count, tier.burst); i++) taken = charge(taken.bucket, tier, 0);
      expect(charge(taken.bucket, tier, taken.fullInMs).remaining).toBe(tier.burst - 1);
    }),
  );
});

test("a limiter keeps bounded memory for a million callers and still refuses the exhausted caller", () => {
  const tier: RateTier = TIERS.anonymous;
  const limiter = createLimiter(() => 5000, refillMs(tier));
  for (let i = 0; i < tier.burst; i++) expect(limiter.charge("drained", tier).allowed).toBe(true);
  Bun.gc(true);
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 1_000_000; i++) {
    limiter.charge(`203.0.113.${i}`, tier);
    if (i % 50_000 === 0) expect(limiter.charge("drained", tier).allowed).toBe(false);
  }
  Bun.gc(true);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024);
  expect(limiter.charge("drained", tier).allowed).toBe(false);
});

test("a limiter drops a bucket only when it is full again", () => {
  let now = 0;
  const tier: RateTier = TIERS.anonymous;
  const limiter = createLimiter(() => now, refillMs(tier));
  for (let drained = 0; drained < 20; drained++) {
    const key = `caller ${drained}`;
    now += 7001 * drained;
    for (let i = 0; i < tier.burst; i++) expect(limiter.charge(key, tier).allowed).toBe(true);
    for (let wait = 1000; wait <= 100_000; wait += 9000) {
      now += 9000;
      limiter.charge("somebody else", tier);
    }
    const back = limiter.charge(key, tier, 0).remaining;
    expect([key, back]).toEqual([key, 108]); // 12 × 9 s
    now += refillMs(tier);
  }
});

test("a clock set back neither drains nor refills a bucket", () => {
  const tier = { sustained: 60, burst: 10 };
  const first = charge(undefined, tier, 10_000);
  const back = charge(first.bucket, tier, 4000);
  expect([first.remaining, back.remaining]).toEqual([9, 8]);
});

test("a returned token can be taken again, and a bucket never exceeds its burst", () => {
  const tier = { sustained: 60, burst: 3 };
  const limiter = createLimiter(() => 0, refillMs(tier));
  for (let round = 0; round < 10; round++) {
    expect(limiter.charge("a", tier).remaining).toBe(2);
    expect(limiter.charge("a", tier, -1).remaining).toBe(3);
  }
  expect(limiter.charge("a", tier, -1).remaining).toBe(3);
  const taken = Array.from({ length: 4 }, () => limiter.charge("a", tier).allowed);
  expect(taken).toEqual([true, true, true, false]);
});
