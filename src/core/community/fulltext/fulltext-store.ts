import type { Core } from "../../base/core.ts";
import type { IndexedText } from "./fulltext.ts";
import type { Match, MatchRange } from "./ranking-windows.ts";

/*
 * The full-text indexes store no text of their own. The SQLite driver binds numbers as REAL. FTS5 ignores a
 * REAL rowid, so queries cast numbers to INTEGER.
 */

/** Full-text indexes with the same columns: one for posts and replies, one for prompts. */
export type IndexName = "post_search" | "prompt_search";

/**
 * The indexed table of each index. Both tables have the columns `place` (the row number in the index) and
 * `hidden_at`.
 */
const TABLES = { post_search: "posts", prompt_search: "prompts" } as const satisfies Record<
  IndexName,
  string
>;

export function insertIndexEntry(core: Core, index: IndexName, rowNumber: number, entry: IndexedText): void {
  core.db
    .prepare(`INSERT INTO ${index} (rowid, title, text, facets) VALUES (CAST(? AS INTEGER), ?, ?, ?)`)
    .run(rowNumber, entry.title, entry.text, entry.facets);
}

export function deleteIndexEntry(core: Core, index: IndexName, rowNumber: number): void {
  core.db.prepare(`DELETE FROM ${index} WHERE rowid = CAST(? AS INTEGER)`).run(rowNumber);
}

/** Whether the index has an entry with this row number. */
export function hasIndexEntry(core: Core, index: IndexName, rowNumber: number): boolean {
  return (
    core.db.prepare(`SELECT 1 FROM ${index} WHERE rowid = CAST(? AS INTEGER)`).get(rowNumber) !== undefined
  );
}

export function isRowNumberUsed(core: Core, index: IndexName, rowNumber: number): boolean {
  return core.db.prepare(`SELECT 1 FROM ${TABLES[index]} WHERE place = ?`).get(rowNumber) !== undefined;
}

/** Selects the newest rows that have no row number in the index yet. */
export function selectUnindexed(core: Core, index: IndexName, limit: number): string[] {
  const table = TABLES[index];
  return core.db
    .prepare<{ id: string }>(
      `SELECT id FROM ${table} INDEXED BY ${table}_unplaced WHERE place IS NULL AND id > '' ORDER BY id DESC LIMIT ?`,
    )
    .all(limit)
    .map(({ id }) => id);
}

/**
 * Selects the matches of an FTS5 expression in a range, newest first, or oldest first for an upward range.
 * Without an expression, all rows of the range match.
 */
export function selectMatches(
  core: Core,
  index: IndexName,
  expression: string | undefined,
  { lo, hi, limit, isUpwards }: MatchRange,
): Match[] {
  const order = isUpwards ? "ASC" : "DESC";
  if (expression === undefined) {
    return core.db
      .prepare<Match>(
        `SELECT place AS seq, place AS at FROM ${TABLES[index]} INDEXED BY ${TABLES[index]}_by_place
         WHERE place IS NOT NULL AND place BETWEEN ? AND ? AND hidden_at IS NULL ORDER BY place ${order} LIMIT ?`,
      )
      .all(lo, hi, limit);
  }
  return core.db
    .prepare<Match>(
      `SELECT rowid AS seq, rowid AS at FROM ${index}
       WHERE ${index} MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)
       ORDER BY rowid ${order} LIMIT ?`,
    )
    .all(expression, lo, hi, limit);
}

/** Counts the rows with an index row number from `lo` to `hi`, up to `limit`. */
export function countBetween(core: Core, index: IndexName, { lo, hi, limit }: MatchRange): number {
  const found = core.db
    .prepare<{ n: number }>(
      `SELECT count(*) AS n FROM (SELECT 1 FROM ${TABLES[index]} INDEXED BY ${TABLES[index]}_by_place
         WHERE place IS NOT NULL AND place BETWEEN ? AND ? LIMIT ?)`,
    )
    .get(lo, hi, limit);
  return found?.n ?? 0;
}
