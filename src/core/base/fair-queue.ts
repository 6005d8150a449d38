/**
 * A round-robin list of work items by owner. `take` returns one item of an owner, then one item of the next
 * owner.
 */
export interface RoundRobinList<Piece> {
  add(owner: string, piece: Piece): void;
  /** Removes and returns the next item, or undefined when the list is empty. */
  take(): Piece | undefined;
  /** Removes an item if it is still in the list. */
  remove(owner: string, piece: Piece): void;
  size(): number;
}

export function createRoundRobinList<Piece extends object>(): RoundRobinList<Piece> {
  /** Items by owner. The first owner is next. */
  const waiting = new Map<string, Set<Piece>>();
  let size = 0;

  function remove(owner: string, piece: Piece): void {
    const pieces = waiting.get(owner);
    if (!pieces?.delete(piece)) return;
    size--;
    if (pieces.size === 0) waiting.delete(owner);
  }

  return {
    add(owner, piece) {
      waiting.set(owner, (waiting.get(owner) ?? new Set<Piece>()).add(piece));
      size++;
    },
    take() {
      const [first] = waiting;
      if (!first) return undefined;
      const [owner, pieces] = first;
      const [piece] = pieces;
      size--;
      waiting.delete(owner);
      if (piece) pieces.delete(piece);
      if (pieces.size > 0) waiting.set(owner, pieces);
      return piece;
    },
    remove,
    size: () => size,
  };
}

/** Runs work one after another; see `createFairQueue`. */
export type FairQueue = <Result>(
  owner: string,
  work: (hasWaited: boolean) => Result | Promise<Result>,
  /**
   * Aborted when the caller no longer needs the result. Work that has not started then fails with the
   * signal's reason.
   */
  wanted?: AbortSignal,
) => Promise<Result>;

/**
 * Runs one item of work at a time, round-robin by owner. A caller waits for at most one item of each other
 * owner, however many items that owner has queued. Between two items, the event loop handles other requests.
 * So a hundred large queries delay a small query no longer than one large query does (docs/threats.md#G11).
 */
export function createFairQueue(): FairQueue {
  const waiting = createRoundRobinList<() => Promise<void>>();
  let isBusy = false;

  function next(): void {
    const work = waiting.take();
    isBusy = work !== undefined;
    // Start the next work only after pending network events.
    if (work) setImmediate(() => void work().finally(next));
  }

  return <Result>(
    owner: string,
    work: (hasWaited: boolean) => Result | Promise<Result>,
    wanted?: AbortSignal,
  ) =>
    new Promise<Result>((resolve, reject) => {
      const hasWaited = isBusy;
      const left = (): void => {
        waiting.remove(owner, piece);
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
      waiting.add(owner, piece);
      if (!isBusy) next();
    });
}
