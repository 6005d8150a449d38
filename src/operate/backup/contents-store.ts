import type Database from "better-sqlite3";

/** Queries for the contents of a database file of any schema version. */

/** Counts the rows of each table, without shadow tables and SQLite's own tables. */
export function rowCounts(sqlite: Database.Database): Record<string, number> {
  const names = sqlite
    .prepare<[], string>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .pluck()
    .all();
  return Object.fromEntries(names.map((name) => [name, countOf(sqlite, name)]));
}

function countOf(sqlite: Database.Database, table: string): number {
  const quoted = `"${table.replaceAll('"', '""')}"`;
  return sqlite.prepare<[], number>(`SELECT count(*) FROM ${quoted}`).pluck().get() ?? 0;
}

/** Returns the pictures that are in use: the hash of the content, and the width of the largest size. */
export function namedPictures(sqlite: Database.Database): { hash: string; width: number }[] {
  const has = (table: string, column: string): boolean =>
    sqlite.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = ?").get(table, column) !== undefined;
  if (!has("media", "hash")) return [];
  const pictures = "SELECT hash, width FROM media";
  const logo = "SELECT logo AS hash, logo_width AS width FROM charter WHERE logo IS NOT NULL";
  return sqlite
    .prepare<[], { hash: string; width: number }>(
      has("charter", "logo") ? `${pictures} UNION ${logo}` : `${pictures} GROUP BY hash, width`,
    )
    .all();
}

/** Returns the id of the newest event, which is its position in the log. */
export function newestEvent(sqlite: Database.Database): string | null {
  return sqlite.prepare<[], string | null>("SELECT max(id) FROM events").pluck().get() ?? null;
}
