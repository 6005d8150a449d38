import { statSync } from "node:fs";
import { SECOND } from "../../core/base/clock.ts";
import type { ReplicaHealth } from "../../core/services/backups/replica.ts";
import type { Replica } from "./replica.ts";

export interface Written {
  commits: number;
  /** Time of the newest commit, in ms. */
  at: number;
}

export interface ReplicaAge {
  /** Checks the replica once. A destination that cannot be read is part of the result. */
  refresh(): Promise<void>;
  /** Current result. Undefined before the first check, and on a node that does not lead. */
  health(): ReplicaHealth | undefined;
}

export interface ReplicaAgeOptions {
  replica: Replica;
  /** Wall-clock time, in ms. */
  now(): number;
  /** Returns the commits of this node's database. Undefined if this node no longer leads. */
  written(): Written | undefined;
}

/**
 * Measures how long a replica has lacked the newest commits. The replica of an unchanged database is old but
 * complete, so its age is 0.
 */
export function createReplicaAge({ replica, now, written }: ReplicaAgeOptions): ReplicaAge {
  /** Commits that the replica had at the last complete check, and the time of that check. */
  let replicated: { commits: number; seenAt: number } | undefined;
  let since: number | undefined;
  let newest: number | undefined;
  let problem: string | undefined;
  let isChecked = false;
  return {
    async refresh() {
      // Reads the last write of this database before the newest file of the replica. Otherwise a commit made
      // between the two reads would seem to be missing from the replica.
      const own = written();
      if (!own) return;
      const at = now();
      try {
        newest = await replica.newest();
        if (newest - at > replica.skewMs)
          throw new Error(
            `its newest file is ${Math.round((newest - at) / SECOND)} s in the future, so one of the two clocks is wrong`,
          );
        problem = undefined;
        const isReplicated = newest + replica.skewMs >= own.at;
        if (isReplicated || replicated?.commits === own.commits) {
          replicated = { commits: own.commits, seenAt: at };
          since = undefined;
        } else since ??= replicated?.seenAt ?? newest;
      } catch (error) {
        newest = undefined;
        problem = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
        since ??= replicated?.seenAt ?? at;
      }
      isChecked = true;
    },
    health() {
      if (!isChecked || !written()) return undefined;
      const ageMs = since === undefined ? 0 : Math.max(0, now() - since);
      return { name: replica.name, ageMs, newest, error: problem };
    },
  };
}

/**
 * Returns when the newest commit was written into a database or its WAL. A later checkpoint counts as a write
 * too, because it changes the file.
 */
export function lastWrite(file: string): number {
  const at = (path: string): number => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && found.size > 0 ? found.mtimeMs : 0;
  };
  return at(`${file}-wal`) || at(file);
}
