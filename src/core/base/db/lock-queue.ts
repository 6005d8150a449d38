/**
 * Whose turn it is to write, among the threads of this program: SQLite's lock says no more than that it is
 * taken, and who asks again and again takes the very core that the holder needs. So each tells when a
 * transaction of its own has ended, in memory that threads share, and who waits is woken by that. It is a
 * hint and no lock: what holds is SQLite's own. A thread that dies in a transaction tells nothing, nor does
 * another program; so who waits also asks again after a while (docs/adr/0004-commits.md).
 */
export interface LockQueue {
  /** How many transactions have ended, of all threads: asked before one tries to begin one's own. */
  ended(): number;
  /** Tells that one of this thread's has. */
  end(): void;
  /** Calls `then` once: when another has ended since `seen`, or after `mostMs`. */
  next(seen: number, mostMs: number, then: () => void): void;
  /** What other connections of this program to the same database are given. */
  shared: SharedArrayBuffer;
}

/** In a program with one connection nobody else ever ends one. */
export function createLockQueue(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)): LockQueue {
  const count = new Int32Array(shared);
  return {
    shared,
    ended: () => Atomics.load(count, 0),
    end() {
      Atomics.add(count, 0, 1);
      Atomics.notify(count, 0);
    },
    next(seen, mostMs, then) {
      let isOver = false;
      const once = (): void => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        then();
      };
      // Waiting for memory keeps no program alive, as a timer does. With a limit of its own it leaves nothing
      // behind where nobody tells.
      const timer = setTimeout(once, mostMs);
      const change = Atomics.waitAsync(count, 0, seen, mostMs);
      if (change.async) void change.value.then(once);
      else setImmediate(once);
    },
  };
}
