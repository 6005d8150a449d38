/** Runs work one after another; see `createFairQueue`. */
export type FairQueue = <Result>(
  whose: string,
  work: (hasWaited: boolean) => Result | Promise<Result>,
  /** Aborted when nobody waits for it any more: then it is not begun, and fails with the signal's reason. */
  wanted?: AbortSignal,
) => Promise<Result>;

/**
 * One piece of work at a time, and those who wait are taken one by one, by whose it is: however much one asks
 * for, another's waits for one piece of it. In between, whatever else came in is answered, so that a hundred
 * large queries at once hold up a small one for no longer than one does (docs/threats.md#G11).
 */
export function createFairQueue(): FairQueue {
  /** In the order in which they are next. */
  const waiting = new Map<string, Set<() => Promise<void>>>();
  let isBusy = false;

  function next(): void {
    const [first] = waiting;
    isBusy = first !== undefined;
    if (!first) return;
    const [whose, pieces] = first;
    const [work] = pieces;
    waiting.delete(whose);
    if (work) pieces.delete(work);
    if (pieces.size > 0) waiting.set(whose, pieces);
    // Behind everything that the network has brought by now.
    setImmediate(() => void work?.().finally(next));
  }

  function leave(whose: string, piece: () => Promise<void>): void {
    const pieces = waiting.get(whose);
    pieces?.delete(piece);
    if (pieces?.size === 0) waiting.delete(whose);
  }

  return <Result>(
    whose: string,
    work: (hasWaited: boolean) => Result | Promise<Result>,
    wanted?: AbortSignal,
  ) =>
    new Promise<Result>((resolve, reject) => {
      const hasWaited = isBusy;
      const left = (): void => {
        leave(whose, piece);
        reject(wanted?.reason);
      };
      const piece = async (): Promise<void> => {
        wanted?.removeEventListener("abort", left);
        try {
          wanted?.throwIfAborted();
          resolve(await work(hasWaited));
        } catch (thrown) {
          reject(thrown);
        }
      };
      if (wanted?.aborted) return reject(wanted.reason);
      wanted?.addEventListener("abort", left, { once: true });
      const pieces = waiting.get(whose) ?? new Set();
      waiting.set(whose, pieces.add(piece));
      if (!isBusy) next();
    });
}
