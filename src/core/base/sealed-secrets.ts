import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { Random } from "./random.ts";

/**
 * What a sealed value is for. Each purpose has a key of its own, so a value of one never opens as another.
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

/** What is not sealed, but signed by a key of its own. */
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
 * While that is rotated there are two (docs/contract.md#12.9).
 */
export interface SealedSecrets {
  /**
   * `owner` (the row's id) is bound in: a sealed value copied to another row does not open. Call it in the
   * transaction that stores the value: by then it may be another key that seals.
   */
  seal(purpose: SecretPurpose, owner: string, text: string): Buffer;
  /** Throws when no key here is the one that sealed it, or the value was changed. */
  open(purpose: SecretPurpose, owner: string, sealed: Uint8Array): string;
  /**
   * The same value under the key that seals now; undefined where it is that already. Throws as `open` does.
   */
  reseal(purpose: SecretPurpose, owner: string, sealed: Uint8Array): Buffer | undefined;
  /**
   * Keys of their own for what is signed: the first signs. Those that follow it come from a key before this
   * one, and what they signed still counts.
   */
  derivedKeys(purpose: DerivedPurpose): readonly [string, ...string[]];
  /** Of the key that seals: see `keyFingerprint`. */
  fingerprint(): string;
}

/** The keys that there are at a moment. */
export interface Keyring {
  /** All that open; the first one seals. */
  keys(): readonly [Uint8Array, ...Uint8Array[]];
  /** Of keys derived from earlier ones: sealed, each with its owner, those from the newest first. */
  former(purpose: DerivedPurpose): readonly { owner: string; sealed: Uint8Array }[];
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const MASTER_KEY_BYTES = 32;

/**
 * What a key is called where people and archives have to tell it from another: 16 hex digits that give
 * nothing of it away.
 */
export function keyFingerprint(masterKey: Uint8Array): string {
  return Buffer.from(hkdfSync("sha256", masterKey, "", "guildhall/fingerprint", 8)).toString("hex");
}

/** With a key that is the only one, or with a ring of them. */
export function createSecrets(keys: Uint8Array | Keyring, random: Random): SealedSecrets {
  const ring: Keyring = keys instanceof Uint8Array ? { keys: () => [keys], former: () => [] } : keys;
  const derived = new WeakMap<Uint8Array, Map<SecretPurpose, Buffer>>();
  const keyFor = (masterKey: Uint8Array, purpose: SecretPurpose): Buffer => {
    const known = derived.get(masterKey) ?? new Map<SecretPurpose, Buffer>();
    derived.set(masterKey, known);
    const key = known.get(purpose) ?? derive(masterKey, purpose);
    known.set(purpose, key);
    return key;
  };
  /** Which of the keys opens it, and what is in it. */
  const find = (purpose: SecretPurpose, owner: string, sealed: Uint8Array): { at: number; text: string } => {
    let refused: unknown;
    for (const [at, masterKey] of ring.keys().entries()) {
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
    const cipher = createCipheriv("aes-256-gcm", keyFor(ring.keys()[0], purpose), nonce);
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
      const former = ring.former(purpose).map(({ owner, sealed }) => open("former-key", owner, sealed));
      return [derive(ring.keys()[0], purpose).toString("base64url"), ...former];
    },
    fingerprint: () => keyFingerprint(ring.keys()[0]),
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
