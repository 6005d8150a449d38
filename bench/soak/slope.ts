/** How a figure changed over the samples: whether it stays, or grows as a leak does. */
export interface Course {
  /** The medians of its first and its last third. */
  first: number;
  last: number;
  /** What it grew from the first sample to the last, by the middle one of all slopes between two samples. */
  growth: number;
  isFlat: boolean;
}

/** What it may grow, as a share of its median, and at least in its own unit. */
export interface Allowed {
  share: number;
  least: number;
}

/**
 * By Theil and Sen: one sample in four may be anything, such as a minute in which something else had the
 * machine. What falls is flat.
 */
export function courseOf(samples: readonly number[], { share, least }: Allowed): Course {
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

/** The value below which this share of them lies; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function middle(values: readonly number[]): number {
  return quantile(values, 0.5);
}
