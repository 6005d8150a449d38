import type { RequestContext } from "./context.ts";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, type BrotliOptions, constants, gzip } from "node:zlib";

/**
 * What an answer may be compressed with: of those that a client likes equally the first, which is the
 * cheapest for its size.
 */
const CODINGS = ["zstd", "br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

/** The coding that a client accepts. */
export interface Accepted {
  /** Undefined for an answer as it is. */
  coding: Coding | undefined;
  /** Whether it wants no answer as it is, however short. */
  isPlainRefused: boolean;
}

const PLAIN: Accepted = { coding: undefined, isPlainRefused: false };
/** Clients send few different ones; a long one is read each time. */
const KNOWN_MAX = 100;
const KNOWN_LENGTH_MAX = 200;
const known = new Map<string, Accepted>();

/**
 * RFC 9110 §12.5.3. A client that takes nothing we have is answered plainly, as the RFC allows: a status for
 * that is not in the contract.
 */
export function acceptedCoding(header: string | null): Accepted {
  if (header === null) return PLAIN;
  const before = known.get(header);
  if (before) return before;
  const accepted = readAccepted(header);
  if (known.size < KNOWN_MAX && header.length <= KNOWN_LENGTH_MAX) known.set(header, accepted);
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
  // What only a star allows is likeliest understood where it is old.
  const wanted = [
    ...CODINGS.filter((name) => weights.has(name)),
    ...CODINGS.toReversed().filter((name) => !weights.has(name)),
  ]
    .map((name) => ({ name, weight: weights.get(name) ?? others ?? 0 }))
    .toSorted((a, b) => b.weight - a.weight)[0];
  const isCoded = wanted !== undefined && wanted.weight > 0 && wanted.weight >= (plain ?? 0);
  return { coding: isCoded ? wanted.name : undefined, isPlainRefused: plain === 0 };
}

/** Shorter than this fits into the first packet with its headers anyway. */
const WORTH_BYTES = 1024;
/** Up to here compressing takes well below a millisecond, less than handing it to another thread and back. */
const AT_ONCE_BYTES = 64 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** The request, and the length of its answer. */
type Asker = Pick<RequestContext, "request" | "answerBytes">;

const gzipAside = promisify(gzip);
const brotliAside = promisify(brotliCompress);
const BROTLI_FAST: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/**
 * How the levels were chosen stands in bench/README.md, «Compressed answers». What is long is compressed
 * beside the requests.
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

/** Content that is compressed once and sent often. */
const SMALL: Readonly<Record<Coding, (bytes: Bytes) => Promise<Uint8Array>>> = {
  zstd: (bytes) => Bun.zstdCompress(bytes, { level: 12 }),
  br: (bytes) => brotliAside(bytes, BROTLI_SMALL),
  gzip: (bytes) => gzipAside(bytes, { level: 9 }),
};

/** Streams are none of these: what is gathered for compressing comes late. */
const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)[\w.+-]+|application\/(?:[\w.+-]+\+)?(?:json|javascript|xml)|image\/svg\+xml)(?:;|$)/;

/**
 * The answer in a coding that the client takes, where that is worth it; an `ETag` says which (RFC 9110
 * §8.8.3.3: each coding is another representation, and has another strong tag). What has no body, is coded
 * already, or is no text stays as it is.
 */
export function compressed(context: Asker, answer: Response): Response | Promise<Response> {
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
    mark(headers, coding);
    context.answerBytes = coded.length;
    return new Response(coded as Bytes, { status: answer.status, headers });
  });
}

function mark(headers: Headers, coding: Coding): void {
  headers.set("content-encoding", coding);
  headers.delete("content-length");
  const etag = headers.get("etag");
  if (etag !== null) headers.set("etag", codedTag(etag, coding));
}

function codedTag(etag: string, coding: Coding): string {
  return `${etag.slice(0, -1)}-${coding}"`;
}

/** A tag without what names its coding: the state of the thing, in whatever coding it was sent. */
export function etagWithoutCoding(etag: string): string {
  return etag.replace(/-(?:zstd|br|gzip)"$/, '"');
}

/** Bytes that stay the same, with what they are in each coding, made when it is first asked for. */
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

/** The answer with such bytes; `headers` are those of the plain one. */
export function encodedResponse(
  context: Asker,
  { bytes, inCoding }: EncodedContent,
  headers: Record<string, string>,
): Response | Promise<Response> {
  const { coding, isPlainRefused } = acceptedCoding(context.request.headers.get("accept-encoding"));
  context.answerBytes = bytes.length;
  const isWorth =
    (bytes.length >= WORTH_BYTES || isPlainRefused) && COMPRESSIBLE.test(headers["content-type"] ?? "");
  // What stays as it is passes the transport as such: compressing it there would do it for each answer anew.
  if (coding === undefined || !isWorth) return new Response(bytes, { headers });
  let made = inCoding.get(coding);
  if (!made) inCoding.set(coding, (made = SMALL[coding](bytes)));
  return made.then((given) => {
    context.answerBytes = given.length;
    const answer = new Response(given as Bytes, { headers });
    mark(answer.headers, coding);
    return answer;
  });
}
