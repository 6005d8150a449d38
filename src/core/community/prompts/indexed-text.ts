import { foldText } from "../../base/text-folding.ts";
import { facetsOf, type IndexedText } from "../fulltext/fulltext.ts";
import type { RankedPrompt } from "./prompts.ts";

/** A prompt as its index has it, in its current version: found by its model and category as by tags. */
export function indexedTextOfPrompt({
  authorId,
  title,
  body,
  model,
  category,
}: Pick<RankedPrompt, "authorId" | "title" | "body" | "model" | "category">): IndexedText {
  const tags = [...new Set([model, category])];
  return {
    title: foldText([title, ...tags].join(" ")),
    text: foldText(body),
    facets: facetsOf({ authorId, tags }),
  };
}
