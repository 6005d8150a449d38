import { totalsOf } from "../../community/xp/ledger.ts";
import { countWithNoun } from "../../base/count-with-noun.ts";
import { type FixableFinding, ok, warning } from "./checkup.ts";
import type { DataContext } from "./context.ts";
import { compare } from "./derived.ts";
import { type Derived, keysOf } from "./derived-store.ts";
import { countLostStreaks, type Ledger, selectLedgers, writeStanding, writeSums } from "./xp-store.ts";

/** Some builders have thousands of entries. */
const BUILDERS_AT_ONCE = 50;

const STANDINGS: Derived = {
  check: "xp",
  says: (count) =>
    `XP, level, badges or sums of days of ${countWithNoun(count, "builder")} are other than the ledger says`,
  rebuilt: (count) =>
    `was made anew of the ledger: XP, level, badges and sums of days of ${countWithNoun(count, "builder")}`,
  ...keysOf("builders"),
  batch: BUILDERS_AT_ONCE,
  differing: (db, ids) =>
    selectLedgers(db, ids)
      .filter(differs)
      .map(({ id }) => id),
  rebuild(db, ids) {
    for (const { id, entries } of selectLedgers(db, ids)) {
      writeStanding(db, id, totalsOf(entries));
      writeSums(db, id);
    }
  },
};

/** XP, levels, badges and sums of days against the ledger, and days in a row against what they gave. */
export function checkXp(context: DataContext): FixableFinding[] {
  const found: FixableFinding[] = [];
  const standings = compare(context, STANDINGS);
  if (standings) found.push(standings);
  const lost = countLostStreaks(context.db);
  // The days themselves are stored nowhere else.
  if (lost > 0)
    found.push(
      warning(
        "streaks",
        `${countWithNoun(lost, "builder")} earned points for more days in a row than are stored`,
        "if a program of others has written into the database, guildhall restore FILE --replace with a backup from before; else nothing, the count begins anew",
      ),
    );
  if (found.length > 0) return found;
  return [ok("xp", "XP, levels and badges are what the ledger says")];
}

/** A badge beyond what the ledger says stays: an honour is not taken back. */
function differs({ xp, level, badges, hasSums, entries }: Ledger): boolean {
  const standing = totalsOf(entries);
  return (
    xp !== standing.total ||
    level !== standing.level ||
    !hasSums ||
    [...standing.badges.keys()].some((badge) => !badges.includes(badge))
  );
}
