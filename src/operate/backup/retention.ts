import { DAY, HOUR } from "../../core/base/clock.ts";

/** How many backups to keep per period. The newest backup of each period is kept. */
export interface RetentionCounts {
  hourly: number;
  daily: number;
  weekly: number;
  monthly: number;
}

/**
 * For each kind of period, such as `daily`: returns the name of the period that contains a time, in UTC.
 * Weeks begin on Mondays.
 */
const PERIODS: Readonly<Record<keyof RetentionCounts, (at: number) => string>> = {
  hourly: (at) => `${Math.floor(at / HOUR)}`,
  daily: (at) => `${Math.floor(at / DAY)}`,
  // 1970-01-01 was a Thursday.
  weekly: (at) => `${Math.floor((at / DAY + 3) / 7)}`,
  monthly: (at) => new Date(at).toISOString().slice(0, 7),
};

/** Returns the backups to delete. The newest backup is never among them. */
export function expiredBackups<Backup extends { at: number }>(
  backups: readonly Backup[],
  keep: RetentionCounts,
): Backup[] {
  const newestFirst = backups.toSorted((a, b) => b.at - a.at);
  const kept = new Set(newestFirst.slice(0, 1));
  for (const [kind, stretchOf] of Object.entries(PERIODS) as [
    keyof RetentionCounts,
    (at: number) => string,
  ][]) {
    const seen = new Set<string>();
    for (const backup of newestFirst) {
      const stretch = stretchOf(backup.at);
      if (seen.has(stretch)) continue;
      if (seen.size >= keep[kind]) break;
      seen.add(stretch);
      kept.add(backup);
    }
  }
  return newestFirst.filter((backup) => !kept.has(backup));
}
