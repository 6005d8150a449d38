import { Kind, Type, TypeRegistry } from "@sinclair/typebox";
import { ruled } from "./check.ts";

/** RFC 3339 §5.6, and its seconds left away: the extended form of ISO 8601. */
const EXTENDED = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?([Zz]|[+-][\d:]+)$/;
/** The basic form of ISO 8601: the same without what stands between. */
const BASIC = /^(\d{4})(\d{2})(\d{2})[Tt](\d{2})(\d{2})(?:(\d{2})(?:\.(\d+))?)?([Zz]|[+-][\d:]+)$/;
/** Either form may have either spelling: `%z` of C and Python writes `+0000` behind an extended time. */
const OFFSET = /^[+-]([01]\d|2[0-3])(?::?([0-5]\d))?$/;

/**
 * A moment of RFC 3339 or of ISO 8601 with its zone, in ms since the epoch (parts of a millisecond are cut off); undefined for any
 * other text, and for a day, hour or leap second that does not exist: February 30th is refused, never rolled over.
 */
export function parseMoment(text: string): number | undefined {
  const parts = EXTENDED.exec(text) ?? BASIC.exec(text);
  if (!parts) return undefined;
  const offset = zoneOffsetMs(parts[8] ?? "");
  if (offset === undefined) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const ms = Number((parts[7] ?? "").padEnd(3, "0").slice(0, 3));
  const isLeap = second === 60;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, isLeap ? 59 : second, ms);
  const isReal =
    local.getUTCMonth() === month - 1 &&
    local.getUTCDate() === day &&
    local.getUTCHours() === hour &&
    local.getUTCMinutes() === minute &&
    local.getUTCSeconds() === (isLeap ? 59 : second);
  if (!isReal) return undefined;
  const at = local.getTime() - offset;
  if (!isLeap) return at;
  // Clocks that count from the epoch have no leap seconds: such a moment is the one a second later.
  return LEAP_SECONDS.has(new Date(at).toISOString().slice(0, 19)) ? at + 1000 : undefined;
}

/** Undefined for what is no offset. */
function zoneOffsetMs(zone: string): number | undefined {
  if (zone === "Z" || zone === "z") return 0;
  const parts = OFFSET.exec(zone);
  if (!parts) return undefined;
  const minutes = Number(parts[1]) * 60 + Number(parts[2] ?? 0);
  return (zone.startsWith("-") ? -1 : 1) * minutes * 60_000;
}

/** The minutes that had 61 seconds (RFC 3339 appendix D, and what IERS Bulletin C has announced since). */
const LEAP_SECONDS: ReadonlySet<string> = new Set(
  [
    ..."1972 1981 1982 1983 1985 1992 1993 1994 1997 2012 2015".split(" ").map((year) => `${year}-06-30`),
    ..."1972 1973 1974 1975 1976 1977 1978 1979 1987 1989 1990 1995 1998 2005 2008 2016"
      .split(" ")
      .map((year) => `${year}-12-31`),
  ].map((day) => `${day}T23:59:59`),
);

/** A moment as a client sends it. */
export function Moment(docs: { description?: string; examples?: string[] } = {}) {
  return Type.Unsafe<string>({
    [Kind]: "GuildhallMoment",
    type: "string",
    format: "date-time",
    ...docs,
    ...ruled("not_moment"),
  });
}

TypeRegistry.Set(
  "GuildhallMoment",
  (_schema, value) => typeof value === "string" && parseMoment(value) !== undefined,
);
