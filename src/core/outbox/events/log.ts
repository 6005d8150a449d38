import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { isTimeId, lastIdAt, newestIdOf } from "../../base/ids.ts";
import { hasEvent, moveLogEnd, selectLogEnd } from "./log-store.ts";
import { NIL_UUID } from "./test-data.ts";

export { notePruned } from "./log-store.ts";

/** A position in the event log and its time, in ms since the epoch. */
export interface LogPosition {
  id: string;
  createdAt: number;
}

/**
 * Earliest time for events of the current transaction. This time is later than the time of every event that
 * was committed before.
 */
function lastFloor(): { transaction?: object | undefined; floor: number } {
  return { floor: 0 };
}

/**
 * Returns the next position of the log (docs/contract.md#5.3). Positions are in commit order, even if several
 * processes and threads write. Positions are assigned inside the write transaction, after the last committed
 * position. Events of one commit may share a time, but events of two commits never share a time. If a reader
 * has seen one event of a time, the reader has therefore seen all events of this time. A list with `since`
 * therefore skips no event. Times run ahead of the clock if commits are more frequent than one per ms, or if
 * the clock was set back. Call it in a transaction.
 */
export function nextPosition(core: Core): LogPosition {
  const end = selectLogEnd(core);
  let createdAt = Math.max(core.clock.now(), end.lastAt, floorOf(core, end.lastAt));
  let id = core.makeId("evt", createdAt);
  // Within one ms, ids contain a counter up to 4,095. Further ids of the same ms are random.
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

/** Returns the last position. Returns an empty string for an empty log. */
export function logEnd(core: Core): string {
  return selectLogEnd(core).lastId;
}

/** Returns the end of the log as a time-based position, which remains valid if the last event is deleted. */
export function momentOfLogEnd(core: Core): string {
  const end = logEnd(core);
  return end === "" ? lastIdAt("evt", 0) : newestIdOf(end);
}

/**
 * Throws if events after this position were deleted by retention. `oldest` returns the id of the oldest event
 * that the caller may still read.
 */
export function requireRetained(core: Core, after: string, oldest: () => string | undefined): void {
  const { lastId, prunedId } = selectLogEnd(core);
  if (after < prunedId) throw refuse("place_too_old", { oldest: oldest() ?? lastId });
}

/**
 * Whether the log has or had this position. Positions of another database are unknown. If a backup was
 * restored, positions that were written after the backup are unknown too, even if later events exist
 * (docs/contract.md#5.3). A time-based position up to the end of the log is known. The nil id sorts before
 * all events and is known too.
 */
export function isInLog(core: Core, id: string): boolean {
  const { lastId, prunedId } = selectLogEnd(core);
  if (id <= prunedId || id === lastId || id === `evt_${NIL_UUID}`) return true;
  return isTimeId(id) ? id <= momentOfLogEnd(core) : hasEvent(core, id);
}

/** Throws bad_request for a position that is not in the log. */
export function requireInLog(core: Core, after: string): void {
  if (!isInLog(core, after)) throw refuse("place_unknown");
}
