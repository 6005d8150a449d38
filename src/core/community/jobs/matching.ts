import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { notify } from "../../identity/notifications/notify.ts";
import type { Core } from "../../base/core.ts";
import { recordPrivateEvent } from "../../outbox/events/events.ts";
import { isId, lastIdAt } from "../../base/ids.ts";
import { Id, orNull, Timestamp } from "../../base/view.ts";
import { expiryCutoff } from "./expiry.ts";
import { type JobListing, JobListingView } from "./job.ts";
import { findMatchable, type MatchableJob } from "./jobs-store.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { type MatchResult, matchResultOf, type JobFacts, WhyView } from "./match-reasons.ts";
import { type SavedFilter, selectFiltersAfter, selectFiltersOf } from "./job-filters-store.ts";
import {
  deleteMatching,
  deleteMatchesUpTo,
  hasMatch,
  insertMatch,
  saveMatching,
  selectMatches,
  selectMatchesOf,
  selectMatching,
} from "./matching-store.ts";
import { indexedTextOfJob } from "./indexed-text.ts";

/** A job that meets a saved filter of a builder. */
export const JobMatchView = Type.Object(
  {
    job: JobListingView,
    filterId: orNull(
      Id("flt_01kafzq8e5f2r8v0j3n6s1t4wx"),
      "The filter that fits best. `null` if that filter was deleted.",
    ),
    score: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "How well the job fits, from 0 to 1: the weighted mean of `why`.",
      examples: [1],
    }),
    why: WhyView,
    matchedAt: Timestamp({ description: "The time at which the match was found." }),
  },
  { $id: "JobMatch" },
);

export interface JobMatch extends Static<typeof JobMatchView> {
  job: JobListing;
}

/** Progress of the matching of a job. */
export interface MatchingProgress {
  jobId: string;
  /** Last checked filter. Filters are checked in order of id. */
  afterFilter: string;
}

/**
 * Maximum number of filters that a batch checks, and of matches that a batch writes. Checking a filter takes
 * about 5 µs, and writing a match about 100 µs.
 */
const CHECKED_MAX = 500;
const WRITTEN_MAX = 25;

/**
 * Checks a job against the saved filters. If a job meets a builder's filter, writes a match and `job.matched`
 * for the builder. The match has the score of the builder's best filter. A builder gets at most one match per
 * job, even after later changes. The publisher gets no match.
 * Call it in the transaction that opens the job. Runs the first batch and stores its progress.
 * `continueMatching` runs the other batches.
 */
export function matchJob(core: Core, jobId: string): void {
  matchBatch(core, { jobId, afterFilter: "" });
}

/**
 * Compares the oldest job that still waits with its next batch of filters. Returns false if no job waits.
 * Call it in a transaction.
 */
export function continueMatching(core: Core): boolean {
  const progress = selectMatching(core);
  if (progress) matchBatch(core, progress);
  return progress !== undefined;
}

function matchBatch(core: Core, progress: MatchingProgress): void {
  const reached = matchFrom(core, progress);
  if (!reached) {
    deleteMatching(core, progress.jobId);
    return;
  }
  saveMatching(core, reached);
  // The delivery loop runs the next batch in a separate transaction after this commit.
  core.wake();
}

/**
 * Checks a batch of filters and returns the new progress. Returns undefined if all filters are checked, or if
 * the job is no longer open.
 */
function matchFrom(core: Core, { jobId, afterFilter }: MatchingProgress): MatchingProgress | undefined {
  const job = findMatchable(core, jobId);
  if (!job?.onBoard) return undefined;
  const facts = factsOf(core, job);
  const filters = selectFiltersAfter(core, afterFilter, CHECKED_MAX);
  let written = 0;
  for (const filter of filters) {
    if (matchFilter(core, filter, job, facts)) written++;
    if (written === WRITTEN_MAX) return { jobId, afterFilter: filter.id };
  }
  const last = filters.at(-1);
  return last && filters.length === CHECKED_MAX ? { jobId, afterFilter: last.id } : undefined;
}

/**
 * Stores a match with the builder's best filter if the job meets `filter`. Returns whether it stored a match.
 */
function matchFilter(core: Core, filter: SavedFilter, job: MatchableJob, facts: JobFacts): boolean {
  const { builderId } = filter;
  if (builderId === job.publishedBy || !matchResultOf(filter.criteria, facts)) return false;
  if (hasMatch(core, builderId, job.id)) return false;
  const best = bestFit(selectFiltersOf(core, builderId), facts);
  if (!best) return false;
  const { score, why } = best;
  insertMatch(core, {
    builderId,
    jobId: job.id,
    filterId: best.filterId,
    score,
    why,
    matchedAt: core.clock.now(),
  });
  notify(core, { to: builderId, kind: "job_match", subject: { type: "job", id: job.id } });
  recordPrivateEvent(core, builderId, "job.matched", { job_id: job.id, builder_id: builderId, score });
  return true;
}

/**
 * Returns the result of the best filter, or of the oldest among equally good filters. Returns undefined if no
 * filter matches.
 */
function bestFit(
  filters: readonly SavedFilter[],
  facts: JobFacts,
): (MatchResult & { filterId: string }) | undefined {
  let best: (MatchResult & { filterId: string }) | undefined;
  for (const { id, criteria } of filters) {
    const fit = matchResultOf(criteria, facts);
    if (fit && (!best || fit.score > best.score)) best = { ...fit, filterId: id };
  }
  return best;
}

function factsOf(core: Core, job: MatchableJob): JobFacts {
  return { ...job, words: indexedTextOfJob(core, job) };
}

/**
 * Returns the jobs on the board that match a filter of the caller, newest job first. Needs `jobs:read`.
 * Throws bad_request for a cursor of another list.
 */
export function listJobMatches(core: Core, caller: Caller, request: PageRequest): Page<JobMatch> {
  const { builderId } = requireBuilder(caller, "jobs:read");
  const scope = { list: "job-matches", filters: { builderId } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("job", parts[0]),
  );
  const postedAfter = expiryCutoff(core.clock.now());
  const living = { afterId: lastIdAt("job", postedAfter), postedAfter };
  return pageOf(selectMatches(core, builderId, key, living, request), request, scope, ({ job }) => [job.id]);
}

/**
 * Returns the caller's matches with these jobs. Leaves out jobs that are no longer on the board. Needs
 * `jobs:read`.
 */
export function getJobMatches(core: Core, caller: Caller, jobIds: readonly string[]): JobMatch[] {
  const { builderId } = requireBuilder(caller, "jobs:read");
  return selectMatchesOf(core, builderId, jobIds, expiryCutoff(core.clock.now()));
}

/** Number of matches deleted per transaction. */
const PRUNE_BATCH = 500;

/**
 * Deletes the matches of expired jobs in batches. These matches are no longer needed, because an expired job
 * cannot be reopened.
 */
export async function forgetOldMatches(core: Core): Promise<void> {
  const last = lastIdAt("job", expiryCutoff(core.clock.now()));
  while ((await core.db.write(() => deleteMatchesUpTo(core, last, PRUNE_BATCH))) > 0);
}
