import { TypeID } from "typeid-js";
import type { Random } from "./random.ts";

/** What an identifier names. The prefix tells it on the wire: `post_01j…` (TypeID over UUIDv7). */
export type IdKind =
  | "builder"
  | "ws"
  | "tok"
  | "pky"
  | "ses"
  | "lnk"
  | "aud"
  | "app"
  | "grant"
  | "post"
  | "company"
  | "job"
  | "flt"
  | "prompt"
  | "prj"
  | "rpt"
  | "xp"
  | "thr"
  | "msg"
  | "whe"
  | "evt"
  | "dlv"
  | "att";

/** Makes an identifier that sorts by `at` (ms since the epoch), the moment its row was created. */
export type MakeId = (kind: IdKind, at: number) => string;

/**
 * UUIDv7 as in RFC 9562 §5.7. The twelve bits after the time count up within one millisecond (§6.2, method 1), so
 * that ids made one after another also sort one after another: lists page by id alone.
 */
export function idMaker(random: Random): MakeId {
  let lastAt = -1;
  let counter = 0;
  return (kind, at) => {
    counter = at === lastAt ? Math.min(counter + 1, 0xfff) : 0;
    lastAt = at;
    const bytes = new Uint8Array(16);
    bytes.set(random.bytes(8), 8);
    writeTime(bytes, at);
    bytes[6] = 0x70 | (counter >> 8);
    bytes[7] = counter & 0xff;
    bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
    return TypeID.fromUUIDBytes(kind, bytes).toString();
  };
}

/** The greatest id that a row created at `at` can have: `id > lastIdAt(…)` means «created after that millisecond». */
export function lastIdAt(kind: IdKind, at: number): string {
  const bytes = new Uint8Array(16).fill(0xff);
  writeTime(bytes, at);
  return TypeID.fromUUIDBytes(kind, bytes).toString();
}

/** Whether `value` has the form of such an id. Says nothing of whether the row exists. */
export function isId(kind: IdKind, value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length === kind.length + 27 &&
    value.startsWith(`${kind}_`) &&
    /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(value.slice(kind.length + 1))
  );
}

/** 48 bits of milliseconds, most significant first (RFC 9562 §5.7 `unix_ts_ms`). */
function writeTime(bytes: Uint8Array, at: number): void {
  const ms = Math.min(Math.max(Math.floor(at), 0), 2 ** 48 - 1);
  new DataView(bytes.buffer).setUint16(0, Math.floor(ms / 2 ** 32));
  new DataView(bytes.buffer).setUint32(2, ms >>> 0);
}

/** The prefix that tells what an id names; empty for what is no id. */
export function kindOf(id: string): string {
  return /^([a-z]+)_/.exec(id)?.[1] ?? "";
}
