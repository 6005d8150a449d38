import type { Caller } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import { findClient, isAppSecret } from "./apps.ts";

/**
 * An app that has shown its secret, on its own behalf: it has a rate, and no rights. Undefined for a wrong
 * secret, for a public app, whose name anybody may show, and for one that may not work.
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
