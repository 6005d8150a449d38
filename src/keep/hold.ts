import { openSqlite } from "../core/ground/db/sqlite.ts";

/**
 * Holds a file for one program; undefined where another holds it. The lock is SQLite's own, so that it ends with
 * the process, however that ends.
 */
export function hold(file: string): { release(): void } | undefined {
  const lock = openSqlite(file, { timeout: 0 });
  try {
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec("BEGIN EXCLUSIVE");
  } catch {
    lock.close();
    return undefined;
  }
  return { release: () => void lock.close() };
}
