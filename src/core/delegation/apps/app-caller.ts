import type { Caller } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import { findClient, isAppSecret } from "./apps.ts";

/**
 * Authenticates an app by its secret. The returned caller has a rate limit but no scopes. Returns undefined
 * if the secret is wrong or if the app is suspended or orphaned. Also returns undefined for a public app: a
 * public app has no secret, and everyone can know its id.
 */
export function authenticateApp(core: Core, id: string, secret: string): Caller | undefined {
  const client = isAppSecret(core, id, secret) ? findClient(core, id) : undefined;
  return (
    client && {
      builderId: null,
      username: client.id,
      role: null,
      workspaceId: null,
      scopes: new Set(),
      tier: client.rate ? "enterprise" : "oauth",
      means: "app",
      credentialId: null,
      appId: client.id,
      rate: client.rate,
      address: null,
    }
  );
}
