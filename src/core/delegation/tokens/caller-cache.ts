import type { Core } from "../../base/core.ts";
import type { Caller } from "../../identity/access/caller.ts";

export interface KnownCaller {
  tokenId: string;
  /** Milliseconds since the epoch; null for a token that never expires. */
  expiresAt: number | null;
  caller: Caller;
}

/**
 * Callers by their token, for as long as nothing in the database has changed. Ask for it by
 * `core.memory(callerCache)`.
 */
export interface CallerCache {
  get(token: string): KnownCaller | undefined;
  /** Whether the token was good when it was last looked up: asking for it again is no guess. */
  wasGood(token: string): boolean;
  /** `version` is the database's from before the look-up: a change in between must not go unnoticed. */
  keep(token: string, known: KnownCaller, version: number): void;
  forget(token: string): void;
}

const MAX = 10_000;

/**
 * Worth nothing after any change of the database, by whichever process, so that a token revoked or a builder
 * suspended is refused by the very next request; nobody has to remember to say so.
 */
export function callerCache({ db }: Core): CallerCache {
  const entries = new Map<string, { known: KnownCaller; version: number }>();

  return {
    get(token) {
      const entry = entries.get(token);
      return entry && entry.version === db.version() ? entry.known : undefined;
    },
    wasGood: (token) => entries.has(token),
    keep(token, known, version) {
      const [oldest] = entries.keys();
      if (entries.size >= MAX && oldest !== undefined) entries.delete(oldest);
      entries.set(token, { known, version });
    },
    forget: (token) => void entries.delete(token),
  };
}
