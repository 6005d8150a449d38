import { DAY, HOUR } from "../../base/clock.ts";

/**
 * Calendar days by time zone, as whole numbers: the date there, counted from 1970-01-01. All that is known of
 * zones comes from `Temporal` and `Intl`: daylight saving, half-hour shifts, dates that a place skipped.
 */

/** The date in a zone at a moment. */
export function localDay(at: number, zone: string): number {
  if (zone === "UTC") return Math.floor(at / DAY);
  const { year, month, day } = Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(
    zone,
  );
  return Date.UTC(year, month - 1, day) / DAY;
}

/** The first moment after `at` with a later date in the zone, to the millisecond. */
export function endOfDay(at: number, zone: string): number {
  const day = localDay(at, zone);
  let low = at;
  // No day is longer than 25 hours and a half; where a date is lived twice it is 48.
  let high = at + 50 * HOUR;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (localDay(middle, zone) > day) high = middle;
    else low = middle;
  }
  return high;
}

/** Whether the zone had that date. Samoa had no 30 December 2011: it crossed the date line. */
export function dayExists(day: number, zone: string): boolean {
  const begun = Temporal.PlainDate.from(isoDay(day)).toZonedDateTime(zone);
  return begun.toPlainDate().toString() === isoDay(day);
}

/** 2026-11-20 */
export function isoDay(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}
