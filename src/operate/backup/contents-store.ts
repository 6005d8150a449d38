import type Database from "better-sqlite3";

/** What a database file holds, whatever the version of its tables. */

/** How many rows each table has; shadows of others and SQLite's own are none. */
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

/** The pictures that anything names: the name of the content, and how wide its largest size is. */
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

/** The id of the newest event, which is its place in the log. */
export function newestEvent(sqlite: Database.Database): string | null {
  return sqlite.prepare<[], string | null>("SELECT max(id) FROM events").pluck().get() ?? null;
}
