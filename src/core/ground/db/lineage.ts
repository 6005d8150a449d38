import type Database from "better-sqlite3";

/**
 * Counts the commits of a database inside of each, so that a write-ahead log tells whose it is
 * (docs/adr/0040-whose-log.md). `isPromised`: whether a commit of this connection is on disk when it returns.
 */
export interface Lineage {
  /** Runs what a transaction consists of, and counts it as its last act where it changed a row. */
  counted<Result>(change: () => Result): Result;
  /** Whether the last transaction changed a row. */
  hasChanged(): boolean;
}

export function createLineage(sqlite: Database.Database, isPromised: boolean): Lineage {
  const changes = sqlite.prepare("SELECT total_changes()").pluck();
  const cookie = sqlite.prepare("PRAGMA schema_version").pluck();
  const count = sqlite.prepare(
    "UPDATE lineage SET commits = commits + 1, promised = promised + ?, cookie = ?",
  );
  let hasChanged = false;
  return {
    hasChanged: () => hasChanged,
    counted(change) {
      hasChanged = false;
      const before = changes.get();
      const found = cookie.get();
      const result = change();
      hasChanged = changes.get() !== before;
      if (hasChanged) count.run(isPromised ? 1 : 0, found);
      return result;
    },
  };
}

/** Inside of a transaction that changes tables. `cookie` is the schema's before it did. */
export function countCommit(sqlite: Database.Database, cookie: unknown): void {
  sqlite.prepare("UPDATE lineage SET commits = commits + 1, promised = promised + 1, cookie = ?").run(cookie);
}
/**
 * From now on this is another line than the file that it was copied from: no log of that one belongs to it.
 * Call it where no log lies beside, and take it over into the file before anything else is written.
 */
export function beginLine(sqlite: Database.Database): void {
  sqlite
    .transaction(() => {
      sqlite.prepare("UPDATE lineage SET line = randomblob(16)").run();
      countCommit(sqlite, sqlite.pragma("schema_version", { simple: true }));
    })
    .immediate();
}
