export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The only source of time in the core. Tests hold it still and move it by hand. */
export interface Clock {
  /**
   * Wall time in milliseconds since the epoch. May step in either direction when the machine's clock is set.
   */
  now(): number;
  /** Milliseconds since some fixed start; never goes back. For measuring waits, never for dates. */
  elapsed(): number;
  /**
   * Wall time that never steps: near it until somebody sets the machine's clock, and then going on as if
   * nobody had, over restarts too (`deliveries/monotonic-time.ts`). For what falls due; whole milliseconds.
   */
  steady(): number;
}

/** `steadyBase`: what the steady time is ahead of this thread's monotonic one. */
export function machineClock(steadyBase: number = Date.now() - monotonicMs()): Clock {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    steady: () => Math.floor(steadyBase + monotonicMs()),
  };
}

/**
 * Since some fixed start, which is each thread's own: Bun counts `hrtime`, as `performance.now()`, from where
 * the thread began.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export const systemClock: Clock = machineClock();

/** `2026-11-20T09:30:00.000Z`: the one form in which a timestamp is answered (docs/contract.md#1.12). */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
