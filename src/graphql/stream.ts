import type { ExecutionResult } from "graphql";
import { SECOND } from "../core/ground/clock.ts";
import { streamed } from "../http/answer.ts";
import type { Visit } from "../http/visit.ts";
import type { AnswerSize } from "./size.ts";

/** Shorter than the server's limit for silent connections, and than that of most proxies. */
const PING_EVERY_MS = 12 * SECOND;

type Json = string | Uint8Array;

/** One event of a subscription: what was told, how long that is, and where to go on after it. */
export interface StreamEvent {
  id: string;
  result: ExecutionResult;
  size: AnswerSize;
}

/**
 * A server-sent event (HTML §9.2), named as the GraphQL over SSE protocol names it: `next` for what is told, `complete` at the end, where
 * it is one. With its `id` a client that lost the connection goes on.
 */
export function frame(event: "next" | "complete", data: readonly Json[] = [], id?: string): Json {
  const head = `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata:${data.length > 0 ? " " : ""}`;
  const parts = [head, ...data, "\n\n"];
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}

/** An answer that goes on for as long as there are frames. `close` is called at its end, whoever ends it. */
export function streamAnswer(visit: Visit, frames: AsyncIterator<Json>, close: () => void): Response {
  return streamed(visit, bodyOf(frames, close));
}

function bodyOf(frames: AsyncIterator<Json>, close: () => void): ReadableStream<Uint8Array> {
  let ping: ReturnType<typeof setInterval> | undefined;
  const end = (): void => {
    clearInterval(ping);
    close();
  };
  const comment = Buffer.from(":\n\n");
  return new ReadableStream<Uint8Array>({
    start(controller) {
      // The first bytes let the client see that the stream is open.
      controller.enqueue(comment);
      ping = setInterval(() => controller.enqueue(comment), PING_EVERY_MS);
    },
    async pull(controller) {
      try {
        const { done, value } = await frames.next();
        if (!done) {
          controller.enqueue(typeof value === "string" ? Buffer.from(value) : value);
          return;
        }
      } catch (error) {
        end();
        controller.error(error);
        return;
      }
      end();
      controller.close();
    },
    async cancel() {
      end();
      await frames.return?.();
    },
  });
}
