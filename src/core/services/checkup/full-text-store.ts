import { wordsOfPost } from "../../community/feed/indexed-text.ts";
import type { IndexName, Words } from "../../community/fulltext/fulltext.ts";
import { facetTokens } from "../../community/jobs/query.ts";
import { wordsOfPrompt } from "../../community/prompts/indexed-text.ts";
import type { Db } from "../../base/db/open.ts";
import { foldText } from "../../base/text-folding.ts";

/** A row of an index of full text: its number, and what is in each column. */
export interface Indexed {
  seq: number;
  columns: readonly string[];
}

/** An index of full text that keeps no text itself, and what it is made of. */
export interface TextIndex {
  name: string;
  /** What finds by it, in words. */
  says: string;
  /** The rows behind a number that belong into it, and those of some numbers. */
  next(db: Db, after: number, limit: number): Indexed[];
  some(db: Db, seqs: readonly number[]): Indexed[];
  /** An index of the same form, in memory, by which lengths are compared. */
  scratch: { make: string; fill: string; finds: string; clear: string };
  /** Of the rows in the scratch, those that the index has with other lengths, or has not. */
  differing: string;
  /** Numbers that it has and nothing belongs to. */
  strays: string;
  /** Whether it finds the row by an expression. */
  finds: string;
  insert: string;
  remove: string;
  clear: string;
}

/** As `directory_words` has it, in the order of the directory. */
const DIRECTORY = `SELECT d.seq, b.username || ' ' || b.name AS names,
    coalesce((SELECT group_concat(DISTINCT tag) FROM post_tags WHERE author_id = b.id), '') AS tags
  FROM directory d CROSS JOIN builders b ON b.id = d.builder_id`;
const JOBS = "SELECT seq, title, description, stack, city, remote, seniority FROM jobs WHERE on_board = 1";

interface DirectoryRow {
  seq: number;
  names: string;
  tags: string;
}

interface JobRow {
  seq: number;
  title: string;
  description: string;
  stack: string;
  city: string | null;
  remote: 0 | 1;
  seniority: string;
}

const toDirectory = ({ seq, names, tags }: DirectoryRow): Indexed => ({ seq, columns: [names, tags] });
/** As `insertIndexed` writes them. */
const toJob = (row: JobRow): Indexed => ({
  seq: row.seq,
  columns: [
    foldText(row.title),
    foldText(row.description),
    facetTokens({ ...row, stack: JSON.parse(row.stack) as string[], remote: row.remote === 1 }),
  ],
});

const nextJobs = (db: Db, after: number, limit: number): JobRow[] =>
  db.prepare<JobRow>(`${JOBS} AND seq > ? ORDER BY seq LIMIT ?`).all(after, limit);
const someJobs = (db: Db, seqs: readonly number[]): JobRow[] =>
  db.prepare<JobRow>(`${JOBS} AND seq IN (SELECT value FROM json_each(?))`).all(JSON.stringify(seqs));

