/** So many zones are kept ready in each language: whoever asks chooses theirs, and each takes some 40 kB. */
const KEPT = 48;

export interface Moments {
  /** A day, a minute and the zone: `Nov 20, 2026, 10:30 GMT+1`. */
  moment(at: number, zone: string): string;
  /** The same without the zone, for those who live in it. */
  momentAtHome(at: number, zone: string): string;
}

/**
 * Moments in one language and any zone, named as IANA names it. Making a formatter costs some thirty times
 * what using one does: those that were used last are kept.
 */
export function momentsIn(language: string): Moments {
  const kept = new Map<string, Intl.DateTimeFormat>();
  function formatIn(zone: string): Intl.DateTimeFormat {
    const found = kept.get(zone) ?? make(zone);
    // What was used last stands last.
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
  };
}
