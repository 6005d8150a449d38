import type { Core } from "../../base/core.ts";

/**
 * The words of a text as the tokenizer of the indexes takes it apart, each once: by an index of its own,
 * temporary and empty between two uses. It is asked for each time, as a transaction that is rolled back takes
 * along what it has made.
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
