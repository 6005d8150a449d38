import { foldText } from "../../base/text-folding.ts";
import { plainText } from "../../base/title.ts";
import type { Term } from "./language.ts";

/** Approximate length of a snippet, and of its text before the first match, in characters. */
const LENGTH = 200;
const BEFORE = 40;
/** Number of characters at the start of a text that are searched for matches. */
const READ_MAX = 8_000;
/** Maximum number of matches considered in a text. */
const MATCHES_MAX = 200;

/** A part of a snippet, either a match or other text. */
export interface Piece {
  text: string;
  isMatch: boolean;
}

/**
 * Returns the part of a Markdown text with the most different terms, as plain text. Returns the beginning of
 * the text if no term matches. “…” marks omitted text.
 */
export function snippetOf(markdown: string, terms: readonly Term[]): Piece[] {
  const text = markdown
    .slice(0, READ_MAX)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(plainText)
    .filter(Boolean)
    .join(" ");
  const words = wordsIn(text);
  const matches = matchesIn(words, terms);
  const first = bestOf(matches);
  const from =
    first === undefined || first.start <= 2 * BEFORE ? 0 : startAfter(text, words, first.start - BEFORE);
  const to = text.length - from <= LENGTH ? text.length : endBefore(words, from + LENGTH);
  const pieces = piecesOf(text, matches, from, to);
  if (from > 0) pieces.unshift({ text: "… ", isMatch: false });
  if (to < text.length) pieces.push({ text: " …", isMatch: false });
  return pieces;
}

/** Returns the part of a text between two positions. A match that is partly outside this part is text. */
function piecesOf(text: string, matches: readonly Match[], from: number, to: number): Piece[] {
  const pieces: Piece[] = [];
  let at = from;
  const add = (until: number, isMatch: boolean): void => {
    if (until > at) pieces.push({ text: text.slice(at, until), isMatch });
    at = Math.max(at, until);
  };
  for (const { start, end } of matches) {
    if (start < at || end > to) continue;
    add(start, false);
    add(end, true);
  }
  add(to, false);
  return pieces;
}

/** Returns a whole text of one line, such as a title, with its matches. */
export function matchesOf(text: string, terms: readonly Term[]): Piece[] {
  return piecesOf(text, matchesIn(wordsIn(text), terms), 0, text.length);
}

/** Returns a snippet as HTML, with matches in `<mark>` and all text escaped. */
export function markedHtml(pieces: readonly Piece[]): string {
  return pieces
    .map(({ text, isMatch }) => (isMatch ? `<mark>${Bun.escapeHTML(text)}</mark>` : Bun.escapeHTML(text)))
    .join("");
}

const WORD = /[\p{L}\p{N}\p{M}\p{Co}+#]+/gu;

interface Word {
  start: number;
  end: number;
  folded: string;
}

function wordsIn(text: string): Word[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    folded: folded(word),
  }));
}

/**
 * Folds a word almost like the tokenizer of the index. Differences affect only the highlighting, because the
 * tokenizer decides what a search finds.
 */
function folded(word: string): string {
  // Fast path for ASCII.
  if (/^[\0-\x7F]*$/.test(word)) return word.toLowerCase();
  return foldText(word).normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

interface Match {
  start: number;
  end: number;
  term: number;
}

function matchesIn(words: readonly Word[], terms: readonly Term[]): Match[] {
  const foldedTerms = terms.map(toFoldedTerm);
  const all = words.map((word) => word.folded);
  const found: Match[] = [];
  for (const [at, { start }] of words.entries()) {
    if (found.length >= MATCHES_MAX) break;
    const term = foldedTerms.findIndex((one) => matchesAt(one, all, at));
    const last = words[at + (foldedTerms[term]?.words.length ?? 0) - 1];
    if (term >= 0 && last) found.push({ start, end: last.end, term });
  }
  return found;
}

/** A term as folded words. */
interface FoldedTerm {
  words: readonly string[];
  isPrefix: boolean;
}

function toFoldedTerm({ text, isPrefix }: Term): FoldedTerm {
  return { words: foldedWords(text), isPrefix };
}

/** Returns the folded words of a text. */
function foldedWords(text: string): string[] {
  return folded(text).match(WORD) ?? [];
}

/**
 * Whether the folded words from index `at` on match a term. The last word of a prefix term only has to begin
 * with the term's last word.
 */
function matchesAt({ words: asked, isPrefix }: FoldedTerm, words: readonly string[], at: number): boolean {
  return (
    asked.length > 0 &&
    asked.every((word, i) => {
      const found = words[at + i];
      return isPrefix && i === asked.length - 1 ? found?.startsWith(word) : found === word;
    })
  );
}

/**
 * Returns the match with the most different terms after it, within the length of a snippet. If several
 * matches are equal, returns the first of these matches.
 */
function bestOf(matches: readonly Match[]): Match | undefined {
  let best: { match: Match; terms: number } | undefined;
  for (const [i, match] of matches.entries()) {
    const near = matches.slice(i).filter(({ start }) => start < match.start + LENGTH - BEFORE);
    const terms = new Set(near.map(({ term }) => term)).size;
    if (!best || terms > best.terms) best = { match, terms };
  }
  return best?.match;
}

/** Returns the start of the first word after a position. Such a snippet does not begin inside “you’ll”. */
function startAfter(text: string, words: readonly Word[], at: number): number {
  return words.find(({ start }) => start >= at && !/['’]/.test(text[start - 1] ?? ""))?.start ?? at;
}

/**
 * Returns the end of the last word before a position. In a text without spaces, returns the position itself.
 */
function endBefore(words: readonly Word[], at: number): number {
  const last = words.findLast(({ end }) => end <= at)?.end ?? at;
  return last > at - LENGTH / 2 ? last : at;
}
