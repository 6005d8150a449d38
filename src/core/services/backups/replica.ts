import { type Caller, requireAdmin } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";

/** How the replica of this database is, which another program keeps. Times in milliseconds. */
export interface ReplicaHealth {
  /** Where it is. */
  name: string;
  /** For how long it has lacked the newest commits; 0 while it has them. */
  ageMs: number;
  /** When its newest file was written; undefined where it could not be read. */
  newest: number | undefined;
  /** Why it could not be read at the last look, one line. */
  lack: string | undefined;
}

/** An age from which on the replica is late: looks are a minute apart. */
export const REPLICA_LATE_MS = 5 * 60_000;

/**
 * The server that looks at the replica reports here; nothing where there is none, or this node does not lead.
 */
export function setReplica(core: Core, health: () => ReplicaHealth | undefined): void {
  core.memory(registered).health = health;
}

/** Undefined where there is no replica to look at, or it was not looked at yet. For admins. */
export function replicaHealth(core: Core, caller: Caller): ReplicaHealth | undefined {
  requireAdmin(caller);
  return core.memory(registered).health?.();
}

function registered(): { health?: () => ReplicaHealth | undefined } {
  return {};
}
