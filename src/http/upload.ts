import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import type { IncomingFile } from "../core/community/media/picture-storage.ts";
import { MINUTE, SECOND } from "../core/base/clock.ts";
import { type CoreError, refuse } from "../core/base/errors.ts";
import {
  waitForTurn,
  BODY_MAX_BYTES,
  decodeUtf8,
  readForm,
  refuseCompressed,
  type Sender,
  tooLong as bodyTooLong,
} from "./body.ts";

/** The largest file: a photograph of 40 megapixels as a camera keeps it. */
const UPLOAD_MAX_MIB = 16;
const UPLOAD_MAX_BYTES = UPLOAD_MAX_MIB * 1024 * 1024;
/** The bytes around the file: other fields and separators. */
const AROUND_BYTES = 256 * 1024;
/**
 * A picture of 16 MiB at half a megabit; whoever sends a byte a second keeps no place of those that are few.
 */
const WITHIN_MS = 5 * MINUTE;
/** Limit for the texts of a form that is refused. A silent connection is cut after the same time. */
const TEXTS_WITHIN_MS = 30 * SECOND;
/** The bytes parsed at once before the file. 256 KiB can hold 5,000 parts, which take 30 ms. */
const FIELDS_PIECE_BYTES = 4 * 1024;
/** The bytes parsed at once from the file on. Smaller pieces of many uploads stay in memory longer. */
const FILE_PIECE_BYTES = 64 * 1024;
/** The name of the file's field. */
const FILE = "file";

/** The destination of a file while it arrives. */
type Sink = Pick<IncomingFile, "write" | "length" | "drop">;

/** The parts of a multipart form. */
export interface Upload<File> {
  fields: URLSearchParams;
  /** Undefined where no file was chosen. */
  file: File | undefined;
}

/** Whether a request brings one. */
export function isUpload({ headers }: Request): boolean {
  return /^multipart\/form-data\s*;/i.test(headers.get("content-type") ?? "");
}

/**
 * Reads a form of several parts (RFC 7578) while it comes: its file goes where `receive` says, piece by
 * piece, so that none of it is held here. Whoever calls drops that file, whatever happens. Throws
 * bad_request: wrong content type, compressed, cut, too long, no UTF-8, or more than one file; or slower than
 * `withinMs`. `fields` holds what came before the fault.
 */
export async function readUpload<File extends Sink>(
  sender: Sender,
  receive: () => Promise<File>,
  withinMs: number = WITHIN_MS,
  fields: URLSearchParams = new URLSearchParams(),
): Promise<Upload<File>> {
  const maxBytes = UPLOAD_MAX_BYTES + AROUND_BYTES;
  if (Number(sender.request.headers.get("content-length") ?? 0) > maxBytes) {
    await readTexts(sender, fields);
    throw tooLong();
  }
  return readParts(sender.request, receive, withinMs, fields, maxBytes);
}

/**
 * Reads the texts of a form that is refused, in either encoding, into `fields`. Stops at the first byte of a
 * file, at the length that any form may have, and, in a form of several parts, after `withinMs`. Never
 * throws: what came before the stop is kept.
 */
export async function readTexts(
  sender: Sender,
  fields: URLSearchParams = new URLSearchParams(),
  withinMs: number = TEXTS_WITHIN_MS,
): Promise<URLSearchParams> {
  try {
    if (!isUpload(sender.request)) return await readForm(sender);
    await readParts(sender.request, () => Promise.resolve(NO_FILE), withinMs, fields, BODY_MAX_BYTES);
  } catch {
    // The page reports what refused the form, not that its body is cut.
  }
  return fields;
}

/** Accepts a file of no bytes, which a form sends where none was chosen. */
const NO_FILE: Sink = {
  write: () => Promise.reject(tooLong()),
  length: () => 0,
  drop: () => Promise.resolve(),
};

