import { createHash, createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { DAY, HOUR } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { dropKeysRetiredBefore, insertKey, type KeyRow, retireKey, selectKeys } from "./keys-store.ts";

/**
 * Access tokens are always signed with Ed25519, because only this server verifies them. An app chooses the
 * algorithm of its ID tokens. Every client library supports RS256, and some support nothing else (OpenID
 * Connect Discovery 1.0 §3 requires it).
 */
export const SIGNING_ALGS = ["EdDSA", "RS256"] as const;
export type SigningAlg = (typeof SIGNING_ALGS)[number];

/** A public key as in RFC 8037 §2 and RFC 7518 §6.3. */
export type PublicJwk = { kid: string; alg: SigningAlg; use: "sig" } & (
  { kty: "OKP"; crv: "Ed25519"; x: string } | { kty: "RSA"; n: string; e: string }
);

/** A key with its private part: `d`, and for RSA also the primes and the values derived from them. */
export type PrivateJwk = PublicJwk & { d: string };

type JsonWebKey = Partial<Record<"kty" | "crv" | "x" | "n" | "e", string>>;

/**
 * How long a key signs before it is retired. A retired key still verifies for at least an hour, the longest
 * lifetime of a token.
 */
const SIGNS_FOR_MS = 90 * DAY;
const RETIRED_RETENTION_MS = 2 * HOUR;

/** The bytes of a PKCS #8 Ed25519 key before its 32-byte seed (RFC 8410 §7). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
/**
 * Size of an RSA key. A key of 2048 bits has a strength of 112 bits. This strength is sufficient until 2030
 * (NIST SP 800-57 part 1), and each key signs for only 90 days.
 */
const RSA_BITS = 2048;

/**
 * Returns all keys that still verify. The first key of each algorithm is the signing key. Missing signing
 * keys are created.
 */
export async function openSigningKeys(core: Core): Promise<PrivateJwk[]> {
  await createMissingKeys(core);
  return selectKeys(core).map(
    ({ kid, sealed }) => JSON.parse(core.secrets.open("signing-key", kid, sealed)) as PrivateJwk,
  );
}

/** Returns the public keys for the key set document. Missing signing keys are created. */
export async function publicKeys(core: Core): Promise<PublicJwk[]> {
  await createMissingKeys(core);
  return selectKeys(core).map(({ publicJwk }) => JSON.parse(publicJwk) as PublicJwk);
}

/**
 * Returns a text that identifies the current key set. A cache of opened keys is valid while this text is
 * unchanged.
 */
export function signingKeyIds(core: Core): string {
  return selectKeys(core)
    .map(({ kid, retiredAt }) => (retiredAt === null ? kid : `(${kid})`))
    .join(" ");
}

/**
 * Replaces signing keys that are older than 90 days. A replaced key still verifies until all tokens it signed
 * have expired. Runs periodically.
 */
export async function rotateSigningKeys(core: Core): Promise<void> {
  const now = core.clock.now();
  const old = selectKeys(core)
    .filter(isSigning)
    .filter(({ createdAt }) => createdAt <= now - SIGNS_FOR_MS);
  const created = await Promise.all(old.map(({ alg }) => makeKey(core, alg)));
  await core.db.write(() => {
    dropKeysRetiredBefore(core, now - RETIRED_RETENTION_MS);
    for (const { kid } of old) retireKey(core, kid, now);
    insertMissing(core, created);
  });
}

/** Holds the running key creation, so that concurrent first requests wait for the same key. */
function pendingCreation(): { keys?: Promise<void> } {
  return {};
}

function createMissingKeys(core: Core): Promise<void> {
  const missing = missingAlgs(core);
  if (missing.length === 0) return Promise.resolve();
  const pending = core.memory(pendingCreation);
  pending.keys ??= (async () => {
    const created = await Promise.all(missing.map((alg) => makeKey(core, alg)));
    await core.db.write(() => insertMissing(core, created));
  })().finally(() => delete pending.keys);
  return pending.keys;
}

function missingAlgs(core: Core): SigningAlg[] {
  const existing = selectKeys(core).filter(isSigning);
  return SIGNING_ALGS.filter((name) => !existing.some(({ alg }) => alg === name));
}

function isSigning({ retiredAt }: KeyRow): boolean {
  return retiredAt === null;
}

/**
 * Inserts only the keys that are still missing. Another process may have inserted a key since the keys were
 * created. Call it in a transaction.
 */
function insertMissing(core: Core, created: readonly PrivateJwk[]): void {
  const missing = missingAlgs(core);
  for (const key of created) {
    if (!missing.includes(key.alg)) continue;
    insertKey(core, {
      kid: key.kid,
      alg: key.alg,
      sealed: core.secrets.seal("signing-key", key.kid, JSON.stringify(key)),
      publicJwk: publicPart(key),
      createdAt: core.clock.now(),
    });
  }
}

async function makeKey(core: Core, alg: SigningAlg): Promise<PrivateJwk> {
  const key = alg === "RS256" ? await (core.makeRsaKey ?? makeRsaKey)() : makeEdKey(core);
  const jwk = key.export({ format: "jwk" }) as JsonWebKey;
  return { ...jwk, kid: thumbprint(jwk), alg, use: "sig" } as unknown as PrivateJwk;
}

function makeEdKey(core: Core): KeyObject {
  const seed = Buffer.from(core.random.bytes(32));
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
}

/**
 * Generates an RSA key on a thread of the pool, because the search for primes takes some hundred
 * milliseconds. Only requests that need the key wait.
 */
async function makeRsaKey(): Promise<KeyObject> {
  return (await promisify(generateKeyPair)("rsa", { modulusLength: RSA_BITS })).privateKey;
}

function publicPart({ kty, kid, alg, use, ...rest }: PrivateJwk): Record<string, unknown> {
  const { crv, x, n, e } = rest as JsonWebKey;
  return kty === "RSA" ? { kty, n, e, kid, alg, use } : { kty, crv, x, kid, alg, use };
}

/**
 * Computes the thumbprint of a key (RFC 7638 §3.2). The members of the JSON must be in this order (RFC 8037
 * §2 for OKP).
 */
function thumbprint({ kty, crv, x, n, e }: JsonWebKey): string {
  const required = kty === "RSA" ? { e, kty, n } : { crv, kty, x };
  return createHash("sha256").update(JSON.stringify(required)).digest("base64url");
}
