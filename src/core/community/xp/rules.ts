/** An XP rule. The ledger stores the awarded points, so a changed rule applies only to new entries. */

export interface Rule {
  /** Description for the builder's ledger. */
  label: string;
  points: number;
  /**
   * Maximum number of points that a builder gets from this rule in one UTC day. The limit prevents flooding.
   * Unlimited if omitted.
   */
  dailyCap?: number;
  /**
   * Whether only other builders can award this rule. A builder's actions on their own content then award
   * nothing.
   */
  byOthers?: true;
  /** Whether the action makes the day count for the streak, even if the daily cap is reached. */
  isActivity?: true;
}

export const RULES = {
  "post.published": { label: "Published a post", points: 10, dailyCap: 50, isActivity: true },
  "reply.published": { label: "Replied to a post", points: 4, dailyCap: 40, isActivity: true },
  "like.received": { label: "Received a like", points: 2, dailyCap: 100, byOthers: true },
  "prompt.submitted": { label: "Shared a prompt", points: 15, dailyCap: 45, isActivity: true },
  "rating.received": {
    label: "Received a rating of 4 or 5 stars",
    points: 3,
    dailyCap: 60,
    byOthers: true,
  },
  "job.published": { label: "Published a job", points: 5, dailyCap: 25, isActivity: true },
  "streak.day": { label: "Continued a streak", points: 1 },
  "streak.7": { label: "Active 7 days in a row", points: 5 },
  "streak.30": { label: "Active 30 days in a row", points: 25 },
  "streak.100": { label: "Active 100 days in a row", points: 100 },
  "streak.365": { label: "Active 365 days in a row", points: 500 },
  // No action earns these two rules. Migration 0007 and the demo data write their entries.
  carried: { label: "XP from before this history began", points: 0 },
  "badge.given": { label: "Received a badge from the community", points: 0 },
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;

export function ruleOf(name: RuleName): Rule {
  return RULES[name];
}

/**
 * Maximum number of times that the same points can be earned again after being withdrawn. The limit prevents
 * repeated likes and unlikes from filling the ledger.
 */
export const TIMES_MAX = 5;

export interface Tier {
  level: number;
  /** Total XP at which the level begins. */
  from: number;
  /** Badge of the level. The first level has no badge. */
  badge: string;
}

const LEVELS = [
  { level: 1, from: 0, badge: "" },
  { level: 2, from: 100, badge: "apprentice" },
  { level: 3, from: 500, badge: "journeyman" },
  { level: 4, from: 1_500, badge: "artisan" },
  { level: 5, from: 5_000, badge: "master" },
  { level: 6, from: 12_000, badge: "grandmaster" },
] as const satisfies readonly Tier[];

/** Levels in ascending order. `xp.level_up` is recorded for every level except the first. */
export const TIERS: readonly Tier[] = LEVELS;
export type TierBadge = Exclude<(typeof LEVELS)[number]["badge"], "">;

/**
 * Badges besides the tier badges. A builder earns a badge when the badge's rule has awarded points this many
 * times. Withdrawn awards do not count.
 */
export const BADGES = [
  { badge: "first-post", rule: "post.published", times: 1 },
  { badge: "helper", rule: "reply.published", times: 50 },
  { badge: "prompt-smith", rule: "prompt.submitted", times: 10 },
  { badge: "streak-7", rule: "streak.7", times: 1 },
  { badge: "streak-30", rule: "streak.30", times: 1 },
  { badge: "streak-100", rule: "streak.100", times: 1 },
  { badge: "streak-365", rule: "streak.365", times: 1 },
] as const satisfies readonly { badge: string; rule: RuleName; times: number }[];

export type BadgeName = (typeof BADGES)[number]["badge"];

/**
 * Returns a builder's level and the next level, if any. The level is the highest level whose badge the
 * builder has earned, because a builder keeps levels when points are withdrawn.
 */
export function levelOf({ xp, badges }: { xp: number; badges: readonly string[] }): {
  tier: Tier;
  next: Tier | undefined;
} {
  const tier =
    TIERS.findLast(({ from, badge }) => xp >= from || badges.includes(badge)) ?? (TIERS[0] as Tier);
  return { tier, next: TIERS.find(({ level }) => level === tier.level + 1) };
}
