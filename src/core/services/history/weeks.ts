import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { countWeek, forgetWeeks, storeActiveWeeks } from "./weeks-store.ts";

export const WEEK = 7 * DAY;
const RETENTION_WEEKS = 57;
/** The first Monday since the epoch, in ms. */
const MONDAY = 4 * DAY;

/**
 * Records which builders were active since `activeSince`, and counts them, for each week that contains one of
 * `days`. When a week is over, its list of builders is deleted. Call it in a transaction, every few minutes.
 */
export function noteWeeks(
  core: Core,
  days: readonly number[],
  { now, activeSince }: { now: number; activeSince: number },
): void {
  const thisWeek = weekOf(now);
  for (const week of new Set(days.map(weekOf))) {
    storeActiveWeeks(core, week, Math.max(week, activeSince), week + WEEK);
    countWeek(core, week, week - WEEK);
  }
  forgetWeeks(core, thisWeek - (RETENTION_WEEKS - 1) * WEEK, { from: thisWeek, until: now });
}

/** Returns the start of the week (Monday, UTC) of a time. */
export function weekOf(at: number): number {
  return Math.floor((at - MONDAY) / WEEK) * WEEK + MONDAY;
}
