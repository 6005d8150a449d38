import { indexedTextOfPost } from "../../community/feed/indexed-text.ts";
import type { IndexedText } from "../../community/fulltext/fulltext.ts";
import { facetTokens } from "../../community/jobs/query.ts";
import { indexedTextOfPrompt } from "../../community/prompts/indexed-text.ts";
import type { Db } from "../../base/db/open.ts";
import { foldText } from "../../base/text-folding.ts";
import type { Key } from "./derived-store.ts";

/** A row that a search index contains: its number, and the text of each column. */
export interface IndexedRow {
  seq: number;
  texts: readonly string[];
}

/** Source of a contentless FTS5 index. */
interface Source {
  name: string;
  /** Name of the index in the texts of findings. */
  says: string;
  columns: readonly string[];
  /** Characters that the tokenizer treats as letters, in addition to the defaults. */
  letters: string;
  /**
   * `seqs` is SQL for the numbers of all rows in the index. `rows` is SQL for the rows with given numbers.
   */
  seqs: string;
  rows: string;
  textsOf(row: Record<string, unknown>): readonly string[];
}

const inOrder = ({ title, text, facets }: IndexedText): string[] => [title, text, facets];
const listOf = (json: unknown): string[] => JSON.parse(json as string) as string[];

const SOURCES: readonly Source[] = [
  {
    name: "post_search",
    says: "The search index of posts",
    columns: ["title", "text", "facets"],
    letters: "+#",
    seqs: "SELECT place AS key FROM posts WHERE place IS NOT NULL AND hidden_at IS NULL",
    rows: `SELECT place AS seq, author_id AS authorId, text, tags FROM posts
           WHERE place IN (SELECT value FROM json_each(?)) AND hidden_at IS NULL`,
    textsOf: (row) =>
      inOrder(
        indexedTextOfPost({ ...(row as { authorId: string; text: string }), tags: listOf(row["tags"]) }),
      ),
  },
  {
    name: "prompt_search",
    says: "The search index of prompts",
    columns: ["title", "text", "facets"],
    letters: "+#",
    seqs: "SELECT place AS key FROM prompts WHERE place IS NOT NULL AND hidden_at IS NULL",
    rows: `SELECT place AS seq, author_id AS authorId, title, body, model, category FROM prompts
           WHERE place IN (SELECT value FROM json_each(?)) AND hidden_at IS NULL`,
    textsOf: (row) => inOrder(indexedTextOfPrompt(row as Parameters<typeof indexedTextOfPrompt>[0])),
  },
  {
    name: "directory_search",
    says: "The search index of members",
    columns: ["names", "tags"],
    letters: "",
    seqs: "SELECT seq AS key FROM directory",
    rows: "SELECT seq, names, tags FROM directory_words WHERE seq IN (SELECT value FROM json_each(?))",
    textsOf: (row) => [row["names"] as string, row["tags"] as string],
  },
  {
    name: "job_search",
    says: "The search index of jobs",
    columns: ["title", "description", "facets"],
    letters: "+#",
    seqs: "SELECT seq AS key FROM jobs WHERE on_board = 1",
    rows: `SELECT seq, title, description, stack, city, remote, seniority FROM jobs
           WHERE seq IN (SELECT value FROM json_each(?)) AND on_board = 1`,
    // Must return the same texts that `insertIndexed` writes to the index.
    textsOf(row) {
      const { title, description, ...job } = row as Record<"title" | "description" | "seniority", string> & {
        city: string | null;
      };
      const facets = { ...job, stack: listOf(row["stack"]), remote: row["remote"] === 1 };
      return [foldText(title), foldText(description), facetTokens(facets)];
    },
  },
];

/**
 * SQL statements for an index. The scratch index is a temporary index in memory. It has the same columns and
 * holds the rows of one batch.
 */
export interface TextIndex extends Pick<Source, "name" | "says" | "rows" | "textsOf"> {
  keys: string;
  createScratch: string;
  fillScratch: string;
  clearScratch: string;
  selectDiffering: string;
  finds: string;
  scratchFinds: string;
  remove: string;
  insert: string;
  clear: string;
}

