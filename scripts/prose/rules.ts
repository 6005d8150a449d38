/** The rules of our prose that no library has, over single sentences. `prose.ts` runs them in textlint. */
import { TERMS, type Term } from "./terms.ts";

/** A language of pages and documents, or English as the demo's members write it. */
export type Voice = keyof typeof TERMS;

/** What is wrong with a sentence, and what to write instead. */
export interface Fault {
  rule: "length" | "doubled" | "term" | "headless";
  says: string;
}

/** A sentence as the rules read it. */
export interface Sentence {
  /** On one line; each character of code and of URLs is `CODE`. */
  text: string;
  /** It is a heading, or the whole of a text without a full stop: a label, a button, a cell. */
  isLabel: boolean;
  /** It begins its text, in which case it may begin with a small letter. */
  isFirst: boolean;
}

/** A capital letter that no text has: a sentence may begin with code. */
export const CODE = "Ξ";

/** Words that a sentence may have. Spanish needs more of them for the same content; members write as they like. */
const MOST_WORDS: Readonly<Record<Voice, number>> = { en: 25, de: 28, es: 30, members: 60 };

/** All faults of one sentence. */
export function faultsOf(sentence: Sentence, voice: Voice): Fault[] {
  return [
    ...lengthFaults(sentence.text, MOST_WORDS[voice]),
    ...doubledFaults(sentence.text, voice),
    ...termFaults(sentence.text, TERMS[voice]),
    ...(voice === "en" ? headlessFaults(sentence) : []),
  ];
}

// Length.

/** `code`: or `code` (`field`): before a sentence, as lists define terms. */
export const DEFINED = /^Ξ+(?: \(Ξ+\))?: /;
const IN_PARENTHESES = /\(([^()]*)\)/g;
/** Five and more single words: values, not a sentence that is read. */
const VALUES = /(?:[\p{L}\p{N}_-]+, ){4,}(?:(?:or|and) )?[\p{L}\p{N}_-]+(?: (?:or|and) [\p{L}\p{N}_-]+)?/gu;

/** Words as a reader counts them: code is one word, a list of values too, and a list in parentheses is none. */
export function countWords(text: string): number {
  return text
    .replace(DEFINED, "")
    .replaceAll(IN_PARENTHESES, (aside, inner: string) => (isList(inner) ? " " : aside))
    .replaceAll(VALUES, "values")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Code alone, or three and more items of a few words. */
function isList(text: string): boolean {
  if (/^[Ξ\s,/|]*$/.test(text)) return true;
  const items = text.split(/[,;](?: (?:or|and|oder|und|o|y)\b)?/);
  return items.length > 2 && items.every((item) => item.trim().split(/\s+/).length <= ITEM_WORDS);
}

const ITEM_WORDS = 7;

function lengthFaults(text: string, most: number): Fault[] {
  const words = countWords(text);
  if (words <= most) return [];
  return [{ rule: "length", says: `${words} words: write sentences of at most ${most}` }];
}

// Doubled words.

const DOUBLED = /(?<![\p{L}\p{N}_'’.-])(?!Ξ)(\p{L}+)\s+\1(?![\p{L}\p{N}_'’-])/giu;
/** Doublings that are grammatical, such as German “die, die” without its comma, or Spanish “de la a a la z”. */
const MAY_DOUBLE: Readonly<Record<Voice, readonly string[]>> = {
  // The user and the command of `sudo -u guildhall guildhall doctor`.
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

// Terms.

function termFaults(text: string, terms: readonly Term[]): Fault[] {
  return terms.flatMap(({ find, write }) => {
    const all = text.matchAll(new RegExp(find, `${find.flags}g`));
    const found = [...all].find((each) => !isMention(text, each));
    return found ? [{ rule: "term" as const, says: `“${found[0].trim()}”: write ${write}` }] : [];
  });
}

/** A phrase alone in quotation marks is spoken about. */
function isMention(text: string, { 0: phrase, index }: RegExpExecArray): boolean {
  return text[index - 1] === "“" && text[index + phrase.length] === "”";
}

// Sentences without a subject.

/** These begin a question or a clause, and never a statement or a label. */
const HEADLESS = /^(?:Who|Whose|Whom|What|Which|That which)\b(?!['’]s new\b)/;
/** “Whatever you choose, you can change it later” has a main clause after the comma. */
const CONCESSIVE = /^(?:Whatever|Whichever|Wherever)\b[^,]*$/;
/** “Where members read, guests see …” has one, too. */
const WHERE = /^Where\b[^,:]*$/;
/** “Those of v1 stay” has no noun; “Those tokens stay” has one. */
const THOSE =
  /^(?:Those|Theirs|Ours|Yours)(?: (?:that|which|of|in|on|at|with|for|from|to|are|have|it)\b|[,:.]|$)/;
const BARE_LABEL = /^(?:It|They|Them)\b/;
const QUESTION = /\?["”’)\]]*$/;

function headlessFaults({ text, isLabel, isFirst }: Sentence): Fault[] {
  const bare = text.replace(/^[\s“"'(*…–-]+/, "");
  // A description may begin with a small letter: “where backups are stored”.
  const sentence = isFirst ? bare.charAt(0).toUpperCase() + bare.slice(1) : bare;
  if (QUESTION.test(sentence)) return [];
  const [first = ""] = bare.split(/[\s,:.]/, 1);
  if ([HEADLESS, CONCESSIVE, WHERE, THOSE].some((opening) => opening.test(sentence))) {
    const says = `“${first} …” has no subject: begin with the noun that it is about`;
    return [{ rule: "headless", says }];
  }
  if (isLabel && BARE_LABEL.test(sentence))
    return [{ rule: "headless", says: `“${first} …” is a label: name the thing` }];
  return [];
}
