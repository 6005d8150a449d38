/**
 * Signs a release with a detached OpenPGP signature (RFC 9580), which `gpg --verify` and `gpgv` can check.
 * The key is Ed25519 in the legacy form that GnuPG 2.2 supports.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createMessage, decryptKey, generateKey, readPrivateKey, sign } from "openpgp";

export interface Signer {
  publicKey: string;
  fingerprint: string;
  sign(data: Uint8Array<ArrayBuffer>): Promise<string>;
}

/** Writes a new key to a file that only its owner may read. Throws if the file exists. */
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

/** Reads a key of makeSigner or of `gpg --export-secret-keys --armor`. A locked key needs the passphrase. */
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
