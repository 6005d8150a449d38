/** Rows that measure CPU time per request. */
export const REQUEST_ROWS = [
  "feed",
  "tag",
  "one post",
  "job search",
  "GraphQL page",
  "member's front page",
  "create",
] as const;
export type RequestRow = (typeof REQUEST_ROWS)[number];

/**
 * Every row with its unit. Times are CPU time (user and system), which other work on the machine hardly
 * changes.
 */
export const UNITS = {
  feed: "µs of CPU",
  tag: "µs of CPU",
  "one post": "µs of CPU",
  create: "µs of CPU",
  "job search": "µs of CPU",
  "GraphQL page": "µs of CPU",
  "member's front page": "µs of CPU",
  start: "ms of CPU",
  "memory at rest": "MiB",
  "bytes of the front page": "bytes",
  "binary size": "MB",
  suite: "s of CPU",
  tests: "tests",
} as const;
export type RowName = keyof typeof UNITS;

/** The content of bench/budget.json. */
export interface Budgets {
  /** The commit that this tree is compared with. */
  baseline: string;
  /**
   * The cost of the test suite at the baseline. `feedUs` is the CPU time of a feed request on the machine
   * that measured `cpuSeconds`. The ratio of feed times corrects for machines of different speed.
   */
  suite: { cpuSeconds: number; feedUs: number; tests: number; note?: string };
  /**
   * Rows that cost more than the baseline for a known reason. Their limit is relative to the measured ratio.
   */
  raised: Partial<Record<RowName, Raise>>;
}

export interface Raise {
  /** Cost of this tree divided by the cost of the baseline, as `bun run bench budget` printed it. */
  measured: number;
  /** The first commit with the higher cost. */
  commit: string;
  reason: string;
}

export interface Result {
  name: RowName;
  baseline: number;
  tree: number;
  /**
   * Cost of this tree divided by the cost of the baseline. If a row has many measurements, the ratio is the
   * median of all measured ratios.
   */
  ratio: number;
}

export interface Verdict extends Result {
  limit: number;
  isOver: boolean;
}

/** Allowed factor between a row and the baseline, or between a row and its raised ratio. */
const ALLOWANCE = { cpu: 1.1, other: 1.05 } as const;
/**
 * The suite is measured only once, so its limit is wider. On one day, the same tree measured 1.12 and 1.35
 * times the baseline.
 */
const SUITE_ALLOWANCE = 1.25;

export function judge(results: readonly Result[], { raised }: Budgets): Verdict[] {
  return results.map((result) => {
    const room = allowanceOf(result.name);
    const limit = (raised[result.name]?.measured ?? 1) * room;
    return { ...result, limit, isOver: !(result.ratio <= limit) };
  });
}

function allowanceOf(name: RowName): number {
  if (name === "suite") return SUITE_ALLOWANCE;
  return UNITS[name].endsWith("CPU") ? ALLOWANCE.cpu : ALLOWANCE.other;
}
