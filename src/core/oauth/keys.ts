import { createHash, createPrivateKey } from "node:crypto";
import { DAY, HOUR } from "../clock.ts";
import type { Core } from "../core.ts";
import { dropKeysRetiredBefore, insertKey, retireKeys, selectKeys } from "./keys-store.ts";

/** An Ed25519 key as RFC 8037 writes it. */
export interface PublicJwk {
  kty: "OKP";
  crv: "Ed25519";
  x: string;
  kid: string;
  alg: "EdDSA";
  use: "sig";
}

export interface PrivateJwk extends PublicJwk {
  d: string;
}

/** A key signs for so long; what it signed is good for an hour at most. */
const SIGNS_FOR_MS = 90 * DAY;
const RETIRED_KEPT_MS = 2 * HOUR;

/** PKCS #8 of an Ed25519 key, up to its 32 bytes (RFC 8410 §7). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** The keys that still verify, the one that signs first; the first key is made at first need. Call it in a transaction. */
export function openSigningKeys(core: Core): PrivateJwk[] {
  const rows = selectKeys(core);
  if (rows.every(({ retiredAt }) => retiredAt !== null)) {
    makeSigningKey(core);
    return openSigningKeys(core);
  }
  return rows.map(({ kid, sealed }) => JSON.parse(core.seal.open("signing-key", kid, sealed)) as PrivateJwk);
}

/** What anybody may know of them, for the key set document; the first key is made at first need. */
export async function publicKeys(core: Core): Promise<PublicJwk[]> {
  if (!signingKeyIds(core)) await core.db.write(() => openSigningKeys(core));
  return selectKeys(core).map(({ publicJwk }) => JSON.parse(publicJwk) as PublicJwk);
}

/** Which keys there are: whoever holds opened ones looks whether these are still they. */
export function signingKeyIds(core: Core): string {
  return selectKeys(core)
    .map(({ kid, retiredAt }) => (retiredAt === null ? kid : `(${kid})`))
    .join(" ");
}

/**
 * Makes a new key sign when the present one has signed for ninety days. The old one verifies until what it signed has ended, so
 * nobody is logged out. Called now and then.
 */
export async function rotateSigningKeys(core: Core): Promise<void> {
  const now = core.clock.now();
  const [signing] = selectKeys(core).filter(({ retiredAt }) => retiredAt === null);
  await core.db.write(() => {
    dropKeysRetiredBefore(core, now - RETIRED_KEPT_MS);
    if (signing && signing.createdAt <= now - SIGNS_FOR_MS) {
      retireKeys(core, now);
      makeSigningKey(core);
    }
  });
}

function makeSigningKey(core: Core): void {
  const seed = Buffer.from(core.random.bytes(32));
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
  const { x = "" } = key.export({ format: "jwk" });
  const kid = thumbprint(x);
  const jwk: PublicJwk = { kty: "OKP", crv: "Ed25519", x, kid, alg: "EdDSA", use: "sig" };
  const secret: PrivateJwk = { ...jwk, d: seed.toString("base64url") };
  insertKey(core, {
    kid,
    sealed: core.seal.close("signing-key", kid, JSON.stringify(secret)),
    publicJwk: jwk as unknown as Record<string, unknown>,
    createdAt: core.clock.now(),
  });
}

/** RFC 7638 over the required members in their order (RFC 8037 §2). */
function thumbprint(x: string): string {
  return createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
}
