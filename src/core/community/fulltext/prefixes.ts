import type { Core } from "../../base/core.ts";
import { type FullText, selectNextWord } from "./prefixes-store.ts";
import { type Term, termExpression } from "./language.ts";
import { tokensOf } from "./tokenizer.ts";

/** Longest prefix that each index stores, in letters. */
const INDEXED_PREFIX_MAX: Readonly<Record<FullText, number>> = {
  job_search: 6,
  post_search: 4,
  prompt_search: 4,
};
/** Maximum number of words that replace a prefix. The index can find and read this many words in a few ms. */
const WORDS_MAX = 100;

/**
 * Returns the FTS5 expression of a term. The index stores only short prefixes. A longer prefix is replaced by
 * the indexed words that begin with the prefix. If the prefix were not replaced, FTS5 would read all matches
 * of all these words before the first result. For words, FTS5 starts with the newest match
 * (docs/adr/0011-job-search.md).
 */
export function searchExpression(core: Core, index: FullText, term: Term): string {
  if (!term.isPrefix) return termExpression(term);
  const words = tokensOf(core, term.text);
  const beginning = words.pop();
  if (beginning === undefined || [...beginning].length <= INDEXED_PREFIX_MAX[index])
    return termExpression(term);
  const found = wordsWithPrefix(core, index, beginning);
  if (found.length === 0 || found.length > WORDS_MAX) return termExpression(term);
  const phrases = found.map((word) => termExpression({ text: [...words, word].join(" "), isPrefix: false }));
  return `(${phrases.join(" OR ")})`;
}

/** Returns the indexed words with this prefix, at most `WORDS_MAX + 1`. */
function wordsWithPrefix(core: Core, index: FullText, prefix: string): string[] {
  const found: string[] = [];
  let word = selectNextWord(core, index, prefix);
  while (word?.startsWith(prefix) && found.length <= WORDS_MAX) {
    found.push(word);
    // No word contains `\0`, so `selectNextWord` returns the word after `word`.
    word = selectNextWord(core, index, `${word}\0`);
  }
  return found;
}
