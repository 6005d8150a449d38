import type { Core } from "../../ground/core.ts";
import { refuse } from "../../ground/errors.ts";
import type { PageRequest } from "../../ground/page.ts";
import { type ListedJob, type Match, selectListings, selectMatches, selectSeqs } from "./jobs-store.ts";
import { expiryLine } from "./life.ts";
import { type Facets, matchExpression, termExpression, type Term } from "./query.ts";
import { jobScore } from "./ranking.ts";

/**
 * Ranking every match of a broad search would hold up everyone else, so matches are ranked in windows: the
 * newest 500 first, best first; when they are used up, the 500 before them. Every match is reached, and no
 * page costs more than its windows.
 */
const WINDOW = 500;
/** What came back into a window since its cursor was made (a job opened again) is still read with it. */
const PINNED_MAX = 2 * WINDOW;
/**
 * From the end, windows can only be told by counting; a walk backwards from there goes no further than this.
 */
const COUNTED_MAX = 10 * WINDOW;

/**
 * Where a ranked search stands: the pinned moment and the newest match of that moment, the window (both ends
 * included), and the last job shown in it. Whichever way the walk goes, the windows are counted from `top`,
 * so both ways see the same order.
 */
export interface RankedPlace {
  at: number;
  top: number;
  hi: number;
  lo: number;
  score: number;
  seq: number;
}

export interface RankedJob extends ListedJob {
  place: RankedPlace;
}

interface Search {
  core: Core;
  terms: readonly Term[];
  expression: string;
  /** The moment by which jobs are ranked. */
  at: number;
  postedAfter: number;
}

interface Window {
  top: number;
  hi: number;
  lo: number;
  matches: Match[];
}

/**
 * The next jobs behind `place` (from the beginning without one) that hold all terms and meet the facets, one
 * more than asked for; backwards, those before it, the nearest first. Throws bad_request for a walk backwards
 * from the end of very many.
 */
export function rankedSearch(
  core: Core,
  terms: readonly Term[],
  facets: Facets,
  place: RankedPlace | undefined,
  { limit, backwards }: PageRequest,
): RankedJob[] {
  const now = core.clock.now();
  const search: Search = {
    core,
    terms,
    expression: matchExpression(terms, facets) ?? "",
    at: place?.at ?? now,
    postedAfter: expiryLine(now),
  };
  const found: RankedPlace[] = [];
  for (const window of backwards ? windowsUp(search, place) : windowsDown(search, place)) {
    const ranked = rank(search, window);
    if (backwards) ranked.reverse();
    const isPinned = place !== undefined && window.hi === place.hi;
    const isNext = (one: RankedPlace) => !isPinned || bestFirst(place, one) < 0 === !backwards;
    found.push(...ranked.filter((one) => one.seq !== place?.seq && isNext(one)));
    if (found.length > limit) break;
  }
  return listed(core, found.slice(0, limit + 1));
}

/** From the newest back. */
function* windowsDown(search: Search, place: RankedPlace | undefined): Generator<Window> {
  let top = place?.top;
  let below = Number.MAX_SAFE_INTEGER;
  if (place) {
    yield pinned(search, place);
    below = place.lo - 1;
  }
  for (;;) {
    const matches = read(search, { lo: 0, hi: below, limit: WINDOW });
    const [newest, oldest] = [matches[0], matches.at(-1)];
    if (!newest || !oldest) return;
    top ??= newest.seq;
    yield { top, hi: newest.seq, lo: oldest.seq, matches };
    below = oldest.seq - 1;
  }
}

/** From the oldest on, up to the newest there was when the walk began. */
function* windowsUp(search: Search, place: RankedPlace | undefined): Generator<Window> {
  const first = place ? pinned(search, place) : lastWindow(search);
  if (!first) return;
  yield first;
  for (let above = first.hi + 1; above <= first.top;) {
    const matches = read(search, { lo: above, hi: first.top, limit: WINDOW, isUpwards: true }).reverse();
    const [newest, oldest] = [matches[0], matches.at(-1)];
    if (!newest || !oldest) return;
    yield { top: first.top, hi: newest.seq, lo: oldest.seq, matches };
    above = newest.seq + 1;
  }
}

/** The window of a cursor, which may have lost its jobs since. */
function pinned(search: Search, { top, hi, lo }: RankedPlace): Window {
  return { top, hi, lo, matches: read(search, { lo, hi, limit: PINNED_MAX }) };
}

function lastWindow(search: Search): Window | undefined {
  const all = read(search, { lo: 0, hi: Number.MAX_SAFE_INTEGER, limit: COUNTED_MAX + 1 });
  if (all.length > COUNTED_MAX) {
    throw refuse("search_too_wide");
  }
  const matches = all.slice(Math.floor((all.length - 1) / WINDOW) * WINDOW);
  const [top, hi, lo] = [all[0]?.seq, matches[0]?.seq, matches.at(-1)?.seq];
  if (top === undefined || hi === undefined || lo === undefined) return undefined;
  return { top, hi, lo, matches };
}

function read(
  { core, expression, postedAfter }: Search,
  range: { lo: number; hi: number; limit: number; isUpwards?: boolean },
): Match[] {
  return selectMatches(core, expression, { ...range, postedAfter });
}

/** The matches of a window, best first. */
function rank(search: Search, { top, hi, lo, matches }: Window): RankedPlace[] {
  const { at, terms } = search;
  const [newest, oldest] = [matches[0], matches.at(-1)];
  if (!newest || !oldest) return [];
  const hits = titleHits(search, oldest.seq, newest.seq);
  return matches
    .map(({ seq, postedAt }) => {
      const score = jobScore(hits.get(seq) ?? 0, terms.length, at - postedAt);
      return { at, top, hi, lo, score, seq };
    })
    .sort(bestFirst);
}

/** A window that spans this many jobs is sparse: most jobs in between are no matches. */
const SPARSE = 4 * WINDOW;
/** The whole expression is read once for each term: worth it only for few. */
const FEW_TERMS = 4;

/**
 * How many of the terms stand in the title, for the matches from `lo` to `hi`. In a dense window the titles
 * alone are asked, in a sparse one only those of the matches: each reads what the other would read too much
 * of.
 */
function titleHits({ core, expression, terms }: Search, lo: number, hi: number): Map<number, number> {
  const isCheaper = hi - lo > SPARSE && terms.length <= FEW_TERMS;
  const hits = new Map<number, number>();
  for (const term of terms) {
    const inTitle = termExpression(term);
    const seqs = isCheaper
      ? selectSeqs(core, "job_search", `${expression} AND (title : ${inTitle})`, lo, hi)
      : selectSeqs(core, "job_titles", inTitle, lo, hi);
    for (const seq of seqs) {
      hits.set(seq, (hits.get(seq) ?? 0) + 1);
    }
  }
  return hits;
}

function bestFirst(a: RankedPlace, b: RankedPlace): number {
  return b.score - a.score || b.seq - a.seq;
}

/** The listings of the places, in their order. */
function listed(core: Core, places: readonly RankedPlace[]): RankedJob[] {
  const seqs = places.map(({ seq }) => seq);
  const listings = new Map(selectListings(core, seqs).map((job) => [job.seq, job]));
  return places.flatMap((place) => {
    const job = listings.get(place.seq);
    return job ? [{ ...job, place }] : [];
  });
}
