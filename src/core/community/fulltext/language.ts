import { DAY } from "../../base/clock.ts";
import { slugOf } from "../../base/slugs.ts";
import { foldText } from "../../base/text-folding.ts";

/** A word or a quoted phrase to search for. With a trailing `*` it is a prefix. */
export interface Term {
  text: string;
  isPrefix: boolean;
}

/**
 * Maximum number of terms of a query. Further terms are ignored, because further terms narrow the result
 * little and each term costs a lookup.
 */
const TERMS_MAX = 16;
/**
 * Maximum number of prefixes of a query. The limit is low because a prefix costs as much as all words that
 * match the prefix.
 */
const PREFIXES_MAX = 4;
/** Maximum number of `tag:` filters of a query, and of `author:` filters. */
const NAMES_MAX = 5;

/**
 * Parses a query (docs/contract.md#4.5): words, "quoted phrases" and a trailing `*`. No text causes a syntax
 * error. Parts without letters or digits are dropped, and all other characters separate words.
 */
export function parseQuery(text: string): Term[] {
  return toTerms(piecesOf(foldText(text)));
}

/** A parsed query of the search over all content. */
export interface Question {
  terms: readonly Term[];
  /** Slugs. A result must have all of these tags. */
  tags: readonly string[];
  /** Usernames. The author of a result must be one of these builders. */
  authors: readonly string[];
  /** Range of creation times, in ms since the epoch. `from` is inclusive, `until` is exclusive. */
  from?: number | undefined;
  until?: number | undefined;
}

/**
 * Parses a query of the search over all content (docs/contract.md#4.19): the terms of `parseQuery` plus
 * `tag:`, `author:`, `before:` and `after:`. A filter with an invalid value is read as words. `fold` is the
 * text folding of the index.
 */
export function parseQuestion(text: string, fold: (text: string) => string = foldText): Question {
  const found: { words: Piece[]; tags: Set<string>; authors: Set<string>; from: number[]; until: number[] } =
    { words: [], tags: new Set(), authors: new Set(), from: [], until: [] };
  for (const piece of piecesOf(fold(text))) {
    const [, name = "", value = ""] = /^(tag|author|before|after):(.+)$/i.exec(piece.raw) ?? [];
    const field = name.toLowerCase();
    const at = startOf(value);
    const tag = field === "tag" ? slugOf(value) : "";
    if (SLUG.test(tag)) found.tags.add(tag);
    else if (field === "author" && HANDLE.test(value))
      found.authors.add(value.replace("@", "").toLowerCase());
    else if (field === "before" && at !== undefined) found.until.push(at);
    else if (field === "after" && at !== undefined) found.from.push(at);
    else found.words.push(piece);
  }
  return {
    terms: toTerms(found.words),
    tags: [...found.tags].slice(0, NAMES_MAX),
    authors: [...found.authors].slice(0, NAMES_MAX),
    from: found.from.length === 0 ? undefined : Math.max(...found.from),
    until: found.until.length === 0 ? undefined : Math.min(...found.until),
  };
}

/** Whether a query has no terms and no filters. */
export function isEmptyQuestion({ terms, tags, authors, from, until }: Question): boolean {
  return terms.length + tags.length + authors.length === 0 && from === undefined && until === undefined;
}

/** Patterns of `Slug` and `Username`, ignoring case. */
const SLUG = /^(?=.{1,50}$)[a-z0-9]+(?:[-.][a-z0-9]+)*$/i;
const HANDLE = /^@?[a-z0-9](?:[a-z0-9_-]{0,30}[a-z0-9])?$/i;

/** Returns the start of a UTC day, month or year, or undefined for an invalid date. */
function startOf(text: string): number | undefined {
  const [, year, month = "01", day = "01"] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month}-${day}`;
  const at = Date.parse(`${date}T00:00:00.000Z`);
  // Rejects a day that does not exist. `Date.parse` may read February 31 as March 3.
  return at % DAY === 0 && new Date(at).toISOString().startsWith(date) ? at : undefined;
}

/** A part of a query between spaces. If the part is quoted, `phrase` is the text between the quotes. */
interface Piece {
  raw: string;
  phrase: string | undefined;
}

/** A NUL separates words, because it would end an FTS5 expression. */
function* piecesOf(text: string): Generator<Piece> {
  for (const [whole, phrase] of text.replaceAll("\0", " ").matchAll(/"([^"]*)"\*?|[^\s"]+/g))
    yield { raw: whole, phrase };
}

function toTerms(pieces: Iterable<Piece>): Term[] {
  const terms: Term[] = [];
  for (const { raw: whole, phrase } of pieces) {
    const isPrefix = whole.endsWith("*");
    const words = phrase ?? (isPrefix ? whole.replace(/(?<!\*)\*+$/, "") : whole);
    if (!/[\p{L}\p{N}\p{Co}+#]/u.test(words)) continue;
    const isRepeated = terms.some((term) => term.text === words && term.isPrefix === isPrefix);
    const isOneTooMany = isPrefix && terms.filter((term) => term.isPrefix).length >= PREFIXES_MAX;
    if (!isRepeated && !isOneTooMany) terms.push({ text: words, isPrefix });
    if (terms.length === TERMS_MAX) break;
  }
  return terms;
}

/**
 * Returns the FTS5 expression of a term. The term is always quoted, so FTS5 treats no character of the term
 * as an operator.
 */
export function termExpression(term: Term): string {
  return `"${term.text.replaceAll('"', '""')}"${term.isPrefix ? "*" : ""}`;
}

/**
 * Encodes a facet as a single token, whatever characters the value has. The token is a private-use Unicode
 * character, the kind, and the value in hex. Normal text contains no such token.
 */
export function facetToken(kind: string, value: string): string {
  return `\u{E000}${kind}${Buffer.from(value).toString("hex")}`;
}
