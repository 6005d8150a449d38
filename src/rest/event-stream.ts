import { SECOND } from "../core/ground/clock.ts";

/** Shorter than the server's limit for silent connections, and than that of most proxies. */
const PING_EVERY_MS = 12 * SECOND;

export interface ServerSent {
  id: string;
  data: string;
}

/**
 * A body of server-sent events (HTML §9.2), told as they are read from; `close` ends what waits behind them.
 */
export function eventStream(events: AsyncGenerator<ServerSent>, close: () => void): ReadableStream<string> {
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
          controller.enqueue(`id: ${value.id}\ndata: ${value.data}\n\n`);
          return;
        }
      } catch {
        // Whoever asks has no right to any more of it: the stream is over, and their next request is told
        // why.
      }
      end();
      controller.close();
    },
    async cancel() {
      end();
      await events.return(undefined);
    },
  });
}
