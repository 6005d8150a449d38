import { foldText } from "../../base/text-folding.ts";
import { facetsOf, type IndexedText } from "../fulltext/fulltext.ts";
import type { RankedPrompt } from "./prompts.ts";

/** Returns the search index entry of a prompt's current version. Model and category are indexed like tags. */
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
