import { createHash } from "node:crypto";
import Database from "better-sqlite3";
import { MIGRATIONS } from "../../src/core/base/db/migrations.ts";

/** Makes `file` the empty database that the Guildhall of that version left, or brings it there from `from`. */
export function oldDatabase(file: string, version: number, from = 0): void {
  const sqlite = new Database(file);
  sqlite.pragma("journal_mode = WAL");
  // No test cuts the power of this database, so no step waits for the disk.
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
