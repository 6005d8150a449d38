import { BADGES, type RuleName, type Tier, TIERS } from "./rules.ts";

/**
 * Why an entry stands in the ledger: earned by the rule, undone by whoever gave it, hidden and restored by
 * moderators.
 */
export type EntryReason = "earned" | "undone" | "hidden" | "restored";

/** What the ledger's sums are made of. */
export interface LedgerEntry {
  rule: RuleName;
  subjectId: string;
  cause: EntryReason;
  points: number;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

export interface LedgerTotals {
  total: number;
  /** The highest level ever reached. */
  level: number;
  /** Each with when it was earned. */
  badges: ReadonlyMap<string, number>;
}

/**
 * All that follows from a ledger, read from its first entry to its last. Points are taken back when what
 * earned them is gone; levels and badges are kept: an honour was deserved when it was given, and nobody
 * should have to fear an unlike.
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

/** The tiers above a level that a total has come to, lowest first. */
export function tiersReached(level: number, total: number): Tier[] {
  return TIERS.filter((tier) => tier.level > level && total >= tier.from);
}

/** The badges that a rule can earn. */
export function badgesOf(rule: RuleName) {
  return BADGES.filter((one) => one.rule === rule);
}
