/**
 * Maximum number of cached time zones per language. Clients choose the zone, and each formatter takes about
 * 40 kB.
 */
const KEPT = 48;

export interface Moments {
  /** Date, time and zone: `Nov 20, 2026, 10:30 GMT+1`. */
  moment(at: number, zone: string): string;
  /** Date and time without the zone, for a reader who chose this zone. */
  momentAtHome(at: number, zone: string): string;
  /** Hour and minute: `10:30`. */
  clockTime(at: number, zone: string): string;
}

/**
 * Formats dates and times in one language and any IANA time zone. Creating a formatter costs about 30 times
 * as much as using one, so recently used formatters are cached.
 */
export function momentsIn(language: string): Moments {
  const kept = new Map<string, Intl.DateTimeFormat>();
  function formatIn(zone: string): Intl.DateTimeFormat {
    const found = kept.get(zone) ?? make(zone);
    // Moves the zone to the end, so the least recently used zone is first.
    kept.delete(zone);
    kept.set(zone, found);
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT) break;
      kept.delete(oldest);
    }
    return found;
  }
  function make(zone: string): Intl.DateTimeFormat {
    return new Intl.DateTimeFormat(language, {
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZone: zone,
      timeZoneName: "short",
    });
  }
  return {
    moment: (at, zone) => formatIn(zone).format(at),
    momentAtHome: (at, zone) =>
      formatIn(zone)
        .formatToParts(at)
        .filter(({ type }) => type !== "timeZoneName")
        .map(({ value }) => value)
        .join("")
        .trim(),
    clockTime(at, zone) {
      const parts = formatIn(zone).formatToParts(at);
      const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? "";
      return `${part("hour")}:${part("minute")}`;
    },
  };
}
