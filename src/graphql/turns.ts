/** Runs work one after another; see `createTurns`. */
export type Turns = <Result>(whose: string, work: () => Result | Promise<Result>) => Promise<Result>;

/**
 * One piece of work at a time, and those who wait are taken in turn by whose it is: however much one asks for, another's waits for one
 * piece of it. In between, whatever else came in is answered, so that a hundred large queries at once hold up a small one for no longer
 * than one does (THREATS G11).
 */
export function createTurns(): Turns {
  /** In the order in which they are next. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let isBusy = false;

  function next(): void {
    const [first] = waiting;
    isBusy = first !== undefined;
    if (!first) return;
    const [whose, [work, ...more]] = first;
    waiting.delete(whose);
    if (more.length > 0) waiting.set(whose, more);
    // Behind everything that the network has brought by now.
    setImmediate(() => void work?.().finally(next));
  }

  return <Result>(whose: string, work: () => Result | Promise<Result>) =>
    new Promise<Result>((resolve, reject) => {
      const piece = async (): Promise<void> => {
        try {
          resolve(await work());
        } catch (thrown) {
          reject(thrown);
        }
      };
      waiting.set(whose, [...(waiting.get(whose) ?? []), piece]);
      if (!isBusy) next();
    });
}
