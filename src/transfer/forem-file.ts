import { readFileSync, statSync } from "node:fs";
import { unzipSync } from "fflate";
import { foldUsername } from "../core/identity/builders/username.ts";
import type { ForemSource } from "./forem.ts";
import {
  commentsIn,
  exportedAuthor,
  type ForemArticle,
  type ForemPerson,
  isFields,
  personOf,
  readArticle,
} from "./forem-shape.ts";
import { TransferRefused, reason } from "./transfer-refused.ts";

/**
 * Reads a file of a Forem community: the ZIP or a JSON file of a member's export, or JSON from its API. API
 * JSON is a list of articles, each with its `comments` if known, or `{ articles, comments, users }`.
 */

/** Maximum size of a file, in bytes. A community's texts are far smaller; larger files must be split. */
const FILE_MAX = 256 * 2 ** 20;
const PARTS = ["articles.json", "comments.json", "users.json"] as const;
type Parts = { [Name in "articles" | "comments" | "users"]?: unknown };

export interface FileOptions {
  /** Host of the community, which an export does not contain. */
  from: string | undefined;
  /** Username that is used as the author of items without an author. */
  author: string | undefined;
  /** Maximum number of bytes to read, both compressed and expanded. */
  most?: number;
}

/** Throws TransferRefused if the file has none of these formats. */
export function openForemFile(path: string, options: FileOptions): ForemSource {
  const { from, author, most = FILE_MAX } = options;
  const parts = partsOf(readBytes(path, most), path, most);
  const raw = listOf(parts.articles, "articles", path);
  const host = hostOf(from, raw, path);
  const people = new Map<string, ForemPerson>();
  for (const user of listOf(parts.users, "users", path)) {
    const person = personOf(user);
    if (person) people.set(foldUsername(person.username), person);
  }
  // A member's export has one author. The comments in the export do not name that author.
  const writer = author === undefined ? exportedAuthor(raw[0]) : personOf({ username: author });
  const trees = isFields(parts.comments) ? parts.comments : {};
  const looseComments = isFields(parts.comments) ? [] : listOf(parts.comments, "comments", path);
  const source = (): Omit<ForemSource, "ahead"> => ({
    host,
    total: raw.length,
    articles: read(raw, writer),
    withText: async (article) => article,
    comments: (article) => commentsIn(treeOf(article, trees), article.location, writer),
    about: async (person) => {
      const knownPerson = people.get(foldUsername(person.username));
      return knownPerson ? { ...knownPerson, username: person.username } : person;
    },
    orphanComments: commentsIn(looseComments, path, writer),
  });
  return { ...source(), ahead: source };
}

function* read(articles: readonly unknown[], writer: ForemPerson | undefined) {
  for (const [index, article] of articles.entries())
    yield readArticle(article, `article ${index + 1}`, writer);
}

function treeOf({ tree, number }: ForemArticle, trees: Readonly<Record<string, unknown>>): unknown {
  return tree ?? (number === undefined ? undefined : trees[String(number)]);
}

function readBytes(path: string, most: number): Uint8Array {
  let size: number;
  try {
    const file = statSync(path);
    if (!file.isFile())
      throw new TransferRefused(`${path} is not a file. Name the ZIP or JSON file from the Forem.`);
    size = file.size;
    if (size <= most) return readFileSync(path);
  } catch (error) {
    if (error instanceof TransferRefused) throw error;
    throw new TransferRefused(`${path} cannot be read (${reason(error)}).`);
  }
  throw new TransferRefused(
    `${path} is larger than ${inMib(most)}. Split it, or import from the Forem's URL.`,
  );
}

function partsOf(bytes: Uint8Array, path: string, most: number): Parts {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (isZip) return zipped(bytes, path, most);
  const value = parsed(bytes, path);
  if (Array.isArray(value)) {
    const isComments = isFields(value[0]) && "id_code" in value[0];
    return isComments ? { comments: value } : { articles: value };
  }
  if (isFields(value) && ["articles", "comments", "users"].some((name) => name in value)) return value;
  throw new TransferRefused(
    `${path} is neither a list of articles or comments, nor an object with articles in it.`,
  );
}

/** Expands only the known files, in memory. A malicious name in the archive therefore has no effect. */
function zipped(bytes: Uint8Array, path: string, most: number): Parts {
  const found = new Map<string, string>();
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(bytes, {
      filter({ name, originalSize }) {
        const part = PARTS.find((each) => name === each || name.endsWith(`/${each}`));
        if (part === undefined) return false;
        if (found.has(part)) throw new TransferRefused(`${path} has more than one ${part}.`);
        if (originalSize > most)
          throw new TransferRefused(`${part} in ${path} is larger than ${inMib(most)}.`);
        found.set(part, name);
        return true;
      },
    });
  } catch (error) {
    if (error instanceof TransferRefused) throw error;
    throw new TransferRefused(`${path} is a damaged ZIP file. Request the export again.`);
  }
  const part = (name: (typeof PARTS)[number]): unknown => {
    const at = found.get(name);
    return at === undefined ? undefined : parsed(files[at] ?? new Uint8Array(), `${name} in ${path}`);
  };
  if (found.size === 0)
    throw new TransferRefused(`${path} contains neither articles.json nor comments.json.`);
  return { articles: part("articles.json"), comments: part("comments.json"), users: part("users.json") };
}

function parsed(bytes: Uint8Array, path: string): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    // JSON that is nested too deeply also counts as invalid.
    const why = error instanceof TypeError ? "is not UTF-8" : "is not valid JSON";
    throw new TransferRefused(`${path} ${why}. Request the export again.`);
  }
}

function listOf(value: unknown, what: string, path: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new TransferRefused(`The ${what} in ${path} are not a list.`);
}

/** Returns the host of the community. Without `from`, uses the host of the articles' URLs. */
function hostOf(from: string | undefined, articles: readonly unknown[], path: string): string {
  const told = articles
    .slice(0, 100)
    .map((article) =>
      isFields(article) && typeof article["url"] === "string" ? URL.parse(article["url"]) : null,
    )
    .find((url) => url !== null && url.host !== "")?.host;
  const host = (from ?? told ?? "").toLowerCase();
  if (isHost(host)) return host;
  throw new TransferRefused(
    from === undefined
      ? `${path} does not name its Forem. Add --from with its host, such as --from dev.to.`
      : "--from must be the host of the Forem, such as dev.to.",
  );
}

export function isHost(text: string): boolean {
  return /^[a-z0-9][a-z0-9.-]{0,250}(?::\d{1,5})?$/i.test(text);
}

function inMib(bytes: number): string {
  return `${Math.floor(bytes / 2 ** 20)} MiB`;
}
