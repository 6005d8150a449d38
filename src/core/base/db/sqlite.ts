import Database from "better-sqlite3";

/**
 * The driver's native module, or the function that loads it. Set in this thread when the driver cannot find
 * the module, as in the binary: see src/app/driver.
 */
let native: object | (() => object) | undefined;

/** Sets the native module. The module is loaded once, when the first file is opened. */
export function useNative(part: object): void {
  native = part;
}

export function isNativeLoaded(): boolean {
  return typeof native === "object";
}

/**
 * Opens a SQLite file. All code opens files through this function. Temporary data stays in memory, because a
 * read-only machine has no folder for temporary files. With temporary files, a savepoint of more than 64 KiB
 * fails on such a machine (docs/adr/0036-the-driver-loads-everywhere.md).
 */
export function openSqlite(file: string, options: Database.Options = {}): Database.Database {
  if (typeof native === "function") native = native() as object;
  // The driver's types accept only a path, but the driver also accepts the module.
  const nativeBinding = native as unknown as string | undefined;
  const sqlite = new Database(file, nativeBinding === undefined ? options : { ...options, nativeBinding });
  sqlite.pragma("temp_store = MEMORY");
  return sqlite;
}
