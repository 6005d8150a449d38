import { SECOND } from "../core/base/clock.ts";

/** Interval of pings, in ms. Shorter than the idle timeouts of the server and of most proxies. */
const PING_EVERY_MS = 12 * SECOND;
const PING = Buffer.from(":\n\n");

export type Frame = string | Uint8Array;

/**
 * Returns a body of server-sent events (HTML §9.2). Frames are read on demand. Calls `close` when the server
 * or the client ends the stream.
 */
export function streamBody(frames: AsyncIterator<Frame>, close: () => void): ReadableStream<Uint8Array> {
  let ping: ReturnType<typeof setInterval> | undefined;
  const end = (): void => {
    clearInterval(ping);
    close();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      // These first bytes show the client that the stream is open.
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
