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

/**
 * Every row with its unit. Times are CPU time, user and system: it hardly depends on what else the machine
 * does.
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
   * The suite of the baseline. Machines differ in speed, so its seconds count for one on which the baseline
   * takes `feedUs` for a feed request.
   */
  suite: { cpuSeconds: number; feedUs: number; tests: number; note?: string };
  /**
   * Rows that cost more than the baseline for a reason: their limit is counted from the ratio that was
   * measured.
   */
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
/** The suite is not measured in turns: the same tree measured 1.12 and 1.35 of the baseline in one day. */
const SUITE_ROOM = 1.25;

export function judge(results: readonly Result[], { raised }: Budgets): Verdict[] {
  return results.map((result) => {
    const room = roomOf(result.name);
    const limit = (raised[result.name]?.measured ?? 1) * room;
    return { ...result, limit, isOver: !(result.ratio <= limit) };
  });
}

function roomOf(name: RowName): number {
  if (name === "suite") return SUITE_ROOM;
  return UNITS[name].endsWith("CPU") ? ROOM.cpu : ROOM.other;
}
