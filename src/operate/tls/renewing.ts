import type { Logger } from "pino";
import { type Clock, DAY } from "../../core/base/clock.ts";
import type { Certificate } from "../../http/server.ts";
import { isoDay, validityOf } from "./certificate.ts";

export interface CertificateRenewal {
  shown(): Certificate;
  /** Call this once a minute, and when the operator requests a renewal. Never rejects. */
  renewIfDue(isRequested?: boolean): Promise<void>;
  /** Returns the response to an authority that requests this token on port 80. */
  answer(token: string): string | undefined;
  stop(): void;
}

export interface RenewingParts {
  /** Host name of the origin. */
  readonly host: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Replaces the certificate in use. Throws if that fails. */
  readonly useCertificate: (certificate: Certificate) => void;
}

/** The log warns about a certificate that expires within this time, in ms. */
const NEAR_MS = 7 * DAY;

/**
 * Returns a function that warns once a day about a certificate that expires soon. Browsers refuse the site
 * after the expiry.
 */
export function logExpiry({
  clock,
  log,
}: Pick<RenewingParts, "clock" | "log">): (shown: Certificate) => void {
  let loggedAt = -Infinity;
  return (shown) => {
    const { from, until } = validityOf(shown);
    const left = until - clock.now();
    // Some certificates live only six days. For these, the log warns when a sixth of the lifetime is left.
    if (left > Math.min(NEAR_MS, (until - from) / 6) || clock.elapsed() - loggedAt < DAY) return;
    loggedAt = clock.elapsed();
    if (left < 0) log.error({ until: isoDay(until) }, "certificate has expired, browsers refuse this site");
    else log.warn({ until: isoDay(until) }, "certificate expires soon and was not renewed");
  };
}
