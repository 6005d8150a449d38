import { DAY } from "../../base/clock.ts";

const MORNING = "08:00";
const MONDAY = 1;

/**
 * The next morning at eight behind a moment, as the clocks of a zone show it; of a weekly digest that of a
 * Monday. Where that day has no eight o'clock, or no such date, it is the moment that the zone puts in its
 * place.
 */
export function nextDigest(after: number, zone: string, every: "daily" | "weekly"): number {
  let day = Temporal.Instant.fromEpochMilliseconds(Math.floor(after)).toZonedDateTimeISO(zone).toPlainDate();
  for (;;) {
    const at = day.toZonedDateTime({ timeZone: zone, plainTime: MORNING }).epochMilliseconds;
    // A date that a zone skipped is another's morning.
    if (at > after && (every === "daily" || day.dayOfWeek === MONDAY)) return at;
    if (at > after + 30 * DAY) return after + DAY;
    day = day.add({ days: 1 });
  }
}
