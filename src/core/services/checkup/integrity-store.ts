import type { Db } from "../../base/db/open.ts";

/** Every table that takes room of its own, and the schema with what is free, by name. */
export function selectTables(db: Db): string[] {
  return db
    .prepare<{ name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0
       UNION ALL SELECT 'sqlite_schema' ORDER BY name`,
    )
    .all()
    .map(({ name }) => name);
}

/** What SQLite finds wrong in one table and its indexes: nothing, or lines of its own. */
export function quickCheck(db: Db, table: string, most: number): string[] {
  return db
    .prepare<{ said: string }>("SELECT quick_check AS said FROM pragma_quick_check(?) LIMIT ?")
    .all(table, most)
    .map(({ said }) => said)
    .filter((said) => said !== "ok");
}

/** What each tree of pages is, by its first page: `index posts_by_author`. */
export function treesOf(db: Db): ReadonlyMap<number, string> {
  const rows = db
    .prepare<{ root: number; name: string }>(
      "SELECT rootpage AS root, type || ' ' || name AS name FROM sqlite_schema WHERE rootpage > 0",
    )
    .all();
  return new Map(rows.map(({ root, name }) => [root, name]));
}

/** How many rows of a table refer to what is not there, counted up to `most`. */
export function countDangling(db: Db, table: string, most: number): number {
  return (
    db
      .prepare<{ n: number }>("SELECT count(*) AS n FROM (SELECT 1 FROM pragma_foreign_key_check(?) LIMIT ?)")
      .get(table, most)?.n ?? 0
  );
}
