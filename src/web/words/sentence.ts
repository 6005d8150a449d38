import { type Params, say } from "../../core/base/refusals/sentence.ts";
import type { Forms } from "./forms.ts";

/**
 * The sentence of a code of the core: text with places, `{max}`, or a function of the parameters where something is
 * counted. A moment is text by then, so that no sentence parses one.
 */
export type Sentence = string | ((params: Params) => string);

/** Throws for a place that is not told. */
export function sayIn({ number }: Forms, sentence: Sentence, told: Params = {}): string {
  return typeof sentence === "function" ? sentence(told) : say(sentence, told, number);
}
