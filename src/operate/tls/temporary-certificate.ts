import { HOUR } from "../../core/base/clock.ts";
import type { Certificate } from "../../http/server.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
/** Long enough for whoever asks the server before it has another, and too short to be kept. */
const LIFE_MS = 24 * HOUR;

/**
 * A certificate that nobody vouches for: it holds the port, and lets the machine itself ask how the server
 * is, until there is the first of an authority.
 */
export async function createTemporaryCertificate(host: string, now: number): Promise<Certificate> {
  // The library stands on it, and loads it too late where it is bundled into one file.
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  const keys = (await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"])) as CryptoKeyPair;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name: `CN=${host}`,
    notBefore: new Date(now - HOUR),
    notAfter: new Date(now + LIFE_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    // Not the name that it stands in for: so it is never taken for a good one.
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: "dns", value: "stand-in.invalid" }])],
  });
  const key = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  return {
    cert: certificate.toString("pem"),
    key: `-----BEGIN PRIVATE KEY-----\n${key.replaceAll(/.{64}/g, "$&\n")}\n-----END PRIVATE KEY-----\n`,
  };
}