/** The indexes that are alike, each of what its table shows to everybody. */
function alike<Row extends { seq: number }>(
  name: IndexName,
  says: string,
  { table, columns, wordsOf }: { table: string; columns: string; wordsOf: (row: Row) => Words },
): TextIndex {
  const rows = `SELECT place AS seq, ${columns} FROM ${table} WHERE place IS NOT NULL AND hidden_at IS NULL`;
  const toIndexed = (row: Row): Indexed => {
    const { title, text, facets } = wordsOf(row);
    return { seq: row.seq, columns: [title, text, facets] };
  };
  const scratch = `${table}_scratch`;
  const values =
    "SELECT value ->> 'seq', value ->> '$.columns[0]', value ->> '$.columns[1]', value ->> '$.columns[2]' FROM json_each(?)";
  return {
    name,
    says,
    next: (db, after, limit) =>
      db.prepare<Row>(`${rows} AND place > ? ORDER BY place LIMIT ?`).all(after, limit).map(toIndexed),
    some: (db, seqs) =>
      db
        .prepare<Row>(`${rows} AND place IN (SELECT value FROM json_each(?))`)
        .all(JSON.stringify(seqs))
        .map(toIndexed),
    scratch: {
      make: `CREATE VIRTUAL TABLE IF NOT EXISTS temp.${scratch} USING fts5 (
               title, text, facets, content = '', tokenize = "unicode61 remove_diacritics 2 tokenchars '+#'")`,
      fill: `INSERT INTO temp.${scratch} (rowid, title, text, facets) ${values}`,
      finds: `SELECT 1 FROM temp.${scratch} WHERE ${scratch} MATCH ? AND rowid = CAST(? AS INTEGER)`,
      clear: `INSERT INTO temp.${scratch} (${scratch}) VALUES ('delete-all')`,
    },
    differing: `SELECT t.id AS seq FROM temp.${scratch}_docsize t
                LEFT JOIN main.${name}_docsize i ON i.id = t.id WHERE i.sz IS NOT t.sz`,
    strays: `SELECT id AS seq FROM ${name}_docsize i WHERE NOT EXISTS (
               SELECT 1 FROM ${table} WHERE place = i.id AND hidden_at IS NULL) LIMIT ?`,
    finds: `SELECT 1 FROM ${name} WHERE ${name} MATCH ? AND rowid = CAST(? AS INTEGER)`,
    insert: `INSERT INTO ${name} (rowid, title, text, facets) ${values}`,
    remove: `DELETE FROM ${name} WHERE rowid IN (SELECT value FROM json_each(?))`,
    clear: `INSERT INTO ${name} (${name}) VALUES ('delete-all')`,
  };
}

export const TEXT_INDEXES: readonly TextIndex[] = [
  alike("post_search", "the search of posts", {
    table: "posts",
    columns: "author_id AS authorId, text, tags",
    wordsOf: (row: { seq: number; authorId: string; text: string; tags: string }) =>
      wordsOfPost({ ...row, tags: JSON.parse(row.tags) as string[] }),
  }),
  alike("prompt_search", "the search of prompts", {
    table: "prompts",
    columns: "author_id AS authorId, title, body, model, category",
    wordsOf: (row: { seq: number } & Parameters<typeof wordsOfPrompt>[0]) => wordsOfPrompt(row),
  }),
  {
    name: "directory_search",
    says: "the directory of builders",
    next: (db, after, limit) =>
      db
        .prepare<DirectoryRow>(`${DIRECTORY} WHERE d.seq > ? ORDER BY d.seq LIMIT ?`)
        .all(after, limit)
        .map(toDirectory),
    some: (db, seqs) =>
      db
        .prepare<DirectoryRow>(`${DIRECTORY} WHERE d.seq IN (SELECT value FROM json_each(?))`)
        .all(JSON.stringify(seqs))
        .map(toDirectory),
    scratch: {
      make: `CREATE VIRTUAL TABLE IF NOT EXISTS temp.directory_scratch USING fts5 (
               names, tags, content = '', tokenize = "unicode61 remove_diacritics 2")`,
      fill: `INSERT INTO temp.directory_scratch (rowid, names, tags)
             SELECT value ->> 'seq', value ->> '$.columns[0]', value ->> '$.columns[1]' FROM json_each(?)`,
      finds:
        "SELECT 1 FROM temp.directory_scratch WHERE directory_scratch MATCH ? AND rowid = CAST(? AS INTEGER)",
      clear: "INSERT INTO temp.directory_scratch (directory_scratch) VALUES ('delete-all')",
    },
    differing: `SELECT t.id AS seq FROM temp.directory_scratch_docsize t
                LEFT JOIN main.directory_search_docsize i ON i.id = t.id WHERE i.sz IS NOT t.sz`,
    strays:
      "SELECT id AS seq FROM directory_search_docsize WHERE id NOT IN (SELECT seq FROM directory) LIMIT ?",
    finds: "SELECT 1 FROM directory_search WHERE directory_search MATCH ? AND rowid = CAST(? AS INTEGER)",
    insert: `INSERT INTO directory_search (rowid, names, tags)
             SELECT value ->> 'seq', value ->> '$.columns[0]', value ->> '$.columns[1]' FROM json_each(?)`,
    remove: "DELETE FROM directory_search WHERE rowid IN (SELECT value FROM json_each(?))",
    clear: "INSERT INTO directory_search (directory_search) VALUES ('delete-all')",
  },
  {
    name: "job_search",
    says: "the search of jobs",
    next: (db, after, limit) => nextJobs(db, after, limit).map(toJob),
    some: (db, seqs) => someJobs(db, seqs).map(toJob),
    scratch: {
      make: `CREATE VIRTUAL TABLE IF NOT EXISTS temp.jobs_scratch USING fts5 (
               title, description, facets, content = '', tokenize = "unicode61 remove_diacritics 2 tokenchars '+#'")`,
      fill: `INSERT INTO temp.jobs_scratch (rowid, title, description, facets)
             SELECT value ->> 'seq', value ->> '$.columns[0]', value ->> '$.columns[1]', value ->> '$.columns[2]'
             FROM json_each(?)`,
      finds: "SELECT 1 FROM temp.jobs_scratch WHERE jobs_scratch MATCH ? AND rowid = CAST(? AS INTEGER)",
      clear: "INSERT INTO temp.jobs_scratch (jobs_scratch) VALUES ('delete-all')",
    },
    differing: `SELECT t.id AS seq FROM temp.jobs_scratch_docsize t
                LEFT JOIN main.job_search_docsize i ON i.id = t.id WHERE i.sz IS NOT t.sz`,
    strays: `SELECT id AS seq FROM job_search_docsize
             WHERE id NOT IN (SELECT seq FROM jobs WHERE on_board = 1) LIMIT ?`,
    finds: "SELECT 1 FROM job_search WHERE job_search MATCH ? AND rowid = CAST(? AS INTEGER)",
    insert: `INSERT INTO job_search (rowid, title, description, facets)
             SELECT value ->> 'seq', value ->> '$.columns[0]', value ->> '$.columns[1]', value ->> '$.columns[2]'
             FROM json_each(?)`,
    remove: "DELETE FROM job_search WHERE rowid IN (SELECT value FROM json_each(?))",
    clear: "INSERT INTO job_search (job_search) VALUES ('delete-all')",
  },
];

