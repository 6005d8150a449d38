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
  const has = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'media'").get();
  return has === undefined
    ? []
    : sqlite.prepare<[], { hash: string; width: number }>("SELECT DISTINCT hash, width FROM media").all();
}

/** The id of the newest event, which is its place in the log. */
export function newestEvent(sqlite: Database.Database): string | null {
  return sqlite.prepare<[], string | null>("SELECT max(id) FROM events").pluck().get() ?? null;
}
