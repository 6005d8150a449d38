import { createHash, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import ipaddr from "ipaddr.js";
import { DAY, HOUR, MINUTE, SECOND } from "./core/ground/clock.ts";
import { ATTEMPT_MS } from "./core/outbox/deliveries/deliveries.ts";
import { RETRY_DELAYS_MS } from "./core/outbox/deliveries/schedule.ts";
import type { Tier } from "./core/ground/limits.ts";
import { type ProxyList, parseProxies } from "./http/address.ts";
import { LOG_LEVELS, type LogLevel } from "./log.ts";

/** Everything the operator decides, read once. Nobody else looks at the environment. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  /** Undefined: `http://HOST:PORT`, with the port that was really taken. */
  readonly origin: string | undefined;
  readonly signup: "open" | "invite" | "closed";
  readonly trustedProxies: ProxyList;
  readonly corsOrigins: readonly string[];
  readonly webhookAllow: readonly string[];
  /** The PEM text of the authorities trusted for deliveries beside the system's own. */
  readonly webhookCa: string | undefined;
  readonly retryDelaysMs: readonly number[];
  readonly webhookTimeoutMs: number;
  /** How many requests this process may send at once; see cli/requests.ts. */
  readonly requestsAtOnce: number;
  /** How long settled deliveries and events are kept. */
  readonly retentionMs: number;
  readonly enterprise: Tier;
  readonly keyFile: string;
  readonly logLevel: LogLevel;
  readonly metricsToken: string | undefined;
  /** What the graph tells of itself, and which documents it runs. */
  readonly graphql: {
    readonly introspection: boolean;
    readonly documents: ReadonlyMap<string, string>;
    readonly documentsOnly: boolean;
    readonly answerMaxBytes: number;
  };
}

/**
 * A setting that cannot be used. The message names it, says what is wrong and shows a value that would do.
 */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** What the command line may say; it wins over the environment. */
export interface Flags {
  host?: string | undefined;
  port?: string | undefined;
  data?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws ConfigError for the first setting that is wrong, or that there is none of. Touches nothing. */
export function readConfig(environment: Environment, flags: Flags = {}): Config {
  const known = new Set<string>();
  const setting = (name: string): Setting => {
    known.add(`GUILDHALL_${name}`);
    return { name: `GUILDHALL_${name}`, text: environment[`GUILDHALL_${name}`]?.trim() || undefined };
  };
  const flagged = (flag: "host" | "port" | "data"): Setting => {
    const ofEnvironment = setting(flag.toUpperCase());
    return flags[flag] === undefined ? ofEnvironment : { name: `--${flag}`, text: flags[flag] };
  };
  const data = read(
    flagged("data"),
    "./data",
    (text) => (text.trim() ? text : undefined),
    "/var/lib/guildhall",
  );
  const config = Object.freeze<Config>({
    host: read(flagged("host"), "127.0.0.1", hostName, "127.0.0.1"),
    port: read(flagged("port"), 8787, portNumber, "8787 (0 picks a free one)"),
    data,
    origin: read(setting("ORIGIN"), undefined, webOrigin, ORIGIN_EXAMPLE),
    signup: read(setting("SIGNUP"), "invite", oneOf(["open", "invite", "closed"]), "open, invite or closed"),
    trustedProxies: read(
      setting("TRUSTED_PROXIES"),
      [],
      (text) => parseProxies(list(text)),
      "10.0.0.1,192.168.0.0/16",
    ),
    corsOrigins: read(
      setting("CORS_ORIGINS"),
      [],
      each(webOrigin),
      "https://app.example,https://www.example",
    ),
    webhookAllow: read(setting("WEBHOOK_ALLOW"), [], each(hostOrCidr), "hooks.lan,10.1.0.0/16"),
    webhookCa: read(
      setting("WEBHOOK_CA"),
      undefined,
      pemFile,
      "/etc/guildhall/ca.pem (a readable file with certificates)",
    ),
    retryDelaysMs: read(setting("RETRY_DELAYS"), RETRY_DELAYS_MS, each(duration), "0s,30s,5m,30m,2h,6h,15h"),
    webhookTimeoutMs: read(setting("WEBHOOK_TIMEOUT"), ATTEMPT_MS, attemptDuration, "10s (at most 10m)"),
    requestsAtOnce: Number.parseInt(environment["BUN_CONFIG_MAX_HTTP_REQUESTS"] ?? "", 10) || 256,
    retentionMs: read(setting("RETENTION"), 30 * DAY, positiveDuration, "30d"),
    enterprise: read(setting("RATE_ENTERPRISE"), { sustained: 60_000, burst: 120_000 }, tier, "60000/120000"),
    keyFile: setting("KEY_FILE").text ?? `${data}/guildhall.key`,
    logLevel: read(setting("LOG_LEVEL"), "info", oneOf(LOG_LEVELS), LOG_LEVELS.join(", ")),
    metricsToken: setting("METRICS_TOKEN").text,
    graphql: readGraphql(setting),
  });
  // Of `guildhall listen`, and no setting: whoever has it in their shell may serve from there all the same.
  known.add("GUILDHALL_TOKEN");
  refuseUnknown(environment, known);
  return config;
}

/** Near enough to our prefix to be meant for us. */
const OURS = /^guild_?hall?_/i;

/** A mistyped name would leave what it should close at its default, unseen: `GUILDHALL_SIGNUPS=closed`. */
function refuseUnknown(environment: Environment, known: ReadonlySet<string>): void {
  for (const [name, text] of Object.entries(environment)) {
    if (!OURS.test(name) || known.has(name) || !text?.trim()) continue;
    const [nearest] = [...known].sort((a, b) => distance(a, name) - distance(b, name));
    throw new ConfigError(`there is no setting ${name}; the nearest is ${nearest}, or take it away`);
  }
}

/**
 * How many letters must be put in, taken out or changed to make one of the other (Levenshtein). Case does not
 * count.
 */
function distance(from: string, to: string): number {
  const [a, b] = [from.toUpperCase(), to.toUpperCase()];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(changed, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
  }
  return row[b.length] ?? 0;
}

function readGraphql(setting: (name: string) => Setting): Config["graphql"] {
  const introspection = read(setting("GRAPHQL_INTROSPECTION"), "on", oneOf(["on", "off"]), "on or off");
  const documents = read<ReadonlyMap<string, string>>(
    setting("GRAPHQL_DOCUMENTS"),
    new Map(),
    documentsFile,
    '/etc/guildhall/documents.json (a readable file of {"SHA-256": "document"})',
  );
  const only = read(setting("GRAPHQL_DOCUMENTS_ONLY"), "false", oneOf(["true", "false"]), "true or false");
  if (only === "true" && documents.size === 0) {
    throw new ConfigError(
      "GUILDHALL_GRAPHQL_DOCUMENTS_ONLY lets nothing run without documents; name a file with GUILDHALL_GRAPHQL_DOCUMENTS",
    );
  }
  return {
    introspection: introspection === "on",
    documents,
    documentsOnly: only === "true",
    answerMaxBytes: read(setting("GRAPHQL_ANSWER_MAX"), 8 * MB, answerSize, "8MB (64kB to 100MB)"),
  };
}

const SIZES: Readonly<Record<string, number>> = { kB: 1_000, MB: 1_000_000 };
const MB = 1_000_000;

/**
 * `500kB`, `8MB` in bytes. Less would refuse pages that every client asks for; more could be held in memory
 * by a few at once.
 */
function answerSize(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,6})(kB|MB)$/.exec(text) ?? [];
  const bytes = Number(count) * (SIZES[unit] ?? 0);
  return bytes >= 64_000 && bytes <= 100 * MB ? bytes : undefined;
}

