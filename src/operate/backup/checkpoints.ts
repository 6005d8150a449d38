import type Database from "better-sqlite3";
import { fdatasyncSync, openSync } from "node:fs";
import { openSqlite } from "../../core/base/db/sqlite.ts";
import type { StorageFaults } from "../../core/base/db/storage-faults.ts";
import type { LockQueue } from "../../core/base/db/lock-queue.ts";

/**
 * A checkpoint takes the write-ahead log over into the database. Inside a commit, as SQLite does it by
 * itself, it makes that commit wait for all that the log holds: after a backup or another long read that is
 * hundreds of megabytes. So the server's connections leave it to a thread that has nothing else to do
 * (docs/adr/0039-backups.md).
 */

/** How often the log is looked at: it costs a microsecond. */
const LOOK_EVERY_MS = 200;
/** So much of the log is left where it is: what changes often is written once. In pages of 4 KiB. */
const LEAVE_PAGES = 4000;
/** From here on writers are to begin the log anew. */
const ANEW_PAGES = 8000;
/** How much may be taken over while writers wait: some milliseconds. */
const HELD_UP_PAGES = 300;
/** Of one look; where writers are faster than the disk, the next look goes on. */
const PASSES_MAX = 5;
/** How long a checkpoint waits for a writer, and at worst a writer for readers. */
const BUSY_MS = 20;

interface State {
  /** Pages in the log, and those of them that stand in the database too. */
  log: number;
  checkpointed: number;
}

export function startCheckpoints(
  file: string,
  { troubles, turns }: { troubles: StorageFaults; turns: LockQueue },
  tell: (error: unknown) => void,
): { stop(): void } {
  const sqlite = openSqlite(file, { fileMustExist: true, timeout: BUSY_MS });
  // Never closed: whoever closes a file gives up all locks of the process on it (POSIX), SQLite's too.
  const synced = openSync(file, "r+");
  const timer = setInterval(() => {
    try {
      takeOver(sqlite, () => fdatasyncSync(synced));
      troubles.succeeded("unmerged");
    } catch (error) {
      troubles.note(error, true);
      tell(error);
    }
    turns.end();
  }, LOOK_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      sqlite.close();
    },
  };
}

/**
 * Takes the log over where it is long enough. A passive checkpoint makes nobody wait, but never catches up
 * with writers who go on: the last bit of it is done while they are held up, so that the next one begins the
 * log anew. What was written until then is synced before: SQLite syncs the database in the last bit alone,
 * and writers would wait for all of it. Where a reader holds on to an older state, what it needs stays in the
 * log until it is done.
 */
export function takeOver(sqlite: Database.Database, sync: () => void): void {
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const before = look(sqlite, "NOOP");
    const left = before.log - before.checkpointed;
    if (left < (pass === 0 ? LEAVE_PAGES : HELD_UP_PAGES)) break;
    if (look(sqlite, "PASSIVE").checkpointed <= before.checkpointed) return;
    sync();
  }
  const { log, checkpointed } = look(sqlite, "NOOP");
  if (log >= ANEW_PAGES && log - checkpointed < HELD_UP_PAGES) look(sqlite, "FULL");
}

function look(sqlite: Database.Database, mode: "NOOP" | "PASSIVE" | "FULL"): State {
  const [state] = sqlite.pragma(`wal_checkpoint(${mode})`) as State[];
  return state ?? { log: 0, checkpointed: 0 };
}
