/** How a figure changed over the samples: whether it is stable or grows like a leak. */
export interface Trend {
  /** The medians of the first and the last third of the samples. */
  first: number;
  last: number;
  /**
   * Growth from the first to the last sample, computed from the median of the slopes between all pairs of
   * samples.
   */
  growth: number;
  isFlat: boolean;
}

/** Allowed growth: a share of the median, but at least `least` in the figure's unit. */
export interface SlopeLimits {
  share: number;
  least: number;
}

/**
 * Computes the trend with the Theil–Sen estimator. One sample in four can be an outlier, such as a minute in
 * which other work kept the machine busy. A falling figure counts as flat.
 */
export function trendOf(samples: readonly number[], { share, least }: SlopeLimits): Trend {
  const slopes = samples.flatMap((from, i) =>
    samples.slice(i + 1).map((to, further) => (to - from) / (further + 1)),
  );
  const growth = middle(slopes) * Math.max(0, samples.length - 1);
  const third = Math.max(1, Math.floor(samples.length / 3));
  return {
    first: middle(samples.slice(0, third)),
    last: middle(samples.slice(-third)),
    growth,
    isFlat: growth <= Math.max(least, share * middle(samples)),
  };
}

/** Returns the value below which `share` of the values are. Returns 0 if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function middle(values: readonly number[]): number {
  return quantile(values, 0.5);
}
