import type { Core } from "../../base/core.ts";

/**
 * Returns the distinct words of a text, tokenized as in the full-text indexes. Uses a temporary FTS5 table
 * that is empty between calls. Each call creates the table if it is missing, because a rollback can remove
 * the table.
 */
export function tokenize(core: Core, text: string): string[] {
  core.db
    .prepare(
      `CREATE VIRTUAL TABLE IF NOT EXISTS temp.letters USING fts5 (
         text, content = '', tokenize = "unicode61 remove_diacritics 2 tokenchars '+#'")`,
    )
    .run();
  core.db
    .prepare("CREATE VIRTUAL TABLE IF NOT EXISTS temp.letters_words USING fts5vocab (temp, letters, row)")
    .run();
  core.db.prepare("INSERT INTO temp.letters (rowid, text) SELECT 1, ?").run(text);
  const words = core.db.prepare<{ word: string }>("SELECT term AS word FROM temp.letters_words").all();
  core.db.prepare("INSERT INTO temp.letters (letters) VALUES ('delete-all')").run();
  return words.map(({ word }) => word);
}
