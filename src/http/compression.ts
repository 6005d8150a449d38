import type { RequestContext } from "./context.ts";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, type BrotliOptions, constants, gzip } from "node:zlib";

/**
 * Supported content codings. If the client accepts several codings with equal weight, the first coding in
 * this list is used. The first coding needs the least time for the size of its output.
 */
const CODINGS = ["zstd", "br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

/** The coding that a client accepts. */
export interface Accepted {
  /** `undefined` for a response without a coding. */
  coding: Coding | undefined;
  /** Whether the client refuses responses without a coding, even short responses. */
  isPlainRefused: boolean;
}

const PLAIN: Accepted = { coding: undefined, isPlainRefused: false };
/**
 * Maximum number of cached header values. Clients send only a few different values. Long values are not
 * cached.
 */
const CACHE_MAX = 100;
const CACHED_LENGTH_MAX = 200;
const cache = new Map<string, Accepted>();

/**
 * Parses the `Accept-Encoding` header (RFC 9110 §12.5.3). A client that accepts no supported coding gets a
 * response without a coding, as the RFC allows. The contract has no status for this case.
 */
export function acceptedCoding(header: string | null): Accepted {
  if (header === null) return PLAIN;
  const before = cache.get(header);
  if (before) return before;
  const accepted = readAccepted(header);
  if (cache.size < CACHE_MAX && header.length <= CACHED_LENGTH_MAX) cache.set(header, accepted);
  return accepted;
}

function readAccepted(header: string): Accepted {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(",")) {
    const parts =
      /^[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/.exec(item);
    if (parts?.[1]) weights.set(parts[1] === "x-gzip" ? "gzip" : parts[1], Number(parts[2] ?? 1));
  }
  const others = weights.get("*");
  const plain = weights.get("identity") ?? (others === 0 ? 0 : undefined);
  // Some codings are allowed only by `*`. Of these codings, the oldest is preferred, because the client most
  // likely supports it.
  const wanted = [
    ...CODINGS.filter((name) => weights.has(name)),
    ...CODINGS.toReversed().filter((name) => !weights.has(name)),
  ]
    .map((name) => ({ name, weight: weights.get(name) ?? others ?? 0 }))
    .toSorted((a, b) => b.weight - a.weight)[0];
  const isCoded = wanted !== undefined && wanted.weight > 0 && wanted.weight >= (plain ?? 0);
  return { coding: isCoded ? wanted.name : undefined, isPlainRefused: plain === 0 };
}

/** Minimum size of a compressed body in bytes. A shorter body fits into the first packet with its headers. */
const WORTH_BYTES = 1024;
/**
 * Maximum size of a body that is compressed on this thread, in bytes. Compression takes well below 1 ms, less
 * than the transfer to another thread.
 */
const AT_ONCE_BYTES = 64 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

type RequestParts = Pick<RequestContext, "request" | "answerBytes">;

const gzipAside = promisify(gzip);
const brotliAside = promisify(brotliCompress);
const BROTLI_FAST: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/**
 * Fast compression for dynamic responses. Long bodies are compressed on another thread. bench/README.md
 * explains the levels in “Compressed answers”.
 */
const FAST: Readonly<
  Record<Coding, { atOnce(bytes: Bytes): Uint8Array; aside(bytes: Bytes): Promise<Uint8Array> }>
> = {
  zstd: {
    atOnce: (bytes) => Bun.zstdCompressSync(bytes, { level: 1 }),
    aside: (bytes) => Bun.zstdCompress(bytes, { level: 1 }),
  },
  br: {
    atOnce: (bytes) => brotliCompressSync(bytes, BROTLI_FAST),
    aside: (bytes) => brotliAside(bytes, BROTLI_FAST),
  },
  gzip: {
    atOnce: (bytes) => Bun.gzipSync(bytes, { level: 1, library: "libdeflate" }),
    aside: (bytes) => gzipAside(bytes, { level: 2 }),
  },
};

const BROTLI_SMALL: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Strong compression, for content that is compressed once and sent often. */
const SMALL: Readonly<Record<Coding, (bytes: Bytes) => Promise<Uint8Array>>> = {
  zstd: (bytes) => Bun.zstdCompress(bytes, { level: 12 }),
  br: (bytes) => brotliAside(bytes, BROTLI_SMALL),
  gzip: (bytes) => gzipAside(bytes, { level: 9 }),
};

/**
 * Media types whose responses are compressed. Excludes event streams, because compression would delay events.
 */
const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)[\w.+-]+|application\/(?:[\w.+-]+\+)?(?:json|javascript|xml)|image\/svg\+xml)(?:;|$)/;

/**
 * Compresses a response in a coding that the client accepts. Each coding has its own strong entity tag (RFC
 * 9110 §8.8.3.3). Responses that are empty, short, already compressed or not text are returned unchanged.
 */
export function compressed(context: RequestParts, answer: Response): Response | Promise<Response> {
  const { coding, isPlainRefused } = acceptedCoding(context.request.headers.get("accept-encoding"));
  if (coding === undefined || answer.status === 204 || answer.status === 304) return answer;
  const { headers } = answer;
  if (!COMPRESSIBLE.test(headers.get("content-type") ?? "") || headers.has("content-encoding")) return answer;
  return answer.bytes().then(async (bytes) => {
    context.answerBytes = bytes.length;
    if (bytes.length === 0 || (bytes.length < WORTH_BYTES && !isPlainRefused))
      return new Response(bytes, { status: answer.status, headers });
    const { atOnce, aside } = FAST[coding];
    const coded = bytes.length <= AT_ONCE_BYTES ? atOnce(bytes) : await aside(bytes);
    setHeaders(headers, coding);
    context.answerBytes = coded.length;
    return new Response(coded as Bytes, { status: answer.status, headers });
  });
}

function setHeaders(headers: Headers, coding: Coding): void {
  headers.set("content-encoding", coding);
  headers.delete("content-length");
  const etag = headers.get("etag");
  if (etag !== null) headers.set("etag", codedTag(etag, coding));
}

function codedTag(etag: string, coding: Coding): string {
  return `${etag.slice(0, -1)}-${coding}"`;
}

/** Removes the coding from an entity tag. */
export function etagWithoutCoding(etag: string): string {
  return etag.replace(/-(?:zstd|br|gzip)"$/, '"');
}

/** Constant content with its compressed versions. Each version is created on first use. */
export interface EncodedContent {
  bytes: Bytes;
  inCoding: Map<Coding, Promise<Uint8Array>>;
}

export function encodeContent(content: string | Bytes): EncodedContent {
  return {
    bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
    inCoding: new Map(),
  };
}

/** Returns a response with constant content. `headers` are the headers of the response without a coding. */
export function encodedResponse(
  context: RequestParts,
  { bytes, inCoding }: EncodedContent,
  headers: Record<string, string>,
): Response | Promise<Response> {
  const { coding, isPlainRefused } = acceptedCoding(context.request.headers.get("accept-encoding"));
  context.answerBytes = bytes.length;
  const isWorth =
    (bytes.length >= WORTH_BYTES || isPlainRefused) && COMPRESSIBLE.test(headers["content-type"] ?? "");
  // Sends bytes and not text, because the transport would compress a text again for each response.
  if (coding === undefined || !isWorth) return new Response(bytes, { headers });
  let made = inCoding.get(coding);
  if (!made) inCoding.set(coding, (made = SMALL[coding](bytes)));
  return made.then((given) => {
    context.answerBytes = given.length;
    const answer = new Response(given as Bytes, { headers });
    setHeaders(answer.headers, coding);
    return answer;
  });
}
