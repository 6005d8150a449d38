import { SECOND } from "../core/base/clock.ts";

/** Shorter than the server's limit for silent connections, and than that of most proxies. */
const PING_EVERY_MS = 12 * SECOND;
const PING = Buffer.from(":\n\n");

export type Frame = string | Uint8Array;

/**
 * Server-sent events (HTML §9.2) as a body, read as they are taken. `close` is called at their end, whoever
 * ends it.
 */
export function streamBody(frames: AsyncIterator<Frame>, close: () => void): ReadableStream<Uint8Array> {
  let ping: ReturnType<typeof setInterval> | undefined;
  const end = (): void => {
    clearInterval(ping);
    close();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      // The first bytes let the client see that the stream is open.
      controller.enqueue(PING);
      ping = setInterval(() => controller.enqueue(PING), PING_EVERY_MS);
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
