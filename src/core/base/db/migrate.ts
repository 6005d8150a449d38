import { createHash } from "node:crypto";
import type Database from "better-sqlite3";
import { countCommit } from "./lineage.ts";
import { MIGRATIONS } from "./migrations.ts";

/** The database file cannot be used by this program. The message tells the operator what to do. */
export class DatabaseRefused extends Error {
  override name = "DatabaseRefused";
}

/** «Guil» as a 32-bit number: SQLite's own mark of whose file this is. */
const APPLICATION_ID = 0x4775696c;

/** The schema that this program works with: so many migrations. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Told before each migration: its name, how many are applied by then, and how many there are to apply. */
export type ReportMigration = (name: string, done: number, total: number) => void;

/**
 * Applies the migrations that are missing, all in one transaction: killed half way, or refused by SQLite, the
 * old state stands.
 */
export function migrate(sqlite: Database.Database, report: ReportMigration = () => {}): void {
  if (versionOf(sqlite) < SCHEMA_VERSION) sqlite.transaction(() => applyMissing(sqlite, report)).immediate();
  refuseEdited(sqlite);
}

function applyMissing(sqlite: Database.Database, report: ReportMigration): void {
  // Again, inside: another process may have migrated between the look and the lock.
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

/** How many migrations a database has; 0 where it has no tables yet. */
export function versionOf(sqlite: Database.Database): number {
  return sqlite.pragma("user_version", { simple: true }) as number;
}

/** Refuses a file of another program, or of a newer Guildhall; only reads. */
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

/** Refuses one that has tables, and not all; only reads. Who may bring it up to date does not ask. */
export function refuseOlder(sqlite: Database.Database): void {
  const version = versionOf(sqlite);
  if (version === 0 || version >= SCHEMA_VERSION) return;
  throw new DatabaseRefused(
    `The database has schema ${version} of an older Guildhall, and this program needs ${SCHEMA_VERSION}. Stop the server, then upgrade with \`guildhall migrate\` or \`guildhall serve\`.`,
  );
}

/**
 * A released migration that was changed afterwards means two databases of one version with different tables.
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

/** The SHA-256 of each migration's text, computed once: a program opens several connections. */
const digests = new Map<string, string>();

function digestOf(sql: string): string {
  const digest = digests.get(sql) ?? createHash("sha256").update(sql).digest("hex");
  digests.set(sql, digest);
  return digest;
}
