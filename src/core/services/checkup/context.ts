import { type Clock, DAY } from "../../base/clock.ts";
import type { Db } from "../../base/db/open.ts";

/**
 * Context of the database checks. The checks read in batches and hold no transaction between batches, so that
 * WAL checkpoints can run.
 */
export interface DataContext {
  db: Db;
  clock: Pick<Clock, "now" | "steady">;
  /** Waits between two batches that write, so that other writers can run. */
  pause(): Promise<void>;
  progress(done: number, total: number): void;
}

/** Number of nights after which the nightly samples have covered all items. */
const NIGHTS = 7;

/** Whether the item at this list index is checked tonight. Each index is due in one night of seven. */
export function isDueTonight(clock: Pick<Clock, "now">, number: number): boolean {
  return number % NIGHTS === Math.floor(clock.now() / DAY) % NIGHTS;
}
