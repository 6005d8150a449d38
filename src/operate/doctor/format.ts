import { countWithNoun } from "../../core/base/count-with-noun.ts";
import { DAY, HOUR, isoTime, MINUTE, SECOND } from "../../core/base/clock.ts";

/** `1.4 GB`, as an operator reads it. */
export function formatBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)));
  const value = bytes / 1024 ** step;
  return `${step === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[step]}`;
}

/** `3 hours`: one unit, rounded. */
export function formatDuration(ms: number): string {
  const units: readonly [string, number][] = [
    ["day", DAY],
    ["hour", HOUR],
    ["minute", MINUTE],
    ["second", SECOND],
  ];
  // From two of a unit on it is told in that one: 90 minutes say more than 2 hours.
  const [name, unit] = units.find(([, each]) => ms >= 2 * each) ?? (["second", SECOND] as const);
  return countWithNoun(Math.round(ms / unit), name);
}

/** `2026-11-22 19:30:00Z` */
export function formatTime(ms: number): string {
  return isoTime(ms).replace(/\.\d+/, "").replace("T", " ");
}

/** What was thrown, as one line. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}

/** `EACCES`, `SQLITE_CORRUPT`; "" where there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/**
 * A path as a shell takes it, whatever is in its name: what mends is typed by root, and others name files.
 */
export function shellQuoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** What others have named, as it may stand on a terminal: one line, without orders to it. */
export function singleLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, "?");
}
