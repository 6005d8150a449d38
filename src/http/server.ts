import type { Handler } from "./preflight.ts";

export interface Listening {
  /** `http://127.0.0.1:8787`, with the port that was really taken. */
  url: string;
  /** Refuses new connections, lets running requests finish for up to `limitMs`, then cuts what is left. */
  stop(limitMs: number): Promise<void>;
}

/**
 * None: Bun answers what is longer with a bare 413. Our own limit (256 KiB) refuses by the length or while reading, with
 * the contract's error; what a client still sends after that is thrown away until the idle limit cuts it.
 */
const WIRE_BODY_MAX_BYTES = Number.MAX_SAFE_INTEGER;
/** Cuts silent and dripping clients, and still lets an honest 20 KiB arrive at 1 KiB a second. */
const IDLE_SECONDS = 30;

/** Takes the port before the handler exists, because the handler's core wants to know the address. */
export function listen(host: string, port: number, handler: () => Handler): Listening {
  const server = Bun.serve({
    hostname: host,
    port,
    development: false,
    // Without `development` Bun shares the port by default: a second server would silently take half of the requests.
    reusePort: false,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: WIRE_BODY_MAX_BYTES,
    fetch: (request, server) => handler()(request, () => server.requestIP(request)?.address ?? ""),
    error: () => new Response(null, { status: 500 }),
  });
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`,
    async stop(limitMs) {
      const limit = setTimeout(() => server.stop(true), limitMs);
      await server.stop();
      clearTimeout(limit);
    },
  };
}
