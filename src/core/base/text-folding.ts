/** Letters without a canonical decomposition in Unicode, and the ASCII letters that people type instead. */
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

/** Most texts are ASCII, and testing for ASCII is faster than searching for the letters. */
const IS_ASCII = /^[\0-\x7F]*$/;

/** Distance between a full-width character and its ASCII form. */
const FULL_WIDTH = 0xfee0;

const FOLDED = new RegExp(`[${Object.keys(LETTERS).join("")}０-９Ａ-Ｚａ-ｚ＋＃]`, "g");

/**
 * Folds a text for the job search, both in the index and in queries (docs/contract.md#4.1). The tokenizer
 * folds case and accents. This function replaces the letters that the tokenizer does not decompose. Full NFKC
 * would change too much: NFKC turns symbols into letters (“Kotlin™” into kotlintm) and one word into several
 * words (“½”). Migration 0024 uses the same letters for older rows.
 */
export function foldText(text: string): string {
  if (IS_ASCII.test(text)) return text;
  return text.replaceAll(
    FOLDED,
    (letter) => LETTERS[letter] ?? String.fromCharCode(letter.charCodeAt(0) - FULL_WIDTH),
  );
}

/**
 * Cyrillic and Greek letters that look like ASCII letters, in both cases. Unicode's full table of confusables
 * (UTS #39) has 6,000 rows. Most are in scripts that cannot imitate a whole Latin name.
 */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [
    "aАаΑα bВΒ cСсϹϲ eЕеΕ gԌԍ hНһΗ iІіΙι jЈјϳ kКкΚκ lӀӏ mМΜ nΝ oОоΟο pРрΡρ qԚԛ sЅѕ tТΤ uυ vѴѵν wԜԝ",
    "xХхΧχ yУуΥ zΖ dԁ hӊ nп",
  ]
    .join(" ")
    .split(" ")
    .flatMap(([letter = "", ...others]) => others.map((other): [string, string] => [other, letter])),
);

/**
 * Folds a text for comparisons that a writer may try to evade. The result is in lower case and has
 * compatibility forms. Cyrillic and Greek letters become the Latin letters that they look like. Accents
 * become separate combining characters.
 */
export function foldLookAlikes(text: string): string {
  if (IS_ASCII.test(text)) return text.toLowerCase();
  return foldText(text.normalize("NFKD"))
    .replace(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu, (letter) => LOOK_ALIKES.get(letter) ?? letter)
    .toLowerCase();
}
