import type { Db } from "../../base/db/open.ts";

/** Selects the names of all tables that have their own pages, and of the schema table. */
export function selectTables(db: Db): string[] {
  return db
    .prepare<{ name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0
       UNION ALL SELECT 'sqlite_schema' ORDER BY name`,
    )
    .all()
    .map(({ name }) => name);
}

/** Returns the first problem that SQLite finds in a table and its indexes; undefined if SQLite finds none. */
export function quickCheck(db: Db, table: string): string | undefined {
  const found = db
    .prepare<{ line: string }>("SELECT quick_check AS line FROM pragma_quick_check(?) LIMIT 1")
    .get(table)?.line;
  return found === "ok" ? undefined : found;
}

/** Maps the root page of each b-tree to its name, such as `index posts_by_author`. */
export function selectTrees(db: Db): ReadonlyMap<number, string> {
  const rows = db
    .prepare<{ root: number; name: string }>(
      "SELECT rootpage AS root, type || ' ' || name AS name FROM sqlite_schema WHERE rootpage > 0",
    )
    .all();
  return new Map(rows.map(({ root, name }) => [root, name]));
}

/** Counts the rows of a table that refer to missing rows, up to `most`. */
export function countDangling(db: Db, table: string, most: number): number {
  return (
    db
      .prepare<{ n: number }>("SELECT count(*) AS n FROM (SELECT 1 FROM pragma_foreign_key_check(?) LIMIT ?)")
      .get(table, most)?.n ?? 0
  );
}
