/** A round-robin list of pieces of work by owner: each owner in turn has one piece taken. */
export interface RoundRobinList<Piece> {
  add(whose: string, piece: Piece): void;
  /** The next piece, which leaves the list; undefined where there is none. */
  take(): Piece | undefined;
  /** Drops a piece, if it is still in the list. */
  leave(whose: string, piece: Piece): void;
  /** The number of pieces in the list. */
  size(): number;
}

export function createRoundRobinList<Piece extends object>(): RoundRobinList<Piece> {
  /** The owner at the head is next. */
  const waiting = new Map<string, Set<Piece>>();
  let size = 0;

  function leave(whose: string, piece: Piece): void {
    const pieces = waiting.get(whose);
    if (!pieces?.delete(piece)) return;
    size--;
    if (pieces.size === 0) waiting.delete(whose);
  }

  return {
    add(whose, piece) {
      waiting.set(whose, (waiting.get(whose) ?? new Set<Piece>()).add(piece));
      size++;
    },
    take() {
      const [first] = waiting;
      if (!first) return undefined;
      const [whose, pieces] = first;
      const [piece] = pieces;
      size--;
      waiting.delete(whose);
      if (piece) pieces.delete(piece);
      if (pieces.size > 0) waiting.set(whose, pieces);
      return piece;
    },
    leave,
    size: () => size,
  };
}

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
  const waiting = createRoundRobinList<() => Promise<void>>();
  let isBusy = false;

  function next(): void {
    const work = waiting.take();
    isBusy = work !== undefined;
    // Behind everything that the network has brought by now.
    if (work) setImmediate(() => void work().finally(next));
  }

  return <Result>(
    whose: string,
    work: (hasWaited: boolean) => Result | Promise<Result>,
    wanted?: AbortSignal,
  ) =>
    new Promise<Result>((resolve, reject) => {
      const hasWaited = isBusy;
      const left = (): void => {
        waiting.leave(whose, piece);
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
      waiting.add(whose, piece);
      if (!isBusy) next();
    });
}
