import { DAY } from "../../base/clock.ts";
import { foldText } from "../../base/text-folding.ts";

/** One thing to look for: a word or a quoted phrase, whole or (with a trailing `*`) as a beginning. */
export interface Term {
  text: string;
  isPrefix: boolean;
}

/**
 * More words than this are left out: they narrow nothing that sixteen have not narrowed, and each costs a
 * look-up.
 */
const TERMS_MAX = 16;
/** A beginning stands for many words, and each costs as much as they do together. */
const PREFIXES_MAX = 4;
/** So many of each of `tag:` and `author:`. */
const NAMES_MAX = 5;

/**
 * Reads a query as people write it (docs/contract.md#4.5): words, "quoted phrases", a trailing `*`. Nothing
 * is a syntax error: what holds no letter or digit is left out, and every other sign is only a space between
 * words.
 */
export function parseQuery(text: string): Term[] {
  return toTerms(piecesOf(foldText(text)));
}

/** What a search over everything asks for. */
export interface Question {
  terms: readonly Term[];
  /** Slugs, all of them. */
  tags: readonly string[];
  /** Usernames, any of them. */
  authors: readonly string[];
  /** Written at this moment or later, and before that one: ms since the epoch. */
  from?: number | undefined;
  until?: number | undefined;
}

/**
 * Reads what is asked of a search over everything (docs/contract.md#4.19): the words of `parseQuery`, and
 * beside them `tag:`, `author:`, `before:` and `after:`. What stands behind one of these and is no such thing
 * is read as words. `fold` is how the index that is asked has its letters.
 */
export function parseQuestion(text: string, fold: (text: string) => string = foldText): Question {
  const found: { words: Piece[]; tags: Set<string>; authors: Set<string>; from: number[]; until: number[] } =
    { words: [], tags: new Set(), authors: new Set(), from: [], until: [] };
  for (const piece of piecesOf(fold(text))) {
    const [, name = "", value = ""] = /^(tag|author|before|after):(.+)$/i.exec(piece.whole) ?? [];
    const field = name.toLowerCase();
    const at = startOf(value);
    if (field === "tag" && SLUG.test(value)) found.tags.add(value.toLowerCase());
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

/** As `Slug` and `Username` have them, in any case. */
const SLUG = /^(?=.{1,50}$)[a-z0-9]+(?:[-.][a-z0-9]+)*$/i;
const HANDLE = /^@?[a-z0-9](?:[a-z0-9_-]{0,30}[a-z0-9])?$/i;

/** The beginning of a day, month or year of UTC; undefined for what is none. */
function startOf(text: string): number | undefined {
  const [, year, month = "01", day = "01"] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month}-${day}`;
  const at = Date.parse(`${date}T00:00:00.000Z`);
  // The 31st of February is the 3rd of March to some.
  return at % DAY === 0 && new Date(at).toISOString().startsWith(date) ? at : undefined;
}

/** A part between blanks, and what stands between its quotes where it has any. */
interface Piece {
  whole: string;
  phrase: string | undefined;
}

function* piecesOf(text: string): Generator<Piece> {
  for (const [whole, phrase] of text.matchAll(/"([^"]*)"\*?|[^\s"]+/g)) yield { whole, phrase };
}

function toTerms(pieces: Iterable<Piece>): Term[] {
  const terms: Term[] = [];
  for (const { whole, phrase } of pieces) {
    const words = phrase ?? whole.replace(/(?<!\*)\*+$/, "");
    if (!/[\p{L}\p{N}\p{Co}+#]/u.test(words)) continue;
    const isPrefix = whole.endsWith("*");
    const isRepeated = terms.some((term) => term.text === words && term.isPrefix === isPrefix);
    const isOneTooMany = isPrefix && terms.filter((term) => term.isPrefix).length >= PREFIXES_MAX;
    if (!isRepeated && !isOneTooMany) terms.push({ text: words, isPrefix });
    if (terms.length === TERMS_MAX) break;
  }
  return terms;
}

/** A term in the language of FTS5: always quoted, so that no sign in it means anything. */
export function termExpression(term: Term): string {
  return `"${term.text.replaceAll('"', '""')}"${term.isPrefix ? "*" : ""}`;
}

/**
 * One word to the tokenizer, whatever signs the value holds: a letter of Unicode's private use, the kind, and
 * hex of the value. Nobody types such a word, so no column has to be named in a search.
 */
export function facetToken(kind: string, value: string): string {
  return `\u{E000}${kind}${Buffer.from(value).toString("hex")}`;
}
