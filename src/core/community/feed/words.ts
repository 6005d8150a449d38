import { foldText } from "../../ground/fold.ts";
import { facetsOf, type Words } from "../fulltext/fulltext.ts";

/** A longer first line is no title. */
const TITLE_MAX = 120;

/**
 * A post as its index has it: its tags and its first line, where more stands below it, are the title; a post
 * of one paragraph has none but its tags.
 */
export function wordsOfPost({
  authorId,
  text,
  tags,
}: {
  authorId: string;
  text: string;
  tags: readonly string[];
}): Words {
  const folded = foldText(text);
  const [, first = "", below = ""] = /^\s*(.*)([^]*)$/u.exec(folded) ?? [];
  const isTitled = first.length <= TITLE_MAX && below.trim() !== "";
  return {
    title: [...(isTitled ? [first] : []), ...tags].join(" "),
    text: isTitled ? below : folded,
    facets: facetsOf({ authorId, tags }),
  };
}
