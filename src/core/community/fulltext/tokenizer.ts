import type { Core } from "../../base/core.ts";
import { foldText } from "../../base/text-folding.ts";
import type { Term } from "./language.ts";
import { tokenize } from "./tokenizer-store.ts";

/**
 * Maps each non-ASCII letter to its form in the tokenizer: a letter, nothing (for a combining mark) or a
 * space. The mapping does not depend on adjacent letters, so each letter is looked up once.
 */
type Letters = Map<string, string>;
/** Maximum number of cached letters, which is more than any community uses. */
const LETTERS_MAX = 50_000;

const IS_ASCII = /^[\0-\x7F]*$/;
const BEYOND_ASCII = /[^\0-\x7F]/gu;
const BETWEEN_WORDS = /[^a-z0-9+#\x80-\u{10FFFF}]+/gu;

/** Returns the tokens of a text as the full-text indexes store them. */
export function tokensOf(core: Core, text: string): string[] {
  return foldLetters(core, text).split(BETWEEN_WORDS).filter(Boolean);
}

/**
 * Maximum number of words of a query, including the words of its phrases (docs/contract.md#4.5). Each word
 * costs one index scan, even if a phrase repeats the same word.
 */
const WORDS_MAX = 16;

/**
 * Returns the first terms, with at most `WORDS_MAX` words in total. If the last term is a phrase, the phrase
 * may be shortened.
 */
export function limitWords(core: Core, terms: readonly Term[]): Term[] {
  let left = WORDS_MAX;
  return terms.flatMap((term) => {
    const words = tokensOf(core, term.text);
    const kept = words.slice(0, left);
    left -= kept.length;
    if (kept.length === words.length) return [term];
    return kept.length === 0 ? [] : [{ text: kept.join(" "), isPrefix: false }];
  });
}

/** A pattern that finds a term in a text. */
export interface SearchTerm {
  pattern: RegExp;
  /** Whether all words of the term are ASCII. */
  isAscii: boolean;
}

/** ASCII characters that separate words. */
const BLANK = String.raw`[\x00-"$-*,-/:-@[-\x60{-\x7F]`;

/** Returns the pattern of a term, or undefined if the term has no words. */
export function toSearchTerm(core: Core, { text, isPrefix }: Term): SearchTerm | undefined {
  const words = tokensOf(core, text);
  if (words.length === 0) return undefined;
  const isAscii = words.every((word) => IS_ASCII.test(word));
  const inOrder = words.map((word) => word.replaceAll("+", String.raw`\+`)).join(`${BLANK}+`);
  const end = isPrefix ? "" : `(?:$|${BLANK})`;
  // Omits the `u` flag. With the `u` flag and without regard to case, some non-ASCII letters equal an ASCII
  // letter.
  return { pattern: new RegExp(`(?:^|${BLANK})${inOrder}${end}`, isAscii ? "i" : ""), isAscii };
}

/** Counts the terms that a text contains. */
export function countMatchingTerms(
  core: Core,
  text: string,
  terms: readonly (SearchTerm | undefined)[],
): number {
  let plain: string | undefined;
  return terms.filter((term) => {
    if (term === undefined) return false;
    // Fast path: most terms are ASCII, so the original text is tested before the folded text.
    if (term.isAscii && term.pattern.test(text)) return true;
    plain ??= IS_ASCII.test(text) ? "" : foldLetters(core, text);
    return term.pattern.test(plain);
  }).length;
}

function foldLetters(core: Core, text: string): string {
  if (IS_ASCII.test(text)) return text.toLowerCase();
  const folded = foldText(text);
  const known = core.memory(newLetters);
  addLetters(core, known, folded);
  return folded
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replace(BEYOND_ASCII, (letter) => known.get(letter) ?? " ");
}

function newLetters(): Letters {
  return new Map();
}

/**
 * Looks up the forms of unknown letters with the SQLite tokenizer, because SQLite and the JavaScript runtime
 * have different Unicode versions.
 */
function addLetters(core: Core, known: Letters, text: string): void {
  const all = [...new Set(text.match(BEYOND_ASCII))];
  let letters = all.filter((letter) => !known.has(letter));
  if (letters.length === 0) return;
  if (known.size + letters.length > LETTERS_MAX) {
    known.clear();
    letters = all;
  }
  for (const letter of letters) known.set(letter, " ");
  // Each letter is wrapped as `0xéx`, where the number is the index of the letter. If the letter is a
  // combining mark, the tokenizer removes the mark and the result is a single word, such as `1xx`.
  for (const word of tokenize(core, letters.map((letter, i) => `${i}x${letter}x`).join(" "))) {
    const [, number, plain] = /^(\d+)x(.*)x$/u.exec(word) ?? [];
    const letter = letters[Number(number)];
    if (letter !== undefined && plain !== undefined) known.set(letter, plain);
  }
}
