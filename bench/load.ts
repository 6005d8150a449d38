/** What a run of requests came to. Times in milliseconds. */
export interface Load {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  /** Answers that were not 2xx. */
  refused: number;
}

export interface LoadOptions {
  url: string;
  headers?: Record<string, string>;
  /** Further ones, of a request of its own: somebody else asks. */
  headersOf?: (count: number) => Record<string, string>;
  connections: number;
  seconds: number;
  method?: string;
  /** A new body for each request. */
  body?: (count: number) => string;
}

/**
 * Keeps `connections` sockets busy, one request at a time on each. Written on bare sockets, because a client
 * that costs more than the server would measure itself.
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
            if (missing === 0) {
              // A head may come in two pieces.
              begun += chunk.toString("latin1");
              const headEnd = begun.indexOf("\r\n\r\n");
              if (headEnd === -1) return;
              const length = /content-length: (\d+)/i.exec(begun)?.[1] ?? "0";
              if (begun[9] !== "2") refused++;
              missing = Number(length) - (begun.length - headEnd - 4);
              begun = "";
            } else missing -= chunk.length;
            if (missing > 0) return;
            missing = 0;
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
