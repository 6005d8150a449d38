import type Database from "better-sqlite3";

/** Changes to a restored database, for any schema version (docs/contract.md#12.5). */

export interface DeletedCredentials {
  sessions: number;
  links: number;
  codes: number;
}

/**
 * Deletes sessions, unused one-time links, and OAuth codes and refresh tokens. Each of them may have been
 * ended or used after the backup was made.
 */
export function deleteCredentials(sqlite: Database.Database): DeletedCredentials {
  const count = (sql: string): number => sqlite.prepare(sql).run().changes;
  return {
    sessions: count("DELETE FROM sessions"),
    links: count("DELETE FROM links WHERE used_at IS NULL"),
    codes: count("DELETE FROM oauth_records"),
  };
}

/**
 * Adds the audit log entry that shows the restore to admins, unless an entry with the same time exists.
 * Written as plain SQL, because the tables may be older than the typed table definitions.
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