/** Reads at most `maxBytes` of the body. */
async function readParts<File extends Sink>(
  request: Request,
  receive: () => Promise<File>,
  withinMs: number,
  fields: URLSearchParams,
  maxBytes: number,
): Promise<Upload<File>> {
  if (!isUpload(request)) throw refuse("upload_not_sent_as_form");
  refuseCompressed(request.headers);
  const form = parserOf(request.headers.get("content-type") ?? "");
  const ended = Promise.withResolvers<void>();
  let incoming: File | undefined;
  let part: BusboyFileStream | undefined;
  let storing: Promise<void> | undefined;
  const fail = (error: unknown): void => ended.reject(error);
  form.on("field", (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) return fail(refuse("upload_malformed"));
    try {
      fields.append(name, decodeUtf8(Buffer.from(value, "latin1")));
    } catch (error) {
      fail(error);
    }
  });
  form.on("file", (name, stream) => {
    // An error that nobody hears would end the program.
    stream.on("error", () => fail(refuse("body_broken_off")));
    if (name !== FILE) {
      stream.resume();
      return fail(refuse("upload_malformed"));
    }
    part = stream;
    storing = store(stream);
    storing.catch(fail);
  });
  for (const limit of ["partsLimit", "filesLimit", "fieldsLimit"] as const)
    form.on(limit, () => fail(refuse("upload_malformed")));
  form.on("error", () => fail(refuse("body_broken_off")));
  form.on("finish", () => ended.resolve());
  const limit = setTimeout(() => fail(tooSlow(withinMs)), withinMs);
  try {
    await Promise.race([ended.promise, feed(request, form, maxBytes)]);
    await ended.promise;
    await storing;
    // A form whose file was not chosen has one of no bytes.
    if (incoming?.length() !== 0) return { fields, file: incoming };
    await incoming.drop();
    return { fields, file: undefined };
  } catch (error) {
    form.destroy();
    part?.destroy();
    await storing?.catch(() => undefined);
    await incoming?.drop();
    throw error;
  } finally {
    clearTimeout(limit);
  }

  async function store(stream: BusboyFileStream): Promise<void> {
    incoming = await receive();
    for await (const piece of stream) await incoming.write(piece as Uint8Array);
    if (stream.truncated) throw tooLong();
  }
}

/**
 * The same for a file of text, which stands among the fields then: empty where none was chosen. Throws
 * besides where it is longer than any body of text, or no UTF-8.
 */
export async function readTextUpload(sender: Sender, into?: URLSearchParams): Promise<URLSearchParams> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const memory: Sink = {
    write(bytes) {
      length += bytes.byteLength;
      if (length > BODY_MAX_BYTES) return Promise.reject(bodyTooLong());
      pieces.push(Uint8Array.from(bytes));
      return Promise.resolve();
    },
    length: () => length,
    drop: () => Promise.resolve(),
  };
  const { fields } = await readUpload(sender, () => Promise.resolve(memory), WITHIN_MS, into);
  await waitForTurn(sender, length);
  fields.set(FILE, decodeUtf8(Buffer.concat(pieces)));
  return fields;
}

function parserOf(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      // Read as bytes, so that what is no UTF-8 is refused and not replaced.
      defCharset: "latin1",
      limits: {
        fieldNameSize: 100,
        fieldSize: AROUND_BYTES,
        fields: 50,
        fileSize: UPLOAD_MAX_BYTES,
        files: 1,
        parts: 51,
        headerPairs: 20,
        headerSize: 4096,
      },
    });
  } catch {
    throw refuse("upload_not_sent_as_form");
  }
}

/** Hands the body on as fast as it is taken. Never resolves before the form's end: that tells the end. */
async function feed(request: Request, form: BusboyInstance, maxBytes: number): Promise<void> {
  const reader = request.body?.getReader();
  let length = 0;
  let isInFile = false;
  form.once("file", () => (isInFile = true));
  for (;;) {
    const { done, value } = (await reader?.read().catch(() => {
      throw refuse("body_broken_off");
    })) ?? { done: true, value: undefined };
    if (done || value === undefined) break;
    if (form.destroyed) return reader?.cancel();
    const end = Math.min(value.byteLength, maxBytes - length);
    for (let at = 0; at < end;) {
      // A refusal of the form's parts takes effect between two pieces.
      await Promise.resolve();
      if (form.destroyed) break;
      const piece = value.subarray(
        at,
        Math.min(at + (isInFile ? FILE_PIECE_BYTES : FIELDS_PIECE_BYTES), end),
      );
      at += piece.byteLength;
      if (!form.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))) await drained(form);
    }
    length += value.byteLength;
    if (length > maxBytes) {
      await reader?.cancel();
      throw tooLong();
    }
  }
  form.end();
}

/** Resolves also where the form was given up. */
function drained(form: BusboyInstance): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      form.off("drain", end).off("close", end);
      resolve();
    };
    form.on("drain", end).on("close", end);
  });
}

function tooSlow(withinMs: number): CoreError {
  return refuse("upload_too_slow", { minutes: Math.ceil(withinMs / MINUTE) });
}

function tooLong(): CoreError {
  return refuse("upload_too_long", { mib: UPLOAD_MAX_MIB });
}
