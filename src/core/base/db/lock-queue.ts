/**
 * Wakes threads of this process that wait for SQLite's write lock. SQLite reports only that the lock is
 * taken, and polling uses the CPU that the lock holder needs. So each thread counts its finished transactions
 * in shared memory, and waiting threads wake when the count changes.
 *
 * The count is only a hint. SQLite's lock decides. The count misses transactions of other processes and of a
 * thread that died. Waiting threads therefore also poll from time to time (docs/adr/0004-commits.md).
 */
export interface LockQueue {
  /** Number of transactions that all threads have ended. Read it before you try to begin your own. */
  endedCount(): number;
  /** Reports that this thread has ended a transaction. */
  reportEnd(): void;
  /** Calls `then` once: when a thread ends a transaction after `seen`, or after `mostMs`. */
  waitForEnd(seen: number, mostMs: number, then: () => void): void;
  /** Memory to pass to other connections of this process to the same database. */
  shared: SharedArrayBuffer;
}

/** Creates a lock queue. Without `shared`, the queue serves a process with a single connection. */
export function createLockQueue(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)): LockQueue {
  const count = new Int32Array(shared);
  return {
    shared,
    endedCount: () => Atomics.load(count, 0),
    reportEnd() {
      Atomics.add(count, 0, 1);
      Atomics.notify(count, 0);
    },
    waitForEnd(seen, mostMs, then) {
      let isOver = false;
      const once = (): void => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        then();
      };
      // The timer keeps the process alive, which `Atomics.waitAsync` does not. The timer also ends the wait
      // when no other thread notifies this thread.
      const timer = setTimeout(once, mostMs);
      const change = Atomics.waitAsync(count, 0, seen, mostMs);
      if (change.async) void change.value.then(once);
      else setImmediate(once);
    },
  };
}
