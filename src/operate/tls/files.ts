import { readRegularFile } from "../../files/regular-file.ts";
import type { Certificate } from "../../http/server.ts";
import { faultOf, isoDay, validityOf, TlsRefused } from "./certificate.ts";
import { type CertificateRenewal, type RenewingParts, logExpiry } from "./renewing.ts";

/** Files of the certificate. Another program stores and renews the certificate in these files. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads the certificate from the files. Throws TlsRefused if the server of this host cannot start with it.
 */
export function readCertificate(files: CertificateFiles, host: string, now: number): Certificate {
  const certificate = {
    cert: readPem("certificate", files.cert, ", or name another with GUILDHALL_TLS_CERT"),
    key: readPem("key", files.key, ", or name another with GUILDHALL_TLS_KEY"),
  };
  const fault = faultOf(certificate, host, now);
  if (fault === undefined) return certificate;
  throw new TlsRefused(`${files.cert} and ${files.key} cannot be used: ${fault}. Renew or replace them.`);
}

/** Throws TlsRefused. */
export function readPem(what: string, file: string, orElse = ""): string {
  try {
    return readRegularFile(file).toString("utf8");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (reason === "ENOENT")
      throw new TlsRefused(`The ${what} file ${file} does not exist. Put it there${orElse}.`);
    throw new TlsRefused(
      `This user cannot read the ${what} file ${file} (${reason}). Give the user read access${orElse}.`,
    );
  }
}

/**
 * Checks the files from time to time. A renewed certificate is used at once. An unusable certificate is
 * reported once, and the previous one remains in use (docs/threats.md#M15).
 */
export function renewFromFiles(
  files: CertificateFiles,
  shown: Certificate,
  parts: RenewingParts,
): CertificateRenewal {
  const { host, clock, log, useCertificate } = parts;
  const logCertificateExpiry = logExpiry(parts);
  let now = shown;
  let logged = "";
  return { shown: () => now, renewIfDue, answer: () => undefined, stop() {} };

  async function renewIfDue(): Promise<void> {
    try {
      const next = readCertificate(files, host, clock.now());
      logged = "";
      if (next.cert !== now.cert || next.key !== now.key) {
        useCertificate(next);
        now = next;
        log.info({ until: isoDay(validityOf(next).until) }, "new certificate loaded");
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== logged)
        log.error({ reason: message }, "certificate files cannot be used, the previous certificate stays");
      logged = message;
    }
    logCertificateExpiry(now);
  }
}
