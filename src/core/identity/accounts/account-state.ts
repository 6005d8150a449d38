import type { Core } from "../../base/core.ts";
import { type Challenges, createChallenges } from "./challenges.ts";
import { createPasswordLimits, type PasswordLimits } from "./password-limits.ts";
import { createHasher, type Hasher } from "./hashing.ts";

/** In-memory state of authentication. All of it is bounded. A restart loses it without harm. */
export interface AccountState {
  readonly hasher: Hasher;
  readonly attemptLimits: PasswordLimits;
  readonly challenges: Challenges;
  /** When sessions were last seen. Stored in batches, so that a read does not cost a write. */
  readonly lastSeen: Map<string, number>;
  /**
   * Refused sign-ins that are not stored yet. A write during the sign-in would reveal by its time whether the
   * username exists.
   */
  readonly failures: Failure[];
}

export interface Failure {
  /** Account of the attempt. */
  builderId: string;
  means: "password" | "passkey";
  /** Network address of the client. */
  address: string;
  /** In ms since the epoch. */
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
