import { openFiles } from "./open-files.ts";
import type { Handler } from "./preflight.ts";

export interface Listening {
  /** `http://127.0.0.1:8787`, with the port that was really taken. */
  url: string;
  /** Refuses new connections, lets running requests finish for up to `limitMs`, then cuts what is left. */
  stop(limitMs: number): Promise<void>;
}

/**
 * None: Bun answers what is longer with a bare 413. Our own limit (256 KiB) refuses by the length or while
 * reading, with the contract's error; what a client still sends after that is thrown away until the idle
 * limit cuts it.
 */
const WIRE_BODY_MAX_BYTES = Number.MAX_SAFE_INTEGER;
/** Cuts silent and dripping clients, and still lets an honest 20 KiB arrive at 1 KiB a second. */
const IDLE_SECONDS = 30;

/** Throws where `listen` would, and leaves the port free. */
export async function tryPort(host: string, port: number): Promise<void> {
  await listen(host, port, () => () => new Response(null, { status: 500 })).stop(0);
}

/**
 * How often it is looked whether files run short; and, while they do, at each which look whether they are
 * plenty again.
 */
const LOOK_EVERY_MS = 100;
const CLOSED_LOOKS = 10;

/**
 * Takes the port before the handler exists, because the handler's core wants to know the address. While the
 * files that the process may open run short, new connections are refused: Bun would try to accept them for
 * ever, at the cost of a whole core (oven-sh/bun#32705), and a thread that has to begin anew would end the
 * program. `tell` hears of it.
 */
export function listen(
  host: string,
  port: number,
  handler: () => Handler,
  tell: (isRefusing: boolean) => void = () => {},
  idleSeconds = IDLE_SECONDS,
): Listening {
  const files = openFiles();
  const first = serve(host, port, handler, idleSeconds);
  const ours = first.port ?? port;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${ours}`;
  /** The last one takes connections, unless `closedLooks` counts; those before it finish what they had. */
  const servers = new Set([first]);
  let open: typeof first | undefined = first;
  let closedLooks = 0;
  const looks = setInterval(() => {
    if (open && files.areShort()) refuse(open);
    else if (!open && ++closedLooks % CLOSED_LOOKS === 0 && files.arePlenty()) takeAgain();
  }, LOOK_EVERY_MS);
  return { url, stop };

  function refuse(server: typeof first): void {
    open = undefined;
    closedLooks = 0;
    void server.stop().then(() => servers.delete(server));
    tell(true);
  }

  function takeAgain(): void {
    try {
      open = serve(host, ours, handler, idleSeconds);
    } catch {
      // Somebody else took the port; it may come back.
      return;
    }
    servers.add(open);
    tell(false);
  }

  async function stop(limitMs: number): Promise<void> {
    clearInterval(looks);
    const limit = setTimeout(() => servers.forEach((server) => void server.stop(true)), limitMs);
    await Promise.all([...servers].map((server) => server.stop()));
    clearTimeout(limit);
  }
}

function serve(host: string, port: number, handler: () => Handler, idleTimeout: number) {
  return Bun.serve({
    hostname: host,
    port,
    development: false,
    // Without `development` Bun shares the port by default: a second server would silently take half of the
    // requests.
    reusePort: false,
    idleTimeout,
    maxRequestBodySize: WIRE_BODY_MAX_BYTES,
    fetch: (request, server) =>
      handler()(
        request,
        () => server.requestIP(request)?.address ?? "",
        (seconds) => server.timeout(request, seconds),
      ),
    error: () => new Response(null, { status: 500 }),
  });
}
