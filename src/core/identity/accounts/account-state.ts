import type { Core } from "../../base/core.ts";
import { type Challenges, createChallenges } from "./challenges.ts";
import { createPasswordLimits, type PasswordLimits } from "./password-limits.ts";
import { createHasher, type Hasher } from "./hashing.ts";

/**
 * In-memory state of authentication. The size of every part is limited, and losing the state in a restart
 * does no harm.
 */
export interface AccountState {
  readonly hasher: Hasher;
  readonly attemptLimits: PasswordLimits;
  readonly challenges: Challenges;
  /**
   * When each session was last used, in ms since the epoch. The times are stored in batches, so that a
   * request that only reads does not cause a write.
   */
  readonly lastSeen: Map<string, number>;
  /**
   * Refused sign-ins that are not in the database yet. They are stored later, because a write during the
   * sign-in would reveal by its time whether the username exists.
   */
  readonly failures: Failure[];
}

export interface Failure {
  /** Account that the refused sign-in was for. */
  builderId: string;
  means: "password" | "passkey";
  /** Network address of the client. */
  address: string;
  /** Time of the refused sign-in, in ms since the epoch. */
  at: number;
}

/** Creates the state. Get it by `core.memory(accountState)`. */
export function accountState({ clock, random }: Core): AccountState {
  return {
    hasher: createHasher(random),
    attemptLimits: createPasswordLimits(clock.elapsed),
    challenges: createChallenges(clock.elapsed, random),
    lastSeen: new Map(),
    failures: [],
  };
}
