import { expect, test } from "bun:test";
import { trendOf, quantile } from "../bench/soak/slope.ts";
import { judge, samplesIn } from "../bench/soak/verdict.ts";

/** docs/threats.md#K10: how `bun run soak` judges its samples. */

const MINUTES = Array.from({ length: 50 }, (_, i) => i);
const ALLOWED = { share: 0.15, least: 16 };
/** Deterministic noise of up to ±10. */
const noise = (i: number): number => ((i * 7919) % 21) - 10;

test("reports a figure that grows, despite noise, and ignores figures that stay, fall or swing", () => {
  const grows = (samples: number[]): boolean => !trendOf(samples, ALLOWED).isFlat;
  expect(grows(MINUTES.map((i) => 200 + i))).toBe(true);
  expect(grows(MINUTES.map((i) => 200 + 0.8 * i + noise(i)))).toBe(true);
  expect(grows(MINUTES.map(() => 200))).toBe(false);
  expect(grows(MINUTES.map((i) => 200 + noise(i)))).toBe(false);
  expect(grows(MINUTES.map((i) => 200 - i))).toBe(false);
  // The size of a log that restarts whenever it reaches 32.
  expect(grows(MINUTES.map((i) => (i * 5) % 32))).toBe(false);
  // Exactly the allowed growth, and slightly more. The limit is a share of the median, and at least a fixed
  // amount.
  expect(grows(MINUTES.map((i) => 10 + (i * 15) / 49))).toBe(false);
  expect(grows(MINUTES.map((i) => 10 + (i * 17) / 49))).toBe(true);
  expect(grows(MINUTES.map((i) => 1000 + (i * 150) / 49))).toBe(false);
  expect(grows(MINUTES.map((i) => 1000 + (i * 170) / 49))).toBe(true);
});

test("ignores a few outliers, at either end", () => {
  const samples = MINUTES.map((i) => 200 + noise(i));
  for (const i of [20, 33, 46, 47, 48, 49]) samples[i] = 2000;
  expect(trendOf(samples, ALLOWED)).toMatchObject({ isFlat: true });
  expect(trendOf(samples, ALLOWED).last).toBeLessThan(220);
});

test("treats a single sample, or no sample, as flat", () => {
  expect(trendOf([7], ALLOWED)).toEqual({ first: 7, last: 7, growth: 0, isFlat: true });
  expect(trendOf([], ALLOWED)).toEqual({ first: 0, last: 0, growth: 0, isFlat: true });
  expect([quantile([3, 1, 2], 0.5), quantile([3, 1, 2], 0.99), quantile([], 0.5)]).toEqual([2, 3, 0]);
});

test("judges response times only by minutes with a low load, and other figures by all minutes", () => {
  // From minute 30, other programs use the machine.
  const samples = MINUTES.map((i) => ({
    "rss MiB": 100 + i,
    "read p99": i < 30 ? 10 : 900,
    load: i < 30 ? 1 : 9,
    waiting: i,
  }));
  const verdictOf = (loadMax: number) =>
    judge(samples, loadMax).map(({ name, samples: of, verdict }) => [name, of, verdict]);
  expect(verdictOf(4)).toEqual([
    ["rss MiB", 41, "GROWS"],
    ["read p99", 21, "flat"],
  ]);
  expect(verdictOf(10)[1]).toEqual(["read p99", 41, "GROWS"]);
  expect(verdictOf(0)[1]).toEqual(["read p99", 0, "too few samples"]);
});

test("reads the table that a run printed, whatever surrounds it", () => {
  const table = [
    "2026-11-22, 60 min",
    "| min | rss MiB | load |",
    "| --- | --- | --- |",
    "| 1 | 183 | 1.6 |",
    "| 2 | 184.5 | 0 |",
    "",
    "| figure | first third | worst |",
    "| rss MiB | 183 | 184 |",
    "| 3 | 18",
  ].join("\n");
  expect(samplesIn(table)).toEqual([
    { min: 1, "rss MiB": 183, load: 1.6 },
    { min: 2, "rss MiB": 184.5, load: 0 },
  ]);
  expect(samplesIn("nothing")).toEqual([]);
});
