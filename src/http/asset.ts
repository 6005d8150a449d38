import { matchingEtag } from "./answer.ts";
import { type EncodedContent, encodeContent, encodedResponse } from "./compression.ts";
import type { RequestContext } from "./context.ts";

/** A file that goes with the pages. */
export interface Asset {
  path: string;
  /** The path with the version of its content: what a page names, so that a browser may keep it for good. */
  address: string;
  type: string;
  content: EncodedContent;
  etag: string;
}

export function asset(path: string, type: string, content: string | Uint8Array<ArrayBuffer>): Asset {
  const version = Bun.hash(content).toString(36);
  return {
    path,
    type,
    content: encodeContent(content),
    address: `${path}?v=${version}`,
    etag: `"${version}"`,
  };
}

const FOR_GOOD = "public, max-age=31536000, immutable";

/**
 * The file, or 304 for who has it. `otherwise` is for how long it may be kept under an address that does not
 * name its version: an old page's, or one that nobody names and everybody asks.
 */
export function assetAnswer(
  context: RequestContext,
  { address, path, type, content, etag }: Asset,
  otherwise = "no-cache",
): Response | Promise<Response> {
  const isNamed = `${path}?${context.query}` === address;
  const headers = { ...context.headers, etag, "cache-control": isNamed ? FOR_GOOD : otherwise };
  const known = matchingEtag(context.request.headers.get("if-none-match"), etag);
  if (known !== undefined) return new Response(null, { status: 304, headers: { ...headers, etag: known } });
  return encodedResponse(context, content, { ...headers, "content-type": type });
}
