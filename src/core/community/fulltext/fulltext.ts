import type { Core } from "../../base/core.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { findBuilder } from "../../identity/builders/builders.ts";
import { countBetween, type IndexName, isRowNumberUsed, selectMatches } from "./fulltext-store.ts";
import { searchExpression } from "./prefixes.ts";
import { isEmptyQuestion, facetToken, parseQuestion, type Question, type Term } from "./language.ts";
import { countMatchingTerms, limitWords, toSearchTerm, tokensOf } from "./tokenizer.ts";
import {
  isPositionKey,
  type Matches,
  positionKey,
  rankedWindows,
  type RankedPosition,
  toPosition,
} from "./ranking-windows.ts";

export {
  deleteIndexEntry,
  hasIndexEntry,
  type IndexName,
  insertIndexEntry,
  selectUnindexed,
} from "./fulltext-store.ts";

/** The indexed columns of a post or prompt, folded. Matches in the title rank higher. */
export interface IndexedText {
  title: string;
  text: string;
  facets: string;
}

/** Returns the tokens of the column `facets`. */
export function facetsOf({ authorId, tags }: { authorId: string; tags: readonly string[] }): string {
  return [facetToken("author", authorId), ...tags.map((tag) => facetToken("tag", tag))].join(" ");
}

/**
 * Returns a free row number in the index for content written at `at` (ms since the epoch). The row number is
 * `at` or a free number above `at`. An import can add thousands of rows with the same time. If the last
 * assigned number is near, the search for a free number therefore starts after the last assigned number. The
 * search doubles its steps and ends with a binary search.
 */
export function freeIndexNumber(core: Core, index: IndexName, at: number): number {
  const assigned = core.memory(lastAssigned);
  const rowNumber = freeFrom(core, index, nextAfter(assigned.get(index), Math.floor(at)));
  assigned.set(index, rowNumber);
  return rowNumber;
}

const lastAssigned = (): Map<IndexName, number> => new Map();

function nextAfter(last: number | undefined, at: number): number {
  return last !== undefined && last >= at && last - at < NEAR_MS ? last + 1 : at;
}

function freeFrom(core: Core, index: IndexName, from: number): number {
  let free = from;
  let taken = free;
  for (let step = 1; isRowNumberUsed(core, index, free); step *= 2) {
    taken = free;
    free += step;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (isRowNumberUsed(core, index, middle)) taken = middle;
    else free = middle;
  }
  return free;
}

/** Largest difference between a row number and the time that it derives from, in ms. */
const BEHIND_MS = 60_000;
/**
 * If the last assigned number is less than this many ms above `at`, the search starts after the last assigned
 * number. Such a number belongs to a series of rows with nearly the same time.
 */
const NEAR_MS = BEHIND_MS / 2;

/** How to search one kind of content. */
export interface Kind<Thing extends { createdAt: number }> {
  index: IndexName;
  /** Returns the indexed titles by row number. */
  titlesOf(rowNumbers: readonly number[]): ReadonlyMap<number, string>;
  /** Returns the public items with these row numbers, in any order. */
  read(rowNumbers: readonly number[]): (Thing & { place: number })[];
}

/** A found item with its cursor position. */
type Ranked<Thing> = Thing & { at: RankedPosition };

/**
 * Returns a page of search results of one kind. Ranks the newest 500 matches first, then the next 500. The
 * calling operation must check permissions. Throws bad_request for a cursor of another search, and for paging
 * backwards from the end of a very large result.
 */
export function searchPage<Thing extends { createdAt: number }>(
  core: Core,
  kind: Kind<Thing>,
  q: string,
  request: PageRequest,
): Page<Thing> {
  const scope = { list: kind.index, filters: { q } };
  const key = cursorKey(request, scope, isPositionKey);
  const question = parseQuestion(q);
  const rows = isEmptyQuestion(question)
    ? []
    : findRanked(core, kind, question, key && toPosition(key), request);
  return pageOf(rows, request, scope, ({ at }) => positionKey(at));
}

/**
 * Returns the results after `from`, or the first results if `from` is undefined. For a backward request,
 * returns the results before `from`, nearest first. Returns one result more than the page limit. Throws
 * bad_request for paging backwards from the end of a very large result.
 */
