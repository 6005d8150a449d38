import { countWithNoun } from "../count-with-noun.ts";

/**
 * What a sentence may be told: never a value that somebody sent (docs/contract.md#1.3), only what this
 * program knows.
 */
export type Param = string | number | readonly string[];
export type Params = Readonly<Record<string, Param>>;

/** The names of a sentence's places, read from the sentence itself. */
export type PlacesOf<Sentence extends string> = Sentence extends `${string}{${infer Place}}${infer Rest}`
  ? (Place extends `${infer Name}:${string}` ? Name : Place) | PlacesOf<Rest>
  : never;

/**
 * Fills a sentence's places: `{max}` is a number (with its thousands parted), a word or a list of words;
 * `{seconds:second}` is a number with its noun, «1 second», «2 seconds», which is for English alone.
 * `inDigits` says a number in another language.
 */
export function formatSentence(sentence: string, params: Params = {}, inDigits = inEnglish): string {
  return sentence.replace(/\{(\w+)(?::([^}]+))?\}/g, (_, name: string, noun?: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`«${sentence}» is not told its ${name}`);
    const text =
      typeof value === "number" ? inDigits(value) : typeof value === "string" ? value : value.join(", ");
    return noun === undefined || typeof value !== "number" ? text : countWithNoun(value, noun);
  });
}

function inEnglish(value: number): string {
  return value.toLocaleString("en-US");
}