interface Setting {
  name: string;
  text: string | undefined;
}

/** A parser gives undefined, or throws, for a text that it does not take. */
function read<Value>(
  setting: Setting,
  otherwise: Value,
  parse: (text: string) => Value | undefined,
  example: string,
): Value {
  if (setting.text === undefined) return otherwise;
  let value: Value | undefined;
  try {
    value = parse(setting.text);
  } catch {
    value = undefined;
  }
  if (value === undefined) {
    throw new ConfigError(
      `${setting.name} is ${JSON.stringify(setting.text)}, which is not valid; write it like ${example}`,
    );
  }
  return value;
}

function list(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function each<Value>(parse: (text: string) => Value | undefined): (text: string) => Value[] | undefined {
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

function oneOf<const Values extends readonly string[]>(
  values: Values,
): (text: string) => Values[number] | undefined {
  return (text) => values.find((value) => value === text);
}

/** A public address that the command line gives. Throws ConfigError. */
export function readOrigin(flag: string, text: string): string {
  return read({ name: flag, text }, text, webOrigin, ORIGIN_EXAMPLE);
}

const ORIGIN_EXAMPLE = "https://guild.example";

function hostName(text: string): string | undefined {
  return ipaddr.isValid(text) || /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text)
    ? text
    : undefined;
}

function hostOrCidr(text: string): string | undefined {
  if (text.includes("/")) return ipaddr.isValidCIDR(text) ? text : undefined;
  return hostName(text)?.toLowerCase();
}

function portNumber(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  return port >= 0 && port <= 65_535 ? port : undefined;
}

/** Scheme, host and port, nothing after them. */
function webOrigin(text: string): string | undefined {
  const url = new URL(text);
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  return isWeb && (url.origin === text || `${url.origin}/` === text) ? url.origin : undefined;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/** `90s`, `5m`, `2h`, `30d` in milliseconds. */
function duration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})(ms|s|m|h|d)$/.exec(text) ?? [];
  return count === undefined || unit === undefined ? undefined : Number(count) * (UNITS[unit] ?? 0);
}

function positiveDuration(text: string): number | undefined {
  return duration(text) || undefined;
}

/** An attempt holds one of few places, and a stop waits for it. */
function attemptDuration(text: string): number | undefined {
  const ms = positiveDuration(text);
  return ms !== undefined && ms <= 10 * MINUTE ? ms : undefined;
}

/**
 * Each certificate is read once here: a broken one would only show at the first delivery, as every receiver's
 * fault.
 */
function pemFile(file: string): string | undefined {
  const text = readFileSync(file, "utf8");
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]*(?:-----END CERTIFICATE-----)?/g) ?? [];
  return certificates.every((pem) => new X509Certificate(pem)) && certificates.length > 0 ? text : undefined;
}

/**
 * Documents by their hash, as `relay-compiler` and its like write them; each must be the one that its hash
 * says.
 */
function documentsFile(file: string): ReadonlyMap<string, string> | undefined {
  const entries = Object.entries<unknown>(JSON.parse(readFileSync(file, "utf8")));
  const isRight = entries.every(
    ([hash, text]) => typeof text === "string" && createHash("sha256").update(text).digest("hex") === hash,
  );
  return isRight ? new Map(entries as [string, string][]) : undefined;
}

/** `sustained/burst`, both in requests. */
function tier(text: string): Tier | undefined {
  const [, sustained, burst] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  const read = { sustained: Number(sustained), burst: Number(burst) };
  return read.sustained > 0 && read.burst > 0 ? read : undefined;
}
