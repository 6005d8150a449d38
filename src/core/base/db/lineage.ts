import type Database from "better-sqlite3";
import { refuseFenced } from "./lead.ts";

/**
 * Where a database is in its history: `commits` counts those of its line, `epoch` the leaders that it had
 * (docs/adr/0064-followers.md). What was read at one place is there at every later one.
 */
export interface Position {
  /** A restored copy is another line, in hexadecimal digits. */
  line: string;
  epoch: number;
  commits: number;
  /** The epoch of another leader, in whose favour this one writes no more; null while it may. */
  fencedBy: number | null;
}

/**
 * Counts the commits of a database inside of each, so that a write-ahead log tells whose it is
 * (docs/adr/0040-whose-log.md). `isPromised`: whether a commit of this connection is on disk when it returns.
 */
export interface Lineage {
  /**
   * Runs what a transaction consists of, and counts it as its last act where it changed a row. Throws
   * unavailable where another node leads.
   */
  counted<Result>(change: () => Result): Result;
  /** Whether the last transaction changed a row. */
  hasChanged(): boolean;
  position(): Position;
  /** Gives up for the leader of this epoch; whatever comes after it in this database is refused. */
  fence(epoch: number): void;
}

/** Asks a database where it is. */
export function positionFrom(sqlite: Database.Database): Database.Statement<[], Position> {
  return sqlite.prepare(
    "SELECT lower(hex(line)) AS line, epoch, commits, fenced_by AS fencedBy FROM lineage, leadership",
  );
}

export function createLineage(sqlite: Database.Database, isPromised: boolean): Lineage {
  const changes = sqlite.prepare("SELECT total_changes()").pluck();
  const cookie = sqlite.prepare("PRAGMA schema_version").pluck();
  const count = sqlite.prepare(
    "UPDATE lineage SET commits = commits + 1, promised = promised + ?, cookie = ?",
  );
  // Its own value again: by that the first page, with the count that tells readers of a copied file to look
  // anew, is part of each commit (docs/adr/0064-followers.md).
  const schema = sqlite.prepare<[], number>("PRAGMA user_version").pluck();
  let touch = touchOf(sqlite, schema.get());
  const fencedBy = sqlite.prepare<[], number | null>("SELECT fenced_by FROM leadership").pluck();
  const position = positionFrom(sqlite);
  const fence = sqlite.prepare("UPDATE leadership SET fenced_by = ? WHERE fenced_by IS NULL");
  let hasChanged = false;
  return {
    hasChanged: () => hasChanged,
    position: () => position.get() as Position,
    fence: (epoch) => void fence.run(epoch),
    counted(change) {
      hasChanged = false;
      const before = changes.get();
      const found = cookie.get();
      const givenUpFor = fencedBy.get() ?? undefined;
      const result = change();
      hasChanged = changes.get() !== before;
      if (!hasChanged) return result;
      refuseFenced({ fencedBy: () => givenUpFor });
      count.run(isPromised ? 1 : 0, found);
      // Another program may have brought the tables up to date meanwhile.
      const now = schema.get();
      if (now !== touch.version) touch = touchOf(sqlite, now);
      touch.statement.run();
      return result;
    },
  };
}

function touchOf(sqlite: Database.Database, version = 0): { version: number; statement: Database.Statement } {
  return { version, statement: sqlite.prepare(`PRAGMA user_version = ${String(version)}`) };
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
      // Whoever followed the old line has to see that this one goes another way.
      if (isThere(sqlite, "leadership"))
        sqlite
          .prepare("UPDATE leadership SET epoch = max(epoch, coalesce(fenced_by, 0)) + 1, fenced_by = NULL")
          .run();
      countCommit(sqlite, sqlite.pragma("schema_version", { simple: true }));
    })
    .immediate();
}

function isThere(sqlite: Database.Database, table: string): boolean {
  return (
    sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined
  );
}
