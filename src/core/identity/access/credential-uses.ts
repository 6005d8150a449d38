import type { Scope } from "./scopes.ts";

/** Latest use of a token or of an app grant. This use is not yet in the database. */
export interface CredentialUse {
  /** Time of the use, in ms since the epoch. */
  at: number;
  /** Scopes that the requests needed. */
  scopes: Set<Scope>;
}

/**
 * Creates the map of uses by credential ID. Uses are stored in batches, so that a request that only reads
 * does not cause a write. Get the map by `core.memory`.
 */
export function unwrittenUses(): Map<string, CredentialUse> {
  return new Map();
}
