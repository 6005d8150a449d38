import { MINUTE } from "../../base/clock.ts";
import type { Random } from "../../base/random.ts";

/** Random values that passkeys sign. Each is valid once and for five minutes (WebAuthn §13.4.3). */
export interface Challenges {
  /**
   * Makes a challenge. `owner` identifies who may answer: the ID of a session, or an empty text for any
   * client.
   */
  make(kind: ChallengeKind, owner: string): string;
  /**
   * Uses up a challenge. Returns false for a challenge that is unknown, used, expired, of another kind or of
   * another owner.
   */
  take(kind: ChallengeKind, owner: string, challenge: string): boolean;
}

export type ChallengeKind = "registration" | "sign-in";

const LIFETIME_MS = 5 * MINUTE;
/**
 * Maximum number of open challenges per kind. The limit is per kind, so that a flood of sign-ins evicts only
 * sign-in challenges.
 */
const CHALLENGES_MAX = 10_000;

export function createChallenges(elapsed: () => number, random: Random): Challenges {
  const challenges: Record<ChallengeKind, Map<string, { owner: string; until: number }>> = {
    registration: new Map(),
    "sign-in": new Map(),
  };

  return {
    make(kind, owner) {
      const open = challenges[kind];
      // The loop visits the oldest challenge first: a map keeps insertion order, and all challenges have the
      // same lifetime.
      for (const [oldest, { until }] of open) {
        if (until > elapsed() && open.size < CHALLENGES_MAX) break;
        open.delete(oldest);
      }
      const challenge = Buffer.from(random.bytes(32)).toString("base64url");
      open.set(challenge, { owner, until: elapsed() + LIFETIME_MS });
      return challenge;
    },
    take(kind, owner, challenge) {
      const found = challenges[kind].get(challenge);
      challenges[kind].delete(challenge);
      return found !== undefined && found.owner === owner && found.until > elapsed();
    },
  };
}
