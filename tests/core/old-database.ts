import { createHash } from "node:crypto";
import Database from "better-sqlite3";
import { MIGRATIONS } from "../../src/core/ground/db/migrations.ts";

/** An empty database as the Guildhall of that time left it. */
export function oldDatabase(file: string, version: number): void {
  const sqlite = new Database(file);
  sqlite.pragma("journal_mode = WAL");
  // Nobody pulls the plug of what is only made here: it is on the disk all at once, and no step waits for it.
  sqlite.pragma("synchronous = OFF");
  sqlite.pragma(`application_id = ${0x4775696c}`);
  sqlite.exec("BEGIN");
  sqlite.exec("CREATE TABLE migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL) STRICT");
  for (const { name, sql } of MIGRATIONS.slice(0, version)) {
    sqlite.exec(sql);
    const sha256 = createHash("sha256").update(sql).digest("hex");
    sqlite.prepare("INSERT INTO migrations (name, sha256) VALUES (?, ?)").run(name, sha256);
  }
  sqlite.pragma(`user_version = ${version}`);
  sqlite.exec("COMMIT");
  sqlite.close();
}
