import "reflect-metadata";
import * as x509 from "@peculiar/x509";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const YEAR = 365 * 86_400_000;

export interface Certificate {
  cert: string;
  key: string;
}

export interface Authority {
  /** PEM for GUILDHALL_WEBHOOK_CA. */
  pem: string;
  /** Issues a certificate for these names and addresses, valid by default. */
  issue(
    names: string[],
    options?: { expired?: boolean; early?: boolean; from?: number; until?: number },
  ): Promise<Certificate>;
}

const DAY = 86_400_000;

export async function createAuthority(name = "CN=Guildhall test authority"): Promise<Authority> {
  const keys = await makeKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name,
    notBefore: new Date(Date.now() - YEAR),
    notAfter: new Date(Date.now() + YEAR),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  });
  let serial = 1;
  return {
    pem: root.toString("pem"),
    async issue(names, { expired = false, early = false, from, until } = {}) {
      const own = await makeKeys();
      const cert = await x509.X509CertificateGenerator.create({
        serialNumber: (++serial).toString(16).padStart(2, "0"),
        subject: `CN=${names[0]}`,
        issuer: root.subject,
        notBefore: new Date(from ?? Date.now() + (early ? DAY : -YEAR)),
        notAfter: new Date(until ?? Date.now() + (expired ? -1000 : YEAR)),
        signingAlgorithm: ALGORITHM,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        extensions: [alternativeNames(names)],
      });
      return { cert: cert.toString("pem"), key: await privatePem(own) };
    },
  };
}

export async function selfSigned(names: string[]): Promise<Certificate> {
  const keys = await makeKeys();
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name: `CN=${names[0]}`,
    notBefore: new Date(Date.now() - YEAR),
    notAfter: new Date(Date.now() + YEAR),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [alternativeNames(names)],
  });
  return { cert: cert.toString("pem"), key: await privatePem(keys) };
}

function alternativeNames(names: string[]): x509.SubjectAlternativeNameExtension {
  return new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? "ip" : "dns", value }) as const),
  );
}

async function privatePem(keys: CryptoKeyPair): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  return `-----BEGIN PRIVATE KEY-----\n${der.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END PRIVATE KEY-----\n`;
}

function makeKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]) as Promise<CryptoKeyPair>;
}
