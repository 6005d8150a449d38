import { createSecureContext } from "node:tls";
import { HOUR } from "../core/base/clock.ts";
import { openFiles } from "./open-files.ts";
import type { Handler } from "./preflight.ts";

/** Both PEM: the certificate with those between it and its authority, and its private key. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Listening {
  /** `http://127.0.0.1:8787`, with the port that was really taken. */
  url: string;
  /**
   * Shows this certificate to whoever connects from now on; a connection that stands goes on under the one
   * that it has. Only for a server that began with one. Throws, and changes nothing, where it cannot be used.
   */
  show(certificate: Certificate): void;
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

export interface ListenOptions {
  /** Hears that open files run short, and that they do no longer. */
  onFileShortage?: (isRefusing: boolean) => void;
  idleSeconds?: number | undefined;
  drainMs?: number;
  /** Without one it speaks plain HTTP. */
  certificate?: Certificate | undefined;
}

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

/** How long a connection may use a replaced certificate. Streams reconnect by themselves. */
const DRAIN_MS = HOUR;

/**
 * Takes the port before the handler exists, because the handler's core wants to know the address. While the
 * files that the process may open run short, new connections are refused: Bun would try to accept them for
 * ever, at the cost of a whole core (oven-sh/bun#32705), and a thread that has to begin anew would end the
 * program.
 */
export function listen(
  host: string,
  port: number,
  handler: () => Handler,
  {
    onFileShortage = () => {},
    idleSeconds = IDLE_SECONDS,
    drainMs = DRAIN_MS,
    certificate: shown,
  }: ListenOptions = {},
): Listening {
  const files = openFiles();
  const begin = (at: number) => serve(host, at, handler, idleSeconds, shown);
  const first = begin(port);
  const ours = first.port ?? port;
  const url = `${shown ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${ours}`;
  /** The last one takes connections, unless `closedLooks` counts; those before it finish what they had. */
  const servers = new Set([first]);
  let open: typeof first | undefined = first;
  let closedLooks = 0;
  const looks = setInterval(() => {
    if (open && files.areShort()) {
      void close(open);
      onFileShortage(true);
    } else if (!open && ++closedLooks % CLOSED_LOOKS === 0 && files.arePlenty() && takeAgain())
      onFileShortage(false);
  }, LOOK_EVERY_MS);
  return { url, show, stop };

  function close(server: typeof first): Promise<void> {
    open = undefined;
    closedLooks = 0;
    return server.stop().then(() => void servers.delete(server));
  }

  /** Whether it could: somebody else may have taken the port, and it may come back. */
  function takeAgain(): boolean {
    try {
      open = begin(ours);
    } catch {
      return false;
    }
    servers.add(open);
    return true;
  }

  /** A server goes on with the certificate that it began with (docs/adr/0038-tls.md): another one begins. */
  function show(certificate: Certificate): void {
    // Throws, while the old one still listens.
    createSecureContext(certificate);
    shown = certificate;
    // The next one that takes connections has it.
    if (!open) return;
    const old = open;
    const limit = setTimeout(() => void old.stop(true), drainMs);
    void close(old).then(() => clearTimeout(limit));
    takeAgain();
  }

  async function stop(limitMs: number): Promise<void> {
    clearInterval(looks);
    const limit = setTimeout(() => servers.forEach((server) => void server.stop(true)), limitMs);
    await Promise.all([...servers].map((server) => server.stop()));
    clearTimeout(limit);
  }
}

function serve(
  host: string,
  port: number,
  handler: () => Handler,
  idleTimeout: number,
  certificate: Certificate | undefined,
) {
  return Bun.serve({
    hostname: host,
    port,
    development: false,
    // Without `development` Bun shares the port by default: a second server would silently take half of the
    // requests.
    reusePort: false,
    idleTimeout,
    maxRequestBodySize: WIRE_BODY_MAX_BYTES,
    ...(certificate && { tls: { cert: certificate.cert, key: certificate.key } }),
    fetch: (request, server) =>
      handler()(
        request,
        () => server.requestIP(request)?.address ?? "",
        (seconds) => server.timeout(request, seconds),
      ),
    error: () => new Response(null, { status: 500 }),
  });
}
