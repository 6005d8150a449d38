import { MINUTE } from "../../base/clock.ts";
import type { Random } from "../../base/random.ts";

/** The random values that passkeys sign, each good once and for five minutes (WebAuthn §13.4.3). */
export interface Challenges {
  /** `owner` is whoever may answer it: a session's id, or nobody in particular. */
  make(kind: ChallengeKind, owner: string): string;
  /**
   * Uses a challenge up. False for one that was never made, is used, too old, of another kind or somebody
   * else's.
   */
  take(kind: ChallengeKind, owner: string, challenge: string): boolean;
}

export type ChallengeKind = "registration" | "sign-in";

const LIFETIME_MS = 5 * MINUTE;
/** Of each kind: a flood of strangers' sign-ins pushes out only sign-ins. */
const KEPT_MAX = 10_000;

export function createChallenges(elapsed: () => number, random: Random): Challenges {
  const kept: Record<ChallengeKind, Map<string, { owner: string; until: number }>> = {
    registration: new Map(),
    "sign-in": new Map(),
  };

  return {
    make(kind, owner) {
      const open = kept[kind];
      // Oldest first: a map keeps the order of insertion, and all live equally long.
      for (const [oldest, { until }] of open) {
        if (until > elapsed() && open.size < KEPT_MAX) break;
        open.delete(oldest);
      }
      const challenge = Buffer.from(random.bytes(32)).toString("base64url");
      open.set(challenge, { owner, until: elapsed() + LIFETIME_MS });
      return challenge;
    },
    take(kind, owner, challenge) {
      const found = kept[kind].get(challenge);
      kept[kind].delete(challenge);
      return found !== undefined && found.owner === owner && found.until > elapsed();
    },
  };
}
