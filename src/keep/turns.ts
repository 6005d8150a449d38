/** A process that was begun: its exit code with the last that it said, and an end before that. */
export interface Begun {
  ended: Promise<{ code: number; words: string }>;
  kill(): void;
}

/** Work of other processes, one after the other. */
export interface Turns {
  /** Whether none is under way, and more may begin. */
  isFree(): boolean;
  /** Undefined where the stop came first: the next start makes it again. */
  take(): Promise<{ code: number; words: string } | undefined>;
  /** Ends one that is under way. */
  stop(): Promise<void>;
}

export function createTurns(begin: () => Begun): Turns {
  let begun: Begun | undefined;
  let isStopping = false;
  return {
    isFree: () => !begun && !isStopping,
    async take() {
      begun = begin();
      const ended = await begun.ended;
      begun = undefined;
      return isStopping ? undefined : ended;
    },
    async stop() {
      isStopping = true;
      begun?.kill();
      await begun?.ended;
    },
  };
}

/** How long ago something was; for ever where it never was. A clock that was set back makes nothing due for years. */
export function since(now: number, at: number | undefined): number {
  return at === undefined || at > now ? Infinity : now - at;
}
