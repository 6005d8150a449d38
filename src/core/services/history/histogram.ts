import { type Digest, newDigest, quantile } from "../../base/digest.ts";

/** How many took so many seconds at most, and more than by the bound before: `{"0.001":20,"+Inf":1}`. */
export type Histogram = Readonly<Record<string, number>>;

/** For what took longer than the longest bound. */
const ABOVE = "+Inf";

export function histogramOf(digests: readonly Digest[]): Histogram {
  return digests.reduce<Histogram>((all, { bounds, counts }) => {
    const own = Object.fromEntries(counts.map((count, place) => [String(bounds[place] ?? ABOVE), count]));
    return addHistograms(all, own);
  }, {});
}

export function addHistograms(some: Histogram, more: Histogram): Histogram {
  const sum: Record<string, number> = { ...some };
  for (const [bound, count] of Object.entries(more)) sum[bound] = (sum[bound] ?? 0) + count;
  return sum;
}

/** What of `later` was not there before. */
export function differenceOf(later: Histogram, earlier: Histogram): Histogram {
  return Object.fromEntries(
    Object.entries(later).map(([bound, count]) => [bound, count - (earlier[bound] ?? 0)]),
  );
}

export function countOf(times: Histogram): number {
  return Object.values(times).reduce((sum, count) => sum + count, 0);
}

/**
 * The milliseconds that a share of them, 0–1, did not exceed, as exactly as the bounds tell; null where there
 * are none.
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
