/** A request that was sent at its time, whether or not those before it were answered. */
export interface Beat {
  /** Since the beginning, in milliseconds: when it was due. */
  at: number;
  /** From when it was due to its answer: a server that stands still is not excused by fewer requests. */
  waited: number;
}

export interface SteadyOptions {
  url: string;
  headers: Record<string, string>;
  perSecond: number;
  body: (count: number) => string;
  /** Answers under way at once; more wait for a connection, and their wait counts. */
  connections?: number;
}

/** So many POSTs a second, evenly, until `stop`. Throws where one was refused. */
export async function steady({ url, headers, perSecond, body, connections = 64 }: SteadyOptions): Promise<{
  stop(): Promise<Beat[]>;
}> {
  const { hostname, port, pathname } = new URL(url);
  const lines = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const beats: Beat[] = [];
  const due: number[] = [];
  const idle: { socket: { write(data: Buffer): number; end(): void }; from: number; missing: number }[] = [];
  const all: typeof idle = [];
  let sent = 0;
  let refused = 0;
  let under = 0;
  const began = performance.now();

  function fire(): void {
    while (due.length > 0 && idle.length > 0) {
      const [from = 0, line] = [due.shift(), idle.pop()];
      if (!line) return;
      const text = Buffer.from(body(++sent));
      line.from = from;
      under++;
      line.socket.write(
        Buffer.concat([
          Buffer.from(
            `POST ${pathname} HTTP/1.1\r\n${lines.join("")}content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`,
          ),
          text,
        ]),
      );
    }
  }

  for (let i = 0; i < connections; i++) {
    const line: (typeof idle)[number] = {
      socket: { write: () => 0, end: () => undefined },
      from: 0,
      missing: 0,
    };
    line.socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data(_socket, chunk) {
          if (line.missing === 0) {
            const text = chunk.toString("latin1");
            const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? "0");
            if (text[9] !== "2") refused++;
            line.missing = length - (chunk.length - text.indexOf("\r\n\r\n") - 4);
          } else line.missing -= chunk.length;
          if (line.missing > 0) return;
          line.missing = 0;
          beats.push({ at: line.from, waited: performance.now() - began - line.from });
          under--;
          idle.push(line);
          fire();
        },
      },
    });
    idle.push(line);
    all.push(line);
  }
  let next = 0;
  const timer = setInterval(() => {
    for (const now = performance.now() - began; next <= now; next += 1000 / perSecond) due.push(next);
    fire();
  }, 1);
  return {
    async stop() {
      clearInterval(timer);
      while (under > 0 || due.length > 0) await Bun.sleep(5);
      for (const { socket } of all) socket.end();
      if (refused > 0) throw new Error(`${refused} writes were refused`);
      return beats;
    },
  };
}
