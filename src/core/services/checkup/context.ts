import { type Clock, DAY } from "../../base/clock.ts";
import type { Db } from "../../base/db/open.ts";

/**
 * What the checks of the database work with. They read a batch at a time and hold no transaction in between,
 * so that checkpoints of the write-ahead log go on.
 */
export interface DataContext {
  db: Db;
  clock: Pick<Clock, "now" | "steady">;
  /** Lets other writers in, between two batches that are written. */
  pause(): Promise<void>;
  progress(done: number, total: number): void;
}

/** So many nights take to check everything. */
const NIGHTS = 7;

/** Whether tonight is the turn of this place in a list: each place has one night of seven. */
export function isDueTonight(clock: Pick<Clock, "now">, place: number): boolean {
  return place % NIGHTS === Math.floor(clock.now() / DAY) % NIGHTS;
}
