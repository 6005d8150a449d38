import { createSecureContext } from "node:tls";
import { HOUR } from "../core/base/clock.ts";
import { openFiles } from "./open-files.ts";
import type { Handler } from "./preflight.ts";

/** PEM texts: the certificate with its intermediates, and its private key. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Listening {
  /** For example `http://127.0.0.1:8787`, with the actual port. */
  url: string;
  /**
   * Uses this certificate for new connections. Existing connections keep theirs. Works only if the server
   * started with a certificate. Throws without any change if the certificate cannot be used.
   */
  useCertificate(certificate: Certificate): void;
  /** Refuses new connections, waits up to `limitMs` for running requests and closes the rest. */
  stop(limitMs: number): Promise<void>;
}

/**
 * Disables Bun's body limit, which answers with a bare 413. Our own limit (256 KiB) checks the length header
 * and counts while reading, and answers with the contract's error. Bytes sent after that are discarded until
 * the idle timeout closes the connection.
 */
const WIRE_BODY_MAX_BYTES = Number.MAX_SAFE_INTEGER;
/**
 * Idle timeout in seconds. It closes silent and very slow clients, but lets a 20 KiB body arrive at 1 KiB/s.
 */
const IDLE_SECONDS = 30;

export interface ListenOptions {
  /** Called when open files run short, and when enough are free again. */
  onFileShortage?: (isRefusing: boolean) => void;
  idleSeconds?: number | undefined;
  drainMs?: number;
  /** Without a certificate the server uses plain HTTP. */
  certificate?: Certificate | undefined;
}

/** Checks that the port can be used, and frees it again. Throws like `listen`. */
export async function tryPort(host: string, port: number): Promise<void> {
  await listen(host, port, () => () => new Response(null, { status: 500 })).stop(0);
}

/**
 * How often open files are checked, in ms. While the port is closed, only every tenth check looks for enough
 * free files.
 */
const CHECK_EVERY_MS = 100;
const CLOSED_CHECKS = 10;

/** How long connections may keep a replaced certificate, in ms. Streams reconnect on their own. */
const DRAIN_MS = HOUR;

/**
 * Opens the port before the handler exists, because the handler's core needs the address.
 *
 * While open files run short, new connections are refused. Otherwise Bun would try to accept them in a busy
 * loop (oven-sh/bun#32705), and a restart of a thread would end the process.
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
  const chosenPort = first.port ?? port;
  const url = `${shown ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${chosenPort}`;
  /**
   * The last server accepts connections, unless the port is closed for lack of files. Earlier servers finish
   * their requests.
   */
  const servers = new Set([first]);
  let open: typeof first | undefined = first;
  let closedChecks = 0;
  const checkTimer = setInterval(() => {
    if (open && files.areShort()) {
      void close(open);
      onFileShortage(true);
    } else if (!open && ++closedChecks % CLOSED_CHECKS === 0 && files.arePlenty() && reopen())
      onFileShortage(false);
  }, CHECK_EVERY_MS);
  return { url, useCertificate, stop };

  function close(server: typeof first): Promise<void> {
    open = undefined;
    closedChecks = 0;
    return server.stop().then(() => void servers.delete(server));
  }

  /** Opens the port again. Returns false if another process has the port for now. */
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
    // Throws for a bad certificate while the old server still listens.
    createSecureContext(certificate);
    shown = certificate;
    // If the port is closed, the next server uses the certificate.
    if (!open) return;
    const old = open;
    const limit = setTimeout(() => void old.stop(true), drainMs);
    void close(old).then(() => clearTimeout(limit));
    reopen();
  }

  async function stop(limitMs: number): Promise<void> {
    clearInterval(checkTimer);
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
    // Without `development`, Bun shares the port by default. A second server would then get half of the
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
