import { Kind, Type, TypeRegistry } from "@sinclair/typebox";

const FORM =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * A moment in ISO-8601 with its zone, in ms since the epoch (parts of a millisecond are cut off); undefined for any
 * other text, and for a day or hour that does not exist: February 30th is refused, never rolled over.
 */
export function parseMoment(text: string): number | undefined {
  const parts = FORM.exec(text);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const ms = Number((parts[7] ?? "").padEnd(3, "0").slice(0, 3));
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second, ms);
  const isReal =
    local.getUTCMonth() === month - 1 &&
    local.getUTCDate() === day &&
    local.getUTCHours() === hour &&
    local.getUTCMinutes() === minute &&
    local.getUTCSeconds() === second;
  return isReal ? local.getTime() - zoneOffsetMs(parts[8] ?? "Z") : undefined;
}

function zoneOffsetMs(zone: string): number {
  if (zone === "Z") return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return (zone.startsWith("-") ? -1 : 1) * minutes * 60_000;
}

/** A moment as a client sends it. */
export function Moment(docs: { description?: string; examples?: string[] } = {}) {
  return Type.Unsafe<string>({
    [Kind]: "GuildhallMoment",
    type: "string",
    format: "date-time",
    ...docs,
    rule: "must be an ISO-8601 timestamp with a zone, such as 2026-11-20T09:30:00Z (write + as %2B in an address)",
  });
}

TypeRegistry.Set(
  "GuildhallMoment",
  (_schema, value) => typeof value === "string" && parseMoment(value) !== undefined,
);
