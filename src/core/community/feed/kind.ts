import { codePoints } from "../../base/check.ts";
import { firstLineOf, plainText } from "../../base/title.ts";
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

/**
 * A first line that is a heading, and a first line that is a paragraph of its own. Each character of the line
 * ends can match in one way only: otherwise a text of many line ends would take minutes.
 */
const HEADING = /^(?:[ \t]*[\n\r])*( {0,3}#{1,6}[ \t][^\n\r]*)(?:\r\n|[\n\r]|$)/;
const PARAGRAPH =
  /^(?:[ \t]*[\n\r])*( {0,3}[\p{L}\p{N}¿"“„«(][^\n\r]*)(?:(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r(?!\n))|$)/u;

/** Marks that a plain title would lose: links, pictures, mentions, code, HTML, entities and escapes. */
const MARKED = /[[\]<@`\\]|:\/\/|www\.|&#?\w+;/i;

/** Longest question that is shown as a title, in characters. */
const QUESTION_MAX = 160;

/**
 * Divides a text into its title and the remaining text. The title is a heading at the beginning. The title of
 * a question can also be its first paragraph, if that is one line with a question mark at its end. The title
 * is plain text, and empty for a post without one.
 */
export function titled({ text }: Pick<Post, "text">, kind: PostKind): { title: string; body: string } {
  const heading = HEADING.exec(text);
  const found = heading ?? (kind === "question" ? PARAGRAPH.exec(text) : null);
  const [all = "", line = ""] = found ?? [];
  const title = MARKED.test(line) ? "" : plainText(line);
  const isTitle = heading !== null || (ENDS_WITH_QUESTION.test(title) && codePoints(title) <= QUESTION_MAX);
  return isTitle && title !== "" ? { title, body: text.slice(all.length) } : { title: "", body: text };
}
