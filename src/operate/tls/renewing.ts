import type { Logger } from "pino";
import { type Clock, DAY } from "../../core/base/clock.ts";
import type { Certificate } from "../../http/server.ts";
import { isoDay, validityOf } from "./certificate.ts";

export interface CertificateRenewal {
  shown(): Certificate;
  /** Call this once a minute, and when the operator asks. Never rejects. */
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

/** Remaining validity from which the log warns. */
const NEAR_MS = 7 * DAY;

/**
 * Returns a function that logs, once a day, a certificate that expires soon. Browsers refuse the site after
 * that.
 */
export function logExpiry({
  clock,
  log,
}: Pick<RenewingParts, "clock" | "log">): (shown: Certificate) => void {
  let loggedAt = -Infinity;
  return (shown) => {
    const { from, until } = validityOf(shown);
    const left = until - clock.now();
    // Some certificates live only six days and are renewed in time.
    if (left > Math.min(NEAR_MS, (until - from) / 6) || clock.elapsed() - loggedAt < DAY) return;
    loggedAt = clock.elapsed();
    if (left < 0) log.error({ until: isoDay(until) }, "certificate has expired, browsers refuse this site");
    else log.warn({ until: isoDay(until) }, "certificate expires soon and was not renewed");
  };
}
