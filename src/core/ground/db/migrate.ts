import { createHash } from "node:crypto";
import type Database from "better-sqlite3";
import { MIGRATIONS } from "./migrations.ts";

/** The database file cannot be used by this program. The message tells the operator what to do. */
export class DatabaseRefused extends Error {
  override name = "DatabaseRefused";
}

/** «Guil» as a 32-bit number: SQLite's own mark of whose file this is. */
const APPLICATION_ID = 0x4775696c;

/**
 * Applies the migrations that are missing, all in one transaction: killed half way, the next start begins
 * from the old state.
 */
export function migrate(sqlite: Database.Database): void {
  if (sqlite.pragma("user_version", { simple: true }) === MIGRATIONS.length) {
    refuseEdited(sqlite);
    return;
  }
  sqlite
    .transaction(() => {
      // Again, inside: another process may have migrated between the look and the lock.
      refuseForeign(sqlite);
      const applied = sqlite.pragma("user_version", { simple: true }) as number;
      sqlite.pragma(`application_id = ${APPLICATION_ID}`);
      sqlite.exec(
        "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL) STRICT",
      );
      for (const { name, sql } of MIGRATIONS.slice(applied)) {
        sqlite.exec(sql);
        sqlite.prepare("INSERT INTO migrations (name, sha256) VALUES (?, ?)").run(name, sha256(sql));
      }
      const [orphan] = sqlite.pragma("foreign_key_check") as { table: string }[];
      if (orphan) throw new Error(`a migration left rows of ${orphan.table} without what they refer to`);
      sqlite.pragma(`user_version = ${MIGRATIONS.length}`);
    })
    .immediate();
  refuseEdited(sqlite);
}

/** Refuses a file of another program, or of a newer Guildhall; only reads. */
export function refuseForeign(sqlite: Database.Database): void {
  const applicationId = sqlite.pragma("application_id", { simple: true });
  const version = sqlite.pragma("user_version", { simple: true }) as number;
  const isEmpty = sqlite.prepare("SELECT count(*) = 0 AS empty FROM sqlite_schema").pluck().get() === 1;
  if (!isEmpty && applicationId !== APPLICATION_ID) {
    throw new DatabaseRefused("this file is a database of another program; point --data at another folder");
  }
  if (version > MIGRATIONS.length) {
    throw new DatabaseRefused(
      `this database was written by a newer Guildhall (schema ${version}, this program knows ${MIGRATIONS.length}); start that version, or restore a backup`,
    );
  }
}

/**
 * A released migration that was changed afterwards means two databases of one version with different tables.
 */
function refuseEdited(sqlite: Database.Database): void {
  const applied = sqlite.prepare("SELECT name, sha256 FROM migrations").all() as {
    name: string;
    sha256: string;
  }[];
  for (const { name, sql } of MIGRATIONS) {
    if (applied.find((row) => row.name === name)?.sha256 !== sha256(sql)) {
      throw new DatabaseRefused(
        `this database was made with another form of migration ${name}; start the Guildhall that made it, or restore a backup`,
      );
    }
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
