import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { Certificate } from "../../http/server.ts";
import { OperatorError } from "../../core/base/operator-error.ts";

/** A certificate that cannot be used. The message says why, and what the operator has to do. */
export class TlsRefused extends OperatorError {
  override name = "TlsRefused";
}

/** Start and end of a certificate's validity, in ms since the epoch. */
export interface Validity {
  readonly from: number;
  readonly until: number;
}

export function validityOf({ cert }: Pick<Certificate, "cert">): Validity {
  const { validFromDate, validToDate } = new X509Certificate(cert);
  return { from: validFromDate.getTime(), until: validToDate.getTime() };
}

/**
 * Returns why browsers would not trust this certificate for the host. Returns undefined if browsers would
 * trust it.
 */
export function faultOf(certificate: Certificate, host: string, now: number): string | undefined {
  const misfit = mismatchOf(certificate, host);
  if (misfit !== undefined) return misfit;
  const { from, until } = validityOf(certificate);
  if (now > until) return `the certificate expired on ${isoDay(until)}`;
  if (now < from)
    return `the certificate is valid only from ${isoDay(from)}, or this machine's clock is wrong`;
  return undefined;
}

/** Same as `faultOf`, but without checking the validity period. */
export function mismatchOf({ cert, key }: Certificate, host: string): string | undefined {
  const strange = hostMismatch(cert, host);
  if (strange !== undefined) return strange;
  const own = keyIn(key);
  if (!own) return "the key file has no unencrypted private key in PEM format";
  return certificateIn(cert)?.checkPrivateKey(own) ? undefined : "the key does not belong to the certificate";
}

/**
 * Returns why the certificate is not for that host. Returns undefined if the certificate is for that host.
 */
export function hostMismatch(cert: string, host: string): string | undefined {
  const certificate = certificateIn(cert);
  if (!certificate) return "the certificate file has no certificate in PEM format";
  return isFor(certificate, host)
    ? undefined
    : `the certificate is for ${namesOf(certificate)}, but the origin's name is ${host}`;
}

function certificateIn(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function keyIn(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function isFor(certificate: X509Certificate, host: string): boolean {
  const found = ipaddr.isValid(host) ? certificate.checkIP(host) : certificate.checkHost(host);
  return found !== undefined;
}

function namesOf({ subjectAltName }: X509Certificate): string {
  const names = (subjectAltName ?? "").split(", ").map((name) => name.replace(/^(?:DNS|IP Address):/, ""));
  return names.filter((name) => name !== "").join(", ") || "no name";
}

export function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace("T", " ");
}

/** Returns the name that a certificate for this origin must have. An IPv6 address has no brackets. */
export function hostOf(origin: string): string {
  return new URL(origin).hostname.replace(/^\[|\]$/g, "");
}
