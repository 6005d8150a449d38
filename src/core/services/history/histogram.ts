import { type Digest, newDigest, quantile } from "../../base/digest.ts";

/**
 * Numbers of durations by upper bound in seconds: `{"0.001":20,"+Inf":1}`. Each duration is counted once, at
 * the lowest bound that it does not exceed.
 */
export type Histogram = Readonly<Record<string, number>>;

/** Key for durations above the largest bound. */
const ABOVE = "+Inf";

export function histogramOf(digests: readonly Digest[]): Histogram {
  return digests.reduce<Histogram>((all, { bounds, counts }) => {
    const own = Object.fromEntries(counts.map((count, index) => [String(bounds[index] ?? ABOVE), count]));
    return addHistograms(all, own);
  }, {});
}

export function addHistograms(some: Histogram, more: Histogram): Histogram {
  const sum: Record<string, number> = { ...some };
  for (const [bound, count] of Object.entries(more)) sum[bound] = (sum[bound] ?? 0) + count;
  return sum;
}

/** Subtracts the counts of `earlier` from the counts of `later`. */
export function differenceOf(later: Histogram, earlier: Histogram): Histogram {
  return Object.fromEntries(
    Object.entries(later).map(([bound, count]) => [bound, count - (earlier[bound] ?? 0)]),
  );
}

export function countOf(times: Histogram): number {
  return Object.values(times).reduce((sum, count) => sum + count, 0);
}

/**
 * Returns the duration in ms that the given share (0–1) of the durations does not exceed. The result is as
 * precise as the bounds allow. Returns null for an empty histogram.
 */
export function percentile(times: Histogram, share: number): number | null {
  const bounds = Object.keys(times)
    .filter((bound) => bound !== ABOVE)
    .map(Number)
    .sort((a, b) => a - b);
  const digest = newDigest(bounds);
  digest.counts.splice(0, Infinity, ...bounds.map((bound) => times[bound] ?? 0), times[ABOVE] ?? 0);
  const seconds = quantile(digest, share);
  return seconds === undefined ? null : Number((seconds * 1000).toPrecision(3));
}
