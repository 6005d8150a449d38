import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { Random } from "./random.ts";

/**
 * Purpose of a sealed value. Each purpose has a key of its own, so a value never opens under another purpose.
 */
export type SecretPurpose =
  | "webhook-secret"
  | "idempotent-answer"
  | "key-check"
  | "signing-key"
  | "oauth-record"
  | "former-key"
  | "push-key"
  | "mail-token"
  | "feed-address";

/** Purposes whose keys sign data instead of sealing it. */
export const DERIVED_PURPOSES = [
  "oauth-cookies",
  "known-devices",
  "mail-unsubscribe",
  "invited-address",
  "cluster",
] as const;
export type DerivedPurpose = (typeof DERIVED_PURPOSES)[number];

/**
 * Keeps secrets unreadable in a stolen database: AES-256-GCM under keys derived from the operator's key.
 * During a rotation two keys exist (docs/contract.md#12.9).
 */
export interface SealedSecrets {
  /**
   * Seals a text and binds it to `owner` (the row's ID), so that a copy in another row does not open. Call it
   * in the transaction that stores the value: between two transactions, a rotation can change the sealing
   * key.
   */
  seal(purpose: SecretPurpose, owner: string, text: string): Buffer;
  /**
   * Returns the text of a sealed value. Throws when none of the keys sealed the value, or when the value was
   * changed.
   */
  open(purpose: SecretPurpose, owner: string, sealed: Uint8Array): string;
  /**
   * Returns the value, sealed again with the current key. Returns undefined when the value is already sealed
   * with the current key. Throws like `open`.
   */
  reseal(purpose: SecretPurpose, owner: string, sealed: Uint8Array): Buffer | undefined;
  /**
   * Returns the signing keys of a purpose. The first key signs. The other keys come from former master keys.
   * Signatures by these other keys are still valid.
   */
  derivedKeys(purpose: DerivedPurpose): readonly [string, ...string[]];
  /** Fingerprint of the sealing key; see `keyFingerprint`. */
  fingerprint(): string;
}

/** The operator's keys that are valid now. */
export interface Keyring {
  /** Returns all keys that open sealed values. The first key also seals new values. */
  keys(): readonly [Uint8Array, ...Uint8Array[]];
  /** Returns the sealed former signing keys with their owners, newest first. */
  former(purpose: DerivedPurpose): readonly { owner: string; sealed: Uint8Array }[];
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const MASTER_KEY_BYTES = 32;

/**
 * Returns the public name of a key: 16 hex digits that do not reveal the key. People and archives use the
 * name to tell keys apart.
 */
export function keyFingerprint(masterKey: Uint8Array): string {
  return Buffer.from(hkdfSync("sha256", masterKey, "", "guildhall/fingerprint", 8)).toString("hex");
}

/** Creates the secrets from a single key or from a keyring. */
export function createSecrets(keys: Uint8Array | Keyring, random: Random): SealedSecrets {
  const keyring: Keyring = keys instanceof Uint8Array ? { keys: () => [keys], former: () => [] } : keys;
  const derived = new WeakMap<Uint8Array, Map<SecretPurpose, Buffer>>();
  const keyFor = (masterKey: Uint8Array, purpose: SecretPurpose): Buffer => {
    const known = derived.get(masterKey) ?? new Map<SecretPurpose, Buffer>();
    derived.set(masterKey, known);
    const key = known.get(purpose) ?? derive(masterKey, purpose);
    known.set(purpose, key);
    return key;
  };
  /** Returns the index of the key that opens the value, and the text of the value. */
  const find = (purpose: SecretPurpose, owner: string, sealed: Uint8Array): { at: number; text: string } => {
    let refused: unknown;
    for (const [at, masterKey] of keyring.keys().entries()) {
      try {
        return { at, text: unseal(keyFor(masterKey, purpose), owner, sealed) };
      } catch (error) {
        refused = error;
      }
    }
    throw refused;
  };
  const seal = (purpose: SecretPurpose, owner: string, text: string): Buffer => {
    const nonce = random.bytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", keyFor(keyring.keys()[0], purpose), nonce);
    cipher.setAAD(Buffer.from(owner));
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  };
  const open = (purpose: SecretPurpose, owner: string, sealed: Uint8Array): string =>
    find(purpose, owner, sealed).text;

  return {
    seal,
    open,
    reseal(purpose, owner, sealed) {
      const { at, text } = find(purpose, owner, sealed);
      return at === 0 ? undefined : seal(purpose, owner, text);
    },
    derivedKeys(purpose) {
      const former = keyring.former(purpose).map(({ owner, sealed }) => open("former-key", owner, sealed));
      return [derive(keyring.keys()[0], purpose).toString("base64url"), ...former];
    },
    fingerprint: () => keyFingerprint(keyring.keys()[0]),
  };
}

function derive(masterKey: Uint8Array, purpose: SecretPurpose | DerivedPurpose): Buffer {
  return Buffer.from(hkdfSync("sha256", masterKey, "", `guildhall/${purpose}`, MASTER_KEY_BYTES));
}

function unseal(key: Buffer, owner: string, sealed: Uint8Array): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(owner))
    .setAuthTag(tag);
  return (
    decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8")
  );
}
