import { refuse } from "../../base/errors.ts";
import type { CursorKey, PageRequest } from "../../base/page.ts";
import { searchScore } from "./ranking.ts";

/**
 * Number of matches that are ranked together (a window). Ranking all matches of a broad search would block
 * other requests. The newest 500 matches are ranked first, then the next older 500. All matches can be
 * reached by paging. The cost of a page depends only on the windows that the page reads
 * (docs/adr/0011-job-search.md).
 */
const WINDOW = 500;
/**
 * Maximum number of matches read for the window that a cursor names. A window can gain matches after the
 * cursor was made, for example when a job is reopened.
 */
const PINNED_MAX = 2 * WINDOW;
/**
 * Maximum number of matches counted to find the last window. If a search has more matches, paging backwards
 * from the end is refused.
 */
const COUNTED_MAX = 10 * WINDOW;

/** An unranked match: its row number, which increases with time, and its time in ms since the epoch. */
export interface Match {
  seq: number;
  at: number;
  /** The title. Omitted if the query does not read titles. */
  title?: string;
}

/**
 * A range of matches with row numbers from `lo` to `hi`, both included. A range has at most `limit` matches:
 * the newest matches, or the oldest matches with `isUpwards`.
 */
export interface MatchRange {
  lo: number;
  hi: number;
  limit: number;
  isUpwards?: boolean;
}

/** Access to the matches of one search, of any kind of content. */
export interface Matches {
  /** Highest number of title hits that a match can have. */
  terms: number;
  /** Returns the matches of a range, newest first, or oldest first for an upward range. */
  read(range: MatchRange): Match[];
  /**
   * Returns the number of title hits by row number. Leaves out matches without title hits. `matches` is
   * sorted newest first.
   */
  titleHits(matches: readonly Match[]): ReadonlyMap<number, number>;
}

/**
 * A position in a ranked search. Contains the ranking time, the newest match at that time (`top`), the window
 * (both ends included) and the last match shown. Windows are counted from `top` for both directions of
 * paging, so both directions have the same order.
 */
export interface RankedPosition {
  at: number;
  top: number;
  hi: number;
  lo: number;
  score: number;
  seq: number;
}

interface Search {
  matches: Matches;
  /** The ranking time, in ms since the epoch. */
  at: number;
}

interface Window {
  top: number;
  hi: number;
  lo: number;
  matches: Match[];
}

/**
 * Yields the matches after `cursor`, or all matches if `cursor` is undefined. For a backward request, yields
 * the matches before `cursor`, nearest first. Yields one window at a time, so that consumers can stop early.
 * If the cursor has no ranking time, `now` is the ranking time. Throws bad_request for paging backwards from
 * the end of a very large result.
 */
export function* rankedWindows(
  matches: Matches,
  now: number,
  cursor: RankedPosition | undefined,
  { backwards }: PageRequest,
): Generator<RankedPosition[]> {
  const search: Search = { matches, at: cursor?.at ?? now };
  for (const window of backwards ? windowsUp(search, cursor) : windowsDown(search, cursor)) {
    const all = rank(search, window);
    if (backwards) all.reverse();
    const isPinned = cursor !== undefined && window.hi === cursor.hi;
    const isNext = (one: RankedPosition) => !isPinned || bestFirst(cursor, one) < 0 === !backwards;
    yield all.filter((one) => one.seq !== cursor?.seq && isNext(one));
  }
}

/** Yields windows from the newest match to the oldest. */
function* windowsDown(search: Search, cursor: RankedPosition | undefined): Generator<Window> {
  let top = cursor?.top;
  let below = Number.MAX_SAFE_INTEGER;
  if (cursor) {
    yield pinned(search, cursor);
    below = cursor.lo - 1;
  }
  for (;;) {
    const matches = search.matches.read({ lo: 0, hi: below, limit: WINDOW });
    const [newest, oldest] = [matches[0], matches.at(-1)];
    if (!newest || !oldest) return;
    top ??= newest.seq;
    yield { top, hi: newest.seq, lo: oldest.seq, matches };
    // A window that is not full is the last one. Another query costs as much as the first.
    if (matches.length < WINDOW) return;
    below = oldest.seq - 1;
  }
}

/** Yields windows from the oldest match to the newest match at the start of the search. */
function* windowsUp(search: Search, cursor: RankedPosition | undefined): Generator<Window> {
  const first = cursor ? pinned(search, cursor) : lastWindow(search);
  if (!first) return;
  yield first;
  for (let above = first.hi + 1; above <= first.top;) {
    const range = { lo: above, hi: first.top, limit: WINDOW, isUpwards: true };
    const matches = search.matches.read(range).reverse();
    const [newest, oldest] = [matches[0], matches.at(-1)];
    if (!newest || !oldest) return;
    yield { top: first.top, hi: newest.seq, lo: oldest.seq, matches };
    if (matches.length < WINDOW) return;
    above = newest.seq + 1;
  }
}

/** Returns the window that a cursor names. The window may have lost matches since the cursor was made. */
function pinned({ matches }: Search, { top, hi, lo }: RankedPosition): Window {
  return { top, hi, lo, matches: matches.read({ lo, hi, limit: PINNED_MAX }) };
}

function lastWindow(search: Search): Window | undefined {
  const all = search.matches.read({ lo: 0, hi: Number.MAX_SAFE_INTEGER, limit: COUNTED_MAX + 1 });
  if (all.length > COUNTED_MAX) {
    throw refuse("search_too_wide");
  }
  const matches = all.slice(Math.floor((all.length - 1) / WINDOW) * WINDOW);
  const [top, hi, lo] = [all[0]?.seq, matches[0]?.seq, matches.at(-1)?.seq];
  if (top === undefined || hi === undefined || lo === undefined) return undefined;
  return { top, hi, lo, matches };
}

/** Returns the matches of a window, best first. */
function rank(
  { matches: { terms, titleHits }, at }: Search,
  { top, hi, lo, matches }: Window,
): RankedPosition[] {
  if (matches.length === 0) return [];
  const hits = titleHits(matches);
  return matches
    .map(({ seq, at: then }) => {
      const score = searchScore(hits.get(seq) ?? 0, terms, at - then);
      return { at, top, hi, lo, score, seq };
    })
    .sort(bestFirst);
}

function bestFirst(a: RankedPosition, b: RankedPosition): number {
  return b.score - a.score || b.seq - a.seq;
}

type PositionKey = readonly [at: number, top: number, hi: number, lo: number, score: number, seq: number];

/** Converts a position to the key that a cursor stores. */
export function positionKey({ at, top, hi, lo, score, seq }: RankedPosition): PositionKey {
  return [at, top, hi, lo, score, seq];
}

export function toPosition([at, top, hi, lo, score, seq]: PositionKey): RankedPosition {
  return { at, top, hi, lo, score, seq };
}

export function isPositionKey(key: CursorKey): key is PositionKey {
  const [at, top, hi, lo, score, seq] = key;
  return key.length === 6 && [at, top, hi, lo, seq].every(Number.isSafeInteger) && typeof score === "number";
}
