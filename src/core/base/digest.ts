/**
 * A histogram as in Prometheus: counts of values per bucket, and their sum. Plain data, so that threads can
 * send it to each other.
 */
export interface Digest {
  /** Upper bounds in ascending order. Values above the last bound are counted too. */
  readonly bounds: readonly number[];
  /** Values per bucket, plus one count for values above the last bound. */
  readonly counts: number[];
  sum: number;
}

export function newDigest(bounds: readonly number[]): Digest {
  return { bounds, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
}

export function observe(digest: Digest, value: number): void {
  const { bounds, counts } = digest;
  let bucket = 0;
  while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket++;
  counts[bucket] = (counts[bucket] ?? 0) + 1;
  digest.sum += value;
}

export function countOf({ counts }: Digest): number {
  return counts.reduce((all, count) => all + count, 0);
}

/** Merges digests with the same bounds. */
export function mergeDigests(bounds: readonly number[], digests: Iterable<Digest>): Digest {
  const all = newDigest(bounds);
  for (const { counts, sum } of digests) {
    counts.forEach((count, bucket) => (all.counts[bucket] = (all.counts[bucket] ?? 0) + count));
    all.sum += sum;
  }
  return all;
}

/**
 * Estimates a quantile; `share` is between 0 and 1. Interpolates linearly within a bucket. Returns the last
 * bound for values above that bound, and undefined for an empty digest.
 */
export function quantile(digest: Digest, share: number): number | undefined {
  const wanted = share * countOf(digest);
  if (wanted === 0) return undefined;
  let below = 0;
  for (const [place, upper] of digest.bounds.entries()) {
    const count = digest.counts[place] ?? 0;
    if (count > 0 && below + count >= wanted) {
      const lower = digest.bounds[place - 1] ?? 0;
      return lower + (upper - lower) * ((wanted - below) / count);
    }
    below += count;
  }
  return digest.bounds.at(-1);
}
