import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { MIGRATIONS } from "../../src/core/base/db/migrations.ts";

/** Empty databases by version. Cached because the migrations take longer than most tests. */
const databases = new Map<number, Uint8Array>();

/** Creates `file` as an empty database of that Guildhall version, or migrates it from version `from`. */
export function oldDatabase(file: string, version: number, from = 0): void {
  if (from > 0) return applyMigrations(file, version, from);
  const bytes = databases.get(version);
  if (bytes) return writeFileSync(file, bytes);
  applyMigrations(file, version, 0);
  databases.set(version, readFileSync(file));
}

function applyMigrations(file: string, version: number, from: number): void {
  const sqlite = new Database(file);
  sqlite.pragma("journal_mode = WAL");
  // No test cuts the power, so SQLite need not sync.
  sqlite.pragma("synchronous = OFF");
  sqlite.pragma(`application_id = ${0x4775696c}`);
  sqlite.exec("BEGIN");
  if (from === 0) sqlite.exec("CREATE TABLE migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL) STRICT");
  for (const { name, sql } of MIGRATIONS.slice(from, version)) {
    sqlite.exec(sql);
    const sha256 = createHash("sha256").update(sql).digest("hex");
    sqlite.prepare("INSERT INTO migrations (name, sha256) VALUES (?, ?)").run(name, sha256);
  }
  sqlite.pragma(`user_version = ${version}`);
  sqlite.exec("COMMIT");
  sqlite.close();
}
