import { streamed } from "../http/answer.ts";
import { type Frame, streamBody } from "../http/event-stream.ts";
import type { RequestContext } from "../http/context.ts";

/**
 * Name of the header that contains a stream position. A request with this header resumes a stream. The
 * response that starts a stream also has this header.
 */
export const POSITION = "last-event-id";

/** One event of a subscription: its position and its result. */
export interface StreamEvent {
  id: string;
  json: string | Uint8Array<ArrayBuffer>;
}

/**
 * Returns a server-sent event (HTML §9.2) as text. The event name follows the GraphQL over SSE protocol:
 * `next` for a result, `complete` at the end. After a lost connection, the client resumes from `id`.
 */
export function frame(event: "next" | "complete", data: readonly Frame[] = [], id?: string): Frame {
  const head = `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata:${data.length > 0 ? " " : ""}`;
  const parts = [head, ...data, "\n\n"];
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}

/** Returns a frame with the position of a new stream. Browsers fire no event for this frame (HTML §9.2.6). */
export function positionFrame({ headers }: RequestContext): string {
  return `id: ${headers[POSITION]}\n\n`;
}

/**
 * Returns a response that streams frames until they end. Calls `close` when the server or the client ends the
 * stream.
 */
export function streamAnswer(
  http: RequestContext,
  frames: AsyncIterator<Frame>,
  close: () => void,
): Response {
  return streamed(http, streamBody(frames, close));
}
