import type { Core } from "../../base/core.ts";
import { selectPublicRedirects } from "./apps-store.ts";
import { redirectOrigin } from "./redirects.ts";

/**
 * Whether pages at this origin may call the API: a public app that works has a redirect address there
 * (docs/contract.md#1.17). Every port of a loopback address is the same origin (RFC 8252 §7.3).
 */
export function isAppOrigin(core: Core, origin: string): boolean {
  const origins = originsNow(core);
  return origins.has(origin) || (origin.startsWith("http://") && origins.has(origin.replace(/:\d+$/, "")));
}

/** The origins of these redirect addresses, each once. */
export function originsOf(redirectUris: readonly string[]): string[] {
  return [...new Set(redirectUris.map(redirectOrigin))].filter((origin) => origin !== undefined);
}

interface OriginCache {
  origins: ReadonlySet<string>;
  version: number | undefined;
}

function nothingKept(): OriginCache {
  return { origins: new Set(), version: undefined };
}

/**
 * The set is read again after any change of the database, by any process: an app that is suspended or deleted
 * opens nothing from the next request on.
 */
function originsNow(core: Core): ReadonlySet<string> {
  const version = core.db.version();
  const kept = core.memory(nothingKept);
  if (kept.version !== version) {
    const lists = selectPublicRedirects(core).map(({ redirectUris }) => JSON.parse(redirectUris) as string[]);
    Object.assign(kept, { origins: new Set(originsOf(lists.flat())), version });
  }
  return kept.origins;
}
