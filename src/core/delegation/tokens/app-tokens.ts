import type { Core } from "../../base/core.ts";
import { findActing } from "../grants/grants.ts";
import {
  type AccessToken,
  isAccessToken,
  verifiedTokens,
  verifyAccessToken,
} from "../oauth/access-tokens.ts";
import { callerCache, type CachedCaller } from "./caller-cache.ts";
import { BUILDER_SCOPES, isScope, type Scope } from "../../identity/access/scopes.ts";

/**
 * Whether a bearer token looks like an access token whose signature is not verified yet. Only the
 * authentication of such a token is asynchronous. Callers must charge a rate limit before they call
 * `admitAccessToken`. Otherwise a flood of invented tokens would cause expensive signature checks.
 */
export function isUncachedAccessToken(core: Core, token: string): boolean {
  return (
    isAccessToken(token) && !core.memory(callerCache).get(token) && !core.memory(verifiedTokens).get(token)
  );
}

/**
 * Verifies the signature of a token that is not cached. Returns true if `authenticate` can now use the token.
 */
export async function admitAccessToken(core: Core, token: string): Promise<boolean> {
  const verified = await verifyAccessToken(core, token);
  if (verified) core.memory(verifiedTokens).put(token, verified);
  return verified !== undefined;
}

/**
 * Returns the content of a token that works, undefined otherwise. A token works if its signature is valid,
 * the token and its grant are not revoked, and its app and builder are not suspended.
 */
export async function readLiveToken(core: Core, token: string): Promise<AccessToken | undefined> {
  const verified = await verifyAccessToken(core, token);
  return verified && actingWith(core, verified) ? verified : undefined;
}

/**
 * Finds the app that acts for a builder with this token. Returns undefined if the token or its grant is
 * revoked, or if the app or builder is suspended.
 */
export function findAppCaller(core: Core, token: string): CachedCaller | undefined {
  const verified = isAccessToken(token) ? core.memory(verifiedTokens).get(token) : undefined;
  if (!verified) return undefined;
  const version = core.db.version();
  const known = actingWith(core, verified);
  const callers = core.memory(callerCache);
  if (known) callers.put(token, known, version);
  else callers.forget(token);
  return known;
}

function actingWith(core: Core, verified: AccessToken): CachedCaller | undefined {
  const { grant, jti, builderId, appId, expiresAt } = verified;
  const row = findActing(core, grant.id, { jti, family: grant.family });
  if (!row || row.builderId !== builderId || row.appId !== appId) return undefined;
  const granted = new Set(row.scopes.split(" "));
  const registered = new Set(row.appScopes.split(" "));
  const live = verified.scopes.filter((name) => granted.has(name));
  const scopes = BUILDER_SCOPES.filter((name) => live.includes(name) && registered.has(name));
  const { rateSustained: sustained, rateBurst: burst } = row;
  const rate = sustained === null || burst === null ? null : { sustained, burst };
  return {
    tokenId: row.id,
    expiresAt,
    caller: {
      builderId,
      username: row.username,
      role: row.role,
      workspaceId: row.workspaceId,
      scopes: new Set<Scope>(scopes),
      identity: new Set(live.filter((name) => !isScope(name))),
      tier: rate ? "enterprise" : "oauth",
      means: "app",
      credentialId: row.id,
      appId,
      rate,
      address: null,
    },
  };
}
