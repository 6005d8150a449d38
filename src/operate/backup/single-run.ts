import { isoTime } from "../../core/base/clock.ts";

/** How a process ended: its exit code, the last that it said, and what it printed where that is wanted. */
export interface RunResult {
  code: number;
  words: string;
  text?: string;
}

/** A process that was begun, and an end before its own. */
export interface ChildRun {
  ended: Promise<RunResult>;
  kill(): void;
}

/** Work of other processes, one after the other. */
export interface Turns {
  /** Whether none is under way, and more may begin. */
  isFree(): boolean;
  /** Undefined where the stop came first: the next start makes it again. */
  take(): Promise<RunResult | undefined>;
  /** Ends one that is under way. */
  stop(): Promise<void>;
}

export function createSingleRun(begin: () => ChildRun): Turns {
  let begun: ChildRun | undefined;
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

/**
 * How long ago something was; for ever where it never was. A clock that was set back makes nothing due for
 * years.
 */
export function since(now: number, at: number | undefined): number {
  return at === undefined || at > now ? Infinity : now - at;
}

/** A backup as a line of the log tells it: `name` and a bare number would be taken for something else. */
export function logFields<Rest extends object>({ name, at, ...rest }: Rest & { name: string; at: number }) {
  return { backup: name, at: isoTime(at), ...rest };
}
