import { DAY, HOUR } from "../../core/base/clock.ts";

/** How many backups are kept of each kind: of so many hours, days, weeks and months the newest one. */
export interface Keep {
  hourly: number;
  daily: number;
  weekly: number;
  monthly: number;
}

/** Names the stretch of time in which a moment lies (UTC); weeks begin on Mondays. */
const STRETCHES: Readonly<Record<keyof Keep, (at: number) => string>> = {
  hourly: (at) => `${Math.floor(at / HOUR)}`,
  daily: (at) => `${Math.floor(at / DAY)}`,
  // The epoch was a Thursday.
  weekly: (at) => `${Math.floor((at / DAY + 3) / 7)}`,
  monthly: (at) => new Date(at).toISOString().slice(0, 7),
};

/** Which of them nobody needs any more. The newest one always stays. */
export function outlived<Backup extends { at: number }>(backups: readonly Backup[], keep: Keep): Backup[] {
  const newestFirst = backups.toSorted((a, b) => b.at - a.at);
  const kept = new Set(newestFirst.slice(0, 1));
  for (const [kind, stretchOf] of Object.entries(STRETCHES) as [keyof Keep, (at: number) => string][]) {
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