/** What must find a row; undefined where nothing has to. */
export type ToExpression = (row: Indexed) => string | undefined;

/** Of these rows, those that the index has with other lengths or has not, or does not find by their expressions. */
export function selectDiffering(
  db: Db,
  index: TextIndex,
  rows: readonly Indexed[],
  expressionOf: ToExpression,
): number[] {
  const { make, fill, finds, clear } = index.scratch;
  db.prepare(make).run();
  db.prepare(fill).run(JSON.stringify(rows));
  const unlike = new Set(
    db
      .prepare<{ seq: number }>(index.differing)
      .all()
      .map(({ seq }) => seq),
  );
  for (const row of rows) {
    const { seq } = row;
    const expression = expressionOf(row);
    if (unlike.has(seq) || expression === undefined) continue;
    const isFound = (sql: string): boolean => db.prepare(sql).get(expression, seq) !== undefined;
    // What the tokenizer makes nothing of is found nowhere.
    if (!isFound(index.finds) && isFound(finds)) unlike.add(seq);
  }
  db.prepare(clear).run();
  return [...unlike];
}

export function selectStrays(db: Db, { strays }: TextIndex, most: number): number[] {
  return db
    .prepare<{ seq: number }>(strays)
    .all(most)
    .map(({ seq }) => seq);
}

/** What belongs there, in place of what stands there. Call it in a transaction. */
export function indexAnew(db: Db, index: TextIndex, seqs: readonly number[]): void {
  db.prepare(index.remove).run(JSON.stringify(seqs));
  db.prepare(index.insert).run(JSON.stringify(index.some(db, seqs)));
}

/** From now on it finds nothing. */
export function clearIndex(db: Db, { clear }: TextIndex): void {
  db.prepare(clear).run();
}
