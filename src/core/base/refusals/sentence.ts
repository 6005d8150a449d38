import { countWithNoun } from "../count-with-noun.ts";

/**
 * A parameter of a message. It is a value that this program knows, never input of the client
 * (docs/contract.md#1.3).
 */
export type Param = string | number | readonly string[];
export type Params = Readonly<Record<string, Param>>;

/** Names of a message's placeholders, derived from its text. */
export type PlaceholdersOf<Sentence extends string> =
  Sentence extends `${string}{${infer Place}}${infer Rest}`
    ? (Place extends `${infer Name}:${string}` ? Name : Place) | PlaceholdersOf<Rest>
    : never;

/**
 * Fills the placeholders of a message. `{max}` takes a number (with thousands separators), a word or a list
 * of words. `{seconds:second}` takes a number and adds the noun: “1 second”, “2 seconds”. Nouns work in
 * English only. `inDigits` formats numbers for another language.
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
