import { standingOf } from "../../community/xp/ledger.ts";
import type { FixableFinding } from "./checkup.ts";
import {
  countBuilders,
  endOfBuilders,
  type Entry,
  findKept,
  type Kept,
  selectKept,
  sumUpDaysOf,
  writeKept,
} from "./xp-store.ts";
import { counted } from "../../base/count-with-noun.ts";
import { inSlices, type DataContext } from "./context.ts";

/** So many builders at once: some have thousands of entries. */
const BUILDERS_AT_ONCE = 50;

/** XP, levels, badges and sums of days against the ledger, and days in a row against what they gave. */
export function checkXp(context: DataContext): FixableFinding[] {
  const { db, progress } = context;
  const total = countBuilders(db);
  const wrong: string[] = [];
  let streaks = 0;
  let done = 0;
  for (let after = ""; ;) {
    const upTo = endOfBuilders(db, after, BUILDERS_AT_ONCE);
    if (upTo === undefined) break;
    for (const kept of selectKept(db, after, BUILDERS_AT_ONCE)) {
      if (differs(kept)) wrong.push(kept.id);
      if (kept.furtherDays < rewardedDays(kept.entries)) streaks++;
    }
    after = upTo;
    progress((done += BUILDERS_AT_ONCE), total);
  }
  const found = [
    ...(wrong.length > 0 ? [toMend(context, wrong)] : []),
    ...(streaks > 0 ? [lostDays(streaks)] : []),
  ];
  if (found.length > 0) return found;
  return [{ check: "xp", severity: "ok", says: "XP, levels and badges are what the ledger says" }];
}

/** A badge that is more than the ledger tells of stays: an honour is not taken back. */
function differs({ xp, level, badges, days, entries }: Kept & { entries: readonly Entry[] }): boolean {
  const standing = standingOf(entries);
  const own = new Set(JSON.parse(badges) as string[]);
  return (
    xp !== standing.total ||
    level !== standing.level ||
    [...standing.badges.keys()].some((badge) => !own.has(badge)) ||
    !isSame(sumsOf(entries), days)
  );
}

/** Points and times of each rule and day. */
function sumsOf(entries: readonly Entry[]): Map<string, [number, number]> {
  const sums = new Map<string, [number, number]>();
  for (const { rule, day, points } of entries) {
    const [sum, times] = sums.get(`${rule} ${day}`) ?? [0, 0];
    sums.set(`${rule} ${day}`, [sum + points, times + Math.sign(points)]);
  }
  return sums;
}

function isSame(sums: ReadonlyMap<string, readonly [number, number]>, days: string): boolean {
  const stored = JSON.parse(days) as [string, number, number, number][];
  return (
    stored.length === sums.size &&
    stored.every(([rule, day, points, times]) => {
      const [sum, count] = sums.get(`${rule} ${day}`) ?? [];
      return sum === points && count === times;
    })
  );
}

function rewardedDays(entries: readonly Entry[]): number {
  return entries.filter(({ rule, cause }) => rule === "streak.day" && cause === "earned").length;
}

function toMend(context: DataContext, wrong: readonly string[]): FixableFinding {
  const who = counted(wrong.length, "builder");
  return {
    check: "xp",
    severity: "warning",
    says: `XP, level, badges or sums of days of ${who} are other than the ledger says`,
    mend: "guildhall doctor --fix, beside the running server or without it",
    async fix() {
      await inSlices(context, wrong, (some) => some.forEach((id) => mend(context, id)));
      return `was made anew of the ledger: XP, level, badges and sums of days of ${who}`;
    },
  };
}

/** Asked again: they may have earned something since. */
function mend({ db }: DataContext, id: string): void {
  const kept = findKept(db, id);
  if (!kept || !differs(kept)) return;
  const { total, level, badges } = standingOf(kept.entries);
  writeKept(db, id, { xp: total, level, badges });
  sumUpDaysOf(db, id);
}

/** The days themselves stand nowhere else. */
function lostDays(builders: number): FixableFinding {
  return {
    check: "streaks",
    severity: "warning",
    says: `${counted(builders, "builder")} earned points for more days in a row than are stored`,
    mend: "if a program of others has written into the database, guildhall restore FILE --replace with a backup from before; else nothing, the count begins anew",
  };
}
