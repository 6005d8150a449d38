import { createSecureContext } from "node:tls";
import { HOUR, SECOND } from "../core/base/clock.ts";
import { openFiles } from "./open-files.ts";
import type { Handler } from "./preflight.ts";

/** PEM texts: the certificate with its intermediates, and its private key. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Listening {
  /** URL of the server with the actual port, for example `http://127.0.0.1:8787`. */
  url: string;
  /**
   * Uses this certificate for new connections. Existing connections keep their certificate. Works only if the
   * server started with a certificate. Throws without any change if the certificate cannot be used.
   */
  useCertificate(certificate: Certificate): void;
  /**
   * Refuses new connections and waits up to `limitMs` for running requests. Closes the remaining connections.
   */
  stop(limitMs: number): Promise<void>;
}

/**
 * Disables Bun's body limit, because Bun responds to long bodies with a 413 without a body. Our own limit
 * (256 KiB) checks the length header, counts while reading, and responds with the contract's error. Remaining
 * bytes are discarded until the idle timeout closes the connection.
 */
const WIRE_BODY_MAX_BYTES = Number.MAX_SAFE_INTEGER;
/**
 * Idle timeout of a connection, in seconds. The timeout closes silent and very slow connections. A client
 * that sends 20 KiB at 1 KiB/s still succeeds.
 */
const IDLE_SECONDS = 30;

export interface ListenOptions {
  /** Called with true when few open files are left, and with false when enough are free again. */
  onFileShortage?: (isRefusing: boolean) => void;
  idleSeconds?: number | undefined;
  drainMs?: number;
  /** Without a certificate the server uses plain HTTP. */
  certificate?: Certificate | undefined;
}

/** Checks that the port can be used, then frees it. Throws like `listen`. */
export async function tryPort(host: string, port: number): Promise<void> {
  await listen(host, port, () => () => new Response(null, { status: 500 })).stop(0);
}

/**
 * How often the number of open files is checked, in ms: after requests or new connections, and while nothing
 * happens. While the port is closed, the second interval applies.
 */
const CHECK_EVERY_MS = { busy: 100, idle: SECOND };

/**
 * How long connections may keep a replaced certificate, in ms. Clients of streams reconnect automatically.
 */
const DRAIN_MS = HOUR;

/**
 * Opens the port before the handler exists, because the core of the handler needs the port's URL. While few
 * open files are left, new connections are refused. Otherwise Bun would try to accept these connections in a
 * busy loop (oven-sh/bun#32705). In addition, a thread that restarts while no file can be opened would end
 * the process.
 */
export function listen(
  host: string,
  port: number,
  handler: () => Handler,
  {
    onFileShortage = () => {},
    idleSeconds = IDLE_SECONDS,
    drainMs = DRAIN_MS,
    certificate: currentCertificate,
  }: ListenOptions = {},
): Listening {
  const files = openFiles();
  const begin = (at: number) =>
    serve(host, at, () => (checkSoon(), handler()), idleSeconds, currentCertificate);
  const first = begin(port);
  const chosenPort = first.port ?? port;
  const url = `${currentCertificate ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${chosenPort}`;
  /** Whether the next check comes soon, because of a request or a new connection. */
  let isBusy = true;
  let checkTimer = setTimeout(check, CHECK_EVERY_MS.busy);
  /**
   * The newest server accepts connections, unless the port is closed because few files are left. Older
   * servers only finish their requests.
   */
  const servers = new Set([first]);
  let open: typeof first | undefined = first;
  return { url, useCertificate, stop };

  function check(): void {
    if (open && files.areShort()) {
      void close(open);
      onFileShortage(true);
    } else if (!open && files.arePlenty() && reopen()) onFileShortage(false);
    isBusy = open !== undefined && files.haveChanged();
    checkTimer = setTimeout(check, isBusy ? CHECK_EVERY_MS.busy : CHECK_EVERY_MS.idle);
  }

  function checkSoon(): void {
    if (isBusy || !open) return;
    isBusy = true;
    clearTimeout(checkTimer);
    checkTimer = setTimeout(check, CHECK_EVERY_MS.busy);
  }

  function close(server: typeof first): Promise<void> {
    open = undefined;
    return server.stop().then(() => void servers.delete(server));
  }

  /** Opens the port again. Returns false if another process currently uses the port. */
  function reopen(): boolean {
    try {
      open = begin(chosenPort);
    } catch {
      return false;
    }
    servers.add(open);
    return true;
  }

  /** Starts a new server, because a server keeps the certificate it started with (docs/adr/0038-tls.md). */
  function useCertificate(certificate: Certificate): void {
    // Throws for a bad certificate before the old server is stopped.
    createSecureContext(certificate);
    currentCertificate = certificate;
    // If the port is closed, the next server uses the certificate.
    if (!open) return;
    const old = open;
    const limit = setTimeout(() => void old.stop(true), drainMs);
    void close(old).then(() => clearTimeout(limit));
    reopen();
  }

  async function stop(limitMs: number): Promise<void> {
    clearTimeout(checkTimer);
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
    // With `development: false`, Bun shares the port by default. A second server would then get half of the
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
