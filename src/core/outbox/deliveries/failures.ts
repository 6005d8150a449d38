import { REFUSALS } from "../../base/refusals/refusals.ts";
import { type Params, formatSentence } from "../../base/refusals/sentence.ts";

const { url_malformed, url_not_https, url_with_credentials, url_port_refused, url_private } = REFUSALS;

/** Failures of an attempt: stable codes, and the message for the endpoint's owner. */
export const FAILURES = {
  status: "The receiver responded with status {status}.",
  redirect: "The receiver responded with status {status}, a redirect. Redirects are not followed.",
  connection_timeout: "The receiver did not respond within {seconds:second}.",
  connection_refused:
    "The connection to {host}, port {port}, was refused. Nothing is listening there, or a firewall blocks the connection.",
  connection_unreachable: "There is no network route to {host}, port {port} ({detail}).",
  connection_reset: "The receiver closed the connection without a response.",
  tls_failed: "The TLS handshake failed. {host}, port {port}, may not support TLS.",
  tls_expired: "The receiver's certificate has expired ({detail}).",
  tls_not_yet_valid: "The receiver's certificate is not valid yet ({detail}).",
  tls_wrong_name: "The receiver's certificate was issued for another host name ({detail}).",
  tls_self_signed: "The receiver's certificate is self-signed ({detail}).",
  tls_untrusted:
    "The receiver's certificate comes from an untrusted authority, or its chain is incomplete ({detail}).",
  tls_unverified: "The receiver's certificate cannot be verified ({detail}).",
  answer_invalid: "The receiver's response is not valid HTTP ({detail}).",
  answer_too_large: "The headers of the receiver's response are too large.",
  dns_not_found: "The host name does not exist.",
  dns_timeout: "The host's name servers did not respond within two seconds.",
  secret_unreadable: "The signing secret cannot be decrypted. Rotate it.",
  request_failed: "The request failed ({detail}).",
  not_made: "The attempt could not be made.",
  // A URL that may no longer be called gets the same message as a URL that is rejected at registration.
  url_malformed: url_malformed.says,
  url_not_https: url_not_https.says,
  url_with_credentials: url_with_credentials.says,
  url_port_refused: url_port_refused.says,
  url_private: url_private.says,
} as const;

export type FailureCode = keyof typeof FAILURES;
export const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[];

/** Why an attempt was not acknowledged. `params` holds only our own values, never text from the receiver. */
export interface Failure {
  code: FailureCode;
  params?: Params | undefined;
}

export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(FAILURES, code);
}

/** Returns the message that pages and logs show for a failure. */
export function failureSentence({ code, params }: Failure): string {
  return formatSentence(FAILURES[code], params);
}
