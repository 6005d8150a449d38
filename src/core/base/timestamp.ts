import { Kind, Type, TypeRegistry } from "@sinclair/typebox";
import { ruled } from "./check.ts";

/** Extended format: RFC 3339 §5.6 and ISO 8601. Seconds are optional. */
const EXTENDED = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(?::(\d{2})(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;
/** Basic format of ISO 8601, without separators. */
const BASIC = /^\d{8}[Tt]\d{4}(?:(\d{2})(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;

/**
 * Parses an RFC 3339 or ISO 8601 timestamp with a zone to ms since the epoch, truncated to whole
 * milliseconds. Returns undefined for any other text, and for a day, hour or leap second that does not exist:
 * February 30th is rejected, never rolled over. Both formats accept both spellings of the offset, because
 * `%z` of C and Python writes `+0000` after an extended time.
 */
export function parseTimestamp(text: string): number | undefined {
  const parts = EXTENDED.exec(text) ?? BASIC.exec(text);
  if (!parts) return undefined;
  const at = instantOf(text);
  if (at === undefined || parts[1] !== "60") return at;
  // Epoch time has no leap seconds. A leap second equals the second after it.
  return LEAP_SECONDS.has(new Date(at).toISOString().slice(0, 19)) ? at + 1000 : undefined;
}

function instantOf(text: string): number | undefined {
  try {
    return Temporal.Instant.from(text.replace(/(\.\d{3})\d+/, "$1")).epochMilliseconds;
  } catch {
    return undefined;
  }
}

/** Minutes with 61 seconds (RFC 3339 appendix D and later announcements in IERS Bulletin C). */
const LEAP_SECONDS: ReadonlySet<string> = new Set(
  [
    ..."1972 1981 1982 1983 1985 1992 1993 1994 1997 2012 2015".split(" ").map((year) => `${year}-06-30`),
    ..."1972 1973 1974 1975 1976 1977 1978 1979 1987 1989 1990 1995 1998 2005 2008 2016"
      .split(" ")
      .map((year) => `${year}-12-31`),
  ].map((day) => `${day}T23:59:59`),
);

/** A timestamp in a request. */
export function TimestampText(docs: { description?: string; examples?: string[] } = {}) {
  return Type.Unsafe<string>({
    [Kind]: "GuildhallTimestampText",
    type: "string",
    format: "date-time",
    ...docs,
    ...ruled("not_moment"),
  });
}

TypeRegistry.Set(
  "GuildhallTimestampText",
  (_schema, value) => typeof value === "string" && parseTimestamp(value) !== undefined,
);
