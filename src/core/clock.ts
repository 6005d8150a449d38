export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The only source of time in the core. Tests hold it still and move it by hand. */
export interface Clock {
  /** Wall time in milliseconds since the epoch. May step in either direction when the machine's clock is set. */
  now(): number;
  /** Milliseconds since some fixed start; never goes back. For measuring waits, never for dates. */
  elapsed(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
};

/** `2026-11-20T09:30:00.000Z`: the one form of a moment on every door (§2). */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
