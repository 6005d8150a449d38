import { X509Certificate } from "node:crypto";
import { type CheckResult, ok, severe, warning } from "../../core/services/checkup/checkup.ts";
import { DAY } from "../../core/base/clock.ts";
import { hostOf, isoDay, validityOf, hostMismatch } from "../tls/certificate.ts";
import { readCertificate } from "../tls/files.ts";
import type { CheckContext } from "./context.ts";
import { formatDuration, messageOf } from "./format.ts";

/** A renewal comes long before. */
const SOON_MS = 7 * DAY;

/** What the server shows itself, and what a browser is shown at the origin. */
export async function checkCertificates(context: CheckContext): Promise<CheckResult> {
  return [inFiles(context), await shownAt(context)];
}

function inFiles({ config: { tls }, now }: CheckContext): CheckResult {
  if (!tls || !("files" in tls.source)) return undefined;
  const { files } = tls.source;
  try {
    const { until } = validityOf(readCertificate(files, hostOf(tls.origin), now()));
    return aged("certificate_files", `${files.cert} is good`, until, now(), RENEW_FILES);
  } catch (error) {
    return severe("certificate_files", messageOf(error), RENEW_FILES);
  }
}

const RENEW_FILES = "have whoever makes them renew them (certbot renew); the server takes them by itself";
const RENEW_OWN = "the log says why none was had; systemctl reload guildhall asks the authority again";
const RENEW_PROXY = "look at the proxy, which renews it";

async function shownAt({ config, isServed, network, now }: CheckContext): Promise<CheckResult> {
  const { origin, tls } = config;
  if (!isServed || !origin?.startsWith("https:")) return undefined;
  const { port } = new URL(origin);
  const host = hostOf(origin);
  const shown = await network.certificate(host, port === "" ? 443 : Number(port));
  // `checkOrigin` reports that nobody answers there.
  if (!shown) return undefined;
  const mend = !tls ? RENEW_PROXY : "files" in tls.source ? RENEW_FILES : RENEW_OWN;
  const check = "certificate";
  const until = validityOf({ cert: shown.pem }).until;
  const strange = hostMismatch(shown.pem, host);
  if (strange !== undefined) return severe(check, `at ${origin}, ${strange}`, mend);
  if (now() < until && shown.untrusted !== undefined)
    return warning(
      check,
      `at ${origin}, nobody whom this machine knows vouches for the certificate (${shown.untrusted}, by ${issuerOf(shown.pem)})`,
      mend,
    );
  return aged(check, `the certificate at ${origin} is good`, until, now(), mend);
}

function aged(check: string, says: string, until: number, now: number, mend: string): CheckResult {
  if (until <= now) return severe(check, `${says.replace(/is good$/, "expired")} on ${isoDay(until)}`, mend);
  const left = `${says} for ${formatDuration(until - now)}`;
  if (until - now < SOON_MS) return warning(check, left, mend);
  return ok(check, left);
}

function issuerOf(pem: string): string {
  return /^(?:CN|O)=(.*)$/m.exec(new X509Certificate(pem).issuer)?.[1] ?? "somebody";
}
