import { fromUUIDBytes } from "typeid-js";
import { ID_KINDS } from "./db/schema.ts";
import type { Random } from "./random.ts";

export type IdKind = (typeof ID_KINDS)[number];

/** Makes an identifier that sorts by `at`, the creation time of its row in ms since the epoch. */
export type MakeId = (kind: IdKind, at: number) => string;

/**
 * Last time and count of each kind, in memory that threads share. IDs of all threads sort in order of
 * creation.
 */
export function idCounts(): SharedArrayBuffer {
  return new SharedArrayBuffer(ID_KINDS.length * BigInt64Array.BYTES_PER_ELEMENT);
}

/**
 * UUIDv7 as in RFC 9562 §5.7. The twelve bits after the time count up within one millisecond (RFC 9562 §6.2,
 * method 1). IDs made in sequence therefore sort in sequence, and lists paginate by ID alone.
 */
export function idMaker(random: Random, counts: SharedArrayBuffer): MakeId {
  const lasts = new BigInt64Array(counts);
  return (kind, at) => {
    const counter = countWithin(lasts, ID_KINDS.indexOf(kind), BigInt(clampMs(at)));
    const bytes = new Uint8Array(16);
    bytes.set(random.bytes(8), 8);
    writeTime(bytes, at);
    bytes[6] = 0x70 | (counter >> 8);
    bytes[7] = counter & 0xff;
    bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
    return fromUUIDBytes(kind, bytes);
  };
}

/** Returns how many IDs of this kind were already made in this millisecond, at most 4095. */
function countWithin(lasts: BigInt64Array, kind: number, ms: bigint): number {
  for (;;) {
    const last = Atomics.load(lasts, kind);
    const count = last >> 12n === ms ? last & 0xfffn : 0n;
    const next = (ms << 12n) | (count < 0xfffn ? count + 1n : count);
    if (Atomics.compareExchange(lasts, kind, last, next) === last) return Number(count);
  }
}

/**
 * Returns the greatest ID that a row created at `at` can have. `id > lastIdAt(…)` means “created after that
 * millisecond”.
 */
export function lastIdAt(kind: IdKind, at: number): string {
  const bytes = new Uint8Array(16).fill(0xff);
  writeTime(bytes, at);
  return fromUUIDBytes(kind, bytes);
}

/** Length of the random part of an ID, in characters. */
const RANDOM_LENGTH = 16;
const LAST_RANDOM = "z".repeat(RANDOM_LENGTH);

/** Returns the greatest ID that a row of the same millisecond as `id` can have, like `lastIdAt`. */
export function newestIdOf(id: string): string {
  return id.slice(0, -RANDOM_LENGTH) + LAST_RANDOM;
}

/** Whether an ID comes from `lastIdAt` or `newestIdOf`. Such an ID names a time, not a row. */
export function isTimeId(id: string): boolean {
  return id.endsWith(LAST_RANDOM);
}

/** Whether `value` has the format of an ID of this kind. Does not check that the row exists. */
export function isId(kind: IdKind, value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length === kind.length + 27 &&
    value.startsWith(`${kind}_`) &&
    /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(value.slice(kind.length + 1))
  );
}

/** Writes 48 bits of milliseconds, most significant first (RFC 9562 §5.7 `unix_ts_ms`). */
function writeTime(bytes: Uint8Array, at: number): void {
  const ms = clampMs(at);
  new DataView(bytes.buffer).setUint16(0, Math.floor(ms / 2 ** 32));
  new DataView(bytes.buffer).setUint32(2, ms >>> 0);
}

function clampMs(at: number): number {
  return Math.min(Math.max(Math.floor(at), 0), 2 ** 48 - 1);
}

/** Returns the prefix, which names the kind of the ID; empty when `id` is not an ID. */
export function kindOf(id: string): string {
  return /^([a-z]+)_/.exec(id)?.[1] ?? "";
}
