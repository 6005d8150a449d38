import { DAY, HOUR, MINUTE, SECOND } from "../../base/clock.ts";

/** docs/contract.md#V3: the delay before each attempt. */
export const RETRY_DELAYS_MS: readonly number[] = [
  0,
  30 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  15 * HOUR,
];

/** docs/contract.md#V3: the retry window. An attempt made this long after the first one is the last. */
const WINDOW_MS = DAY;

/**
 * When the attempt after a failed one is due, or undefined where the failed one was the last: the table is
 * used up, or its window. Delays count from the start of the attempt before, without jitter
 * (docs/contract.md#6.19).
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
