import { type CoreError, refuse } from "../core/base/errors.ts";
import type { RequestContext } from "./context.ts";
import { admitRequest } from "./scheduler.ts";

/** Maximum size of a body in bytes. A larger body is refused before all of its bytes are read. */
export const BODY_MAX_BYTES = 256 * 1024;
const DEPTH_MAX = 32;
/**
 * Maximum number of fields in a form. Our largest form has a few hundred fields, one per checkbox of a list.
 */
export const FIELDS_MAX = 1_000;

/** Parts of a request that body readers need. The queue of the request depends on `caller` and `address`. */
export type Sender = Pick<RequestContext, "request" | "caller" | "address">;

/**
 * Waits until the event loop has time for a request of `bytes` bytes (docs/contract.md#12.34). Call it after
 * reading and before parsing a body.
 */
export function waitForSlice({ caller, address }: Sender, bytes: number): Promise<void> | undefined {
  return admitRequest(caller?.builderId ?? caller?.username ?? address(), bytes);
}

/**
 * Reads a JSON body. Returns the text and the parsed value. Throws bad_request if the body has another
 * content type, is compressed, too long, not UTF-8, nested too deep, or not JSON.
 */
export async function readJson(sender: Sender): Promise<{ text: string; value: unknown }> {
  refuseHeaders(sender.request.headers, JSON_TYPE, "body_not_sent_as_json");
  const bytes = await readBytes(sender.request);
  await waitForSlice(sender, bytes.length);
  refuseDeep(bytes);
  const text = decodeUtf8(bytes);
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    throw refuse("body_not_json");
  }
}

/**
 * Reads the fields of a form. Throws bad_request if the body has another content type, is compressed, too
 * long, has too many fields, or is not UTF-8. The core validates names and values.
 */
export async function readForm(sender: Sender): Promise<URLSearchParams> {
  refuseHeaders(sender.request.headers, FORM_TYPE, "form_not_sent_as_form");
  const bytes = await readBytes(sender.request);
  await waitForSlice(sender, bytes.length);
  refuseManyFields(bytes);
  const text = decodeUtf8(bytes);
  try {
    // URLSearchParams would replace percent-encoded bytes that are not UTF-8 by U+FFFD.
    decodeURIComponent(text);
  } catch {
    throw refuse("form_not_utf8");
  }
  return new URLSearchParams(text);
}

const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset="?utf-8"?\s*)?$/;

/** Throws bad_request for a compressed body, because it could expand to any size. */
export function refuseCompressed(headers: Headers): void {
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") throw refuse("body_compressed");
}

function refuseHeaders(
  headers: Headers,
  wanted: RegExp,
  otherwise: "body_not_sent_as_json" | "form_not_sent_as_form",
): void {
  if (!wanted.test((headers.get("content-type") ?? "").toLowerCase())) throw refuse(otherwise);
  refuseCompressed(headers);
  if (Number(headers.get("content-length") ?? 0) > BODY_MAX_BYTES) throw tooLong();
}

/**
 * Reads a body. With a `Content-Length` header, Bun reads exactly that many bytes. Without the header a body
 * may be endless, so this function reads it chunk by chunk.
 */
async function readBytes(request: Request): Promise<Uint8Array> {
  if (request.headers.has("content-length"))
    return new Uint8Array(await request.arrayBuffer().catch(refuseBroken));
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read().catch(refuseBroken);
    if (done) break;
    length += value.byteLength;
    if (length > BODY_MAX_BYTES) {
      await reader.cancel();
      throw tooLong();
    }
    chunks.push(value);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

/** Throws the error for a client that disconnected or sent malformed chunks. This is not a server error. */
function refuseBroken(): never {
  throw refuse("body_broken_off");
}

/**
 * Throws bad_request for JSON that is nested too deep. Counts brackets outside of strings before parsing,
 * because the parser recurses once per level.
 */
function refuseDeep(bytes: Uint8Array): void {
  const [quote, backslash, openBracket, openBrace, closeBracket, closeBrace] = [
    0x22, 0x5c, 0x5b, 0x7b, 0x5d, 0x7d,
  ];
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inString) {
      if (byte === backslash) i++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === openBracket || byte === openBrace) depth++;
    else if (byte === closeBracket || byte === closeBrace) depth--;
    if (depth > DEPTH_MAX) throw refuse("body_too_deep", { max: DEPTH_MAX });
  }
}

/**
 * Throws bad_request for a form with too many fields. Counts separators before parsing, because a form of 256
 * KiB can contain 130,000 fields (docs/threats.md#B02).
 */
function refuseManyFields(bytes: Uint8Array): void {
  let fields = 1;
  for (let at = bytes.indexOf(AMPERSAND); at >= 0; at = bytes.indexOf(AMPERSAND, at + 1))
    if (++fields > FIELDS_MAX) throw refuse("form_too_many_fields", { max: FIELDS_MAX });
}

const AMPERSAND = 0x26;

/** Decodes UTF-8. Throws bad_request for invalid bytes. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    // Keeps a byte order mark in the text, so that JSON.parse rejects it (RFC 8259 §8.1).
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refuse("body_not_utf8");
  }
}

export function tooLong(): CoreError {
  return refuse("body_too_long", { kib: BODY_MAX_BYTES / 1024 });
}
