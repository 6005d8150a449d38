import type { Core } from "../../ground/core.ts";
import { foldText } from "../../ground/fold.ts";

/** A word of a text, by the text's number, its column and its place in it, counting from 0. */
export interface ScratchWord {
  text: number;
  word: string;
  column: "title" | "description";
  place: number;
}

/**
 * An index of its own for the texts at hand, temporary and empty between two uses, with the tokenizer of
 * `job_search`. Asked for each time: a transaction that is rolled back takes along what it has made.
 */
export function openScratch(core: Core): void {
  core.db
    .prepare(
      `CREATE VIRTUAL TABLE IF NOT EXISTS temp.job_scratch USING fts5 (
         title, description, content = '', tokenize = "unicode61 remove_diacritics 2 tokenchars '+#'")`,
    )
    .run();
  core.db
    .prepare(
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp.job_scratch_words USING fts5vocab (temp, job_scratch, instance)",
    )
    .run();
}

export function insertScratch(
  core: Core,
  number: number,
  { title, description }: { title: string; description: string },
): void {
  core.db
    .prepare("INSERT INTO temp.job_scratch (rowid, title, description) VALUES (CAST(? AS INTEGER), ?, ?)")
    .run(number, foldText(title), foldText(description));
}

export function selectScratchWords(core: Core): ScratchWord[] {
  return core.db
    .prepare<ScratchWord>(
      `SELECT doc AS text, term AS word, col AS "column", "offset" AS place FROM temp.job_scratch_words`,
    )
    .all();
}

export function clearScratch(core: Core): void {
  core.db.prepare("INSERT INTO temp.job_scratch (job_scratch) VALUES ('delete-all')").run();
}
