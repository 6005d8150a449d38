import { codePoints } from "../../base/check.ts";
import { firstLineOf } from "../../base/title.ts";
import type { Post } from "./feed.ts";

/** The purpose of a post: a launch, a question, a short remark or a story. */
export type PostKind = "launch" | "question" | "aside" | "story";

const LAUNCH = new Set(["launch", "release", "show"]);
const QUESTION = new Set(["ask", "question"]);

/**
 * Matches a line that ends with a question mark, in any supported locale or in Chinese, Japanese or Arabic.
 * Closing quotes and brackets may follow.
 */
const ENDS_WITH_QUESTION = /[?？؟]["'”’»)\]]*$/;

/** Longest text of an aside, in characters. */
const ASIDE_MAX = 140;

/**
 * Classifies a post by its public content (docs/contract.md#9.20). Tags decide first, then a question in the
 * first line. A single short line without heading, list, code or picture is an aside.
 */
export function kindOf({ text, tags, media }: Pick<Post, "text" | "tags" | "media">): PostKind {
  if (tags.some((tag) => LAUNCH.has(tag))) return "launch";
  if (tags.some((tag) => QUESTION.has(tag)) || ENDS_WITH_QUESTION.test(firstLineOf(text))) return "question";
  const isOneLine = !/[\n\r]/.test(text.trim()) && !/^\s*(?:#{1,6}\s|[-*+>]\s|\d+[.)]\s|```|!\[)/.test(text);
  return isOneLine && media.length === 0 && codePoints(text) <= ASIDE_MAX ? "aside" : "story";
}
