import type { Db } from "../../base/db/open.ts";

/** Every table that has pages of its own, and the schema, by name. */
export function selectTables(db: Db): string[] {
  return db
    .prepare<{ name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0
       UNION ALL SELECT 'sqlite_schema' ORDER BY name`,
    )
    .all()
    .map(({ name }) => name);
}

/** The first thing that SQLite finds wrong in one table and its indexes; undefined where all is well. */
export function quickCheck(db: Db, table: string): string | undefined {
  const found = db
    .prepare<{ line: string }>("SELECT quick_check AS line FROM pragma_quick_check(?) LIMIT 1")
    .get(table)?.line;
  return found === "ok" ? undefined : found;
}

/** The name of each b-tree by its root page: `index posts_by_author`. */
export function selectTrees(db: Db): ReadonlyMap<number, string> {
  const rows = db
    .prepare<{ root: number; name: string }>(
      "SELECT rootpage AS root, type || ' ' || name AS name FROM sqlite_schema WHERE rootpage > 0",
    )
    .all();
  return new Map(rows.map(({ root, name }) => [root, name]));
}

/** How many rows of a table refer to rows that do not exist, counted up to `most`. */
export function countDangling(db: Db, table: string, most: number): number {
  return (
    db
      .prepare<{ n: number }>("SELECT count(*) AS n FROM (SELECT 1 FROM pragma_foreign_key_check(?) LIMIT ?)")
      .get(table, most)?.n ?? 0
  );
}
