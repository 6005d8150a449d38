/**
 * The signature of a release: OpenPGP (RFC 9580), detached, which `gpg --verify` and `gpgv` read everywhere.
 * Our key is Ed25519 in the form that GnuPG 2.2 knows, too.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createMessage, decryptKey, generateKey, readPrivateKey, sign } from "openpgp";

export interface Signer {
  /** With which everybody verifies. */
  publicKey: string;
  fingerprint: string;
  sign(data: Uint8Array<ArrayBuffer>): Promise<string>;
}

/** Makes a key into a file that its owner alone may read. Throws where there is one. */
export async function makeSigner(file: string): Promise<Signer> {
  const { privateKey } = await generateKey({
    type: "ecc",
    curve: "ed25519Legacy",
    userIDs: [{ name: "Guildhall releases" }],
    format: "armored",
  });
  writeFileSync(file, privateKey, { mode: 0o600, flag: "wx", flush: true });
  return readSigner(file);
}

/** A key of makeSigner's, or of `gpg --export-secret-keys --armor`; a locked one asks for the passphrase. */
export async function readSigner(file: string, passphrase?: string): Promise<Signer> {
  let key = await readPrivateKey({ armoredKey: readFileSync(file, "utf8") });
  if (!key.isDecrypted()) {
    if (passphrase === undefined) throw new Error(`${file} is locked; give RELEASE_KEY_PASSPHRASE`);
    key = await decryptKey({ privateKey: key, passphrase });
  }
  return {
    publicKey: key.toPublic().armor(),
    fingerprint: key.getFingerprint().toUpperCase(),
    sign: async (data) => {
      const message = await createMessage({ binary: data });
      return sign({ message, signingKeys: key, detached: true, format: "armored" });
    },
  };
}
