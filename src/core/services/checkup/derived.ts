import { getSetting } from "../../base/db/settings.ts";
import { type FixableFinding, ok, severe, warning } from "./checkup.ts";
import type { DataContext } from "./context.ts";
import { type Derived, DERIVED, hasLogEnd, type Key, selectKeys } from "./derived-store.ts";

export const REBUILD = "guildhall doctor --fix (the server may run)";

/** So many keys are made again in one transaction: some milliseconds. */
const REBUILT_AT_ONCE = 100;

/** Counts, scores, and tags against the rows that they follow from (docs/contract.md#12.12). */
export function checkCounts(context: DataContext): FixableFinding[] {
  const isDemo = getSetting(context, "demo-builder") !== undefined;
  const all = DERIVED.filter(({ check, isEmptyInDemo }) => check === "counts" && !(isDemo && isEmptyInDemo));
  const found = all.flatMap((derived, done) => {
    context.progress(done, all.length);
    return compare(context, derived) ?? [];
  });
  if (found.length > 0) return found;
  const but = isDemo ? ", except the likes and ratings of the demo, which have no rows" : "";
  return [ok("counts", `Counts, scores, and tags match the data${but}.`)];
}

/**
 * Whether the log of events ends where its newest event stands, or behind it: else the next events would be
 * lost.
 */
export function checkEventLog(context: DataContext): FixableFinding[] {
  if (!hasLogEnd(context.db))
    return [
      severe(
        "event_log",
        "The end of the event log is not recorded, so nothing that creates an event can be written.",
        "Stop the server, then restore the newest intact backup: guildhall restore FILE --replace",
      ),
    ];
  const found = DERIVED.filter(({ check }) => check === "event_log").flatMap(
    (derived) => compare(context, derived) ?? [],
  );
  if (found.length > 0) return found.map((each) => ({ ...each, severity: "severe" }));
  return [ok("event_log", "The event log ends at its newest event.")];
}

/** Undefined where every value is what its rows say; `--fix` makes those that are not again. */
export function compare(context: DataContext, derived: Derived): FixableFinding | undefined {
  const { check, says, rebuilt } = derived;
  let count = 0;
  for (const keys of differing(context, derived)) count += keys.length;
  if (count === 0) return undefined;
  return {
    ...warning(check, says(count), REBUILD),
    fix: async () => rebuilt(await rebuild(context, derived)),
  };
}

/** Makes every value again that is not what its rows say by then, and returns how many these were. */
export async function rebuild(context: DataContext, derived: Derived): Promise<number> {
  let count = 0;
  for (const keys of differing(context, derived))
    for (let at = 0; at < keys.length; at += REBUILT_AT_ONCE) {
      context.db.transact(() => {
        // Others write beside: only the transaction sees a state that stays.
        const still = derived.differing(context.db, keys.slice(at, at + REBUILT_AT_ONCE));
        derived.rebuild(context.db, still);
        count += still.length;
      });
      await context.pause();
    }
  return count;
}

/** In batches: where everything differs, not everything is kept in memory. */
function* differing({ db }: DataContext, derived: Derived): Generator<Key[]> {
  for (let after = derived.first; ;) {
    const keys = selectKeys(db, derived, after);
    const last = keys.at(-1);
    if (last === undefined) return;
    const found = derived.differing(db, keys);
    // What was written between two statements differs for a moment.
    yield found.length > 0 ? derived.differing(db, found) : [];
    after = last;
  }
}
