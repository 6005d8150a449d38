import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import type { IncomingFile } from "../core/community/media/picture-storage.ts";
import { MINUTE, SECOND } from "../core/base/clock.ts";
import { type CoreError, refuse } from "../core/base/errors.ts";
import {
  waitForSlice,
  BODY_MAX_BYTES,
  decodeUtf8,
  readForm,
  refuseCompressed,
  type Sender,
  tooLong as bodyTooLong,
} from "./body.ts";

/** Maximum size of a file in MiB. A photo of 40 megapixels fits. */
const UPLOAD_MAX_MIB = 16;
const UPLOAD_MAX_BYTES = UPLOAD_MAX_MIB * 1024 * 1024;
/** Maximum size of everything in the form except the file, in bytes: other fields and separators. */
const FIELDS_MAX_BYTES = 256 * 1024;
/**
 * Maximum duration of an upload, in ms. 16 MiB at 0.5 Mbit/s take this long. The limit keeps very slow
 * clients from occupying an upload slot.
 */
const WITHIN_MS = 5 * MINUTE;
/** Maximum duration for reading the texts of a refused form, in ms. Equal to the idle timeout. */
const TEXTS_WITHIN_MS = 30 * SECOND;
/**
 * Number of bytes parsed at a time before the file. A form with too many parts is refused early, because
 * parsing 5,000 parts in 256 KiB takes 30 ms.
 */
const FIELDS_PIECE_BYTES = 4 * 1024;
/**
 * Number of bytes parsed at a time from the start of the file. With smaller pieces, many concurrent uploads
 * use memory for longer.
 */
const FILE_PIECE_BYTES = 64 * 1024;
/** Name of the file field. */
const FILE = "file";

/** Receives the bytes of a file. */
type Sink = Pick<IncomingFile, "write" | "length" | "discard">;

/** Content of a multipart form. */
export interface Upload<File> {
  fields: URLSearchParams;
  /** The uploaded file. `undefined` if the user chose no file. */
  file: File | undefined;
}

/** Whether a request is a multipart form. */
export function isUpload({ headers }: Request): boolean {
  return /^multipart\/form-data\s*;/i.test(headers.get("content-type") ?? "");
}

/**
 * Reads a multipart form (RFC 7578). Writes the file piece by piece to the sink that `receive` returns, so
 * that the file is not held in memory. The caller must always drop the file.
 *
 * Throws bad_request if the form has another content type, is compressed, cut off, too long or not UTF-8.
 * Also throws for more than one file, and after `withinMs`. After an error, `fields` contains the fields that
 * arrived before.
 */
export async function readUpload<File extends Sink>(
  sender: Sender,
  receive: () => Promise<File>,
  withinMs: number = WITHIN_MS,
  fields: URLSearchParams = new URLSearchParams(),
): Promise<Upload<File>> {
  const maxBytes = UPLOAD_MAX_BYTES + FIELDS_MAX_BYTES;
  if (Number(sender.request.headers.get("content-length") ?? 0) > maxBytes) {
    await readTexts(sender, fields);
    throw tooLong();
  }
  return readParts(sender.request, receive, withinMs, fields, maxBytes);
}

/**
 * Reads the texts of a refused form into `fields`, from a multipart or a URL-encoded form. Stops at the first
 * byte of a file and at the maximum form size. A multipart form also stops after `withinMs`. Never throws.
 * `fields` keeps the texts that were read.
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
    // The error is ignored, because the page reports the original refusal.
  }
  return fields;
}

/** A sink that accepts only an empty file. A form sends an empty file if the user chose none. */
const NO_FILE: Sink = {
  write: () => Promise.reject(tooLong()),
  length: () => 0,
  discard: () => Promise.resolve(),
};

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
    // Without this handler, an error event would end the process.
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
    // A form sends an empty file if the user chose none.
    if (incoming?.length() !== 0) return { fields, file: incoming };
    await incoming.discard();
    return { fields, file: undefined };
  } catch (error) {
    form.destroy();
    part?.destroy();
    await storing?.catch(() => undefined);
    await incoming?.discard();
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
 * Reads a form whose file is a text, and adds the text to the fields. The text is empty if the user chose no
 * file. Throws like `readUpload`. Also throws if the file exceeds the body limit or is not UTF-8.
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
    discard: () => Promise.resolve(),
  };
  const { fields } = await readUpload(sender, () => Promise.resolve(memory), WITHIN_MS, into);
  await waitForSlice(sender, length);
  fields.set(FILE, decodeUtf8(Buffer.concat(pieces)));
  return fields;
}

function parserOf(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      // Latin-1 keeps all bytes of a field, so that `decodeUtf8` can refuse invalid UTF-8.
      defCharset: "latin1",
      limits: {
        fieldNameSize: 100,
        fieldSize: FIELDS_MAX_BYTES,
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

/** Writes the body to the form's parser, with backpressure. Does not resolve before the end of the form. */
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
      // Lets the parser report errors between two pieces.
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

/** Resolves when the parser can take more bytes, or when parsing is aborted. */
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
