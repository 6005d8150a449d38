import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { Random } from "./random.ts";

/**
 * What a sealed value is for. Each purpose has a key of its own, so a value of one never opens as another.
 */
export type SecretPurpose =
  "webhook-secret" | "idempotent-answer" | "key-check" | "signing-key" | "oauth-record";

/**
 * Keeps secrets unreadable in a stolen database: AES-256-GCM under keys derived from the operator's key file.
 */
export interface SealedSecrets {
  /** `owner` (the row's id) is bound in: a sealed value copied to another row does not open. */
  seal(purpose: SecretPurpose, owner: string, text: string): Buffer;
  /** Throws when the key file is another one, or the value was changed. */
  open(purpose: SecretPurpose, owner: string, sealed: Uint8Array): string;
  /** A key of its own for what another library signs: the same for the same key file. */
  deriveKey(purpose: "oauth-cookies" | "known-devices"): string;
  /** Of the key that seals: see `keyFingerprint`. */
  fingerprint(): string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const MASTER_KEY_BYTES = 32;

/**
 * What a key is called where people and archives have to tell it from another: 16 hex digits that give nothing
 * of it away.
 */
export function keyFingerprint(masterKey: Uint8Array): string {
  return Buffer.from(hkdfSync("sha256", masterKey, "", "guildhall/fingerprint", 8)).toString("hex");
}

export function createSecrets(masterKey: Uint8Array, random: Random): SealedSecrets {
  const keys = new Map<SecretPurpose, Buffer>();
  const keyFor = (purpose: SecretPurpose): Buffer => {
    let key = keys.get(purpose);
    if (!key) {
      key = Buffer.from(hkdfSync("sha256", masterKey, "", `guildhall/${purpose}`, 32));
      keys.set(purpose, key);
    }
    return key;
  };

  return {
    seal(purpose, owner, text) {
      const nonce = random.bytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", keyFor(purpose), nonce).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(purpose, owner, sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", keyFor(purpose), nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(owner))
        .setAuthTag(tag);
      return (
        decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8")
      );
    },
    deriveKey(purpose) {
      return Buffer.from(hkdfSync("sha256", masterKey, "", `guildhall/${purpose}`, 32)).toString("base64url");
    },
    fingerprint: () => keyFingerprint(masterKey),
  };
}
