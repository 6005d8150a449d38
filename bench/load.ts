/** Result of a run of requests. Times are in milliseconds. */
export interface Load {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  /** Responses that were not 2xx. */
  refused: number;
}

export interface LoadOptions {
  url: string;
  headers?: Record<string, string>;
  /** Additional headers of request number `count`, such as the headers of another client. */
  headersOf?: (count: number) => Record<string, string>;
  connections: number;
  seconds: number;
  method?: string;
  /** Returns the body of request number `count`. */
  body?: (count: number) => string;
}

/**
 * Last chunk of a chunked response. JSON has no unescaped line ends, so no other part of a response contains
 * these characters.
 */
const LAST_CHUNK = "\r\n0\r\n\r\n";

/**
 * Keeps `connections` sockets busy, with one request at a time on each. Uses plain sockets, because a full
 * HTTP client would cost more than the server and would distort the measurement.
 */
export async function load({
  url,
  headers = {},
  headersOf,
  connections,
  seconds,
  method = "GET",
  body,
}: LoadOptions): Promise<Load> {
  const { hostname, port, pathname, search } = new URL(url);
  const lines = linesOf({ host: `${hostname}:${port}`, ...headers });
  const head = `${method} ${pathname}${search} HTTP/1.1\r\n${lines}`;
  const fixed = Buffer.from(`${head}\r\n`);
  const times: number[] = [];
  let refused = 0;
  let sent = 0;
  const end = performance.now() + seconds * 1000;
  const next = (): Buffer => {
    sent++;
    if (headersOf) return Buffer.from(`${head}${linesOf(headersOf(sent))}\r\n`);
    if (!body) return fixed;
    const text = Buffer.from(body(sent));
    return Buffer.concat([
      Buffer.from(`${head}content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`),
      text,
    ]);
  };

  await Promise.all(
    Array.from({ length: connections }, async () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      let startedAt = 0;
      let missing = 0;
      let begun = "";
      /** The last bytes received of a chunked response; undefined for other responses. */
      let tail: string | undefined;
      const fire = (socket: { write(data: Buffer): number; end(): void }): void => {
        startedAt = performance.now();
        if (startedAt >= end) {
          socket.end();
          resolve();
        } else socket.write(next());
      };
      await Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          open: fire,
          data(socket, chunk) {
            if (tail !== undefined) {
              tail = (tail + chunk.toString("latin1")).slice(-LAST_CHUNK.length);
              if (tail !== LAST_CHUNK) return;
            } else if (missing === 0) {
              // Collects the response headers, which can arrive in two pieces.
              begun += chunk.toString("latin1");
              const headEnd = begun.indexOf("\r\n\r\n");
              if (headEnd === -1) return;
              if (begun[9] !== "2") refused++;
              const length = /^content-length: (\d+)/im.exec(begun.slice(0, headEnd))?.[1];
              if (length === undefined && /^transfer-encoding: chunked/im.test(begun.slice(0, headEnd))) {
                tail = begun.slice(-LAST_CHUNK.length);
                begun = "";
                if (tail !== LAST_CHUNK) return;
              } else {
                missing = Number(length ?? 0) - (begun.length - headEnd - 4);
                begun = "";
              }
            } else missing -= chunk.length;
            if (missing > 0) return;
            missing = 0;
            tail = undefined;
            times.push(performance.now() - startedAt);
            fire(socket);
          },
          error: (_socket, error) => reject(error),
          close: () => resolve(),
        },
      });
      await promise;
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { requests: times.length, perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), refused };
}

function linesOf(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}
