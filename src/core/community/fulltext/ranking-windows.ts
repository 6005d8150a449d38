import { refuse } from "../../base/errors.ts";
import type { CursorKey, PageRequest } from "../../base/page.ts";
import { searchScore } from "./ranking.ts";

/**
 * Ranking every match of a broad search would hold up everyone else, so matches are ranked in windows: the
 * newest 500 first, best first; when they are used up, the 500 before them. Every match is reached, and no
 * page costs more than its windows (docs/adr/0011-job-search.md).
 */
const WINDOW = 500;
/** What came back into a window since its cursor was made (a job opened again) is still read with it. */
const PINNED_MAX = 2 * WINDOW;
/**
 * From the end, windows can only be told by counting; a walk backwards from there goes no further than this.
 */
const COUNTED_MAX = 10 * WINDOW;

/** A match before it is ranked: its number, which counts up with time, and that time. */
export interface Match {
  seq: number;
  at: number;
  /** What it is called, where that is read with it. */
  title?: string;
}

/**
 * Which part of the matches to read: from `lo` to `hi`, both included, at most `limit`, the newest or the
 * oldest of them.
 */
export interface MatchRange {
  lo: number;
  hi: number;
  limit: number;
  isUpwards?: boolean;
}

/** Where the matches of one search are read, of whatever kind. */
export interface Matches {
  /** How many things are asked for that may stand in a title. */
  terms: number;
  /** Newest first, or oldest first where the range is read upwards. */
  read(range: MatchRange): Match[];
  /**
   * How many of the terms stand in the title, for those of these matches (newest first) that have any there.
   */
  titleHits(matches: readonly Match[]): ReadonlyMap<number, number>;
}

/**
 * Where a ranked search stands: the pinned moment and the newest match of that moment, the window (both ends
 * included), and the last match shown in it. Whichever way the walk goes, the windows are counted from `top`,
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

interface Search {
  matches: Matches;
  /** The moment by which matches are ranked. */
  at: number;
}

interface Window {
  top: number;
  hi: number;
  lo: number;
  matches: Match[];
}

/**
 * The next matches behind `place` (from the beginning without one), backwards those before it, the nearest
 * first; a window at a time, so that whoever has enough takes no more. `now` is the moment by which they are
 * ranked where none is pinned. Throws bad_request for a walk backwards from the end of very many.
 */
export function* ranked(
  matches: Matches,
  now: number,
  place: RankedPlace | undefined,
  { backwards }: PageRequest,
): Generator<RankedPlace[]> {
  const search: Search = { matches, at: place?.at ?? now };
  for (const window of backwards ? windowsUp(search, place) : windowsDown(search, place)) {
    const all = rank(search, window);
    if (backwards) all.reverse();
    const isPinned = place !== undefined && window.hi === place.hi;
    const isNext = (one: RankedPlace) => !isPinned || bestFirst(place, one) < 0 === !backwards;
    yield all.filter((one) => one.seq !== place?.seq && isNext(one));
  }
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
    const matches = search.matches.read({ lo: 0, hi: below, limit: WINDOW });
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
    const range = { lo: above, hi: first.top, limit: WINDOW, isUpwards: true };
    const matches = search.matches.read(range).reverse();
    const [newest, oldest] = [matches[0], matches.at(-1)];
    if (!newest || !oldest) return;
    yield { top: first.top, hi: newest.seq, lo: oldest.seq, matches };
    above = newest.seq + 1;
  }
}

/** The window of a cursor, which may have lost its matches since. */
function pinned({ matches }: Search, { top, hi, lo }: RankedPlace): Window {
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

/** The matches of a window, best first. */
function rank(
  { matches: { terms, titleHits }, at }: Search,
  { top, hi, lo, matches }: Window,
): RankedPlace[] {
  if (matches.length === 0) return [];
  const hits = titleHits(matches);
  return matches
    .map(({ seq, at: then }) => {
      const score = searchScore(hits.get(seq) ?? 0, terms, at - then);
      return { at, top, hi, lo, score, seq };
    })
    .sort(bestFirst);
}

function bestFirst(a: RankedPlace, b: RankedPlace): number {
  return b.score - a.score || b.seq - a.seq;
}

type PlaceKey = readonly [at: number, top: number, hi: number, lo: number, score: number, seq: number];

/** A place as a cursor holds it. */
export function placeKey({ at, top, hi, lo, score, seq }: RankedPlace): PlaceKey {
  return [at, top, hi, lo, score, seq];
}

export function toPlace([at, top, hi, lo, score, seq]: PlaceKey): RankedPlace {
  return { at, top, hi, lo, score, seq };
}

export function isPlaceKey(key: CursorKey): key is PlaceKey {
  const [at, top, hi, lo, score, seq] = key;
  return key.length === 6 && [at, top, hi, lo, seq].every(Number.isSafeInteger) && typeof score === "number";
}
