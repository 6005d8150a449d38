import type { Scope } from "./scopes.ts";

/** What is known of the use of a token, or of what an app was granted, and not yet written down. */
export interface CredentialUse {
  /** Milliseconds since the epoch. */
  at: number;
  /** Those of its scopes that were really needed. */
  scopes: Set<Scope>;
}

/**
 * By the credential's id, until it is written down in one go: a read must not cost a write. Ask for it by
 * `core.memory`.
 */
export function unwrittenUses(): Map<string, CredentialUse> {
  return new Map();
}
