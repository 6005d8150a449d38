import { type Clock, DAY } from "../../base/clock.ts";
import type { Db } from "../../base/db/open.ts";

/**
 * What a look at the data works with. It reads a slice at a time, each of its own moment: no state is held on to, so
 * that the write-ahead log beside can go on being taken over. It writes a slice at a time too.
 */
export interface DataContext {
  db: Db;
  clock: Pick<Clock, "now" | "steady">;
  /** Between two slices that write, others get in. */
  pause(): Promise<void>;
  progress(done: number, total: number): void;
}

/** So many rows are read at once, and so many written, in some milliseconds. */
export const READ_ROWS = 2000;
const WRITE_ROWS = 100;

/** So many nights take to look through all. */
const NIGHTS = 7;

/** Whether it is the turn of the one in this place of a list: each one's is in one night of seven. */
export function isTonight(clock: Pick<Clock, "now">, place: number): boolean {
  return place % NIGHTS === Math.floor(clock.now() / DAY) % NIGHTS;
}

/** Hands a list over in pieces, a transaction each, with a pause behind each. */
export async function inSlices<Each>(
  { db, pause }: Pick<DataContext, "db" | "pause">,
  all: readonly Each[],
  work: (some: readonly Each[]) => void,
): Promise<void> {
  for (let at = 0; at < all.length; at += WRITE_ROWS) {
    db.transact(() => work(all.slice(at, at + WRITE_ROWS)));
    await pause();
  }
}
