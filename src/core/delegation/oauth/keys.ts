import { createHash, createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { DAY, HOUR } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { dropKeysRetiredBefore, insertKey, type KeyRow, retireKey, selectKeys } from "./keys-store.ts";

/**
 * Ed25519 signs access tokens, which we alone read; ID tokens are signed by whichever an app takes. RS256 is
 * what every client library knows (OpenID Connect Discovery 1.0 §3 asks for it), and what several take alone.
 */
export const SIGNING_ALGS = ["EdDSA", "RS256"] as const;
export type SigningAlg = (typeof SIGNING_ALGS)[number];

/** A key as RFC 8037 §2 and RFC 7518 §6.3 write them. */
export type PublicJwk = { kid: string; alg: SigningAlg; use: "sig" } & (
  { kty: "OKP"; crv: "Ed25519"; x: string } | { kty: "RSA"; n: string; e: string }
);

/** With the private part: `d`, and for RSA the primes and what follows from them. */
export type PrivateJwk = PublicJwk & { d: string };

type JsonWebKey = Partial<Record<"kty" | "crv" | "x" | "n" | "e", string>>;

/** A key signs for so long; what it signed is good for an hour at most. */
const SIGNS_FOR_MS = 90 * DAY;
const RETIRED_KEPT_MS = 2 * HOUR;

/** PKCS #8 of an Ed25519 key, up to its 32 bytes (RFC 8410 §7). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
/** NIST SP 800-57 part 1: 112 bits of strength, good until 2030; a key here signs for ninety days. */
const RSA_BITS = 2048;

/** The keys that still verify, for each algorithm the one that signs first; each is made at first need. */
export async function openSigningKeys(core: Core): Promise<PrivateJwk[]> {
  await makeMissing(core);
  return selectKeys(core).map(
    ({ kid, sealed }) => JSON.parse(core.secrets.open("signing-key", kid, sealed)) as PrivateJwk,
  );
}

/** What anybody may know of them, for the key set document; each is made at first need. */
export async function publicKeys(core: Core): Promise<PublicJwk[]> {
  await makeMissing(core);
  return selectKeys(core).map(({ publicJwk }) => JSON.parse(publicJwk) as PublicJwk);
}

/** Which keys there are: whoever holds opened ones looks whether these are still they. */
export function signingKeyIds(core: Core): string {
  return selectKeys(core)
    .map(({ kid, retiredAt }) => (retiredAt === null ? kid : `(${kid})`))
    .join(" ");
}

/**
 * Makes a new key sign where the present one has signed for ninety days. The old one verifies until what it
 * signed has ended, so nobody is logged out. Called now and then.
 */
export async function rotateSigningKeys(core: Core): Promise<void> {
  const now = core.clock.now();
  const old = selectKeys(core)
    .filter(isSigning)
    .filter(({ createdAt }) => createdAt <= now - SIGNS_FOR_MS);
  const made = await Promise.all(old.map(({ alg }) => makeKey(core, alg)));
  await core.db.write(() => {
    dropKeysRetiredBefore(core, now - RETIRED_KEPT_MS);
    for (const { kid } of old) retireKey(core, kid, now);
    insertMissing(core, made);
  });
}

/** Under way: a crowd that comes at once to a new community waits for one key. */
function making(): { keys?: Promise<void> } {
  return {};
}

function makeMissing(core: Core): Promise<void> {
  const missing = missingAlgs(core);
  if (missing.length === 0) return Promise.resolve();
  const underWay = core.memory(making);
  underWay.keys ??= (async () => {
    const made = await Promise.all(missing.map((alg) => makeKey(core, alg)));
    await core.db.write(() => insertMissing(core, made));
  })().finally(() => delete underWay.keys);
  return underWay.keys;
}

function missingAlgs(core: Core): SigningAlg[] {
  const there = selectKeys(core).filter(isSigning);
  return SIGNING_ALGS.filter((name) => !there.some(({ alg }) => alg === name));
}

function isSigning({ retiredAt }: KeyRow): boolean {
  return retiredAt === null;
}

/** Another process may have been faster: its key is the one then. Call it in a transaction. */
function insertMissing(core: Core, made: readonly PrivateJwk[]): void {
  const missing = missingAlgs(core);
  for (const key of made) {
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
 * Primes are looked for on a thread of the pool, for tenths of a second: no request waits for it but those
 * that need the key.
 */
async function makeRsaKey(): Promise<KeyObject> {
  return (await promisify(generateKeyPair)("rsa", { modulusLength: RSA_BITS })).privateKey;
}

function publicPart({ kty, kid, alg, use, ...rest }: PrivateJwk): Record<string, unknown> {
  const { crv, x, n, e } = rest as JsonWebKey;
  return kty === "RSA" ? { kty, n, e, kid, alg, use } : { kty, crv, x, kid, alg, use };
}

/** RFC 7638 §3.2, over the required members in their order (RFC 8037 §2 for OKP). */
function thumbprint({ kty, crv, x, n, e }: JsonWebKey): string {
  const required = kty === "RSA" ? { e, kty, n } : { crv, kty, x };
  return createHash("sha256").update(JSON.stringify(required)).digest("base64url");
}
