import { foldLookAlikes } from "./text-folding.ts";

/*
 * Words and hosts that hold a post (docs/contract.md#12.39). A community writes one per line. The comparison
 * uses no pattern of a user, so that its time is linear in the length of the text.
 */

/** Returns the lines of a list without blanks at their ends, and without empty lines. */
export function linesOf(list: string): string[] {
  return list
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Scripts that put no blanks between words. Each of their characters counts as a word. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const WORD = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+`, "gu");

/** Characters that readers do not see inside a word: combining and invisible characters, Markdown marks. */
const UNSEEN = /[\p{M}\p{Cf}*_~`\\]+/gu;

/** Four or more single letters, such as a word that is written with a blank or a dot after each letter. */
const SPACED = new RegExp(String.raw`(?<= )(?:(?![${UNSPACED}])\p{L} ){4,}`, "gu");

/**
 * Returns the words of a text for comparisons, separated and surrounded by single blanks. The words are in
 * lower case, without accents, invisible characters and Markdown marks. Letters of other scripts become the
 * Latin letters that they look like, and single letters in a row become one word. Empty for a text without
 * words.
 */
export function tokensOf(text: string): string {
  const words = foldLookAlikes(text).replace(UNSEEN, "").match(WORD);
  return words ? ` ${words.join(" ")} `.replace(SPACED, (run) => `${run.replaceAll(" ", "")} `) : "";
}
