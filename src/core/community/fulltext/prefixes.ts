import type { Core } from "../../base/core.ts";
import { type FullText, selectWordFrom } from "./prefixes-store.ts";
import { type Term, termExpression } from "./language.ts";
import { tokensOf } from "./tokenizer.ts";

/** Beginnings of so many letters are kept in each index. */
const KEPT: Readonly<Record<FullText, number>> = { job_search: 6, post_search: 4, prompt_search: 4 };
/** A beginning of more words is left to the index: so many are found and walked in a few ms. */
const WORDS_MAX = 100;

/**
 * A term in the language of FTS5. A longer beginning than the index keeps stands as the words that begin so:
 * the index would read all that it has of each of them before it tells the first match, while words are
 * walked from the newest back (docs/adr/0011-job-search.md).
 */
export function searchExpression(core: Core, index: FullText, term: Term): string {
  if (!term.isPrefix) return termExpression(term);
  const words = tokensOf(core, term.text);
  const beginning = words.pop();
  if (beginning === undefined || [...beginning].length <= KEPT[index]) return termExpression(term);
  const found = wordsFrom(core, index, beginning);
  if (found.length === 0 || found.length > WORDS_MAX) return termExpression(term);
  const phrases = found.map((word) => termExpression({ text: [...words, word].join(" "), isPrefix: false }));
  return `(${phrases.join(" OR ")})`;
}

/** The words of an index that begin so, one more than are walked at most. */
function wordsFrom(core: Core, index: FullText, beginning: string): string[] {
  const found: string[] = [];
  let word = selectWordFrom(core, index, beginning);
  while (word?.startsWith(beginning) && found.length <= WORDS_MAX) {
    found.push(word);
    // No word has that letter, so what comes behind it is another word.
    word = selectWordFrom(core, index, `${word}\0`);
  }
  return found;
}
