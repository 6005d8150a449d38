/**
 * What is worth how much, as data. The ledger keeps the points that it gave: a change here is for what comes
 * next, and what was earned before keeps its worth.
 */

export interface Rule {
  /** Why, in words for the builder who sees their ledger. */
  words: string;
  points: number;
  /**
   * At most so many points of this rule in one day (UTC), so that it does not pay to flood. Unbounded where
   * it is left out.
   */
  dailyCap?: number;
  /** Only others can give it: what builders do to their own things gives nothing. */
  byOthers?: true;
  /** Whoever does this was active today: it counts for the streak, also beyond the cap. */
  isActivity?: true;
}

export const RULES = {
  "post.published": { words: "Published a post", points: 10, dailyCap: 50, isActivity: true },
  "reply.published": { words: "Replied to a post", points: 4, dailyCap: 40, isActivity: true },
  "like.received": { words: "Received a like", points: 2, dailyCap: 100, byOthers: true },
  "prompt.submitted": { words: "Shared a prompt", points: 15, dailyCap: 45, isActivity: true },
  "rating.received": {
    words: "Received a rating of 4 or 5 stars",
    points: 3,
    dailyCap: 60,
    byOthers: true,
  },
  "job.published": { words: "Published a job", points: 5, dailyCap: 25, isActivity: true },
  "streak.day": { words: "Continued a streak", points: 1 },
  "streak.7": { words: "Active 7 days in a row", points: 5 },
  "streak.30": { words: "Active 30 days in a row", points: 25 },
  "streak.100": { words: "Active 100 days in a row", points: 100 },
  "streak.365": { words: "Active 365 days in a row", points: 500 },
  // The two that no act of today earns.
  carried: { words: "XP from before this history began", points: 0 },
  "badge.given": { words: "Received a badge from the community", points: 0 },
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;

export function ruleOf(name: RuleName): Rule {
  return RULES[name];
}

/**
 * So often can the same thing be earned, taken back and earned again. A like switched on and off all day
 * fills no ledger.
 */
export const TIMES_MAX = 5;

export interface Tier {
  level: number;
  /** The total that it begins at. */
  from: number;
  /** Earned with it; the first level has none. */
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

/** Ascending. `xp.level_up` tells of each level but the first. */
export const TIERS: readonly Tier[] = LEVELS;
export type TierBadge = Exclude<(typeof LEVELS)[number]["badge"], "">;

/** Beside those of the tiers: for having done something so often, with all of it still standing. */
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
 * The level of a builder, and the next one; undefined where there is none. Honours are kept where points are
 * taken back: it is the highest whose badge was earned.
 */
export function levelOf({ xp, badges }: { xp: number; badges: readonly string[] }): {
  tier: Tier;
  next: Tier | undefined;
} {
  const tier =
    TIERS.findLast(({ from, badge }) => xp >= from || badges.includes(badge)) ?? (TIERS[0] as Tier);
  return { tier, next: TIERS.find(({ level }) => level === tier.level + 1) };
}
