import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { isMomentId, lastIdAt, newestIdOf } from "../../base/ids.ts";
import { hasEvent, moveLogEnd, selectLogEnd } from "./log-store.ts";
import { NIL_UUID } from "./test-data.ts";

export { notePruned } from "./log-store.ts";

/** A place in the log of events, and the moment that stands there (ms since the epoch). */
export interface LogPlace {
  id: string;
  createdAt: number;
}

/** The first moment that a transaction may give: behind what was committed before it. */
function lastFloor(): { transaction?: object | undefined; floor: number } {
  return { floor: 0 };
}

/**
 * The next place of the log (docs/contract.md#5.3). Ids stand in the order of the commits, whichever process
 * or thread writes: the place is taken inside the transaction that holds the database, behind the last one
 * that was committed. Events of one commit may share a moment, and no two commits do: who has seen one event
 * of a moment has seen all there will ever be, so that `since` loses none. Where more commits come than there
 * are milliseconds, or the clock was set back, moments run ahead of the clock. Call it in a transaction.
 */
export function nextPlace(core: Core): LogPlace {
  const end = selectLogEnd(core);
  let createdAt = Math.max(core.clock.now(), end.lastAt, floorOf(core, end.lastAt));
  let id = core.makeId("evt", createdAt);
  // Ids of one millisecond count up to 4,095 and are at random behind that.
  while (id <= end.lastId) id = core.makeId("evt", ++createdAt);
  moveLogEnd(core, id, createdAt);
  return { id, createdAt };
}

function floorOf(core: Core, lastAt: number): number {
  const transaction = core.db.transaction();
  const last = core.memory(lastFloor);
  if (transaction === undefined || last.transaction !== transaction)
    Object.assign(last, { transaction, floor: lastAt + 1 });
  return last.floor;
}

/** The last place there is. */
export function logEnd(core: Core): string {
  return selectLogEnd(core).lastId;
}

/** The position behind all events so far, as a moment: it stays known when the last event is deleted. */
export function momentOfLogEnd(core: Core): string {
  const end = logEnd(core);
  return end === "" ? lastIdAt("evt", 0) : newestIdOf(end);
}

/**
 * Refuses a position behind which something was dropped for its age. `oldest` finds the oldest event that the
 * caller may still read.
 */
export function requireRetained(core: Core, after: string, oldest: () => string | undefined): void {
  const { lastId, prunedId } = selectLogEnd(core);
  if (after < prunedId) throw refuse("place_too_old", { oldest: oldest() ?? lastId });
}

/**
 * Whether the log has, or had, this position. A later event does not make one known that comes from another
 * database, or from the time between a backup and its restore (docs/contract.md#5.3). A moment up to the end
 * of the log is known, and the nil id comes before all events.
 */
export function isInLog(core: Core, id: string): boolean {
  const { lastId, prunedId } = selectLogEnd(core);
  if (id <= prunedId || id === lastId || id === `evt_${NIL_UUID}`) return true;
  return isMomentId(id) ? id <= momentOfLogEnd(core) : hasEvent(core, id);
}

/** Throws bad_request for a position that the log does not have. */
export function requireInLog(core: Core, after: string): void {
  if (!isInLog(core, after)) throw refuse("place_unknown");
}
