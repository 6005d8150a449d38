import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { Clock } from "../core/base/clock.ts";
import type { HttpMetrics } from "../http/metrics.ts";
import type { Handler } from "../http/preflight.ts";
import { createRedirects } from "../http/redirects.ts";
import { type Certificate, listen, type Listening } from "../http/server.ts";
import { writeAddress } from "../operate/health/address.ts";
import {
  gaugeCertificate,
  httpPortRefused,
  type CurrentCertificate,
  renewCertificate,
} from "../operate/tls/tls.ts";

/** The listening ports. They are opened before the server writes any file. */
export interface Ports {
  listening: Listening;
  /** The plain HTTP port beside the TLS port. */
  http: Listening | undefined;
}

export interface Handlers {
  handler?: Handler;
  http?: Handler;
}

/** Throws if a port is not available. Then no port remains open. */
export function takePorts(
  { host, port, tls }: Config,
  log: Logger,
  answers: Handlers,
  certificate: Certificate | undefined,
): Ports {
  const onFileShortage = (isRefusing: boolean) => logFileShortage(log, isRefusing);
  const listening = listen(host, port, () => answers.handler as Handler, {
    onFileShortage: onFileShortage,
    certificate,
  });
  if (tls?.httpPort === undefined) return { listening, http: undefined };
  try {
    return { listening, http: listen(host, tls.httpPort, () => answers.http as Handler) };
  } catch (error) {
    void listening.stop(0);
    throw httpPortRefused(tls.httpPort, error);
  }
}

export function stopListening({ listening, http }: Ports, limitMs: number): Promise<unknown> {
  return Promise.all([listening.stop(limitMs), http?.stop(limitMs)]);
}

function logFileShortage(log: Logger, isRefusing: boolean): void {
  if (isRefusing)
    log.warn("file descriptors are running out, new connections are refused: raise the limit (ulimit -n)");
  else log.info("new connections are accepted again");
}

/** The parts that announce and serve a public address. */
export interface PublicAddress {
  answers: Handlers;
  certificate: Certificate | undefined;
  metrics: HttpMetrics;
  clock: Clock;
  origin: string;
}

/** Writes the address file for tools, and renews the certificate. Returns undefined without TLS. */
export function announcePorts(
  { data, tls }: Config,
  log: Logger,
  { listening }: Ports,
  { answers, certificate, metrics, clock, origin }: PublicAddress,
): CurrentCertificate | undefined {
  try {
    writeAddress(data, listening.url);
  } catch (err) {
    log.warn({ err }, "guildhall.address cannot be written, so `guildhall health` needs --url");
  }
  if (!tls || !certificate) return undefined;
  const keeping = renewCertificate(tls, certificate, { clock, log, listening });
  answers.http = createRedirects(origin, keeping);
  gaugeCertificate(metrics, keeping, clock);
  return keeping;
}