export const TEXT_INDEXES = SOURCES.map(
  ({ name, says, columns, letters, seqs, rows, textsOf }): TextIndex => {
    const scratch = `${name}_scratch`;
    const fill = `(rowid, ${columns.join(", ")})
    SELECT value ->> 'seq', ${columns.map((_, at) => `value ->> '$.texts[${at}]'`).join(", ")} FROM json_each(?)`;
    const tokenizer = `unicode61 remove_diacritics 2 tokenchars '${letters}'`;
    return {
      name,
      says,
      rows,
      textsOf,
      keys: `SELECT key FROM (${seqs} UNION SELECT id FROM ${name}_docsize) WHERE key > ? ORDER BY key LIMIT ?`,
      createScratch: `CREATE VIRTUAL TABLE IF NOT EXISTS temp.${scratch}
      USING fts5 (${columns.join(", ")}, content = '', tokenize = "${tokenizer}")`,
      fillScratch: `INSERT INTO temp.${scratch} ${fill}`,
      clearScratch: `INSERT INTO temp.${scratch} (${scratch}) VALUES ('delete-all')`,
      selectDiffering: `SELECT seq.value AS seq FROM json_each(?) seq
             LEFT JOIN temp.${scratch}_docsize t ON t.id = seq.value
             LEFT JOIN main.${name}_docsize i ON i.id = seq.value WHERE i.sz IS NOT t.sz`,
      finds: `SELECT 1 FROM ${name} WHERE ${name} MATCH ? AND rowid = CAST(? AS INTEGER)`,
      scratchFinds: `SELECT 1 FROM temp.${scratch} WHERE ${scratch} MATCH ? AND rowid = CAST(? AS INTEGER)`,
      remove: `DELETE FROM ${name} WHERE rowid IN (SELECT value FROM json_each(?))`,
      insert: `INSERT INTO ${name} ${fill}`,
      clear: `INSERT INTO ${name} (${name}) VALUES ('delete-all')`,
    };
  },
);

function selectIndexed(db: Db, { rows, textsOf }: TextIndex, seqs: readonly Key[]): IndexedRow[] {
  return db
    .prepare<Record<string, unknown> & { seq: number }>(rows)
    .all(JSON.stringify(seqs))
    .map((row) => ({ seq: row.seq, texts: textsOf(row) }));
}

/**
 * Returns the numbers of the rows for which the index differs from the source. A row differs if it is missing
 * in the index, if only the index has it, or if its text length differs. A row also differs if a search for
 * its `expressionOf` does not find it. If `expressionOf` returns undefined, this search is skipped.
 */
export function selectIndexDifferences(
  db: Db,
  index: TextIndex,
  seqs: readonly Key[],
  expressionOf: (row: IndexedRow) => string | undefined,
): Key[] {
  const rows = selectIndexed(db, index, seqs);
  db.prepare(index.createScratch).run();
  db.prepare(index.fillScratch).run(JSON.stringify(rows));
  const unlike = new Set(
    db
      .prepare<{ seq: number }>(index.selectDiffering)
      .all(JSON.stringify(seqs))
      .map(({ seq }) => seq),
  );
  for (const row of rows) {
    const expression = expressionOf(row);
    if (unlike.has(row.seq) || expression === undefined) continue;
    const isFound = (sql: string): boolean => db.prepare(sql).get(expression, row.seq) !== undefined;
    // A row differs only if the scratch index finds it and the index does not. A text without tokens is found
    // in neither index.
    if (!isFound(index.finds) && isFound(index.scratchFinds)) unlike.add(row.seq);
  }
  db.prepare(index.clearScratch).run();
  return [...unlike];
}

/** Rebuilds the index entries of the given rows. Call it in a transaction. */
export function replaceIndexed(db: Db, index: TextIndex, seqs: readonly Key[]): void {
  db.prepare(index.remove).run(JSON.stringify(seqs));
  db.prepare(index.insert).run(JSON.stringify(selectIndexed(db, index, seqs)));
}

/** Removes all entries of an index. */
export function clearIndex(db: Db, { clear }: TextIndex): void {
  db.prepare(clear).run();
}
