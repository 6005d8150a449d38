import { statSync } from "node:fs";
import { SECOND } from "../../core/base/clock.ts";
import type { ReplicaHealth } from "../../core/services/backups/replica.ts";
import type { Replica } from "./replica.ts";

/** What a node that leads says of itself at one moment. */
export interface Written {
  /** How many commits its database has. */
  commits: number;
  /** When the newest was written. */
  at: number;
}

export interface ReplicaAge {
  /** Looks once; a destination that cannot be read is part of what is then known. */
  look(): Promise<void>;
  /** As of now; undefined before the first look, and at a node that does not lead. */
  health(): ReplicaHealth | undefined;
}

export interface ReplicaAgeOptions {
  replica: Replica;
  /** The wall clock. */
  now(): number;
  /** Undefined where this node does not lead any more. */
  written(): Written | undefined;
}

/**
 * Follows for how long a replica has lacked the newest commits. A database that nobody writes to has a
 * replica that is old and lacks nothing: its age is 0.
 */
export function createReplicaAge({ replica, now, written }: ReplicaAgeOptions): ReplicaAge {
  /** The commits that the replica was last seen to have, and when that was. */
  let replicated: { commits: number; seenAt: number } | undefined;
  /** Since when it lacks something. */
  let since: number | undefined;
  let newest: number | undefined;
  let lack: string | undefined;
  let isLooked = false;
  return {
    async look() {
      // What is written while the replica is read need not be there yet.
      const own = written();
      if (!own) return;
      const at = now();
      try {
        newest = await replica.newest();
        if (newest - at > replica.skewMs)
          throw new Error(
            `its newest file is ${Math.round((newest - at) / SECOND)} s in the future, so one of the two clocks is wrong`,
          );
        lack = undefined;
        const isThere = newest + replica.skewMs >= own.at;
        if (isThere || replicated?.commits === own.commits) {
          replicated = { commits: own.commits, seenAt: at };
          since = undefined;
        } else since ??= replicated?.seenAt ?? newest;
      } catch (error) {
        newest = undefined;
        lack = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
        since ??= replicated?.seenAt ?? at;
      }
      isLooked = true;
    },
    health() {
      if (!isLooked || !written()) return undefined;
      const ageMs = since === undefined ? 0 : Math.max(0, now() - since);
      return { name: replica.name, ageMs, newest, lack };
    },
  };
}

/**
 * When the newest commit was written into a database or its log; what was carried over in between is as new.
 */
export function lastWrite(file: string): number {
  const at = (path: string): number => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && found.size > 0 ? found.mtimeMs : 0;
  };
  return at(`${file}-wal`) || at(file);
}
