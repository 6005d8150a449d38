import { type Caller, requireAdmin } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";

/** Health of the database replica, which another program maintains. Times are in ms. */
export interface ReplicaHealth {
  /** Location of the replica. */
  name: string;
  /** How long the replica has been missing the newest commits; 0 if it is up to date. */
  ageMs: number;
  /** When the newest file of the replica was written; undefined if the replica could not be read. */
  newest: number | undefined;
  /** One-line reason why the last check could not read the replica; undefined if it could. */
  lack: string | undefined;
}

/** A replica is late above this age. It is checked once a minute. */
export const REPLICA_LATE_MS = 5 * 60_000;

/**
 * Registers the function that reports the health of the replica. The function returns undefined if there is
 * no replica or if this node is not the leader.
 */
export function setReplica(core: Core, health: () => ReplicaHealth | undefined): void {
  core.memory(registered).health = health;
}

/** Returns undefined if there is no replica or if it was not checked yet. For admins. */
export function replicaHealth(core: Core, caller: Caller): ReplicaHealth | undefined {
  requireAdmin(caller);
  return core.memory(registered).health?.();
}

function registered(): { health?: () => ReplicaHealth | undefined } {
  return {};
}
