/**
 * Runs the work of one owner one after another, in the order of the calls; that of different owners at once.
 */
export type SerialQueue = <Result>(whose: string, work: () => Result | Promise<Result>) => Promise<Result>;

/** One slot for each owner who has work; see `SerialQueue`. */
export function createSerialQueue(): SerialQueue {
  /** The end of the last work of each owner. */
  const ends = new Map<string, Promise<void>>();
  return async (whose, work) => {
    const before = ends.get(whose);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    ends.set(whose, end);
    await before;
    try {
      return await work();
    } finally {
      if (ends.get(whose) === end) ends.delete(whose);
      resolve();
    }
  };
}
