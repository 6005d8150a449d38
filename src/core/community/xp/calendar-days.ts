import { DAY, HOUR } from "../../base/clock.ts";

/**
 * Calendar days in a time zone, as days since 1970-01-01. `Temporal` and `Intl` provide all time zone data,
 * including daylight saving time, half-hour shifts and skipped dates.
 */

/** Returns the date in a zone at a time (ms since the epoch). */
export function localDay(at: number, zone: string): number {
  if (zone === "UTC") return Math.floor(at / DAY);
  const { year, month, day } = Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(
    zone,
  );
  return Date.UTC(year, month - 1, day) / DAY;
}

/** Returns the first ms after `at` at which the date in the zone is later than at `at`. */
export function endOfDay(at: number, zone: string): number {
  const day = localDay(at, zone);
  let low = at;
  // Every date ends within 50 hours. The longest normal day has 25.5 hours. If a zone repeats a date, the
  // date has 48 hours.
  let high = at + 50 * HOUR;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (localDay(middle, zone) > day) high = middle;
    else low = middle;
  }
  return high;
}

/** Whether the date exists in the zone. Samoa skipped 30 December 2011 when it crossed the date line. */
export function dayExists(day: number, zone: string): boolean {
  const startOfDay = Temporal.PlainDate.from(isoDay(day)).toZonedDateTime(zone);
  return startOfDay.toPlainDate().toString() === isoDay(day);
}

/** Returns the date in the form 2026-11-20. */
export function isoDay(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}
