import { json, noContent, streamed } from "../http/answer.ts";
import type { RequestContext } from "../http/context.ts";

/**
 * The v1 response of an operation. `body` is undefined for 204. A request with an idempotency key stores its
 * response in this form.
 */
export interface Answer {
  status: 200 | 201 | 204;
  body?: unknown;
  /** For a page: the cursor of the next page, for the `Link` header. Null on the last page. */
  next?: string | null;
  headers?: Record<string, string>;
  /** Server-sent events (HTML §9.2) instead of a body, until the client disconnects. */
  stream?: ReadableStream;
}

export function respond(context: RequestContext, answer: Answer): Response {
  if (answer.stream) return streamed(context, answer.stream);
  if (answer.status === 204) return noContent(context, answer.headers);
  if (answer.next) context.headers["link"] = `<${nextOf(context, answer.next)}>; rel="next"`;
  return json(context, answer.status, answer.body, answer.headers);
}

/**
 * Returns the URL of the next page for the `Link` header (RFC 8288). The URL is absolute, because clients on
 * another origin or behind a proxy cannot resolve a path. Characters that a header must not contain are
 * percent-encoded.
 */
function nextOf({ origin, path, query }: RequestContext, cursor: string): string {
  const pairs = query === "" ? [] : query.split("&");
  const otherParams = pairs.filter((pair) => pair !== "" && !/^cursor(?:=|$)/.test(pair));
  return `${origin}${path}?${[...otherParams, `cursor=${cursor}`].join("&")}`.replaceAll(
    /[^!#-;=?-~]/g,
    encodeURIComponent,
  );
}
