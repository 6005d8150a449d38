import { type Params, say } from "../../core/ground/refusals/say.ts";
import type { Forms } from "./forms.ts";

/**
 * What is told by a code of the core: text with places, `{max}`, or a function of what stands in them where
 * something is counted.
 */
export type Sentence = string | ((told: Params) => string);

/** Throws for a place that is not told. */
export function sayIn({ number }: Forms, sentence: Sentence, told: Params = {}): string {
  return typeof sentence === "function" ? sentence(told) : say(sentence, told, number);
}
