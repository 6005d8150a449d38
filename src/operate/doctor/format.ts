import { countWithNoun } from "../../core/base/count-with-noun.ts";
import { DAY, HOUR, isoTime, MINUTE, SECOND } from "../../core/base/clock.ts";

/** Formats a size, such as `1.4 GB`. */
export function formatBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)));
  const value = bytes / 1024 ** step;
  return `${step === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[step]}`;
}

/** Formats a duration in one rounded unit, such as `3 hours`. */
export function formatDuration(ms: number): string {
  const units: readonly [string, number][] = [
    ["day", DAY],
    ["hour", HOUR],
    ["minute", MINUTE],
    ["second", SECOND],
  ];
  // A unit is used only for two units or more, because “90 minutes” is more precise than “2 hours”.
  const [name, unit] = units.find(([, each]) => ms >= 2 * each) ?? (["second", SECOND] as const);
  return countWithNoun(Math.round(ms / unit), name);
}

/** Formats a time, such as `2026-11-22 19:30:00Z`. */
export function formatTime(ms: number): string {
  return isoTime(ms).replace(/\.\d+/, "").replace("T", " ");
}

/** Returns the first line of an error's message. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}

/** Returns a code such as `EACCES` or `SQLITE_CORRUPT`, or "" if the error has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/**
 * Quotes a path for a shell, whatever its characters. Root runs the suggested commands, but other users may
 * have chosen the file names.
 */
export function shellQuoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Makes text from other programs safe for a terminal: one line without control characters. */
export function singleLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, "?");
}
