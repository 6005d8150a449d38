import { openSqlite } from "../core/ground/db/sqlite.ts";

/**
 * Holds a file for one program; undefined where another still holds it after so long. The lock is SQLite's own, so that it ends with
 * the process, however that ends.
 */
export function hold(file: string, waitMs = 0): { release(): void } | undefined {
  const lock = openSqlite(file, { timeout: waitMs });
  try {
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec("BEGIN EXCLUSIVE");
  } catch {
    lock.close();
    return undefined;
  }
  return { release: () => void lock.close() };
}
