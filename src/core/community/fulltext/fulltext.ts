import type { Core } from "../../base/core.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { findBuilder } from "../../identity/builders/builders.ts";
import { countBetween, type IndexName, isTaken, selectMatches } from "./fulltext-store.ts";
import { searchExpression } from "./prefixes.ts";
import { isEmptyQuestion, facetToken, parseQuestion, type Question, type Term } from "./language.ts";
import { countMatchingTerms, firstWords, toSearchTerm, tokensOf } from "./tokenizer.ts";
import { isPlaceKey, type Matches, placeKey, ranked, type RankedPlace, toPlace } from "./ranking-windows.ts";

export { deleteWords, hasWords, type IndexName, insertWords, selectUnplaced } from "./fulltext-store.ts";

/** What of a thing stands in its index, folded; what stands in its title counts more. */
export interface IndexedText {
  title: string;
  text: string;
  facets: string;
}

/** The tokens of the column `facets`. */
export function facetsOf({ authorId, tags }: { authorId: string; tags: readonly string[] }): string {
  return [facetToken("author", authorId), ...tags.map((tag) => facetToken("tag", tag))].join(" ");
}

/**
 * The number in the index of something written at `at`: that moment, or a free one behind it. It is sought in
 * steps that grow, and then between the last two of them: an import may bring thousands of one moment. Behind
 * the one that was given last, where that is near: most are the next.
 */
export function freeIndexNumber(core: Core, index: IndexName, at: number): number {
  const given = core.memory(placesGiven);
  const place = freeFrom(core, index, nextAfter(given.get(index), Math.floor(at)));
  given.set(index, place);
  return place;
}

const placesGiven = (): Map<IndexName, number> => new Map();

function nextAfter(given: number | undefined, at: number): number {
  return given !== undefined && given >= at && given - at < NEAR_MS ? given + 1 : at;
}

function freeFrom(core: Core, index: IndexName, from: number): number {
  let free = from;
  let taken = free;
  for (let step = 1; isTaken(core, index, free); step *= 2) {
    taken = free;
    free += step;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (isTaken(core, index, middle)) taken = middle;
    else free = middle;
  }
  return free;
}

/** A place may lie so far behind the moment that it is made of. */
const BEHIND_MS = 60_000;
/** Those that were given within half of that are taken for a run, in which the next one is free. */
const NEAR_MS = BEHIND_MS / 2;

/** What one kind of thing knows of its own search. */
export interface Kind<Thing extends { createdAt: number }> {
  index: IndexName;
  /** What stands in the column `title`, by place. */
  titlesOf(places: readonly number[]): ReadonlyMap<number, string>;
  /** Those that everybody sees, by their places, in any order. */
  read(places: readonly number[]): (Thing & { place: number })[];
}

/** Something that was found, and where the search stands with it. */
type Ranked<Thing> = Thing & { at: RankedPlace };

/**
 * A page of what a question finds of one kind, ranked in windows of the newest 500 matches. Asks no right:
 * what calls it has. Throws bad_request for a cursor of another search, and for a walk backwards from the end
 * of thousands.
 */
export function searchPage<Thing extends { createdAt: number }>(
  core: Core,
  kind: Kind<Thing>,
  q: string,
  request: PageRequest,
): Page<Thing> {
  const scope = { list: kind.index, filters: { q } };
  const key = cursorKey(request, scope, isPlaceKey);
  const question = parseQuestion(q);
  const rows = isEmptyQuestion(question)
    ? []
    : findRanked(core, kind, question, key && toPlace(key), request);
  return pageOf(rows, request, scope, ({ at }) => placeKey(at));
}

/**
 * The next things behind `from` (from the beginning without it) that a question asks for, one more than asked
 * for; backwards, those before it, the nearest first. Throws bad_request for a walk backwards from the end of
 * very many.
 */
function findRanked<Thing extends { createdAt: number }>(
  core: Core,
  kind: Kind<Thing>,
  question: Question,
  from: RankedPlace | undefined,
  request: PageRequest,
): Ranked<Thing>[] {
  const { index, read } = kind;
  const authorIds = question.authors.flatMap((name) => findBuilder(core, name)?.id ?? []);
  if (question.authors.length > 0 && authorIds.length === 0) return [];
  const terms = firstWords(core, question.terms);
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
  for (const window of ranked(matches, core.clock.now(), from, request)) {
    // What nobody sees with its parent, and what lies beyond the day, takes no place on a page.
    for (let at = 0; at < window.length && found.length <= request.limit; at += request.limit + 1) {
      const some = window.slice(at, at + request.limit + 1);
      const things = new Map(read(some.map(({ seq }) => seq)).map((thing) => [thing.place, thing]));
      for (const one of some) {
        const thing = things.get(one.seq);
        if (thing && isWithin(thing)) found.push({ ...thing, at: one });
      }
    }
    if (found.length > request.limit) break;
  }
  return found.slice(0, request.limit + 1);
}

/**
 * The whole question as one FTS5 expression, undefined where it asks for neither words nor facets: one
 * intersection inside the index, led by whatever is rarest. The column of facets is named: somebody may write
 * one into a text.
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
 * A beginning of one or two letters stands for half of all words, and is read as a word; not in scripts whose
 * words are as short.
 */
function wordsExpression(core: Core, index: IndexName, term: Term): string {
  const isShort = /^[^\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{1,2}$/u.test(term.text);
  return searchExpression(core, index, isShort ? { ...term, isPrefix: false } : term);
}

/** What is asked for: its terms, each of them in the language of FTS5, and all together. */
interface ParsedQuery {
  terms: readonly Term[];
  words: readonly string[];
  expression: string | undefined;
}

/** Among so many things, the titles of all cost less than those of the matches. */
const DENSE = 2_000;

/**
 * Two for what has all terms in its title, one for what has any there; with one term both are the same. In a
 * dense window the index tells it, by two statements however many terms there are; in a sparse one the titles
 * of the matches are read, as the index would read all that lies between.
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
  // A single word is walked along what was walked before.
  const isWord = isOneWord(core, terms) && expression === `(${words[0]})`;
  if (!isWord && countBetween(core, index, { lo, hi, limit: DENSE }) === DENSE)
    return hitsInTitles(core, titlesOf(seqs), terms);
  const inTitle = words.map((one) => `(title : ${one})`);
  const hits = new Map<number, number>();
  for (const parts of [inTitle.join(" AND "), inTitle.join(" OR ")]) {
    for (const { seq } of selectMatches(core, index, `${expression} AND (${parts})`, { lo, hi, limit: -1 }))
      hits.set(seq, (hits.get(seq) ?? 0) + 1);
    if (terms.length === 1) break;
  }
  return hits;
}

function isOneWord(core: Core, [term, ...others]: readonly Term[]): boolean {
  return (
    term !== undefined && others.length === 0 && !term.isPrefix && tokensOf(core, term.text).length === 1
  );
}

function hitsInTitles(
  core: Core,
  titles: ReadonlyMap<number, string>,
  terms: readonly Term[],
): ReadonlyMap<number, number> {
  const asked = terms.map((term) => toSearchTerm(core, term));
  const hits = new Map<number, number>();
  for (const [seq, title] of titles) {
    const found = countMatchingTerms(core, title, asked);
    if (found > 0) hits.set(seq, found === asked.length && asked.length > 1 ? 2 : 1);
  }
  return hits;
}
