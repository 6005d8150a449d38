import type Database from "better-sqlite3";
import { refuseFenced } from "./lead.ts";

/**
 * Position of a database in its history (docs/adr/0064-followers.md). `line` identifies the history,
 * `commits` counts its commits, and `epoch` counts its leaders. Data read at one position exists at every
 * later position.
 */
export interface Position {
  /** ID of the history, in hexadecimal. A restored copy gets a new ID. */
  line: string;
  epoch: number;
  commits: number;
  /** Epoch of the new leader if this database was given up. Null while this database accepts writes. */
  fencedBy: number | null;
}

/**
 * Stores the number of commits as part of each commit, so that a write-ahead log can be matched to its
 * database (docs/adr/0040-whose-log.md). `isPromised`: whether each commit of this connection is on disk when
 * the commit returns. `isFollowed`: whether followers may read a copy of the file.
 */
export interface Lineage {
  /**
   * Runs the body of a transaction. If the body changed a row, counts the commit as the last step of the
   * transaction. Throws unavailable when another node leads.
   */
  runCounted<Result>(change: () => Result): Result;
  /** Whether the last transaction changed a row. */
  hasChanged(): boolean;
  position(): Position;
  /** Gives up the database to the leader of this epoch. Later writes are refused. */
  fence(epoch: number): void;
}

/** Prepares the query for the position of a database. */
export function positionFrom(sqlite: Database.Database): Database.Statement<[], Position> {
  return sqlite.prepare(
    "SELECT lower(hex(line)) AS line, epoch, commits, fenced_by AS fencedBy FROM lineage, leadership",
  );
}

export function createLineage(
  sqlite: Database.Database,
  { isPromised, isFollowed }: { isPromised: boolean; isFollowed: boolean },
): Lineage {
  const changes = sqlite.prepare("SELECT total_changes()").pluck();
  const cookie = sqlite.prepare("PRAGMA schema_version").pluck();
  const count = sqlite.prepare(
    "UPDATE lineage SET commits = commits + 1, promised = promised + ?, cookie = ?",
  );
  // With followers, each commit writes the same `user_version` again. This makes page 1, with SQLite's change
  // counter, part of every commit. Readers of a copied file notice a commit by that counter
  // (docs/adr/0064-followers.md).
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
    runCounted(change) {
      hasChanged = false;
      const before = changes.get();
      const found = cookie.get();
      const fencedByBefore = fencedBy.get() ?? undefined;
      const result = change();
      hasChanged = changes.get() !== before;
      if (!hasChanged) return result;
      refuseFenced({ fencedBy: () => fencedByBefore });
      count.run(isPromised ? 1 : 0, found);
      if (!isFollowed) return result;
      // If another process has migrated the database meanwhile, the commit must write the new `user_version`.
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

/**
 * Counts a commit that changes the schema. Call it inside the transaction. `cookie` is the `schema_version`
 * before the change.
 */
export function countCommit(sqlite: Database.Database, cookie: unknown): void {
  sqlite.prepare("UPDATE lineage SET commits = commits + 1, promised = promised + 1, cookie = ?").run(cookie);
}

/**
 * Gives a copied file a new line, so that no write-ahead log of the source file matches the copy. Call this
 * function only when no log exists beside the file. Checkpoint before any other write.
 */
export function beginLine(sqlite: Database.Database): void {
  sqlite
    .transaction(() => {
      sqlite.prepare("UPDATE lineage SET line = randomblob(16)").run();
      // Begin a new epoch, so that a follower of the old line notices that this file has a different history.
      if (hasTable(sqlite, "leadership"))
        sqlite
          .prepare("UPDATE leadership SET epoch = max(epoch, coalesce(fenced_by, 0)) + 1, fenced_by = NULL")
          .run();
      countCommit(sqlite, sqlite.pragma("schema_version", { simple: true }));
    })
    .immediate();
}

function hasTable(sqlite: Database.Database, table: string): boolean {
  return (
    sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined
  );
}
