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
  /** Whether the token worked at its last lookup. Such a token is not a guess. */
  wasValid(token: string): boolean;
  /** `version` must be read before the lookup, so that a change during the lookup invalidates the entry. */
  put(token: string, known: CachedCaller, version: number): void;
  forget(token: string): void;
}

const MAX = 10_000;

/**
 * Every entry becomes invalid with any change of the database by any process. So a revoked token or a
 * suspended builder is refused at the next request, without explicit invalidation.
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
