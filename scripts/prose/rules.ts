/**
 * Our rules for single sentences, in addition to the rules of textlint packages. prose.ts runs these rules in
 * textlint.
 */
import { TERMS, type Term } from "./terms.ts";

/** The voice of a text: a language of our own texts, or the English of the demo's members. */
export type Voice = keyof typeof TERMS;

/** A fault in a sentence. `says` is the message: what is wrong, and what to write instead. */
export interface Fault {
  rule: "length" | "doubled" | "term" | "headless";
  says: string;
}

/** A sentence in the form that the rules check. */
export interface Sentence {
  /** The sentence on one line, with `CODE` for each character of code and of URLs. */
  text: string;
  /**
   * Whether the sentence is a heading, or a whole text without a full stop, such as a label, a button or a
   * table cell.
   */
  isLabel: boolean;
  /**
   * Whether the sentence is the first of its text. Only such a sentence may begin with a lower-case letter.
   */
  isFirst: boolean;
}

/**
 * Placeholder for each character of code. The placeholder is a capital letter, because a sentence may begin
 * with code. Our texts never contain this letter.
 */
export const CODE = "Ξ";

/**
 * Maximum number of words in a sentence. Spanish needs more words for the same content. The limit for the
 * demo's members is high, because members write as they like.
 */
const MOST_WORDS: Readonly<Record<Voice, number>> = { en: 25, de: 28, es: 30, members: 60 };

/** Returns all faults of a sentence. */
export function faultsOf(sentence: Sentence, voice: Voice): Fault[] {
  return [
    ...lengthFaults(sentence.text, MOST_WORDS[voice]),
    ...doubledFaults(sentence.text, voice),
    ...termFaults(sentence.text, TERMS[voice]),
    ...(voice === "en" ? headlessFaults(sentence) : []),
  ];
}

// Rule `length`.

/**
 * Matches the term at the start of a list item: code and a colon, with a field name in parentheses or
 * without.
 */
export const DEFINED = /^Ξ+(?: \(Ξ+\))?: /;
const IN_PARENTHESES = /\(([^()]*)\)/g;
/**
 * Matches five or more single words with commas. Such a list contains values and is not read as a sentence.
 */
const VALUES = /(?:[\p{L}\p{N}_-]+, ){4,}(?:(?:or|and) )?[\p{L}\p{N}_-]+(?: (?:or|and) [\p{L}\p{N}_-]+)?/gu;

/**
 * Returns the number of words as a reader counts them. Code counts as one word, and so does a list of values.
 * Code alone and a list in parentheses do not count.
 */
export function countWords(text: string): number {
  if (CODE_ALONE.test(text)) return 0;
  return text
    .replace(DEFINED, "")
    .replaceAll(IN_PARENTHESES, (aside, inner: string) => (isList(inner) ? " " : aside))
    .replaceAll(VALUES, "values")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

const CODE_ALONE = /^[Ξ\s,/|]*$/;

/** Whether a text is only code, or a list of at least three items of at most `ITEM_WORDS` words each. */
function isList(text: string): boolean {
  if (CODE_ALONE.test(text)) return true;
  const items = text.split(/[,;](?: (?:or|and|oder|und|o|y)\b)?/);
  return items.length > 2 && items.every((item) => item.trim().split(/\s+/).length <= ITEM_WORDS);
}

const ITEM_WORDS = 7;

function lengthFaults(text: string, most: number): Fault[] {
  const words = countWords(text);
  if (words <= most) return [];
  return [{ rule: "length", says: `${words} words: write sentences of at most ${most}` }];
}

// Rule `doubled`.

const DOUBLED = /(?<![\p{L}\p{N}_'’.-])(?!Ξ)(\p{L}+)\s+\1(?![\p{L}\p{N}_'’-])/giu;
/** Doubled words that are correct, such as in German “die, die” without the comma. */
const MAY_DOUBLE: Readonly<Record<Voice, readonly string[]>> = {
  // `sudo -u guildhall guildhall doctor` names the user and the command.
  en: ["that", "had", "guildhall"],
  members: ["that", "had"],
  de: ["die", "der", "das", "sie"],
  es: ["a"],
};

function doubledFaults(text: string, voice: Voice): Fault[] {
  return [...text.matchAll(DOUBLED)]
    .filter(([, word = ""]) => !MAY_DOUBLE[voice].includes(word.toLowerCase()))
    .map(([both]) => ({ rule: "doubled", says: `“${both}”: delete one of the two words` }));
}

// Rule `term`.

function termFaults(text: string, terms: readonly Term[]): Fault[] {
  return terms.flatMap(({ find, write }) => {
    const all = text.matchAll(new RegExp(find, `${find.flags}g`));
    const found = [...all].find((each) => !isMention(text, each));
    return found ? [{ rule: "term" as const, says: `“${found[0].trim()}”: write ${write}` }] : [];
  });
}

/** Whether a phrase is alone in quotation marks. The sentence then only mentions the phrase. */
function isMention(text: string, { 0: phrase, index }: RegExpExecArray): boolean {
  return text[index - 1] === "“" && text[index + phrase.length] === "”";
}

// Rule `headless`: sentences without a subject.

/**
 * Matches the first words of a question or a clause. A statement or a label never begins with these words.
 */
const HEADLESS = /^(?:Who|Whose|Whom|What|Which|That which)\b(?!['’]s new\b)/;
/**
 * Matches a clause without a main clause. “Whatever you choose, you can change it later” has a main clause
 * after the comma.
 */
const CONCESSIVE = /^(?:Whatever|Whichever|Wherever)\b[^,]*$/;
/**
 * Matches a clause without a main clause. “Where members read, guests see …” has a main clause after the
 * comma.
 */
const WHERE = /^Where\b[^,:]*$/;
/** Matches a pronoun without a noun, as in “Those of v1 stay”. “Those tokens stay” has a noun. */
const THOSE =
  /^(?:Those|Theirs|Ours|Yours)(?: (?:that|which|of|in|on|at|with|for|from|to|are|have|it)\b|[,:.]|$)/;
const BARE_LABEL = /^(?:It|They|Them)\b/;
const QUESTION = /\?["”’)\]]*$/;

function headlessFaults({ text, isLabel, isFirst }: Sentence): Fault[] {
  const bare = text.replace(/^[\s“"'(*…–-]+/, "");
  // A description may begin with a lower-case letter: “where backups are stored”.
  const sentence = isFirst ? bare.charAt(0).toUpperCase() + bare.slice(1) : bare;
  if (QUESTION.test(sentence)) return [];
  const [first = ""] = bare.split(/[\s,:.]/, 1);
  if ([HEADLESS, CONCESSIVE, WHERE, THOSE].some((opening) => opening.test(sentence))) {
    const message = `“${first} …” has no subject: begin with the noun that it is about`;
    return [{ rule: "headless", says: message }];
  }
  if (isLabel && BARE_LABEL.test(sentence))
    return [{ rule: "headless", says: `“${first} …” is a label: name the thing` }];
  return [];
}
