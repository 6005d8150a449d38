import type { Core } from "../../base/core.ts";
import type { Caller } from "../../identity/access/caller.ts";

export interface CachedCaller {
  tokenId: string;
  /** Milliseconds since the epoch; null for a token that never expires. */
  expiresAt: number | null;
  caller: Caller;
}

/** Callers by token, valid until the database changes. Get it with `core.memory(callerCache)`. */
export interface CallerCache {
  get(token: string): CachedCaller | undefined;
  /**
   * Whether the token worked at its last lookup. A token that worked is not a guess, so it may be looked up
   * in the database without a limit.
   */
  wasValid(token: string): boolean;
  /**
   * Stores the caller of a token. Read `version` before the lookup of the caller, so that a change during the
   * lookup invalidates the entry.
   */
  put(token: string, known: CachedCaller, version: number): void;
  forget(token: string): void;
}

const MAX = 10_000;

/**
 * Creates the cache. Any change of the database by any process invalidates every entry. A revoked token or a
 * suspended builder is therefore refused at the next request.
 */
export function callerCache({ db }: Core): CallerCache {
  const entries = new Map<string, { known: CachedCaller; version: number }>();

  return {
    get(token) {
      const entry = entries.get(token);
      return entry && entry.version === db.version() ? entry.known : undefined;
    },
    wasValid: (token) => entries.has(token),
    put(token, known, version) {
      const [oldest] = entries.keys();
      if (entries.size >= MAX && oldest !== undefined) entries.delete(oldest);
      entries.set(token, { known, version });
    },
    forget: (token) => void entries.delete(token),
  };
}
