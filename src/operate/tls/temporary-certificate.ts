import { HOUR } from "../../core/base/clock.ts";
import type { Certificate } from "../../http/server.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
/**
 * Lifetime of a temporary certificate, in ms. This lifetime is enough until the first real certificate, and
 * too short for permanent use.
 */
const LIFE_MS = 24 * HOUR;

/**
 * Creates a self-signed certificate. It opens the port and lets local health checks work until the authority
 * issues the first real one.
 */
export async function createTemporaryCertificate(host: string, now: number): Promise<Certificate> {
  // `@peculiar/x509` depends on this import. Bundled into one file, the library would load it too late.
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
    // The certificate has a placeholder instead of the real host name, so that it is never mistaken for a
    // good certificate.
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: "dns", value: "stand-in.invalid" }])],
  });
  const key = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  return {
    cert: certificate.toString("pem"),
    key: `-----BEGIN PRIVATE KEY-----\n${key.replaceAll(/.{64}/g, "$&\n")}\n-----END PRIVATE KEY-----\n`,
  };
}
