import { type Caller, requireAdmin } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";

/** Health of the database replica, which another program writes. Times and durations are in ms. */
export interface ReplicaHealth {
  /** Location of the replica. */
  name: string;
  /** Age of the newest commits that are missing in the replica; 0 if the replica is up to date. */
  ageMs: number;
  /** When the newest file of the replica was written; undefined if the replica could not be read. */
  newest: number | undefined;
  /** One-line reason why the last check could not read the replica; undefined after a successful check. */
  error: string | undefined;
}

/** A replica whose `ageMs` is above this limit is late. The age is checked once a minute. */
export const REPLICA_LATE_MS = 5 * 60_000;

/**
 * Registers the function that reports the health of the replica. The function returns undefined if no replica
 * exists or if this node is not the leader.
 */
export function setReplica(core: Core, health: () => ReplicaHealth | undefined): void {
  core.memory(registered).health = health;
}

/**
 * Returns the health of the replica; undefined if no replica exists or if it was not checked yet. Only for
 * admins.
 */
export function replicaHealth(core: Core, caller: Caller): ReplicaHealth | undefined {
  requireAdmin(caller);
  return core.memory(registered).health?.();
}

function registered(): { health?: () => ReplicaHealth | undefined } {
  return {};
}
