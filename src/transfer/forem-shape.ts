import { parseTimestamp } from "../core/base/timestamp.ts";

/**
 * What a Forem tells, read with care: of any value that is not what it should be, a word why and where, and
 * no guess (docs/threats.md#M11). The shapes are those of its API v1 and of the export that it mails to a
 * member.
 */

export interface ForemPerson {
  username: string;
  name: string;
  bio: string;
}

export interface ForemArticle {
  /** Where it was read, for a report: «/ada/hello». */
  place: string;
  /** What it is called there for as long as it exists: its path. */
  id: string;
  /** Its number there, where it is told. */
  number: number | undefined;
  author: ForemPerson | undefined;
  title: string;
  markdown: string;
  html: string;
  tags: readonly string[];
  cover: string;
  /** Where it was published first, where it says so. */
  canonical: string;
  /** When it was published, in ms since the epoch; NaN for what cannot be read. */
  at: number;
  /** How many comments are told of. */
  comments: number;
  /** Those that stand with it. */
  tree: unknown;
}

export interface ForemComment {
  place: string;
  id: string;
  author: ForemPerson | undefined;
  markdown: string;
  html: string;
  at: number;
  /** Whom it answers, where it is no answer to the article itself. */
  answers: string | undefined;
  /** The path of the article, where it is told. */
  article: string | undefined;
}

/** What cannot be brought along: where it stands, and why. */
export interface LeftOut {
  place: string;
  why: string;
}

export function isLeftOut(value: object): value is LeftOut {
  return "why" in value;
}

type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * An article of the API (in a list or alone) or of an export. `author` is who wrote it where it says nothing.
 */
export function readArticle(value: unknown, where: string, author?: ForemPerson): ForemArticle | LeftOut {
  if (!isFields(value)) return { place: where, why: "is not an object" };
  const number = wholeOf(value["id"]);
  const path = pathOf(textOf(value["path"])) ?? pathOf(pathIn(textOf(value["url"])));
  const id = path ?? (number === undefined ? undefined : `article ${number}`);
  if (id === undefined) return { place: where, why: "has neither a path nor an id" };
  const place = path ?? `${where} (${id})`;
  if (value["published"] === false) return { place, why: "is a draft" };
  const title = textOf(value["title"]);
  if (title.trim() === "") return { place, why: "has no title" };
  return {
    place,
    id,
    number,
    author: "user" in value ? personOf(value["user"]) : (exportedAuthor(value) ?? author),
    title,
    markdown: textOf(value["body_markdown"]),
    html: textOf(value["body_html"]) || textOf(value["processed_html"]),
    tags: tagsOf(value),
    cover: textOf(value["cover_image"]) || textOf(value["main_image"]),
    canonical: textOf(value["canonical_url"]),
    at: momentOf(value["published_at"] ?? value["published_timestamp"] ?? value["created_at"]),
    comments: wholeOf(value["comments_count"]) ?? 0,
    tree: value["comments"],
  };
}

/** So many comments of one article are looked at: more is no conversation, but somebody's machine. */
const COMMENTS_MAX = 100_000;

/**
 * The comments of a tree as the API tells it, or of a list, each before those that answer it. Not by calls in
 * calls: they answer each other as deep as somebody likes. One that was deleted there is left out, its
 * answers not.
 */
export function* commentsIn(
  tree: unknown,
  where: string,
  author?: ForemPerson,
): Generator<ForemComment | LeftOut> {
  if (tree === undefined || tree === null) return;
  if (!Array.isArray(tree)) {
    yield { place: `the comments of ${where}`, why: "are not a list" };
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
      yield { place: `the comments of ${where}`, why: `exceed ${COMMENTS_MAX}` };
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
  if (!isFields(value)) return { place: where, why: "is not an object" };
  const id = textOf(value["id_code"]);
  if (!/^[\w-]{1,50}$/.test(id)) return { place: where, why: "has no id_code" };
  const place = `${where} (${id})`;
  if (value["deleted"] === true || isNobody(value["user"]))
    return { place, why: "was deleted or hidden there" };
  return {
    place,
    id,
    author: "user" in value ? personOf(value["user"]) : author,
    markdown: textOf(value["body_markdown"]),
    html: textOf(value["body_html"]) || textOf(value["processed_html"]),
    at: momentOf(value["created_at"]),
    answers,
    article: pathOf(textOf(value["commentable_path"])),
  };
}

/** A comment of nobody has a user with nothing in it. */
function isNobody(user: unknown): boolean {
  return isFields(user) && Object.keys(user).length === 0;
}

/** A person of the API, or undefined for what is none. */
export function personOf(user: unknown): ForemPerson | undefined {
  if (!isFields(user)) return undefined;
  const username = textOf(user["username"]).trim();
  // Longer than any Forem lets a username be.
  if (username === "" || username.length > 100) return undefined;
  return { username, name: textOf(user["name"]) || username, bio: textOf(user["summary"]) };
}

/** Of an article of an export, which holds what one member wrote. */
export function exportedAuthor(value: unknown): ForemPerson | undefined {
  if (!isFields(value)) return undefined;
  const username = textOf(value["cached_user_username"]);
  return personOf({ username, name: textOf(value["cached_user_name"]) || username });
}

/** The list and the text of tags change places between a list of articles and one alone. */
function tagsOf(value: Fields): string[] {
  const told = [value["tags"], value["tag_list"], value["cached_tag_list"]].find(
    (each) => Array.isArray(each) || (typeof each === "string" && each !== ""),
  );
  const names = Array.isArray(told) ? told : textOf(told).split(",");
  return names
    .filter((name) => typeof name === "string")
    .slice(0, 50)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** A time with its zone; seconds since the epoch are none. */
function momentOf(value: unknown): number {
  return typeof value === "string" ? (parseTimestamp(value) ?? NaN) : NaN;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : "";
}

function wholeOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function pathIn(url: string): string {
  return URL.parse(url)?.pathname ?? "";
}

/** `/ada/hello-1a2b`, in one spelling. */
function pathOf(path: string): string | undefined {
  return /^\/[\w.-]{1,100}\/[^\s/?#]{1,300}$/.test(path) ? path.toLowerCase() : undefined;
}
