import { BADGES, type RuleName, type Tier, TIERS } from "./rules.ts";

/**
 * Reason of a ledger entry: earned by the rule, undone by the giver, hidden by moderators, or restored by
 * moderators.
 */
export type EntryReason = "earned" | "undone" | "hidden" | "restored";

/** The fields of a ledger entry that are needed to compute the totals. */
export interface LedgerEntry {
  rule: RuleName;
  subjectId: string;
  cause: EntryReason;
  points: number;
  /** Time of the entry, in ms since the epoch. */
  createdAt: number;
}

export interface LedgerTotals {
  total: number;
  /** The highest level ever reached. */
  level: number;
  /** Badges by name, with the time of award in ms since the epoch. */
  badges: ReadonlyMap<string, number>;
}

/**
 * Computes the totals of a ledger from its first entry to its last. If content is withdrawn, the points that
 * the content earned are withdrawn too. Levels and badges are kept, so that an unlike cannot take an award
 * away.
 */
export function totalsOf(entries: Iterable<LedgerEntry>): LedgerTotals {
  let total = 0;
  let level = 1;
  const times = new Map<RuleName, number>();
  const badges = new Map<string, number>();
  for (const { rule, subjectId, points, createdAt } of entries) {
    total += points;
    const standing = (times.get(rule) ?? 0) + Math.sign(points);
    times.set(rule, standing);
    const tiers = tiersReached(level, total);
    level = tiers.at(-1)?.level ?? level;
    const given = rule === "badge.given" ? [subjectId] : [];
    const earned = badgesOf(rule)
      .filter((one) => standing >= one.times)
      .map(({ badge }) => badge);
    for (const badge of [...tiers.map((tier) => tier.badge), ...given, ...earned]) {
      if (!badges.has(badge)) badges.set(badge, createdAt);
    }
  }
  return { total, level, badges };
}

/** Returns the tiers above `level` that a builder with `total` XP reaches, lowest first. */
export function tiersReached(level: number, total: number): Tier[] {
  return TIERS.filter((tier) => tier.level > level && total >= tier.from);
}

/** Returns the badges that a rule can earn. */
export function badgesOf(rule: RuleName) {
  return BADGES.filter((one) => one.rule === rule);
}
