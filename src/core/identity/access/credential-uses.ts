import type { Scope } from "./scopes.ts";

/** Latest use of a token or app grant that is not yet in the database. */
export interface CredentialUse {
  /** Time of the use, in ms since the epoch. */
  at: number;
  /** Scopes that were needed. */
  scopes: Set<Scope>;
}

/**
 * Creates the map of uses by credential ID. Uses are stored in batches, so that a read does not cost a write.
 * Get the map by `core.memory`.
 */
export function unwrittenUses(): Map<string, CredentialUse> {
  return new Map();
}
