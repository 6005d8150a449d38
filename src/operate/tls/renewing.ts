import type { Logger } from "pino";
import { type Clock, DAY } from "../../core/base/clock.ts";
import type { Certificate } from "../../http/server.ts";
import { isoDay, validityOf } from "./certificate.ts";

/** What sees to it that the certificate that is shown is a good one. */
export interface Renewing {
  shown(): Certificate;
  /** Once a minute, and when the operator asks. Never rejects. */
  look(isAsked?: boolean): Promise<void>;
  /** What is said to an authority that asks for this token on port 80. */
  answer(token: string): string | undefined;
  stop(): void;
}

export interface RenewingParts {
  /** The name in the origin. */
  readonly host: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Shows another one from now on. Throws where it cannot. */
  readonly show: (certificate: Certificate) => void;
}

/** So long before its end somebody has to look. */
const NEAR_MS = 7 * DAY;

/** Tells the log, once a day, of a certificate that ends: that is the end of the site. */
export function logExpiry({
  clock,
  log,
}: Pick<RenewingParts, "clock" | "log">): (shown: Certificate) => void {
  let toldAt = -Infinity;
  return (shown) => {
    const { from, until } = validityOf(shown);
    const left = until - clock.now();
    // Some live for six days alone, and are renewed in time.
    if (left > Math.min(NEAR_MS, (until - from) / 6) || clock.elapsed() - toldAt < DAY) return;
    toldAt = clock.elapsed();
    if (left < 0) log.error({ until: isoDay(until) }, "certificate has expired, browsers refuse this site");
    else log.warn({ until: isoDay(until) }, "certificate expires soon and was not renewed");
  };
}
