import { streamed } from "../http/answer.ts";
import { type Frame, streamBody } from "../http/event-stream.ts";
import type { RequestContext } from "../http/context.ts";

/**
 * The header that names a position in a stream: of a request, and of the answer that begins a stream there.
 */
export const POSITION = "last-event-id";

/** One event of a subscription: its position, and its answer. */
export interface StreamEvent {
  id: string;
  json: string | Uint8Array<ArrayBuffer>;
}

/**
 * A server-sent event (HTML §9.2), named as the GraphQL over SSE protocol names it: `next` for what is told,
 * `complete` at the end, where it is one. With its `id` a client that lost the connection goes on.
 */
export function frame(event: "next" | "complete", data: readonly Frame[] = [], id?: string): Frame {
  const head = `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata:${data.length > 0 ? " " : ""}`;
  const parts = [head, ...data, "\n\n"];
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}

/** The position of a stream that has told nothing yet: no event comes of it (HTML §9.2.6). */
export function positionFrame({ headers }: RequestContext): string {
  return `id: ${headers[POSITION]}\n\n`;
}

/** An answer that goes on for as long as there are frames. `close` is called at its end, whoever ends it. */
export function streamAnswer(
  http: RequestContext,
  frames: AsyncIterator<Frame>,
  close: () => void,
): Response {
  return streamed(http, streamBody(frames, close));
}
