import type Database from "better-sqlite3";
import { fdatasyncSync, openSync } from "node:fs";
import { SECOND } from "../../core/base/clock.ts";
import { openSqlite } from "../../core/base/db/sqlite.ts";
import type { StorageFaults } from "../../core/base/db/storage-faults.ts";
import type { LockQueue } from "../../core/base/db/lock-queue.ts";

/**
 * A checkpoint copies the write-ahead log into the database. SQLite's automatic checkpoint runs inside a
 * commit, which then waits for the whole log. After a backup or another long read, the log has hundreds of
 * megabytes. So the server's connections leave checkpoints to a separate thread (docs/adr/0039-backups.md).
 */

/** How often the log's size is checked while transactions end. A check takes a microsecond. */
const CHECK_EVERY_MS = 200;
/**
 * How often the log's size is checked while no transaction of this process ends. Transactions of other
 * processes are not noticed earlier.
 */
const CHECK_IDLE_EVERY_MS = SECOND;
/**
 * Number of 4 KiB pages that a checkpoint may leave in the log. A page that changes often is then copied to
 * the database once, and not after each change.
 */
const LEAVE_PAGES = 4000;
/**
 * If the log has at least this many pages, a FULL checkpoint runs, so that writers restart the log at its
 * beginning.
 */
const RESTART_LOG_PAGES = 8000;
/** Most pages that are copied while writers wait, which takes some milliseconds. */
const BLOCKING_PAGES_MAX = 300;
/** Most passive checkpoints per check. If writers are faster than the disk, the next check continues. */
const PASSES_MAX = 5;
/**
 * How long a checkpoint waits for a writer, and then for readers, in ms. While the checkpoint waits for
 * readers, it blocks writers.
 */
const BUSY_MS = 20;

interface State {
  /** Pages in the log. `checkpointed` counts the pages of the log that are already in the database. */
  log: number;
  checkpointed: number;
}

export function startCheckpoints(
  file: string,
  { troubles, lockQueue }: { troubles: StorageFaults; lockQueue: LockQueue },
  onError: (error: unknown) => void,
): { stop(): void } {
  const sqlite = openSqlite(file, { fileMustExist: true, timeout: BUSY_MS });
  // The file is never closed. On POSIX, closing a file releases all locks of the process on the file,
  // including SQLite's.
  const synced = openSync(file, "r+");
  let isStopped = false;
  let timer = setTimeout(check, CHECK_EVERY_MS);
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      sqlite.close();
    },
  };

  function check(): void {
    if (isStopped) return;
    const ended = lockQueue.endedCount();
    try {
      checkpoint(sqlite, () => fdatasyncSync(synced));
      troubles.reportSuccess("unmerged");
    } catch (error) {
      troubles.record(error, true);
      onError(error);
    }
    lockQueue.reportEnd();
    // The count now includes this report.
    lockQueue.waitForEnd(ended + 1, CHECK_IDLE_EVERY_MS, () => {
      if (!isStopped) timer = setTimeout(check, CHECK_EVERY_MS);
    });
  }
}

/**
 * Checkpoints the log when it is long enough. A passive checkpoint blocks no writer, but never catches up
 * with active writers. So the last pages are copied while writers wait. After that the next writer restarts
 * the log. The database is synced after each passive checkpoint. Otherwise SQLite would sync the whole
 * database in the last step, while writers wait. If a reader uses an older state, the pages of that state
 * stay in the log until the reader has finished.
 */
export function checkpoint(sqlite: Database.Database, sync: () => void): void {
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const before = runCheckpoint(sqlite, "NOOP");
    const left = before.log - before.checkpointed;
    if (left < (pass === 0 ? LEAVE_PAGES : BLOCKING_PAGES_MAX)) break;
    if (runCheckpoint(sqlite, "PASSIVE").checkpointed <= before.checkpointed) return;
    sync();
  }
  const { log, checkpointed } = runCheckpoint(sqlite, "NOOP");
  if (log >= RESTART_LOG_PAGES && log - checkpointed < BLOCKING_PAGES_MAX) runCheckpoint(sqlite, "FULL");
}

function runCheckpoint(sqlite: Database.Database, mode: "NOOP" | "PASSIVE" | "FULL"): State {
  const [state] = sqlite.pragma(`wal_checkpoint(${mode})`) as State[];
  return state ?? { log: 0, checkpointed: 0 };
}
