import { createHash } from "node:crypto";
import type Database from "better-sqlite3";
import { countCommit } from "./lineage.ts";
import { MIGRATIONS } from "./migrations.ts";
import { OperatorError } from "../operator-error.ts";

/** Error for a database file that this version cannot use. The message says what the operator must do. */
export class DatabaseRefused extends OperatorError {
  override name = "DatabaseRefused";
}

/** SQLite `application_id`: “Guil” as a 32-bit number. */
const APPLICATION_ID = 0x4775696c;

/** Schema version of this release: its number of migrations. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Function that is called before each migration with its name, the number applied so far and the number to
 * apply.
 */
export type ReportMigration = (name: string, done: number, total: number) => void;

/**
 * Applies the missing migrations in one transaction. After a kill or an SQLite error, the old schema remains.
 */
export function migrate(sqlite: Database.Database, report: ReportMigration = () => {}): void {
  if (versionOf(sqlite) < SCHEMA_VERSION) sqlite.transaction(() => applyMissing(sqlite, report)).immediate();
  refuseEdited(sqlite);
}

function applyMissing(sqlite: Database.Database, report: ReportMigration): void {
  // Check again inside the lock, because another process may have migrated the file before this process got
  // the lock.
  refuseForeign(sqlite);
  const cookie = sqlite.pragma("schema_version", { simple: true });
  sqlite.pragma(`application_id = ${APPLICATION_ID}`);
  sqlite.exec("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL) STRICT");
  const missing = MIGRATIONS.slice(versionOf(sqlite));
  for (const [done, { name, sql }] of missing.entries()) {
    report(name, done, missing.length);
    sqlite.exec(sql);
    sqlite.prepare("INSERT INTO migrations (name, sha256) VALUES (?, ?)").run(name, digestOf(sql));
  }
  report("foreign keys", missing.length, missing.length);
  const [orphan] = sqlite.pragma("foreign_key_check") as { table: string }[];
  if (orphan) throw new Error(`a migration left rows of ${orphan.table} with missing references`);
  sqlite.pragma(`user_version = ${SCHEMA_VERSION}`);
  countCommit(sqlite, cookie);
}

/** Returns the number of applied migrations; 0 for a file without tables. */
export function versionOf(sqlite: Database.Database): number {
  return sqlite.pragma("user_version", { simple: true }) as number;
}

/** Rejects a file of another program or of a newer Guildhall. Only reads. */
export function refuseForeign(sqlite: Database.Database): void {
  const applicationId = sqlite.pragma("application_id", { simple: true });
  const version = versionOf(sqlite);
  const isEmpty = sqlite.prepare("SELECT count(*) = 0 AS empty FROM sqlite_schema").pluck().get() === 1;
  if (!isEmpty && applicationId !== APPLICATION_ID) {
    throw new DatabaseRefused("The database belongs to another program. Name another folder with --data.");
  }
  if (version > SCHEMA_VERSION) {
    throw new DatabaseRefused(
      `The database has schema ${version} of a newer Guildhall, and this program knows ${SCHEMA_VERSION}. Start the newer version, or restore a backup.`,
    );
  }
}

/**
 * Rejects a database with missing migrations. Only reads. Skip this check if the caller is allowed to migrate
 * the database.
 */
export function refuseOlder(sqlite: Database.Database): void {
  const version = versionOf(sqlite);
  if (version === 0 || version >= SCHEMA_VERSION) return;
  throw new DatabaseRefused(
    `The database has schema ${version} of an older Guildhall, and this program needs ${SCHEMA_VERSION}. Stop the server, then upgrade with \`guildhall migrate\` or \`guildhall serve\`.`,
  );
}

/**
 * Rejects a database whose applied migrations differ from this release. An edited migration would give one
 * version two schemas.
 */
export function refuseEdited(sqlite: Database.Database): void {
  const rows = sqlite.prepare("SELECT name, sha256 FROM migrations").raw().all();
  const applied = new Map(rows as [name: string, sha256: string][]);
  for (const { name, sql } of MIGRATIONS.slice(0, versionOf(sqlite))) {
    if (applied.get(name) !== digestOf(sql)) {
      throw new DatabaseRefused(
        `The database was made with a different migration ${name}. Start the Guildhall that made it, or restore a backup.`,
      );
    }
  }
}

/** SHA-256 of each migration's text, cached because a process opens several connections. */
const digests = new Map<string, string>();

function digestOf(sql: string): string {
  const digest = digests.get(sql) ?? createHash("sha256").update(sql).digest("hex");
  digests.set(sql, digest);
  return digest;
}
