import { DAY } from "../../base/clock.ts";

const MORNING = "08:00";
const MONDAY = 1;

/**
 * Returns the next 8:00 in a time zone that is later than `after`. For a weekly digest, returns the next
 * Monday at 8:00. If a clock change skips 8:00 on that day, Temporal returns the time that replaces 8:00.
 */
export function nextDigest(after: number, zone: string, every: "daily" | "weekly"): number {
  let day = Temporal.Instant.fromEpochMilliseconds(Math.floor(after)).toZonedDateTimeISO(zone).toPlainDate();
  for (;;) {
    const at = day.toZonedDateTime({ timeZone: zone, plainTime: MORNING }).epochMilliseconds;
    // If the zone skipped this date, `at` is on the next day. A weekly digest is then not sent on a Monday.
    if (at > after && (every === "daily" || day.dayOfWeek === MONDAY)) return at;
    if (at > after + 30 * DAY) return after + DAY;
    day = day.add({ days: 1 });
  }
}
