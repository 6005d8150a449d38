import { getSetting } from "../../base/db/settings.ts";
import { type FixableFinding, ok, severe, warning } from "./checkup.ts";
import type { DataContext } from "./context.ts";
import { type Derived, DERIVED, hasLogEnd, type Key, selectKeys } from "./derived-store.ts";

export const REBUILD = "guildhall doctor --fix (the server may run)";

/** Number of keys that are rebuilt in one transaction. The transaction takes a few milliseconds. */
const REBUILT_AT_ONCE = 100;

/** Compares counts, scores and tags with their source rows (docs/contract.md#12.12). */
export function checkCounts(context: DataContext): FixableFinding[] {
  // `guildhall demo` with a size writes no rows for likes and ratings. `demo-rows` marks a demo that has all
  // rows.
  const isDemo =
    getSetting(context, "demo-builder") !== undefined && getSetting(context, "demo-rows") === undefined;
  const all = DERIVED.filter(({ check, isEmptyInDemo }) => check === "counts" && !(isDemo && isEmptyInDemo));
  const found = all.flatMap((derived, done) => {
    context.progress(done, all.length);
    return compare(context, derived) ?? [];
  });
  if (found.length > 0) return found;
  const exception = isDemo ? ", except the likes and ratings of the demo, which have no rows" : "";
  return [ok("counts", `Counts, scores, and tags match the data${exception}.`)];
}

/**
 * Checks that the recorded end of the event log is not before the newest event in the log. Otherwise the next
 * events would be lost.
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

/**
 * Compares all values with their source rows. Returns undefined if every value matches. Otherwise returns a
 * finding, with the action of `--fix` that rebuilds the differing values.
 */
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

/** Rebuilds every value that still differs from its source rows. Returns the number of rebuilt values. */
export async function rebuild(context: DataContext, derived: Derived): Promise<number> {
  let count = 0;
  for (const keys of differing(context, derived))
    for (let at = 0; at < keys.length; at += REBUILT_AT_ONCE) {
      context.db.transact(() => {
        // Compares the keys again inside the transaction, because other processes may have changed rows since
        // the first comparison.
        const stillDiffering = derived.differing(context.db, keys.slice(at, at + REBUILT_AT_ONCE));
        derived.rebuild(context.db, stillDiffering);
        count += stillDiffering.length;
      });
      await context.pause();
    }
  return count;
}

/** Yields the differing keys in batches, so that memory use is bounded even if everything differs. */
function* differing({ db }: DataContext, derived: Derived): Generator<Key[]> {
  for (let after = derived.first; ;) {
    const keys = selectKeys(db, derived, after);
    const last = keys.at(-1);
    if (last === undefined) return;
    const found = derived.differing(db, keys);
    // Compares the differing keys a second time. A row that changed between the two statements of the first
    // comparison is a false positive.
    yield found.length > 0 ? derived.differing(db, found) : [];
    after = last;
  }
}
