import { X509Certificate } from "node:crypto";
import { type CheckResult, ok, severe, warning } from "../../core/services/checkup/checkup.ts";
import { DAY } from "../../core/base/clock.ts";
import { hostOf, isoDay, validityOf, hostMismatch } from "../tls/certificate.ts";
import { readCertificate } from "../tls/files.ts";
import type { CheckContext } from "./context.ts";
import { formatDuration, messageOf } from "./format.ts";

/**
 * The doctor reports a certificate that expires within this time, in ms. Certificates are normally renewed
 * long before.
 */
const SOON_MS = 7 * DAY;

/** Checks the certificate files of the server, and the certificate that the origin shows to browsers. */
export async function checkCertificates(context: CheckContext): Promise<CheckResult> {
  return [inFiles(context), await shownAt(context)];
}

function inFiles({ config: { tls }, now }: CheckContext): CheckResult {
  if (!tls || !("files" in tls.source)) return undefined;
  const { files } = tls.source;
  try {
    const { until } = validityOf(readCertificate(files, hostOf(tls.origin), now()));
    return aged("certificate_files", `${files.cert} is valid`, until, now(), RENEW_FILES);
  } catch (error) {
    return severe("certificate_files", messageOf(error), RENEW_FILES);
  }
}

const RENEW_FILES =
  "Renew the files with the tool that made them (certbot renew). The server loads them automatically";
const RENEW_OWN =
  "The log says why there is no new certificate. Ask the authority again: systemctl reload guildhall";
const RENEW_PROXY = "Check the proxy, which renews the certificate";

async function shownAt({ config, isServed, network, now }: CheckContext): Promise<CheckResult> {
  const { origin, tls } = config;
  if (!isServed || !origin?.startsWith("https:")) return undefined;
  const { port } = new URL(origin);
  const host = hostOf(origin);
  const shown = await network.certificate(host, port === "" ? 443 : Number(port));
  // The failed connection is no finding here: `checkOrigin` reports an origin that does not answer.
  if (!shown) return undefined;
  const mend = !tls ? RENEW_PROXY : "files" in tls.source ? RENEW_FILES : RENEW_OWN;
  const check = "certificate";
  const until = validityOf({ cert: shown.pem }).until;
  const strange = hostMismatch(shown.pem, host);
  if (strange !== undefined) return severe(check, `At ${origin}, ${strange}.`, mend);
  if (now() < until && shown.untrusted !== undefined)
    return warning(
      check,
      `The certificate at ${origin} is not trusted by this machine (${shown.untrusted}, issued by ${issuerOf(shown.pem)}).`,
      mend,
    );
  return aged(check, `The certificate at ${origin} is valid`, until, now(), mend);
}

function aged(check: string, says: string, until: number, now: number, mend: string): CheckResult {
  if (until <= now)
    return severe(check, `${says.replace(/is valid$/, "expired")} on ${isoDay(until)}.`, mend);
  const left = `${says} for ${formatDuration(until - now)}.`;
  if (until - now < SOON_MS) return warning(check, left, mend);
  return ok(check, left);
}

function issuerOf(pem: string): string {
  return /^(?:CN|O)=(.*)$/m.exec(new X509Certificate(pem).issuer)?.[1] ?? "somebody";
}
