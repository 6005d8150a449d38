import { parseTimestamp } from "../core/base/timestamp.ts";

/**
 * Parses data of a Forem. If a value has the wrong type, the parser does not guess. The value is reported
 * with its location and the reason (docs/threats.md#M11). The formats are the formats of API v1 and of a
 * member's export.
 */

export interface ForemPerson {
  username: string;
  name: string;
  bio: string;
}

export interface ForemArticle {
  /** Where the article was read, for a report, such as “/ada/hello”. */
  location: string;
  /** Permanent id on the Forem: the article's path. */
  id: string;
  /** The article's number on the Forem, if known. */
  number: number | undefined;
  author: ForemPerson | undefined;
  title: string;
  markdown: string;
  html: string;
  tags: readonly string[];
  cover: string;
  /** URL of the first publication, if the article has one. */
  canonical: string;
  /** Time of publication, in ms since the epoch. NaN if unreadable. */
  at: number;
  /** Number of comments that the Forem reports. */
  comments: number;
  /** Comments that are included with the article. */
  tree: unknown;
}

export interface ForemComment {
  location: string;
  id: string;
  author: ForemPerson | undefined;
  markdown: string;
  html: string;
  at: number;
  /**
   * This comment answers a comment of the author with this username. Undefined if this comment answers the
   * article itself.
   */
  answers: string | undefined;
  article: string | undefined;
}

/** An item that cannot be imported: where it was read, and why. */
export interface LeftOut {
  location: string;
  reason: string;
}

export function isLeftOut(value: object): value is LeftOut {
  return "reason" in value;
}

type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Parses an article from the API (in a list or alone) or from an export. If the article names no author,
 * `author` is the author.
 */
export function readArticle(value: unknown, where: string, author?: ForemPerson): ForemArticle | LeftOut {
  if (!isFields(value)) return { location: where, reason: "is not an object" };
  const number = integerOf(value["id"]);
  const path = pathOf(textOf(value["path"])) ?? pathOf(pathIn(textOf(value["url"])));
  const id = path ?? (number === undefined ? undefined : `article ${number}`);
  if (id === undefined) return { location: where, reason: "has neither a path nor an id" };
  const location = path ?? `${where} (${id})`;
  if (value["published"] === false) return { location, reason: "is a draft" };
  const title = textOf(value["title"]);
  if (title.trim() === "") return { location, reason: "has no title" };
  return {
    location,
    id,
    number,
    author: "user" in value ? personOf(value["user"]) : (exportedAuthor(value) ?? author),
    title,
    markdown: textOf(value["body_markdown"]),
    html: textOf(value["body_html"]) || textOf(value["processed_html"]),
    tags: tagsOf(value),
    cover: textOf(value["cover_image"]) || textOf(value["main_image"]),
    canonical: textOf(value["canonical_url"]),
    at: parseTime(value["published_at"] ?? value["published_timestamp"] ?? value["created_at"]),
    comments: integerOf(value["comments_count"]) ?? 0,
    tree: value["comments"],
  };
}

/** Maximum number of comments per article. More comments are not a real conversation. */
const COMMENTS_MAX = 100_000;

/**
 * Yields the comments of an API tree or of a list, each before its replies. Iterative, because replies can be
 * nested to any depth. Skips a deleted comment but not its replies.
 */
export function* commentsIn(
  tree: unknown,
  where: string,
  author?: ForemPerson,
): Generator<ForemComment | LeftOut> {
  if (tree === undefined || tree === null) return;
  if (!Array.isArray(tree)) {
    yield { location: `the comments of ${where}`, reason: "are not a list" };
    return;
  }
  const todo: { value: unknown; answers: string | undefined }[] = [];
  const push = (values: readonly unknown[], answers: string | undefined): void => {
    for (let i = values.length - 1; i >= 0; i--) todo.push({ value: values[i], answers });
  };
  push(tree, undefined);
  let count = 0;
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (++count > COMMENTS_MAX) {
      yield { location: `the comments of ${where}`, reason: `exceed ${COMMENTS_MAX}` };
      return;
    }
    const read = readComment(next.value, `a comment on ${where}`, next.answers, author);
    yield read;
    const children = isFields(next.value) ? next.value["children"] : undefined;
    const isKnown = !isLeftOut(read) && read.author !== undefined;
    if (Array.isArray(children)) push(children, isKnown ? read.author?.username : undefined);
  }
}

function readComment(
  value: unknown,
  where: string,
  answers: string | undefined,
  author: ForemPerson | undefined,
): ForemComment | LeftOut {
  if (!isFields(value)) return { location: where, reason: "is not an object" };
  const id = textOf(value["id_code"]);
  if (!/^[\w-]{1,50}$/.test(id)) return { location: where, reason: "has no id_code" };
  const location = `${where} (${id})`;
  if (value["deleted"] === true || isMissingUser(value["user"]))
    return { location, reason: "was deleted or hidden there" };
  return {
    location,
    id,
    author: "user" in value ? personOf(value["user"]) : author,
    markdown: textOf(value["body_markdown"]),
    html: textOf(value["body_html"]) || textOf(value["processed_html"]),
    at: parseTime(value["created_at"]),
    answers,
    article: pathOf(textOf(value["commentable_path"])),
  };
}

/** Whether a comment has no author. The API then sends an empty `user` object. */
function isMissingUser(user: unknown): boolean {
  return isFields(user) && Object.keys(user).length === 0;
}

/** Parses a person of the API. Returns undefined if the value is not a person. */
export function personOf(user: unknown): ForemPerson | undefined {
  if (!isFields(user)) return undefined;
  const username = textOf(user["username"]).trim();
  // No Forem allows longer usernames.
  if (username === "" || username.length > 100) return undefined;
  return { username, name: textOf(user["name"]) || username, bio: textOf(user["summary"]) };
}

/** Returns the author of an exported article. An export contains the articles of one member. */
export function exportedAuthor(value: unknown): ForemPerson | undefined {
  if (!isFields(value)) return undefined;
  const username = textOf(value["cached_user_username"]);
  return personOf({ username, name: textOf(value["cached_user_name"]) || username });
}

/** The API swaps the types of `tags` and `tag_list` between a list of articles and a single article. */
function tagsOf(value: Fields): string[] {
  const rawTags = [value["tags"], value["tag_list"], value["cached_tag_list"]].find(
    (each) => Array.isArray(each) || (typeof each === "string" && each !== ""),
  );
  const names = Array.isArray(rawTags) ? rawTags : textOf(rawTags).split(",");
  return names
    .filter((name) => typeof name === "string")
    .slice(0, 50)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Parses a timestamp with a time zone. Returns NaN for anything else, such as seconds since the epoch. */
function parseTime(value: unknown): number {
  return typeof value === "string" ? (parseTimestamp(value) ?? NaN) : NaN;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : "";
}

function integerOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function pathIn(url: string): string {
  return URL.parse(url)?.pathname ?? "";
}

/** Returns a path such as `/ada/hello-1a2b`, in lower case. */
function pathOf(path: string): string | undefined {
  return /^\/[\w.-]{1,100}\/[^\s/?#]{1,300}$/.test(path) ? path.toLowerCase() : undefined;
}
