import { createHash, X509Certificate } from "node:crypto";
import { isAbsolute } from "node:path";
import ipaddr from "ipaddr.js";
import { DAY, HOUR, MINUTE, SECOND } from "../core/base/clock.ts";
import { readRegularFile } from "../files/regular-file.ts";
import type { RateTier } from "../core/base/limits.ts";

// Each parser returns undefined or throws for a text that the setting does not accept.

const SIZES: Readonly<Record<string, number>> = { kB: 1_000, MB: 1_000_000 };
const MB = 1_000_000;

/**
 * Parses `500kB` or `8MB` to bytes. Accepts 64 kB to 100 MB. A smaller setting would reject pages that every
 * client requests. With a larger one, a few clients could fill the memory.
 */
export function answerSize(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,6})(kB|MB)$/.exec(text) ?? [];
  const bytes = Number(count) * (SIZES[unit] ?? 0);
  return bytes >= 64_000 && bytes <= 100 * MB ? bytes : undefined;
}

const SPACE_UNITS: Readonly<Record<string, number>> = { MB, GB: 1000 * MB };

/** Parses `100MB` or `5GB` to bytes. Accepts at most 1 TB. */
export function spaceSize(text: string): number | undefined {
  const [, count, unit = ""] = /^([1-9]\d{0,5})(MB|GB)$/.exec(text) ?? [];
  const bytes = Number(count) * (SPACE_UNITS[unit] ?? Number.NaN);
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

/** Accepts one line of at most 40 characters, which fits into the header of a page. */
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

/** Parses a whole number from 1 to `max`. */
export function count(text: string, max: number): number | undefined {
  return /^[1-9]\d{0,6}$/.test(text) && Number(text) <= max ? Number(text) : undefined;
}

/** Accepts a URL with only a scheme, host and port. */
export function webOrigin(text: string): string | undefined {
  const url = new URL(text);
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  return isWeb && (url.origin === text || `${url.origin}/` === text) ? url.origin : undefined;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/** Formats milliseconds in the largest unit without a fraction: 30,000 as `30s`. */
export function formatDurationValue(ms: number): string {
  const [unit = "ms", size = 1] = Object.entries(UNITS).findLast(
    ([, each]) => ms % each === 0 && ms >= each,
  ) ?? ["s"];
  return `${ms / size}${unit}`;
}

/** Accepts an email address for the certificate authority, such as `ada@guild.example`. */
export function mailAddress(text: string): string | undefined {
  return /^[^\s@,;:<>"]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text) ? text : undefined;
}

/** Accepts the URL of a mail server, with an optional user name and password. */
export function smtpAddress(text: string): string | undefined {
  const url = new URL(text);
  const isPlain = url.pathname === "" || url.pathname === "/";
  if (!/^smtps?:$/.test(url.protocol) || url.hostname === "" || !isPlain) return undefined;
  // Throws for invalid percent-encoding, which would otherwise surface at the first email.
  decodeURIComponent(url.username + url.password);
  return url.search === "" && url.hash === "" && (url.password === "" || url.username !== "")
    ? text
    : undefined;
}

/** Accepts an HTTPS URL with a path. */
export function httpsAddress(text: string): string | undefined {
  const url = new URL(text);
  return url.protocol === "https:" && url.username === "" && url.hash === "" ? url.href : undefined;
}

/** Parses `90s`, `5m`, `2h` or `30d` to milliseconds. */
export function duration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})(ms|s|m|h|d)$/.exec(text) ?? [];
  return count === undefined || unit === undefined ? undefined : Number(count) * (UNITS[unit] ?? 0);
}

export function positiveDuration(text: string): number | undefined {
  return duration(text) || undefined;
}

/**
 * Accepts at most ten minutes. A delivery attempt occupies one of few slots, and a stop of the server waits
 * for it.
 */
export function attemptDuration(text: string): number | undefined {
  const ms = positiveDuration(text);
  return ms !== undefined && ms <= 10 * MINUTE ? ms : undefined;
}

/**
 * Reads a file of CA certificates, and parses each. An invalid certificate would otherwise only show at the
 * first delivery, as an error of every receiver.
 */
export function pemFile(file: string): string | undefined {
  const text = readRegularFile(file).toString("utf8");
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]*(?:-----END CERTIFICATE-----)?/g) ?? [];
  return certificates.every((pem) => new X509Certificate(pem)) && certificates.length > 0 ? text : undefined;
}

/**
 * Reads GraphQL documents by hash, in the format of `relay-compiler` and similar tools. Rejects a document
 * that does not match its hash.
 */
export function documentsFile(file: string): ReadonlyMap<string, string> | undefined {
  const entries = Object.entries<unknown>(JSON.parse(readRegularFile(file).toString("utf8")));
  const isRight = entries.every(
    ([hash, text]) => typeof text === "string" && createHash("sha256").update(text).digest("hex") === hash,
  );
  return isRight ? new Map(entries as [string, string][]) : undefined;
}

/** Parses `sustained/burst`, both in requests. */
export function tier(text: string): RateTier | undefined {
  const [, sustained, burst] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  const read = { sustained: Number(sustained), burst: Number(burst) };
  return read.sustained > 0 && read.burst > 0 ? read : undefined;
}

/**
 * Accepts an S3 URL or an absolute path. A relative path would depend on where the server and the tools
 * start.
 */
export function backupTarget(text: string): string | undefined {
  return isAbsolute(text) || /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/.*)?$/.test(text)
    ? text
    : undefined;
}

/**
 * Accepts a target of Litestream: an absolute path, a `file://` URL, or `s3://` with the query parameters
 * that Litestream reads.
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

/**
 * Parses `hourly=24,daily=7`: the number of backups to keep of each kind. Kinds that are not named are not
 * kept.
 */
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
