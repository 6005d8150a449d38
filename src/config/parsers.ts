import { createHash, X509Certificate } from "node:crypto";
import { isAbsolute } from "node:path";
import ipaddr from "ipaddr.js";
import { DAY, HOUR, MINUTE, SECOND } from "../core/base/clock.ts";
import { readPlain } from "../files/plain-file.ts";
import type { RateTier } from "../core/base/limits.ts";

// What reads a setting's text gives undefined, or throws, for a text that it does not take.

const SIZES: Readonly<Record<string, number>> = { kB: 1_000, MB: 1_000_000 };
const MB = 1_000_000;

/**
 * `500kB`, `8MB` in bytes. Less would refuse pages that every client asks for; more could be held in memory
 * by a few at once.
 */
export function answerSize(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,6})(kB|MB)$/.exec(text) ?? [];
  const bytes = Number(count) * (SIZES[unit] ?? 0);
  return bytes >= 64_000 && bytes <= 100 * MB ? bytes : undefined;
}

const ROOM: Readonly<Record<string, number>> = { MB, GB: 1000 * MB };

/** `100MB`, `5GB` in bytes. */
export function roomSize(text: string): number | undefined {
  const [, count, unit = ""] = /^([1-9]\d{0,5})(MB|GB)$/.exec(text) ?? [];
  const bytes = Number(count) * (ROOM[unit] ?? Number.NaN);
  return bytes <= 1e12 ? bytes : undefined;
}

export function list(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

export function each<Value>(
  parse: (text: string) => Value | undefined,
): (text: string) => Value[] | undefined {
  return (text) => {
    const values: Value[] = [];
    for (const part of list(text)) {
      const value = parse(part);
      if (value === undefined) return undefined;
      values.push(value);
    }
    return values.length > 0 ? values : undefined;
  };
}

export function oneOf<const Values extends readonly string[]>(
  values: Values,
): (text: string) => Values[number] | undefined {
  return (text) => values.find((value) => value === text);
}

/** One line that a page's head has room for. */
export function title(text: string): string | undefined {
  return /^[^\p{C}\p{Z}](?:[^\p{C}]{0,38}[^\p{C}\p{Z}])?$/u.test(text) ? text : undefined;
}

export function hostName(text: string): string | undefined {
  return ipaddr.isValid(text) || /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text)
    ? text
    : undefined;
}

export function hostOrCidr(text: string): string | undefined {
  if (text.includes("/")) return ipaddr.isValidCIDR(text) ? text : undefined;
  return hostName(text)?.toLowerCase();
}

export function portNumber(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  return port >= 0 && port <= 65_535 ? port : undefined;
}

/** A whole number from 1 on. */
export function count(text: string, max: number): number | undefined {
  return /^[1-9]\d{0,6}$/.test(text) && Number(text) <= max ? Number(text) : undefined;
}

/** Scheme, host and port, nothing after them. */
export function webOrigin(text: string): string | undefined {
  const url = new URL(text);
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  return isWeb && (url.origin === text || `${url.origin}/` === text) ? url.origin : undefined;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/** `30s` for 30,000: in the largest unit that gives a whole number. */
export function formatDurationValue(ms: number): string {
  const [unit = "ms", size = 1] = Object.entries(UNITS).findLast(
    ([, each]) => ms % each === 0 && ms >= each,
  ) ?? ["s"];
  return `${ms / size}${unit}`;
}

/** `ada@guild.example`: an address that an authority may write to. */
export function mailAddress(text: string): string | undefined {
  return /^[^\s@,;:<>"]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text) ? text : undefined;
}

/** Of a mail server, with who asks there. */
export function smtpAddress(text: string): string | undefined {
  const url = new URL(text);
  const isPlain = url.pathname === "" || url.pathname === "/";
  if (!/^smtps?:$/.test(url.protocol) || url.hostname === "" || !isPlain) return undefined;
  // What cannot be read would be found at the first mail.
  decodeURIComponent(url.username + url.password);
  return url.search === "" && url.hash === "" && (url.password === "" || url.username !== "")
    ? text
    : undefined;
}

/** An address by https, with a path. */
export function httpsAddress(text: string): string | undefined {
  const url = new URL(text);
  return url.protocol === "https:" && url.username === "" && url.hash === "" ? url.href : undefined;
}

/** `90s`, `5m`, `2h`, `30d` in milliseconds. */
export function duration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})(ms|s|m|h|d)$/.exec(text) ?? [];
  return count === undefined || unit === undefined ? undefined : Number(count) * (UNITS[unit] ?? 0);
}

export function positiveDuration(text: string): number | undefined {
  return duration(text) || undefined;
}

/** An attempt holds one of few places, and a stop waits for it. */
export function attemptDuration(text: string): number | undefined {
  const ms = positiveDuration(text);
  return ms !== undefined && ms <= 10 * MINUTE ? ms : undefined;
}

/**
 * Each certificate is read once here: a broken one would only show at the first delivery, as every receiver's
 * fault.
 */
export function pemFile(file: string): string | undefined {
  const text = readPlain(file).toString("utf8");
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]*(?:-----END CERTIFICATE-----)?/g) ?? [];
  return certificates.every((pem) => new X509Certificate(pem)) && certificates.length > 0 ? text : undefined;
}

/**
 * Documents by their hash, as `relay-compiler` and its like write them; each must be the one that its hash
 * says.
 */
export function documentsFile(file: string): ReadonlyMap<string, string> | undefined {
  const entries = Object.entries<unknown>(JSON.parse(readPlain(file).toString("utf8")));
  const isRight = entries.every(
    ([hash, text]) => typeof text === "string" && createHash("sha256").update(text).digest("hex") === hash,
  );
  return isRight ? new Map(entries as [string, string][]) : undefined;
}

/** `sustained/burst`, both in requests. */
export function tier(text: string): RateTier | undefined {
  const [, sustained, burst] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  const read = { sustained: Number(sustained), burst: Number(burst) };
  return read.sustained > 0 && read.burst > 0 ? read : undefined;
}

/** A folder by its whole path, as the server and tools may start anywhere; or an address of S3. */
export function backupTarget(text: string): string | undefined {
  return isAbsolute(text) || /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/.*)?$/.test(text)
    ? text
    : undefined;
}

/**
 * Where Litestream puts its replica: a folder by its whole path or as `file://`, or `s3://` with what
 * Litestream reads behind it.
 */
export function replicaTarget(text: string): string | undefined {
  if (text.startsWith("file:///")) return text.length > "file:///".length ? text : undefined;
  return isAbsolute(text) || /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[^?]*)?(?:\?.*)?$/.test(text)
    ? text
    : undefined;
}

export function backupEvery(text: string): number | undefined {
  const ms = duration(text) ?? 0;
  return ms >= 5 * MINUTE ? ms : undefined;
}

const KINDS = ["hourly", "daily", "weekly", "monthly"] as const;

/** `hourly=24,daily=7`: how many of each kind are kept; of those left out none. */
export function backupKeep(text: string): Record<(typeof KINDS)[number], number> | undefined {
  const keep = { hourly: 0, daily: 0, weekly: 0, monthly: 0 };
  for (const part of list(text)) {
    const [, kind, count] = /^(\w+)=(\d{1,4})$/.exec(part) ?? [];
    const known = KINDS.find((each) => each === kind);
    if (!known) return undefined;
    keep[known] = Number(count);
  }
  return keep;
}
