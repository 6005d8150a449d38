/**
 * Runs the work of one owner in sequence, in order of the calls. Work of different owners runs concurrently.
 */
export type SerialQueue = <Result>(owner: string, work: () => Result | Promise<Result>) => Promise<Result>;

export function createSerialQueue(): SerialQueue {
  /** Promise for the end of each owner's last work. */
  const ends = new Map<string, Promise<void>>();
  return async (owner, work) => {
    const before = ends.get(owner);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    ends.set(owner, end);
    await before;
    try {
      return await work();
    } finally {
      if (ends.get(owner) === end) ends.delete(owner);
      resolve();
    }
  };
}
