import type { Caller } from "./caller.ts";

export interface KnownCaller {
  tokenId: string;
  /** Milliseconds since the epoch; null for a token that never expires. */
  expiresAt: number | null;
  caller: Caller;
}

/** Callers by their token, for as long as nothing in the database has changed. */
export interface CallerCache {
  get(token: string): KnownCaller | undefined;
  keep(token: string, known: KnownCaller): void;
}

const MAX = 10_000;

/**
 * Emptied at any change of the database, by whichever process, so that a token revoked or a builder suspended is refused
 * by the very next request; nobody has to remember to say so.
 */
export function createCallerCache(databaseVersion: () => number): CallerCache {
  const known = new Map<string, KnownCaller>();
  let version = -1;

  return {
    get(token) {
      const now = databaseVersion();
      if (now !== version) known.clear();
      version = now;
      return known.get(token);
    },
    keep(token, caller) {
      if (known.size >= MAX) known.clear();
      known.set(token, caller);
    },
  };
}
