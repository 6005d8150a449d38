import type Database from "better-sqlite3";
import { SECOND } from "../clock.ts";

/** A write that can not get the lock within this time fails (another program is holding the database). */
const GIVE_UP_AFTER_MS = 5 * SECOND;
const RETRY_EVERY_MS = 25;
/** Bounds how long one batch holds up the event loop. */
const BATCH_MAX = 100;

interface Waiting {
  run(): void;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Group commit. A durable commit costs a disk sync, and the sync blocks everyone; so writes that arrive while one
 * is under way are committed together, each in a savepoint of its own: one that fails takes only itself back.
 */
export function createWriter(
  sqlite: Database.Database,
  transact: <Result>(change: () => Result) => Result,
  onCommit: () => void,
): <Result>(change: () => Result) => Promise<Result> {
  const queue: Waiting[] = [];
  let scheduled = false;
  let stuckSince: number | undefined;

  function flush(): void {
    scheduled = false;
    const batch = queue.splice(0, BATCH_MAX);
    const failed = new Map<Waiting, unknown>();
    try {
      transact(() => {
        for (const waiting of batch) {
          try {
            transact(waiting.run);
          } catch (error) {
            // A full disk ends the whole transaction, not only the savepoint: then nothing of the batch is stored.
            if (!sqlite.inTransaction) throw error;
            failed.set(waiting, error);
          }
        }
      });
    } catch (error) {
      if (isBusy(error) && !isStuck()) {
        queue.unshift(...batch);
        schedule(RETRY_EVERY_MS);
        return;
      }
      for (const waiting of batch) failed.set(waiting, error);
    }
    stuckSince = undefined;
    for (const waiting of batch) {
      if (failed.has(waiting)) waiting.reject(failed.get(waiting));
      else waiting.resolve();
    }
    if (failed.size < batch.length) onCommit();
    if (queue.length > 0) schedule(0);
  }

  function isStuck(): boolean {
    stuckSince ??= performance.now();
    return performance.now() - stuckSince > GIVE_UP_AFTER_MS;
  }

  function schedule(delayMs: number): void {
    if (scheduled) return;
    scheduled = true;
    if (delayMs > 0) setTimeout(flush, delayMs);
    else setImmediate(flush);
  }

  return <Result>(change: () => Result) =>
    new Promise<Result>((resolve, reject) => {
      let result: Result;
      queue.push({
        run: () => {
          result = change();
        },
        resolve: () => resolve(result),
        reject,
      });
      schedule(0);
    });
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}
