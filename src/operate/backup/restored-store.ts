import type Database from "better-sqlite3";

/**
 * What a restored database must not go on with, whatever the version of its tables: docs/contract.md#12.5.
 */

export interface Ended {
  sessions: number;
  links: number;
  codes: number;
}

/**
 * Ends what may have been ended, used or taken over since the backup was made, and cannot be known to be:
 * sessions, one-time links that were not used yet, and OAuth's codes and refresh tokens.
 */
export function endLoose(sqlite: Database.Database): Ended {
  const count = (sql: string): number => sqlite.prepare(sql).run().changes;
  return {
    sessions: count("DELETE FROM sessions"),
    links: count("DELETE FROM links WHERE used_at IS NULL"),
    codes: count("DELETE FROM oauth_records"),
  };
}

/**
 * The line of the audit log by which admins see that time went back here: once for each moment. Not by the
 * table's twin, as the tables may be older than that.
 */
export function insertRestored(
  sqlite: Database.Database,
  row: { id: string; detail: string; createdAt: number },
): void {
  sqlite
    .prepare(
      `INSERT INTO audit_entries (id, act, detail, created_at)
       SELECT ?, 'community.restored', ?, ?
       WHERE NOT EXISTS (SELECT 1 FROM audit_entries WHERE act = 'community.restored' AND created_at = ?)`,
    )
    .run(row.id, row.detail, row.createdAt, row.createdAt);
}

export function hasTable(sqlite: Database.Database, name: string): boolean {
  return sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) != null;
}
