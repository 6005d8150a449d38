import type { Core } from "../../base/core.ts";
import { foldText } from "../../base/text-folding.ts";
import type { Term } from "./language.ts";
import { tokenize } from "./tokenizer-store.ts";

/**
 * What the tokenizer of the indexes makes of a letter beyond ASCII: another letter, nothing (a mark on the
 * letter before it), or a blank. It looks at no letter beside it, so each is asked for once.
 */
type Letters = Map<string, string>;
/** So many are kept: more than anybody writes in. */
const LETTERS_MAX = 50_000;

const IS_ASCII = /^[\0-\x7F]*$/;
const BEYOND_ASCII = /[^\0-\x7F]/gu;
const BETWEEN_WORDS = /[^a-z0-9+#\x80-\u{10FFFF}]+/gu;

/** The tokens of a text, as the full-text indexes store them. */
export function tokensOf(core: Core, text: string): string[] {
  return plainLetters(core, text).split(BETWEEN_WORDS).filter(Boolean);
}

/**
 * So many words of a question count, those of its phrases too (docs/contract.md#4.5): each of them is a list
 * that is walked, and a phrase of five hundred times the same word is five hundred walks.
 */
const WORDS_MAX = 16;

/** The terms with the first words of all: a phrase ends where these do. */
export function firstWords(core: Core, terms: readonly Term[]): Term[] {
  let left = WORDS_MAX;
  return terms.flatMap((term) => {
    const words = tokensOf(core, term.text);
    const kept = words.slice(0, left);
    left -= kept.length;
    if (kept.length === words.length) return [term];
    return kept.length === 0 ? [] : [{ text: kept.join(" "), isPrefix: false }];
  });
}

/** A term as it is looked for in a text: its words, one after another. */
export interface SearchTerm {
  pattern: RegExp;
  /** Whether these are in ASCII. */
  isAscii: boolean;
}

/** What of ASCII is in no word. */
const BLANK = String.raw`[\x00-"$-*,-/:-@[-\x60{-\x7F]`;

/** What a term is looked for by; undefined for one that has no word, and stands nowhere. */
export function toSearchTerm(core: Core, { text, isPrefix }: Term): SearchTerm | undefined {
  const words = tokensOf(core, text);
  if (words.length === 0) return undefined;
  const isAscii = words.every((word) => IS_ASCII.test(word));
  const inOrder = words.map((word) => word.replaceAll("+", String.raw`\+`)).join(`${BLANK}+`);
  const end = isPrefix ? "" : `(?:$|${BLANK})`;
  // Without `u`, no letter beyond ASCII is another case of one within.
  return { pattern: new RegExp(`(?:^|${BLANK})${inOrder}${end}`, isAscii ? "i" : ""), isAscii };
}

/** How many of the terms a text contains. */
export function countMatchingTerms(
  core: Core,
  text: string,
  terms: readonly (SearchTerm | undefined)[],
): number {
  let plain: string | undefined;
  return terms.filter((term) => {
    if (term === undefined) return false;
    // Most terms are ASCII, and the text itself shows them.
    if (term.isAscii && term.pattern.test(text)) return true;
    plain ??= IS_ASCII.test(text) ? "" : plainLetters(core, text);
    return term.pattern.test(plain);
  }).length;
}

function plainLetters(core: Core, text: string): string {
  if (IS_ASCII.test(text)) return text.toLowerCase();
  const folded = foldText(text);
  const known = core.memory(knowNone);
  learn(core, known, folded);
  return folded
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replace(BEYOND_ASCII, (letter) => known.get(letter) ?? " ");
}

function knowNone(): Letters {
  return new Map();
}

/** Asks the tokenizer itself, whose tables are those of another Unicode than ours. */
function learn(core: Core, known: Letters, text: string): void {
  const all = [...new Set(text.match(BEYOND_ASCII))];
  let letters = all.filter((letter) => !known.has(letter));
  if (letters.length === 0) return;
  if (known.size + letters.length > LETTERS_MAX) {
    known.clear();
    letters = all;
  }
  for (const letter of letters) known.set(letter, " ");
  // Between two others, each under its number: «0xéx» is one word, and so is what is left of a mark, «1xx».
  for (const word of tokenize(core, letters.map((letter, i) => `${i}x${letter}x`).join(" "))) {
    const [, number, plain] = /^(\d+)x(.*)x$/u.exec(word) ?? [];
    const letter = letters[Number(number)];
    if (letter !== undefined && plain !== undefined) known.set(letter, plain);
  }
}
