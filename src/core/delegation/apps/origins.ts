import type { Core } from "../../base/core.ts";
import { selectPublicRedirects } from "./apps-store.ts";
import { redirectOrigin } from "./redirects.ts";

/**
 * Whether pages of this origin may call the API (docs/contract.md#1.17). They may if an active public app has
 * a redirect URI on this origin. The port is ignored on loopback addresses (RFC 8252 §7.3).
 */
export function isAppOrigin(core: Core, origin: string): boolean {
  const origins = originsNow(core);
  return origins.has(origin) || (origin.startsWith("http://") && origins.has(origin.replace(/:\d+$/, "")));
}

/** Returns the distinct origins of redirect URIs. */
export function originsOf(redirectUris: readonly string[]): string[] {
  return [...new Set(redirectUris.map(redirectOrigin))].filter((origin) => origin !== undefined);
}

interface OriginCache {
  origins: ReadonlySet<string>;
  version: number | undefined;
}

function emptyOriginCache(): OriginCache {
  return { origins: new Set(), version: undefined };
}

/**
 * Returns the allowed origins. The set is reloaded after any process has changed the database. So a suspended
 * or deleted app loses its origins at the next request.
 */
function originsNow(core: Core): ReadonlySet<string> {
  const version = core.db.version();
  const kept = core.memory(emptyOriginCache);
  if (kept.version !== version) {
    const lists = selectPublicRedirects(core).map(({ redirectUris }) => JSON.parse(redirectUris) as string[]);
    Object.assign(kept, { origins: new Set(originsOf(lists.flat())), version });
  }
  return kept.origins;
}
