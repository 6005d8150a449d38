/**
 * How many values lay below each of some bounds, and their sum: what Prometheus calls a histogram. Plain
 * data, so that a thread can tell it to another.
 */
export interface Digest {
  /** Ascending. What is above the last one is counted too. */
  readonly bounds: readonly number[];
  /**
   * One for each bound, of what lay below it and not below the one before, and one for what lay above all.
   */
  readonly counts: number[];
  sum: number;
}

export function newDigest(bounds: readonly number[]): Digest {
  return { bounds, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
}

export function note(digest: Digest, value: number): void {
  const { bounds, counts } = digest;
  let place = 0;
  while (place < bounds.length && value > (bounds[place] ?? 0)) place++;
  counts[place] = (counts[place] ?? 0) + 1;
  digest.sum += value;
}

export function countOf({ counts }: Digest): number {
  return counts.reduce((all, count) => all + count, 0);
}

/** All of them as one; they have the same bounds. */
export function joined(bounds: readonly number[], digests: Iterable<Digest>): Digest {
  const all = newDigest(bounds);
  for (const { counts, sum } of digests) {
    counts.forEach((count, place) => (all.counts[place] = (all.counts[place] ?? 0) + count));
    all.sum += sum;
  }
  return all;
}

/**
 * What was noted in `digest` after `before`, a copy of it that was made earlier: for a figure of each hour.
 */
export function since(digest: Digest, before: Digest): Digest {
  return {
    bounds: digest.bounds,
    counts: digest.counts.map((count, place) => count - (before.counts[place] ?? 0)),
    sum: digest.sum - before.sum,
  };
}

/**
 * The value that the part `share` of all lies below, as far as the bounds tell it: between two of them it is
 * taken to grow evenly, and of what lies above the last one no more is known than that. Undefined where
 * nothing was noted.
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
