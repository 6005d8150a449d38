import { type Caller, requireScope } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { searchExpression } from "../fulltext/prefixes.ts";
import { isEmptyQuestion, parseQuestion, type Term } from "../fulltext/language.ts";
import { countMatchingTerms, limitWords, toSearchTerm } from "../fulltext/tokenizer.ts";
import {
  isPositionKey,
  type Match,
  type Matches,
  positionKey,
  rankedWindows,
  type RankedPosition,
  toPosition,
} from "../fulltext/ranking-windows.ts";
import type { JobListing } from "./job.ts";
import { type ListedJob, selectListings, selectMatches } from "./jobs-store.ts";
import { expiryCutoff } from "./expiry.ts";
import { type Facets, matchExpression } from "./query.ts";

export interface RankedJob extends ListedJob {
  place: RankedPosition;
}

/**
 * Returns jobs that contain all words and meet the facets. The result starts after `position`, or with the
 * best job if `position` is undefined. For a backward request, returns the jobs before `position`, nearest
 * first. Returns one job more than the page limit. Throws bad_request for paging backwards from the end of a
 * very large result.
 */
export function rankedJobs(
  core: Core,
  words: readonly Term[],
  facets: Facets,
  position: RankedPosition | undefined,
  request: PageRequest,
): RankedJob[] {
  const terms = limitWords(core, words);
  const filters = [matchExpression([], facets) ?? []].flat();
  return rankedBy(core, { terms, filters }, position, request);
}

/**
 * Searches the open jobs (docs/contract.md#4.19), ranked like the job board. `tag:` matches the stack.
 * `author:` finds nothing, because publishers are secret. Needs `jobs:read`. Throws bad_request for a cursor
 * of another search, and for paging backwards from the end of a very large result.
 */
export function findJobs(core: Core, caller: Caller, q: string, request: PageRequest): Page<JobListing> {
  requireScope(caller, "jobs:read");
  const scope = { list: "job_search", filters: { q } };
  const key = cursorKey(request, scope, isPositionKey);
  const question = parseQuestion(q);
  const { tags, authors, from, until } = question;
  const terms = limitWords(core, question.terms);
  const stacks = tags.flatMap((tag) => matchExpression([], { stack: [tag] }) ?? []);
  // FTS5 requires an expression. A query that has only dates therefore uses a facet that every job has.
  const filters = terms.length + stacks.length === 0 ? [`(${ALL})`] : stacks;
  const rows =
    isEmptyQuestion(question) || authors.length > 0
      ? []
      : rankedBy(core, { terms, filters, from, until }, key && toPosition(key), request);
  return pageOf(rows, request, scope, ({ place }) => positionKey(place));
}

const ALL = [true, false].map((remote) => matchExpression([], { remote })).join(" OR ");

interface ParsedQuery {
  terms: readonly Term[];
  /** FTS5 expressions that a job must match. */
  filters: readonly string[];
  from?: number | undefined;
  until?: number | undefined;
}

function rankedBy(
  core: Core,
  { terms, filters, from = 0, until }: ParsedQuery,
  position: RankedPosition | undefined,
  request: PageRequest,
): RankedJob[] {
  const now = core.clock.now();
  const posted = {
    postedAfter: Math.max(expiryCutoff(now), from - 1),
    postedBefore: until ?? Number.MAX_SAFE_INTEGER,
  };
  const expression = [...terms.map((term) => searchExpression(core, "job_search", term)), ...filters].join(
    " AND ",
  );
  const matches: Matches = {
    terms: terms.length,
    read: (range) => selectMatches(core, expression, { ...range, ...posted }),
    titleHits: (found) => titleHits(core, terms, found),
  };
  const found: RankedPosition[] = [];
  for (const window of rankedWindows(matches, now, position, request)) {
    found.push(...window);
    if (found.length > request.limit) break;
  }
  return listed(core, found.slice(0, request.limit + 1));
}

/** Returns, for each match, the number of terms that its title contains. */
function titleHits(
  core: Core,
  terms: readonly Term[],
  matches: readonly Match[],
): ReadonlyMap<number, number> {
  const searchTerms = terms.map((term) => toSearchTerm(core, term));
  const hits = new Map<number, number>();
  for (const { seq, title = "" } of matches) {
    const found = countMatchingTerms(core, title, searchTerms);
    if (found > 0) hits.set(seq, found);
  }
  return hits;
}

/** Returns the jobs at these search positions, in the order of the positions. */
function listed(core: Core, positions: readonly RankedPosition[]): RankedJob[] {
  if (positions.length === 0) return [];
  const seqs = positions.map(({ seq }) => seq);
  const listings = new Map(selectListings(core, seqs).map((job) => [job.seq, job]));
  return positions.flatMap((position) => {
    const job = listings.get(position.seq);
    return job ? [{ ...job, place: position }] : [];
  });
}
