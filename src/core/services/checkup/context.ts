import { type Clock, DAY } from "../../base/clock.ts";
import type { Db } from "../../base/db/open.ts";

/**
 * What the database checks work with. They read in batches and hold no transaction between batches, so that
 * WAL checkpoints can run.
 */
export interface DataContext {
  db: Db;
  clock: Pick<Clock, "now" | "steady">;
  /** Lets other writers run between two written batches. */
  pause(): Promise<void>;
  progress(done: number, total: number): void;
}

/** Number of nights in which sampled checks cover everything. */
const NIGHTS = 7;

/** Whether the item at this list index is checked tonight. Each index has one night of seven. */
export function isDueTonight(clock: Pick<Clock, "now">, place: number): boolean {
  return place % NIGHTS === Math.floor(clock.now() / DAY) % NIGHTS;
}
