import "reflect-metadata";
import * as x509 from "@peculiar/x509";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const YEAR = 365 * 86_400_000;

export interface Certificate {
  cert: string;
  key: string;
}

/** A certificate authority made for one test. */
export interface Authority {
  /** PEM, for GUILDHALL_WEBHOOK_CA. */
  pem: string;
  /** A certificate for these names and addresses; valid unless told otherwise. */
  issue(names: string[], options?: { expired?: boolean }): Promise<Certificate>;
}

export async function createAuthority(): Promise<Authority> {
  const keys = await makeKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name: "CN=Guildhall test authority",
    notBefore: new Date(Date.now() - YEAR),
    notAfter: new Date(Date.now() + YEAR),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  });
  let serial = 1;
  return {
    pem: root.toString("pem"),
    async issue(names, { expired = false } = {}) {
      const own = await makeKeys();
      const cert = await x509.X509CertificateGenerator.create({
        serialNumber: (++serial).toString(16).padStart(2, "0"),
        subject: `CN=${names[0]}`,
        issuer: root.subject,
        notBefore: new Date(Date.now() - YEAR),
        notAfter: new Date(Date.now() + (expired ? -1000 : YEAR)),
        signingAlgorithm: ALGORITHM,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        extensions: [
          new x509.SubjectAlternativeNameExtension(
            names.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? "ip" : "dns", value }) as const),
          ),
        ],
      });
      const der = Buffer.from(await crypto.subtle.exportKey("pkcs8", own.privateKey));
      const key = `-----BEGIN PRIVATE KEY-----\n${der.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END PRIVATE KEY-----\n`;
      return { cert: cert.toString("pem"), key };
    },
  };
}

function makeKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]) as Promise<CryptoKeyPair>;
}
