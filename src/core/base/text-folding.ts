/** Letters that lose no mark when they are taken apart, and what people type for them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "ss",
  æ: "ae",
  Æ: "ae",
  œ: "oe",
  Œ: "oe",
  ø: "o",
  Ø: "o",
  ł: "l",
  Ł: "l",
  đ: "d",
  Đ: "d",
  ð: "d",
  Ð: "d",
  þ: "th",
  Þ: "th",
  ı: "i",
  ﬀ: "ff",
  ﬁ: "fi",
  ﬂ: "fl",
  ﬃ: "ffi",
  ﬄ: "ffl",
  ﬅ: "st",
  ﬆ: "st",
};

/** How far a letter of full width stands from its plain one. */
const FULL_WIDTH = 0xfee0;

const FOLDED = new RegExp(`[${Object.keys(LETTERS).join("")}０-９Ａ-Ｚａ-ｚ＋＃]`, "g");

/**
 * A text as the job search reads it, in the index and in what is asked alike (docs/contract.md#4.1): the
 * tokenizer folds case and accents, this the letters that it does not know as others' forms. Not all of NFKC:
 * it makes letters of signs («Kotlin™» would be kotlintm) and several words of one («½»). Migration 0024 has
 * the same letters for what was written before.
 */
export function foldText(text: string): string {
  return text.replaceAll(
    FOLDED,
    (letter) => LETTERS[letter] ?? String.fromCharCode(letter.charCodeAt(0) - FULL_WIDTH),
  );
}
