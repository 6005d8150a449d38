export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The only source of time in the core. Tests stop it and advance it by hand. */
export interface Clock {
  /** Wall time in milliseconds since the epoch. Steps forward or back when the machine's clock is set. */
  now(): number;
  /** Milliseconds since a fixed start. Never decreases. Use this time to measure waits, never for dates. */
  elapsed(): number;
  /**
   * Wall time that never steps, in whole milliseconds. Changes of the machine's clock have no effect, also
   * across restarts (`deliveries/monotonic-time.ts`). Use this time for due times.
   */
  steady(): number;
}

/**
 * Creates the clock of this machine. `steadyBase` is the difference between steady time and this thread's
 * monotonic time, in ms.
 */
export function machineClock(steadyBase: number = Date.now() - monotonicMs()): Clock {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    steady: () => Math.floor(steadyBase + monotonicMs()),
  };
}

/** Returns milliseconds since this thread started. Bun counts `hrtime` and `performance.now()` per thread. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export const systemClock: Clock = machineClock();

/**
 * Formats a time as `2026-11-20T09:30:00.000Z`, the only format of timestamps in responses
 * (docs/contract.md#1.12).
 */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
