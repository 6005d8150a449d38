import type { Core } from "../../ground/core.ts";
import { foldText } from "../../ground/fold.ts";
import type { Term } from "./language.ts";
import { takenApart } from "./tokenizer-store.ts";

/**
 * What the tokenizer of the indexes makes of a letter beyond ASCII: another letter, nothing (a mark on the letter
 * before it), or a blank. It looks at no letter beside it, so each is asked for once.
 */
type Letters = Map<string, string>;
/** So many are kept: more than anybody writes in. */
const LETTERS_MAX = 50_000;

const IS_ASCII = /^[\0-\x7F]*$/;
const BEYOND_ASCII = /[^\0-\x7F]/gu;
const BETWEEN_WORDS = /[^a-z0-9+#\x80-\u{10FFFF}]+/gu;

/** The words of a text as the indexes of full text have them. */
export function wordsOf(core: Core, text: string): string[] {
  return inLine(plainLetters(core, text)).slice(1, -1).split(" ").filter(Boolean);
}

/**
 * So many words of a question count, those of its phrases too (docs/contract.md#4.5): each of them is a list that is
 * walked, and a phrase of five hundred times the same word is five hundred walks.
 */
const WORDS_MAX = 16;

/** The terms with the first words of all: a phrase ends where these do. */
export function firstWords(core: Core, terms: readonly Term[]): Term[] {
  let left = WORDS_MAX;
  return terms.flatMap((term) => {
    const words = wordsOf(core, term.text);
    const kept = words.slice(0, left);
    left -= kept.length;
    if (kept.length === words.length) return [term];
    return kept.length === 0 ? [] : [{ text: kept.join(" "), isPrefix: false }];
  });
}

/** A term as it is looked for in a text. */
export interface Sought {
  /** Where this stands nowhere, neither does the term. */
  word: string;
  /** Its words, one after another. */
  line: string;
}

/** What a term is looked for by; undefined for one that has no word, and stands nowhere. */
export function toSought(core: Core, { text, isPrefix }: Term): Sought | undefined {
  const words = wordsOf(core, text);
  const [word] = words;
  return word === undefined ? undefined : { word, line: ` ${words.join(" ")}${isPrefix ? "" : " "}` };
}

/** How many of the terms stand in a text. */
export function countIn(core: Core, text: string, terms: readonly (Sought | undefined)[]): number {
  const plain = plainLetters(core, text);
  let line: string | undefined;
  let found = 0;
  for (const term of terms) {
    // Most terms stand in no title, and this is told sooner than where its words begin.
    if (term === undefined || !plain.includes(term.word)) continue;
    line ??= inLine(plain);
    if (line.includes(term.line)) found++;
  }
  return found;
}

/** Its words with a blank before and behind each. */
function inLine(plain: string): string {
  return ` ${plain.replace(BETWEEN_WORDS, " ")} `;
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
  for (const word of takenApart(core, letters.map((letter, i) => `${i}x${letter}x`).join(" "))) {
    const [, number, plain] = /^(\d+)x(.*)x$/u.exec(word) ?? [];
    const letter = letters[Number(number)];
    if (letter !== undefined && plain !== undefined) known.set(letter, plain);
  }
}
