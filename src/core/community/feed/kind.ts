import { codePoints } from "../../base/check.ts";
import { firstLineOf } from "../../base/title.ts";
import type { Post } from "./feed.ts";

/**
 * What somebody does with a post: they show what they made, they ask, they say something in passing, or they
 * tell.
 */
export type PostKind = "launch" | "question" | "aside" | "story";

const LAUNCH = new Set(["launch", "release", "show"]);
const QUESTION = new Set(["ask", "question"]);

/** As the languages of the pages end a question, and Chinese, Japanese and Arabic. */
const ASKS = /[?？؟]["'”’»)\]]*$/;

/** What fits on a line or two is no story. */
const ASIDE_MAX = 140;

/**
 * Which of them it is, by what everybody sees of it (docs/contract.md#9.20): its tags first, then whether its
 * first line asks, then whether it is no more than a line: short, without heading, list, code or picture.
 */
export function kindOf({ text, tags, media }: Pick<Post, "text" | "tags" | "media">): PostKind {
  if (tags.some((tag) => LAUNCH.has(tag))) return "launch";
  if (tags.some((tag) => QUESTION.has(tag)) || ASKS.test(firstLineOf(text))) return "question";
  const isOneLine = !/[\n\r]/.test(text.trim()) && !/^\s*(?:#{1,6}\s|[-*+>]\s|\d+[.)]\s|```|!\[)/.test(text);
  return isOneLine && media.length === 0 && codePoints(text) <= ASIDE_MAX ? "aside" : "story";
}
