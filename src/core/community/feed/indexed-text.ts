import { foldText } from "../../base/text-folding.ts";
import { facetsOf, type IndexedText } from "../fulltext/fulltext.ts";

/** A longer first line is no title. */
const TITLE_MAX = 120;

/**
 * A post as its index has it: its tags and its first line, where more stands below it, are the title; a post
 * of one paragraph has none but its tags.
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
  const { title, below } = parted(foldText(text));
  return { title: [title, ...tags].join(" ").trimStart(), text: below, facets: facetsOf({ authorId, tags }) };
}

/** The same title alone. */
export function titleOfPost(text: string, tags: readonly string[]): string {
  return [parted(text).title, ...tags].join(" ");
}

function parted(text: string): { title: string; below: string } {
  const [, first = "", below = ""] = /^\s*(.*)([^]*)$/u.exec(text) ?? [];
  const isTitled = first.length <= TITLE_MAX && below.trim() !== "";
  return isTitled ? { title: first, below } : { title: "", below: text };
}
