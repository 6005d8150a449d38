/** The rules of our prose that no library has, over single sentences. `prose.ts` runs them in textlint. */
import { TERMS, type Term } from "./terms.ts";

export type Language = keyof typeof TERMS;

/** What is wrong with a sentence, and what to write instead. */
export interface Fault {
  rule: "length" | "doubled" | "term" | "headless";
  says: string;
}

export type RuleName = Fault["rule"];

/** A sentence as the rules read it: its code spans and URLs are runs of `_`. */
export interface Sentence {
  text: string;
  /** It is a heading, or the whole of a text without a full stop: a label, a button, a cell. */
  isLabel: boolean;
}

/** Words a sentence may have. Spanish needs more of them for the same content. */
export const MOST_WORDS: Readonly<Record<Language, number>> = { en: 25, de: 28, es: 30 };

/** All faults of one sentence. */
export function faultsOf(sentence: Sentence, language: Language): Fault[] {
  return [
    ...lengthFaults(sentence.text, MOST_WORDS[language]),
    ...doubledFaults(sentence.text, language),
    ...termFaults(sentence.text, TERMS[language]),
    ...(language === "en" ? headlessFaults(sentence) : []),
  ];
}

// Length.

/** Words as a reader counts them: a code span is one word, and a list in parentheses is none. */
export function countWords(text: string): number {
  return text
    .replaceAll(/\([^()]*(?:,[^()]*){2}\)|\([_\s,/|]*\)/g, " ")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}_]/u.test(word)).length;
}

function lengthFaults(text: string, most: number): Fault[] {
  const words = countWords(text);
  if (words <= most) return [];
  return [{ rule: "length", says: `${words} words: write two sentences of at most ${most}` }];
}

// Doubled words.

const DOUBLED = /(?<![\p{L}\p{N}_'’-])(\p{L}+)\s+\1(?![\p{L}\p{N}_'’-])/giu;
/** Doublings that are grammatical, such as German “die, die” without its comma. */
const MAY_DOUBLE: Readonly<Record<Language, readonly string[]>> = {
  en: ["that", "had"],
  de: ["die", "der", "das", "sie"],
  es: [],
};

function doubledFaults(text: string, language: Language): Fault[] {
  return [...text.matchAll(DOUBLED)]
    .filter(([, word = ""]) => !MAY_DOUBLE[language].includes(word.toLowerCase()))
    .map(([both]) => ({ rule: "doubled", says: `“${both}”: delete one of the two words` }));
}

// Terms.

function termFaults(text: string, terms: readonly Term[]): Fault[] {
  return terms.flatMap(({ find, write }) => {
    const [found] = find.exec(text) ?? [];
    return found === undefined ? [] : [{ rule: "term" as const, says: `“${found.trim()}”: write ${write}` }];
  });
}

// Sentences without a subject.

const NAME_IT = "begin with the noun that the sentence is about";
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

function headlessFaults({ text, isLabel }: Sentence): Fault[] {
  const sentence = text.replace(/^[\s“"'(*…–-]+/, "");
  if (/\?["”’')\]]*$/.test(sentence)) return [];
  const isHeadless = [HEADLESS, CONCESSIVE, WHERE, THOSE].some((opening) => opening.test(sentence));
  const [first = ""] = sentence.split(/[\s,:.]/, 1);
  if (isHeadless) return [{ rule: "headless", says: `“${first} …” has no subject: ${NAME_IT}` }];
  if (isLabel && BARE_LABEL.test(sentence))
    return [{ rule: "headless", says: `a label begins with “${first}”: name the thing` }];
  return [];
}
