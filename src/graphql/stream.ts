import type { ExecutionResult } from "graphql";
import { SECOND } from "../core/clock.ts";

/** One event of a stream: what was told, and where to go on after it. */
export interface StreamEvent {
  id: string;
  result: ExecutionResult;
}

/** Shorter than the server's limit for silent connections, and than that of most proxies. */
const PING_EVERY_MS = 12 * SECOND;

/**
 * Events as a body of server-sent events (HTML §9.2), named as the GraphQL over SSE protocol names them: `next` for each, `complete` at
 * the end, where it is one. Each has its `id`, with which a client that lost the connection goes on.
 */
export function streamBody(
  events: AsyncIterator<StreamEvent>,
  { isComplete, close }: { isComplete(): boolean; close(): void },
): ReadableStream<string> {
  let ping: ReturnType<typeof setInterval> | undefined;
  const end = (): void => {
    clearInterval(ping);
    close();
  };
  return new ReadableStream<string>({
    start(controller) {
      // The first bytes let the client see that the stream is open.
      controller.enqueue(":\n\n");
      ping = setInterval(() => controller.enqueue(":\n\n"), PING_EVERY_MS);
    },
    async pull(controller) {
      try {
        const { done, value } = await events.next();
        if (!done) {
          controller.enqueue(`id: ${value.id}\nevent: next\ndata: ${JSON.stringify(value.result)}\n\n`);
          return;
        }
        if (isComplete()) controller.enqueue("event: complete\ndata:\n\n");
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
      await events.return?.();
    },
  });
}
