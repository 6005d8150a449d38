import { foldText } from "../../base/text-folding.ts";
import { facetsOf, type IndexedText } from "../fulltext/fulltext.ts";

/** Longest first line that counts as a title, in characters. */
const TITLE_MAX = 120;

/**
 * Returns the search index entry of a post. The indexed title is the tags plus the first line. A post with a
 * single paragraph has only its tags as the title.
 */
export function indexedTextOfPost({
  authorId,
  text,
  tags,
}: {
  authorId: string;
  text: string;
  tags: readonly string[];
}): IndexedText {
  const { title, below } = splitTitle(foldText(text));
  return { title: [title, ...tags].join(" ").trimStart(), text: below, facets: facetsOf({ authorId, tags }) };
}

/** Returns only the title that `indexedTextOfPost` returns. */
export function titleOfPost(text: string, tags: readonly string[]): string {
  return [splitTitle(text).title, ...tags].join(" ");
}

function splitTitle(text: string): { title: string; below: string } {
  const [, first = "", below = ""] = /^\s*(.*)([^]*)$/u.exec(text) ?? [];
  const isTitled = first.length <= TITLE_MAX && below.trim() !== "";
  return isTitled ? { title: first, below } : { title: "", below: text };
}
