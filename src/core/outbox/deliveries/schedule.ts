import { DAY, HOUR, MINUTE, SECOND } from "../../base/clock.ts";

/** Delay before each attempt (docs/contract.md#V3). */
export const RETRY_DELAYS_MS: readonly number[] = [
  0,
  30 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  15 * HOUR,
];

/**
 * Length of the retry window (docs/contract.md#V3), which begins with the first attempt. If an attempt starts
 * at the end of the retry window or later, the attempt is the last one.
 */
const WINDOW_MS = DAY;

/**
 * Returns when the attempt after a failed attempt is due. Returns undefined if the failed attempt was the
 * last attempt of the schedule or of the retry window. A delay counts from the start of the previous attempt,
 * without jitter (docs/contract.md#6.19).
 */
export function nextAttemptAt(
  delaysMs: readonly number[],
  attempts: number,
  firstAt: number,
  startedAt: number,
): number | undefined {
  const delay = delaysMs[attempts];
  const isExhausted = delay === undefined || startedAt - firstAt >= WINDOW_MS;
  return isExhausted ? undefined : startedAt + delay;
}
