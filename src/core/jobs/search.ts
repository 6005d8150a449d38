import type { Core } from "../core.ts";
import { type ListedJob, selectListings, selectMatches, selectSeqs } from "./jobs-store.ts";
import { type Facets, matchExpression, termExpression, type Term } from "./query.ts";
import { jobScore } from "./ranking.ts";

/**
 * Ranking every match of a broad search would hold up everyone else, so matches are ranked in windows: the newest 500
 * first, best first; when they are used up, the 500 before them. Every match is reached, and no page costs more than
 * its windows.
 */
const WINDOW = 500;

/** Where a ranked search stands: the pinned moment, the window (both ends included), and the last job shown in it. */
export interface RankedPlace {
  at: number;
  hi: number;
  lo: number;
  score: number;
  seq: number;
}

export interface RankedJob extends ListedJob {
  place: RankedPlace;
}

/** The next `limit` jobs after `place` (from the beginning without one) that hold all terms and meet the facets. */
export function rankedSearch(
  core: Core,
  terms: readonly Term[],
  facets: Facets,
  place: RankedPlace | undefined,
  limit: number,
): RankedJob[] {
  const expression = matchExpression(terms, facets) ?? "";
  const at = place?.at ?? core.clock.now();
  const found: RankedPlace[] = [];
  let hi = place?.hi ?? Number.MAX_SAFE_INTEGER;
  let lo = place?.lo ?? 0;
  let shown = place;
  while (found.length < limit) {
    const matches = selectMatches(core, expression, lo, hi, WINDOW);
    const [newest, oldest] = [matches[0], matches.at(-1)];
    // The window of a cursor may have lost its jobs since; the search goes on below it.
    if (newest && oldest) {
      const window = { hi: shown?.hi ?? newest.seq, lo: shown?.lo ?? oldest.seq };
      const hits = titleHits(core, expression, terms, oldest.seq, newest.seq);
      const ranked = matches
        .map(({ seq, postedAt }) => ({
          at,
          ...window,
          score: jobScore(hits.get(seq) ?? 0, terms.length, at - postedAt),
          seq,
        }))
        .sort(bestFirst);
      found.push(...(shown ? ranked.filter(isAfter(shown)) : ranked));
      hi = window.lo - 1;
    } else if (shown) {
      hi = shown.lo - 1;
    } else {
      break;
    }
    lo = 0;
    shown = undefined;
  }
  const page = found.slice(0, limit);
  const listings = new Map(
    selectListings(
      core,
      page.map(({ seq }) => seq),
    ).map((job) => [job.seq, job]),
  );
  return page.flatMap((placed) => {
    const job = listings.get(placed.seq);
    return job ? [{ ...job, place: placed }] : [];
  });
}

/** A window that spans this many jobs is sparse: most jobs in between are no matches. */
const SPARSE = 4 * WINDOW;
/** The whole expression is read once for each term: worth it only for few. */
const FEW_TERMS = 4;

/**
 * How many of the terms stand in the title, for the matches from `lo` to `hi`. In a dense window the titles alone are
 * asked, in a sparse one only those of the matches: each reads what the other would read too much of.
 */
function titleHits(
  core: Core,
  expression: string,
  terms: readonly Term[],
  lo: number,
  hi: number,
): Map<number, number> {
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

function isAfter(shown: RankedPlace): (place: RankedPlace) => boolean {
  return (place) => bestFirst(shown, place) < 0;
}
