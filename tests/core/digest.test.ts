import { expect, test } from "bun:test";
import { countOf, mergeDigests, newDigest, observe, quantile } from "../../src/core/base/digest.ts";

test("counts a value under the first bound that is not below it, and larger values in an extra bucket", () => {
  const digest = newDigest([1, 2, 5]);
  for (const value of [0, 1, 1.5, 2, 5, 5.1, 100]) observe(digest, value);
  expect(digest.counts).toEqual([2, 2, 1, 2]);
  expect(digest.sum).toBeCloseTo(114.6);
  expect(countOf(digest)).toBe(7);
});

test("interpolates a quantile between the bounds", () => {
  const digest = newDigest([1, 2, 4]);
  expect(quantile(digest, 0.99)).toBeUndefined();
  for (let i = 0; i < 50; i++) observe(digest, 0.5);
  for (let i = 0; i < 50; i++) observe(digest, 3);
  expect(quantile(digest, 0.25)).toBe(0.5);
  expect(quantile(digest, 0.5)).toBe(1);
  expect(quantile(digest, 0.75)).toBe(3);
  expect(quantile(digest, 1)).toBe(4);
  for (let i = 0; i < 900; i++) observe(digest, 1000);
  expect(quantile(digest, 0.99)).toBe(4);
});

test("merges several digests", () => {
  const [reads, writes] = [newDigest([1, 2]), newDigest([1, 2])];
  observe(reads, 0.5);
  observe(writes, 1.5);
  observe(writes, 7);
  const all = mergeDigests([1, 2], [reads, writes]);
  expect(all).toEqual({ bounds: [1, 2], counts: [1, 1, 1], sum: 9 });
});
