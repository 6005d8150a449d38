import { matchingEtag } from "./answer.ts";
import { type EncodedContent, encodeContent, encodedResponse } from "./compression.ts";
import type { RequestContext } from "./context.ts";

/** A static file of the pages. */
export interface Asset {
  path: string;
  /**
   * Path with the version of the content in the query string. Pages link to this path, so that browsers can
   * cache the file forever.
   */
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

const IMMUTABLE = "public, max-age=31536000, immutable";

/**
 * Returns the file, or 304 if the client already has the file. `otherwise` is the `Cache-Control` header for
 * URLs without the current version. Such a URL is in an old page, or is a well-known path that no page links
 * to.
 */
export function assetAnswer(
  context: RequestContext,
  { address, path, type, content, etag }: Asset,
  otherwise = "no-cache",
): Response | Promise<Response> {
  const isNamed = `${path}?${context.query}` === address;
  const headers = { ...context.headers, etag, "cache-control": isNamed ? IMMUTABLE : otherwise };
  const known = matchingEtag(context.request.headers.get("if-none-match"), etag);
  if (known !== undefined) return new Response(null, { status: 304, headers: { ...headers, etag: known } });
  return encodedResponse(context, content, { ...headers, "content-type": type });
}
