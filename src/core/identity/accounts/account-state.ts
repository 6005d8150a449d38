import type { Core } from "../../base/core.ts";
import { type Challenges, createChallenges } from "./challenges.ts";
import { createPasswordLimits, type PasswordLimits } from "./password-limits.ts";
import { createHasher, type Hasher } from "./hashing.ts";

/**
 * What signing in keeps in memory, all of it bounded. What is in it at the end is lost, and nothing breaks.
 */
export interface AccountState {
  readonly hasher: Hasher;
  readonly guard: PasswordLimits;
  readonly challenges: Challenges;
  /** When sessions were last seen, until it is written down in one go: a read must not cost a write. */
  readonly lastSeen: Map<string, number>;
  /**
   * Refused sign-ins, until they are written down: an unknown name and a wrong password must take the same
   * time.
   */
  readonly failures: Failure[];
}

export interface Failure {
  /** Whose account it was tried on. */
  builderId: string;
  means: "password" | "passkey";
  /** Where from. */
  address: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Ask for it by `core.memory(accountState)`. */
export function accountState({ clock, random }: Core): AccountState {
  return {
    hasher: createHasher(random),
    guard: createPasswordLimits(clock.elapsed),
    challenges: createChallenges(clock.elapsed, random),
    lastSeen: new Map(),
    failures: [],
  };
}
