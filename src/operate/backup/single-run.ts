import { isoTime } from "../../core/base/clock.ts";

/** How a process ended. `words` is its last message. `text` is its output, if the caller asked for it. */
export interface RunResult {
  code: number;
  output: string;
  text?: string;
}

/** A started process. `kill` ends it early. */
export interface ChildRun {
  ended: Promise<RunResult>;
  kill(): void;
}

/** Runs processes one at a time. */
export interface SingleRun {
  /** Whether no process is running and a new one may start. */
  isFree(): boolean;
  /** Resolves to undefined if `stop` ended the run. The next start of the server repeats the work. */
  runOnce(): Promise<RunResult | undefined>;
  stop(): Promise<void>;
}

export function createSingleRun(start: () => ChildRun): SingleRun {
  let child: ChildRun | undefined;
  let isStopping = false;
  return {
    isFree: () => !child && !isStopping,
    async runOnce() {
      child = start();
      const ended = await child.ended;
      child = undefined;
      return isStopping ? undefined : ended;
    },
    async stop() {
      isStopping = true;
      child?.kill();
      await child?.ended;
    },
  };
}

/**
 * Returns how long ago `at` was, in ms. Returns Infinity if `at` is undefined or in the future. A time in the
 * future means that the clock was set back. With Infinity, the work is due now.
 */
export function elapsedSince(now: number, at: number | undefined): number {
  return at === undefined || at > now ? Infinity : now - at;
}

/**
 * Returns a backup's fields for a log line. The logger would mistake the names `name` and `at` (a number) for
 * its own fields.
 */
export function logFields<Rest extends object>({ name, at, ...rest }: Rest & { name: string; at: number }) {
  return { backup: name, at: isoTime(at), ...rest };
}
