import { createAuthority } from "../../tests/delivery/authority.ts";
import { quantile } from "./slope.ts";

/**
 * Receivers of events: some acknowledge, one never responds, one fails two of three requests, and one does
 * not exist.
 */
export interface Receivers extends Disposable {
  /** PEM of the certificate authority of the receivers. */
  ca: string;
  urls: readonly string[];
  /** Number of receivers that acknowledge at once. */
  good: number;
  /**
   * Time from the event to its arrival at a receiver that acknowledges, since the last call. In milliseconds.
   */
  lag(): { p50: number; p99: number };
  /** Deliveries that the good receivers got: in total, and without repeats. */
  received(): { all: number; once: number };
}

const GOOD = ["/good/1", "/good/2", "/good/3"];

export async function openReceivers(): Promise<Receivers> {
  const authority = await createAuthority();
  const { cert, key } = await authority.issue(["127.0.0.1"]);
  let lags: number[] = [];
  let all = 0;
  let requestCount = 0;
  const seen = new Set<string>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    // The receiver has no timeout, because the tested server itself must end a request that gets no response.
    idleTimeout: 0,
    tls: { cert, key },
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/stalling") return await new Promise<Response>(() => {});
      const event = (await request.json()) as { id: string; created_at: string };
      if (pathname === "/flaky") return new Response(null, { status: requestCount++ % 3 === 0 ? 204 : 503 });
      lags.push(Date.now() - Date.parse(event.created_at));
      all++;
      seen.add(`${pathname} ${event.id}`);
      return new Response(null, { status: 204 });
    },
  });
  // A port without a listener: the port of a server that has stopped.
  const gone = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const dead = `https://127.0.0.1:${gone.port}/dead`;
  await gone.stop(true);
  const url = (path: string): string => `https://127.0.0.1:${server.port}${path}`;
  return {
    ca: authority.pem,
    urls: [...GOOD.map(url), url("/stalling"), url("/flaky"), dead],
    good: GOOD.length,
    lag() {
      const of = lags;
      lags = [];
      return { p50: quantile(of, 0.5), p99: quantile(of, 0.99) };
    },
    received: () => ({ all, once: seen.size }),
    [Symbol.dispose]: () => void server.stop(true),
  };
}
