/** Rows that are CPU per request. */
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

/** Every row with its unit. Times are CPU time, user and system: it hardly depends on what else the machine does. */
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
  /** The suite of the baseline. */
  suite: { cpuSeconds: number; tests: number; note?: string };
  /** Rows that cost more than the baseline for a reason: their limit is counted from the ratio that was measured. */
  raised: Partial<Record<RowName, Raise>>;
}

export interface Raise {
  /** This tree ÷ baseline, as `bun run bench budget` printed it. */
  measured: number;
  /** The first commit with the cost. */
  commit: string;
  reason: string;
}

export interface Result {
  name: RowName;
  baseline: number;
  tree: number;
  /** Tree ÷ baseline. Where there were many turns it is the median of their ratios. */
  ratio: number;
}

export interface Verdict extends Result {
  limit: number;
  isOver: boolean;
}

/** How far a row may be above the baseline, or above the ratio to which it was raised. */
const ROOM = { cpu: 1.1, other: 1.05 } as const;

export function judge(results: readonly Result[], { raised }: Budgets): Verdict[] {
  return results.map((result) => {
    const room = UNITS[result.name].endsWith("CPU") ? ROOM.cpu : ROOM.other;
    const limit = (raised[result.name]?.measured ?? 1) * room;
    return { ...result, limit, isOver: !(result.ratio <= limit) };
  });
}
