import { createHash } from "node:crypto";
import { type CryptoKey, decodeProtectedHeader, importJWK, type JWK, type JWTPayload, jwtVerify } from "jose";
import { HOUR } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { findPublicJwk } from "./keys-store.ts";
import type { GrantRef } from "./records.ts";

/** Lifetime of an access token, a JWT signed with Ed25519 (RFC 9068, docs/contract.md#7.6). */
export const ACCESS_TOKEN_MS = HOUR;

/**
 * Content of an access token with a valid signature. The signature does not show whether the grant of the
 * token still works, so check the grant at every use.
 */
export interface AccessToken {
  jti: string;
  grant: GrantRef;
  builderId: string;
  appId: string;
  scopes: string[];
  /** Milliseconds since the epoch. */
  issuedAt: number;
  expiresAt: number;
}

const LENGTH_MAX = 4096;
const SHAPE = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$/;

/**
 * Whether a bearer token has the form of our access tokens: three parts, the last with the length of an
 * Ed25519 signature.
 */
export function isAccessToken(text: string): boolean {
  return text.length <= LENGTH_MAX && SHAPE.test(text) && isCanonical(text.slice(-86));
}

/**
 * Whether the signature has its canonical spelling; other spellings are refused. The last base64url character
 * of a signature has unused bits, so four spellings decode to the same bytes.
 */
function isCanonical(signature: string): boolean {
  return Buffer.from(signature, "base64url").toString("base64url") === signature;
}

/**
 * Returns the URL of the API, the only resource of this server (RFC 8707) and the audience of every access
 * token.
 */
export function resourceOf(core: Core): string {
  return `${core.origin}/v1`;
}

/**
 * Returns the content of an access token, or undefined if the token is invalid or expired. The key is looked
 * up by `kid` in our own table. A key or URL inside the token is never used.
 */
export async function verifyAccessToken(core: Core, token: string): Promise<AccessToken | undefined> {
  const key = isAccessToken(token) ? await keyOf(core, token) : undefined;
  if (!key) return undefined;
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ["EdDSA"],
      typ: "at+jwt",
      issuer: core.origin,
      audience: resourceOf(core),
      requiredClaims: ["exp", "iat", "jti", "sub", "client_id", "grant"],
      currentDate: new Date(core.clock.now()),
    });
    return readClaims(payload);
  } catch {
    // Returns no reason, because the client must not learn why a token is refused (docs/contract.md#1.15).
    return undefined;
  }
}

/** Imported public keys by `kid`. */
function importedKeys(): Map<string, CryptoKey> {
  return new Map();
}

async function keyOf(core: Core, token: string): Promise<CryptoKey | undefined> {
  let kid: unknown;
  try {
    const header = decodeProtectedHeader(token);
    kid = header.alg === "EdDSA" && header.typ === "at+jwt" ? header.kid : undefined;
  } catch {
    return undefined;
  }
  const jwk = typeof kid === "string" ? findPublicJwk(core, kid) : undefined;
  if (typeof kid !== "string" || jwk === undefined) return undefined;
  const known = core.memory(importedKeys);
  let key = known.get(kid);
  if (!key) {
    key = (await importJWK(JSON.parse(jwk) as JWK, "EdDSA")) as CryptoKey;
    known.set(kid, key);
  }
  return key;
}

function readClaims(claims: JWTPayload): AccessToken | undefined {
  const { jti, sub, iat, exp, scope, client_id: appId, grant } = claims;
  const [grantId, family] = typeof grant === "string" ? grant.split(".") : [];
  if (typeof appId !== "string" || !jti || !sub || !iat || !exp || !grantId || !family) return undefined;
  return {
    jti,
    grant: { id: grantId, family },
    builderId: sub,
    appId,
    scopes: typeof scope === "string" ? scope.split(" ") : [],
    issuedAt: iat * 1000,
    expiresAt: exp * 1000,
  };
}

/**
 * Cache of tokens with a verified signature. The cache holds at most `VERIFIED_MAX` entries and stores
 * hashes, not tokens.
 */
export interface VerifiedTokens {
  get(token: string): AccessToken | undefined;
  put(token: string, verified: AccessToken): void;
}

const VERIFIED_MAX = 10_000;

export function verifiedTokens({ clock }: Core): VerifiedTokens {
  return createVerifiedTokens(clock.now);
}

export function createVerifiedTokens(now: () => number): VerifiedTokens {
  const entries = new Map<string, AccessToken>();
  return {
    get(token) {
      const hash = hashOf(token);
      const found = entries.get(hash);
      if (found && found.expiresAt <= now()) entries.delete(hash);
      return found && found.expiresAt > now() ? found : undefined;
    },
    put(token, verified) {
      const [oldest] = entries.keys();
      if (entries.size >= VERIFIED_MAX && oldest !== undefined) entries.delete(oldest);
      entries.set(hashOf(token), verified);
    },
  };
}

/**
 * Returns a hash of the exact text of a token. Another spelling of the same token therefore gets its own
 * cache entry.
 */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
