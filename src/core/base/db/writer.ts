import type Database from "better-sqlite3";
import { SECOND } from "../clock.ts";
import { type Digest, newDigest, observe } from "../digest.ts";
import type { LockQueue } from "./lock-queue.ts";

/**
 * Longest wait for the lock, in ms. After this time, the write fails because another process holds the
 * database.
 */
const GIVE_UP_AFTER_MS = 5 * SECOND;
/**
 * Interval between attempts to get a lock that another process holds, in ms. For locks of our own threads,
 * `lockQueue` reports the release.
 */
const RETRY_MS = { first: 1, later: 5 };
const FAST_RETRY_FOR_MS = 10;
/**
 * Longest time for which one batch accepts writes, in ms. The time is short because a batch blocks the event
 * loop.
 */
const BATCH_MS = 10;

interface Waiting {
  since: number;
  run(): void;
  resolve(): void;
  reject(error: unknown): void;
}

/** Statistics about writes since the start of the process. */
export interface WriteFigures {
  /** Number of writes in the queue. */
  waiting: number;
  /** Seconds from the beginning of a transaction until it is on disk or refused. */
  commits: Digest;
  /** Seconds from the request for a write until it is on disk, including time in the queue. */
  writes: Digest;
}

/** Histogram bounds in seconds, from a commit without a sync to a disk that hardly responds. */
export const WRITE_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
] as const;

export interface Writer {
  write<Result>(change: () => Result): Promise<Result>;
  figures(): WriteFigures;
}

/**
 * Creates the queue of writes, with group commit. A durable commit costs a disk sync that blocks the thread,
 * so writes that arrive meanwhile are committed together. Each write has its own savepoint, so a failed write
 * rolls back only itself. `begin` runs a function in a transaction, or in a savepoint inside one. No other
 * code makes savepoints. When another connection holds the lock, `lockQueue` reports when the lock may be
 * free.
 */
export function createWriter(
  sqlite: Database.Database,
  begin: <Result>(change: () => Result) => Result,
  elapsed: () => number,
  lockQueue: LockQueue,
): Writer {
  const queue: Waiting[] = [];
  const commits = newDigest(WRITE_SECONDS);
  const writes = newDigest(WRITE_SECONDS);
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    // Read the count before the attempt to get the lock. A release of the lock during the attempt is then not
    // missed.
    const endedBefore = lockQueue.endedCount();
    const from = elapsed();
    const until = from + BATCH_MS;
    const batch: Waiting[] = [];
    const failed = new Map<Waiting, unknown>();
    let isAlone = false;
    try {
      begin(() => {
        for (let next = queue.shift(); next; next = elapsed() < until ? queue.shift() : undefined) {
          batch.push(next);
          isAlone = batch.length === 1 && queue.length === 0;
          // A single write needs no savepoint, because its error rolls back a transaction without other
          // writes. Writes that arrive meanwhile get the next transaction.
          if (isAlone) {
            next.run();
            isAlone = false;
            return;
          }
          try {
            begin(next.run);
          } catch (error) {
            // A full disk ends the whole transaction, not only the savepoint. No write of the batch is
            // stored.
            if (!sqlite.inTransaction) throw error;
            failed.set(next, error);
          }
        }
      });
    } catch (error) {
      if (!isAlone && isBusy(error)) {
        queue.unshift(...batch);
        rejectLate(error);
        if (queue[0]) retry(endedBefore, elapsed() - queue[0].since);
        return;
      }
      // With an unwritable disk, the transaction cannot even begin. Reject all queued writes, because they
      // would retry forever.
      if (batch.length === 0) batch.push(...queue.splice(0));
      for (const waiting of batch) failed.set(waiting, error);
    }
    if (queue.length > 0) schedule();
    const now = elapsed();
    observe(commits, (now - from) / SECOND);
    for (const waiting of batch) {
      if (failed.has(waiting)) waiting.reject(failed.get(waiting));
      else {
        observe(writes, (now - waiting.since) / SECOND);
        waiting.resolve();
      }
    }
  }

  function rejectLate(error: unknown): void {
    const now = elapsed();
    while (queue[0] && now - queue[0].since > GIVE_UP_AFTER_MS) queue.shift()?.reject(error);
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  }

  function retry(seen: number, waitedMs: number): void {
    scheduled = true;
    lockQueue.waitForEnd(seen, waitedMs < FAST_RETRY_FOR_MS ? RETRY_MS.first : RETRY_MS.later, flush);
  }

  return {
    figures: () => ({ waiting: queue.length, commits, writes }),
    write: <Result>(change: () => Result) =>
      new Promise<Result>((resolve, reject) => {
        let result: Result;
        queue.push({
          since: elapsed(),
          run: () => {
            result = change();
          },
          resolve: () => resolve(result),
          reject,
        });
        schedule();
      }),
  };
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}
