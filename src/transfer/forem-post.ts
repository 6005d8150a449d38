import type { ImportedPost } from "../core/community/feed/imported-posts.ts";
import { codePoints } from "../core/base/check.ts";
import { slugOf } from "../core/base/slugs.ts";
import type { ForemArticle, ForemComment } from "./forem-shape.ts";
import { beginningOf, fromHtml, fromMarkdown, plainLine } from "./forem-text.ts";

/** A Forem article or comment as a post or reply, without its author. */
type Post = Omit<ImportedPost, "authorId" | "parentId">;

/** Longest text of a post (docs/contract.md#V2.1). */
const TEXT_MAX = 2000;
const TAGS_MAX = 5;
const TITLE_MAX = 200;

/**
 * Puts title, text and cover into one post. If the text is too long, keeps its beginning and links to the
 * whole article; `isCut` is then true.
 */
export function articlePost(article: ForemArticle, host: string): { post: Post; isCut: boolean } {
  const base = `https://${host}`;
  const title = plainLine(article.title, TITLE_MAX).replaceAll(/[\\`*_[\]<]/g, "\\$&");
  const body = article.markdown === "" ? fromHtml(article.html, base) : fromMarkdown(article.markdown, base);
  const { text, isCut } = withLink(
    `# ${title}\n\n${body}`.trim(),
    `Read the full text at ${host}`,
    originalOf(article, base),
  );
  const credit = isCut ? "" : creditOf(article, host);
  const fullText = codePoints(text + credit) > TEXT_MAX ? text : text + credit;
  const cover = /^https:\/\/\S+$/i.test(article.cover) && article.cover.length <= 2048 ? [article.cover] : [];
  return {
    post: { text: fullText, tags: slugsOf(article.tags), media: cover, createdAt: article.at },
    isCut,
  };
}

/**
 * Converts a comment to a reply. A reply to another comment begins with that author's name, because
 * conversations here are one level deep.
 */
export function commentReply(
  comment: ForemComment,
  host: string,
  recipient: string | undefined,
): { post: Post; isCut: boolean } {
  const base = `https://${host}`;
  const body = comment.markdown === "" ? fromHtml(comment.html, base) : fromMarkdown(comment.markdown, base);
  const name = comment.author?.username ?? "";
  const original = `${base}/${encodeURIComponent(name)}/comment/${comment.id}`;
  const text = body === "" || recipient === undefined ? body : `@${plainLine(recipient, 100)} ${body}`;
  const fitting = withLink(text, `Read the full text at ${host}`, original);
  return { post: { text: fitting.text, tags: [], media: [], createdAt: comment.at }, isCut: fitting.isCut };
}

function withLink(text: string, label: string, address: string): { text: string; isCut: boolean } {
  if (codePoints(text) <= TEXT_MAX) return { text, isCut: false };
  const link = `\n\n[${label}](${address})`;
  return { text: beginningOf(text, TEXT_MAX - codePoints(link)) + link, isCut: true };
}

function originalOf({ id }: ForemArticle, base: string): string {
  return id.startsWith("/") ? encodeURI(base + id).replaceAll(/[()]/g, "") : base;
}

/** Returns a link to the first publication, for an article that first appeared elsewhere. */
function creditOf({ canonical }: ForemArticle, host: string): string {
  const url = /^https?:\/\/\S{1,500}$/.test(canonical) ? URL.parse(canonical) : null;
  if (url === null || url.host === host || url.username !== "") return "";
  return `\n\n[First published at ${url.host}](${url.href.replaceAll("(", "%28").replaceAll(")", "%29")})`;
}

function slugsOf(names: readonly string[]): string[] {
  const slugs = names.map(slugOf).filter((slug) => slug !== "" && slug.length <= 50);
  return [...new Set(slugs)].slice(0, TAGS_MAX);
}