function findRanked<Thing extends { createdAt: number }>(
  core: Core,
  kind: Kind<Thing>,
  question: Question,
  from: RankedPosition | undefined,
  request: PageRequest,
): Ranked<Thing>[] {
  const { index, read } = kind;
  const authorIds = question.authors.flatMap((name) => findBuilder(core, name)?.id ?? []);
  if (question.authors.length > 0 && authorIds.length === 0) return [];
  const terms = limitWords(core, question.terms);
  const words = terms.map((term) => wordsExpression(core, index, term));
  const expression = expressionOf(words, question.tags, authorIds);
  const bounds = {
    lo: question.from ?? 0,
    hi: question.until === undefined ? Number.MAX_SAFE_INTEGER : question.until - 1 + BEHIND_MS,
  };
  const matches: Matches = {
    terms: Math.min(terms.length, 2),
    read: ({ lo, hi, ...range }) =>
      selectMatches(core, index, expression, {
        ...range,
        lo: Math.max(lo, bounds.lo),
        hi: Math.min(hi, bounds.hi),
      }),
    titleHits: (found) =>
      titleHits(
        core,
        kind,
        { terms, words, expression },
        found.map(({ seq }) => seq),
      ),
  };
  const isWithin = ({ createdAt }: Thing): boolean =>
    createdAt >= bounds.lo && (question.until === undefined || createdAt < question.until);
  const found: Ranked<Thing>[] = [];
  for (const window of rankedWindows(matches, core.clock.now(), from, request)) {
    // Skips items hidden with their parent, and items outside the requested dates.
    for (let at = 0; at < window.length && found.length <= request.limit; at += request.limit + 1) {
      const some = window.slice(at, at + request.limit + 1);
      const items = new Map(read(some.map(({ seq }) => seq)).map((item) => [item.place, item]));
      for (const match of some) {
        const item = items.get(match.seq);
        if (item && isWithin(item)) found.push({ ...item, at: match });
      }
    }
    if (found.length > request.limit) break;
  }
  return found.slice(0, request.limit + 1);
}

/**
 * Combines the query into one FTS5 expression. Returns undefined if the query has neither words nor facets.
 * FTS5 intersects the parts inside the index and begins with the rarest part. Facets name their column, so
 * that a facet token in a text does not match.
 */
function expressionOf(
  words: readonly string[],
  tags: readonly string[],
  authorIds: readonly string[],
): string | undefined {
  const parts = [
    ...words,
    ...tags.map((tag) => `facets : "${facetToken("tag", tag)}"`),
    ...(authorIds.length === 0
      ? []
      : [`facets : (${authorIds.map((id) => `"${facetToken("author", id)}"`).join(" OR ")})`]),
  ];
  return parts.length === 0 ? undefined : parts.map((part) => `(${part})`).join(" AND ");
}

/**
 * Treats a prefix of one or two letters as a whole word, because such a prefix would match half of all words.
 * Chinese, Japanese and Korean prefixes are exempt, because many words of these languages have only one or
 * two characters.
 */
function wordsExpression(core: Core, index: IndexName, term: Term): string {
  const isShort = /^[^\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{1,2}$/u.test(term.text);
  return searchExpression(core, index, isShort ? { ...term, isPrefix: false } : term);
}

/** The terms of a query, the FTS5 expression of each term, and the expression of the whole query. */
interface ParsedQuery {
  terms: readonly Term[];
  words: readonly string[];
  expression: string | undefined;
}

/**
 * If at least this many rows are between the first and the last match, reading the titles is cheaper than a
 * title search.
 */
const SPARSE_FROM = 2_000;

/**
 * Counts title hits: 2 if the title has all terms, 1 if the title has any of the terms. For a query with one
 * term, the count is 1. If fewer than `SPARSE_FROM` rows are between the first and the last match, two index
 * queries find the hits for any number of terms. Otherwise the titles of the matches are read, because an
 * index query would scan all rows between the first and the last match.
 */
function titleHits(
  core: Core,
  { index, titlesOf }: Pick<Kind<never>, "index" | "titlesOf">,
  { terms, words, expression }: ParsedQuery,
  seqs: readonly number[],
): ReadonlyMap<number, number> {
  const [hi, lo] = [seqs[0], seqs.at(-1)];
  if (terms.length === 0 || expression === undefined || hi === undefined || lo === undefined)
    return new Map();
  // The title search for a single word reads the same part of the index again, so it is cheap.
  const isWord = isSingleWord(core, terms) && expression === `(${words[0]})`;
  if (!isWord && countBetween(core, index, { lo, hi, limit: SPARSE_FROM }) === SPARSE_FROM)
    return hitsInTitles(core, titlesOf(seqs), terms);
  const inTitle = words.map((phrase) => `(title : ${phrase})`);
  const hits = new Map<number, number>();
  for (const parts of [inTitle.join(" AND "), inTitle.join(" OR ")]) {
    for (const { seq } of selectMatches(core, index, `${expression} AND (${parts})`, { lo, hi, limit: -1 }))
      hits.set(seq, (hits.get(seq) ?? 0) + 1);
    if (terms.length === 1) break;
  }
  return hits;
}

function isSingleWord(core: Core, [term, ...others]: readonly Term[]): boolean {
  return (
    term !== undefined && others.length === 0 && !term.isPrefix && tokensOf(core, term.text).length === 1
  );
}

function hitsInTitles(
  core: Core,
  titles: ReadonlyMap<number, string>,
  terms: readonly Term[],
): ReadonlyMap<number, number> {
  const searchTerms = terms.map((term) => toSearchTerm(core, term));
  const hits = new Map<number, number>();
  for (const [seq, title] of titles) {
    const found = countMatchingTerms(core, title, searchTerms);
    if (found > 0) hits.set(seq, found === searchTerms.length && searchTerms.length > 1 ? 2 : 1);
  }
  return hits;
}
