import { jsonText, noContent, streamed } from "../http/answer.ts";
import type { RequestContext } from "../http/context.ts";

/** What an operation answers in v1; `body` is left out for 204. As it is kept for a key, too. */
export interface Answer {
  status: 200 | 201 | 204;
  body?: unknown;
  /** Instead of it, where nobody asks for more of it than that it is sent: the same as JSON. */
  text?: string;
  /** Of a page: the cursor of the one behind it, for the `Link` header; null for the last. */
  next?: string | null;
  headers?: Record<string, string>;
  /** Instead of a body: server-sent events (HTML §9.2), for as long as somebody listens. */
  stream?: ReadableStream;
}

export function respond(context: RequestContext, answer: Answer): Response {
  if (answer.stream) return streamed(context, answer.stream);
  if (answer.status === 204) return noContent(context, answer.headers);
  if (answer.next) context.headers["link"] = `<${nextOf(context, answer.next)}>; rel="next"`;
  return jsonText(context, answer.status, textOf(answer), answer.headers);
}

export function textOf({ text, body }: Answer): string {
  return text ?? JSON.stringify(body);
}

/**
 * RFC 8288: the same address with the cursor of the next page. It begins with the public origin: a page of
 * another origin, and a program behind a proxy, cannot resolve a path alone. What a header may not hold is
 * encoded.
 */
function nextOf({ origin, path, query }: RequestContext, cursor: string): string {
  const kept = query.split("&").filter((pair) => pair !== "" && !/^cursor(?:=|$)/.test(pair));
  return `${origin}${path}?${[...kept, `cursor=${cursor}`].join("&")}`.replaceAll(
    /[^!#-;=?-~]/g,
    encodeURIComponent,
  );
}
