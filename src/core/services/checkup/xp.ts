import { totalsOf } from "../../community/xp/ledger.ts";
import { countWithNoun } from "../../base/count-with-noun.ts";
import { type FixableFinding, ok, warning } from "./checkup.ts";
import type { DataContext } from "./context.ts";
import { compare } from "./derived.ts";
import { type Derived, keysOf } from "./derived-store.ts";
import { countLostStreaks, type Ledger, selectLedgers, writeTotals, writeSums } from "./xp-store.ts";

/** Builders per batch. The number is small, because some builders have thousands of ledger entries. */
const BUILDERS_AT_ONCE = 50;

const STANDINGS: Derived = {
  check: "xp",
  says: (count) =>
    `XP, levels, badges, or daily totals of ${countWithNoun(count, "member")} do not match the XP ledger.`,
  rebuilt: (count) =>
    `Recalculated XP, levels, badges, and daily totals of ${countWithNoun(count, "member")}.`,
  ...keysOf("builders"),
  batch: BUILDERS_AT_ONCE,
  differing: (db, ids) =>
    selectLedgers(db, ids)
      .filter(differs)
      .map(({ id }) => id),
  rebuild(db, ids) {
    for (const { id, entries } of selectLedgers(db, ids)) {
      writeTotals(db, id, totalsOf(entries));
      writeSums(db, id);
    }
  },
};

/** Compares XP, levels, badges and daily sums with the ledger, and streaks with the points they earned. */
export function checkXp(context: DataContext): FixableFinding[] {
  const found: FixableFinding[] = [];
  const standings = compare(context, STANDINGS);
  if (standings) found.push(standings);
  const lost = countLostStreaks(context.db);
  // Lost streaks are only reported and cannot be rebuilt, because the days of a streak are stored nowhere
  // else.
  if (lost > 0)
    found.push(
      warning(
        "streaks",
        `${countWithNoun(lost, "member")} earned XP for longer streaks than are stored.`,
        "If another program has written to the database, restore an older backup: guildhall restore FILE --replace. Otherwise do nothing: the streaks start again",
      ),
    );
  if (found.length > 0) return found;
  return [ok("xp", "XP, levels, and badges match the XP ledger.")];
}

/**
 * Whether stored values differ from the ledger. An extra badge is not a difference, because badges are never
 * taken back.
 */
function differs({ xp, level, badges, hasSums, entries }: Ledger): boolean {
  const standing = totalsOf(entries);
  return (
    xp !== standing.total ||
    level !== standing.level ||
    !hasSums ||
    [...standing.badges.keys()].some((badge) => !badges.includes(badge))
  );
}
