import { etagOf, matchingEtag } from "../../http/answer.ts";
import type { RequestContext } from "../../http/context.ts";

/**
 * Returns a document for programs, such as a feed. Returns 304 if the client already has the current version.
 */
export function documentAnswer(
  context: RequestContext,
  text: string,
  more: Readonly<Record<string, string>>,
): Response {
  const etag = etagOf(text);
  const headers = { ...context.headers, etag, ...more };
  const known = matchingEtag(context.request.headers.get("if-none-match"), etag);
  if (known !== undefined) return new Response(null, { status: 304, headers: { ...headers, etag: known } });
  context.answerBytes = Buffer.byteLength(text);
  return new Response(text, { headers });
}
