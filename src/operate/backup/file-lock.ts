import { openSqlite } from "../../core/base/db/sqlite.ts";
import { BackupRefused } from "./refused.ts";

/**
 * Locks a file. Returns undefined if another process still holds the lock after `waitMs`. Uses SQLite's lock,
 * which ends with the process even after a kill. Throws BackupRefused if locking fails for another reason,
 * such as a full disk.
 */
export function lockFile(file: string, waitMs = 0): { release(): void } | undefined {
  const lock = openSqlite(file, { timeout: waitMs });
  try {
    lock.pragma("locking_mode = EXCLUSIVE");
    // Keeps the journal in memory. Otherwise SQLite would write a journal of the first page, which fails on a
    // full disk.
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code.startsWith("SQLITE_BUSY")) return undefined;
    throw new BackupRefused(
      code === "SQLITE_NOTADB"
        ? `${file} is not a Guildhall lock file. Delete it.`
        : `${file} cannot be locked (${code}). Check the disk space and the folder's permissions.`,
    );
  }
  return { release: () => void lock.close() };
}
