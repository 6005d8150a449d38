import type { Logger } from "pino";
import { type Clock, SECOND } from "../../core/base/clock.ts";
import { systemRandom } from "../../core/base/random.ts";
import type { HttpMetrics } from "../../http/metrics.ts";
import type { Certificate, Listening } from "../../http/server.ts";
import { orderCertificate } from "./acme.ts";
import { faultOf, hostOf, validityOf, TlsRefused } from "./certificate.ts";
import { type CertificateFiles, renewFromFiles, readCertificate } from "./files.ts";
import type { CertificateRenewal } from "./renewing.ts";
import { type CertificateFolder, renewFromAuthority, lastIssued } from "./renewal.ts";

/** Source of the certificate, and the port that redirects plain HTTP. */
export interface TlsSettings {
  readonly origin: string;
  readonly source: { readonly files: CertificateFiles } | { readonly folder: CertificateFolder };
  /** Port for plain HTTP. Undefined means that no such port is opened. */
  readonly httpPort: number | undefined;
}

/** The certificate in use, and whether browsers trust it. */
export interface CurrentCertificate extends CertificateRenewal {
  isReady(): boolean;
}

const CHECK_EVERY_MS = 10 * SECOND;

/** Returns the certificate that the server starts with. Throws TlsRefused. Changes nothing. */
export async function firstCertificate({ origin, source }: TlsSettings, now: number): Promise<Certificate> {
  const host = hostOf(origin);
  return "files" in source ? readCertificate(source.files, host, now) : lastIssued(source.folder, host, now);
}

/** Keeps the certificate of `listening` valid until it is stopped. */
export function renewCertificate(
  { origin, source }: TlsSettings,
  shown: Certificate,
  { clock, log, listening }: { clock: Clock; log: Logger; listening: Listening },
): CurrentCertificate {
  const host = hostOf(origin);
  const all = {
    host,
    clock,
    log,
    random: systemRandom,
    useCertificate: listening.useCertificate,
    order: orderCertificate,
  };
  const keeping =
    "files" in source
      ? renewFromFiles(source.files, shown, all)
      : renewFromAuthority(source.folder, shown, all);
  const timer = setInterval(() => void keeping.renewIfDue(), CHECK_EVERY_MS);
  void keeping.renewIfDue();
  return {
    ...keeping,
    isReady: () => faultOf(keeping.shown(), host, clock.now()) === undefined,
    stop() {
      clearInterval(timer);
      keeping.stop();
    },
  };
}

/**
 * Adds the remaining validity to `/metrics`. Negative if expired, so that an alert rule needs no clock of its
 * own.
 */
export function gaugeCertificate(metrics: HttpMetrics, keeping: CurrentCertificate, clock: Clock): void {
  metrics.gauges(() => ({
    guildhall_certificate_ends_in_seconds: (validityOf(keeping.shown()).until - clock.now()) / SECOND,
  }));
}

/**
 * Describes a system error of the port for plain HTTP. Other code handles errors of the server's main port.
 */
export function httpPortRefused(port: number, error: unknown): TlsRefused {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  const why = code === "EACCES" ? "needs a permission that this user lacks" : `cannot be opened (${code})`;
  return new TlsRefused(
    `Port ${port} for plain HTTP ${why}. Choose another with GUILDHALL_HTTP_PORT, or allow the port (see TLS in docs/operating.md).`,
  );
}
