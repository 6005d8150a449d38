import { expect, test } from "bun:test";
import { courseOf, quantile } from "../bench/slope.ts";

/** What `bun run soak` says of its samples (docs/threats.md#K10). */

const MINUTES = Array.from({ length: 50 }, (_, i) => i);
const ALLOWED = { share: 0.15, least: 16 };
/** Up to ten more or less, the same each time. */
const noise = (i: number): number => ((i * 7919) % 21) - 10;

test("what grows with each sample is told, also under noise; what stays, falls or swings is flat", () => {
  const grows = (samples: number[]): boolean => !courseOf(samples, ALLOWED).isFlat;
  expect(grows(MINUTES.map((i) => 200 + i))).toBe(true);
  expect(grows(MINUTES.map((i) => 200 + 0.8 * i + noise(i)))).toBe(true);
  expect(grows(MINUTES.map(() => 200))).toBe(false);
  expect(grows(MINUTES.map((i) => 200 + noise(i)))).toBe(false);
  expect(grows(MINUTES.map((i) => 200 - i))).toBe(false);
  // A log that begins anew at 32.
  expect(grows(MINUTES.map((i) => (i * 5) % 32))).toBe(false);
  // As much as is allowed, and a little more: a share of the middle, and at least so much.
  expect(grows(MINUTES.map((i) => 10 + (i * 15) / 49))).toBe(false);
  expect(grows(MINUTES.map((i) => 10 + (i * 17) / 49))).toBe(true);
  expect(grows(MINUTES.map((i) => 1000 + (i * 150) / 49))).toBe(false);
  expect(grows(MINUTES.map((i) => 1000 + (i * 170) / 49))).toBe(true);
});

test("a few samples that are far off, at either end, say nothing", () => {
  const samples = MINUTES.map((i) => 200 + noise(i));
  for (const i of [20, 33, 46, 47, 48, 49]) samples[i] = 2000;
  expect(courseOf(samples, ALLOWED)).toMatchObject({ isFlat: true });
  expect(courseOf(samples, ALLOWED).last).toBeLessThan(220);
});

test("one sample, and none, have no course", () => {
  expect(courseOf([7], ALLOWED)).toEqual({ first: 7, last: 7, growth: 0, isFlat: true });
  expect(courseOf([], ALLOWED)).toEqual({ first: 0, last: 0, growth: 0, isFlat: true });
  expect([quantile([3, 1, 2], 0.5), quantile([3, 1, 2], 0.99), quantile([], 0.5)]).toEqual([2, 3, 0]);
});
