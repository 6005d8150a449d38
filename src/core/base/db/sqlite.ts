import Database from "better-sqlite3";

/**
 * The driver's native part, where it cannot find one by itself, as in the binary, or what loads it: see
 * src/app/driver. Of this thread.
 */
let native: object | (() => object) | undefined;

/** Nothing is loaded before the first file is opened, or twice. */
export function useNative(part: object): void {
  native = part;
}

export function isNativeLoaded(): boolean {
  return typeof native === "object";
}

/**
 * Opens a file of SQLite: the one place where the driver is asked for it. What does not fit into its cache
 * stays in memory instead of a temporary file, which a read-only machine has no place for: a savepoint of
 * more than 64 KiB would fail there (docs/adr/0036-the-driver-loads-everywhere.md).
 */
export function openSqlite(file: string, options: Database.Options = {}): Database.Database {
  if (typeof native === "function") native = native() as object;
  // The types know only the path that it may be as well.
  const nativeBinding = native as unknown as string | undefined;
  const sqlite = new Database(file, nativeBinding === undefined ? options : { ...options, nativeBinding });
  sqlite.pragma("temp_store = MEMORY");
  return sqlite;
}
