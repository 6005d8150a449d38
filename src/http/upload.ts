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

/** Maximum file size: a camera's photo of 40 megapixels. */
const UPLOAD_MAX_MIB = 16;
const UPLOAD_MAX_BYTES = UPLOAD_MAX_MIB * 1024 * 1024;
/** Maximum size of the rest of the form: other fields and separators. */
const FIELDS_MAX_BYTES = 256 * 1024;
/** Maximum duration: 16 MiB at 0.5 Mbit/s. It keeps very slow clients from holding an upload slot. */
const WITHIN_MS = 5 * MINUTE;
/** Maximum duration for reading the texts of a refused form. It equals the idle timeout. */
const TEXTS_WITHIN_MS = 30 * SECOND;
/** Bytes parsed at once before the file. 256 KiB can hold 5,000 parts, which take 30 ms. */
const FIELDS_PIECE_BYTES = 4 * 1024;
/** Bytes parsed at once from the file on. With smaller pieces, many uploads use memory for longer. */
const FILE_PIECE_BYTES = 64 * 1024;
/** Name of the file field. */
const FILE = "file";

/** Destination of a file while it arrives. */
type Sink = Pick<IncomingFile, "write" | "length" | "discard">;

/** Parts of a multipart form. */
export interface Upload<File> {
  fields: URLSearchParams;
  /** `undefined` if no file was chosen. */
  file: File | undefined;
}

/** Whether a request is a multipart form. */
export function isUpload({ headers }: Request): boolean {
  return /^multipart\/form-data\s*;/i.test(headers.get("content-type") ?? "");
}

/**
 * Streams a multipart form (RFC 7578). The file is written piece by piece to the sink that `receive` returns,
 * so it is not held in memory. The caller must drop the file in every case.
 *
 * Throws bad_request if the form has another content type, is compressed, cut off, too long or not UTF-8.
 * Also throws for more than one file, and after `withinMs`. `fields` holds what arrived before the error.
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
 * Reads the texts of a refused form into `fields`, in either encoding. Stops at the first byte of a file and
 * at the maximum form size. A multipart form also stops after `withinMs`. Never throws: texts before the stop
 * are kept.
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
    // The page reports the original refusal, not the incomplete body.
  }
  return fields;
}

/** Accepts an empty file, which a form sends if none was chosen. */
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
    // An unhandled error event would end the process.
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
    // A form without a chosen file has an empty file.
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
 * Reads a form whose file is text, and adds the text to the fields. The text is empty if no file was chosen.
 * Also throws if the file exceeds the body limit or is not UTF-8.
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
      // Reads fields as bytes, so that invalid UTF-8 is refused instead of replaced.
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

/** Forwards the body with backpressure. Does not resolve before the form's end. */
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
      // Errors of the form's parts are handled between two pieces.
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

/** Resolves on drain, and also when the form is aborted. */
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
