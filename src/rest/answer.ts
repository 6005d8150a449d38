import { jsonText, noContent, streamed } from "../http/answer.ts";
import type { Visit } from "../http/visit.ts";

/** What an operation answers in v1; `body` is left out for 204. As it is kept for a key, too. */
export interface Answer {
  status: 200 | 201 | 204;
  body?: unknown;
  /** Of a page: the cursor of the one behind it, for the `Link` header; null for the last. */
  next?: string | null;
  headers?: Record<string, string>;
  /** Instead of a body: server-sent events (HTML §9.2), for as long as somebody listens. */
  stream?: ReadableStream;
}

export function respond(visit: Visit, answer: Answer): Response {
  if (answer.stream) return streamed(visit, answer.stream);
  if (answer.status === 204) return noContent(visit, answer.headers);
  if (answer.next) visit.headers["link"] = `<${nextOf(visit, answer.next)}>; rel="next"`;
  return jsonText(visit, answer.status, JSON.stringify(answer.body), answer.headers);
}

/**
 * RFC 8288: the same address with the cursor of the page behind it; what a header may not hold is encoded.
 */
function nextOf({ path, query }: Visit, cursor: string): string {
  const kept = query.split("&").filter((pair) => pair !== "" && !/^cursor(?:=|$)/.test(pair));
  return `${path}?${[...kept, `cursor=${cursor}`].join("&")}`.replaceAll(/[^!#-;=?-~]/g, encodeURIComponent);
}
