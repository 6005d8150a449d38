import type { Core } from "../../base/core.ts";
import { jobMatches, jobMatchings } from "../../base/db/schema-jobs.ts";
import { LISTING, type ListingRow, toListing } from "./jobs-store.ts";
import { type CursorKey, descending, type PageRequest } from "../../base/page.ts";
import type { JobMatch, MatchingProgress } from "./matching.ts";

export function hasMatch(core: Core, builderId: string, jobId: string): boolean {
  return (
    core.db.prepare("SELECT 1 FROM job_matches WHERE builder_id = ? AND job_id = ?").get(builderId, jobId) !==
    undefined
  );
}

export function insertMatch(core: Core, row: typeof jobMatches.$inferInsert): void {
  core.db.insert(jobMatches, row);
}

/** Returns the oldest job for which some filters are not checked yet, or undefined if no such job exists. */
export function selectMatching(core: Core): MatchingProgress | undefined {
  return core.db
    .prepare<MatchingProgress>(
      `SELECT job_id AS jobId, after_filter AS afterFilter FROM job_matchings ORDER BY job_id LIMIT 1`,
    )
    .get();
}

export function saveMatching(core: Core, progress: MatchingProgress): void {
  core.db.upsert(jobMatchings, progress);
}

export function deleteMatching(core: Core, jobId: string): void {
  core.db.prepare("DELETE FROM job_matchings WHERE job_id = ?").run(jobId);
}

interface Row extends ListingRow {
  filterId: string | null;
  score: number;
  why: string;
  matchedAt: number;
}

/**
 * Selects a builder's matches with jobs on the board, newest job first. `living.afterId` is the job id that
 * corresponds to `postedAfter` and limits the index range.
 */
export function selectMatches(
  core: Core,
  builderId: string,
  from: CursorKey | undefined,
  living: { afterId: string; postedAfter: number },
  request: PageRequest,
): JobMatch[] {
  const { beyond, order } = descending(request);
  const start = from?.[0] ?? (request.backwards ? "" : "job_~");
  return core.db
    .prepare<Row>(
      `SELECT ${LISTING}, m.filter_id AS filterId, m.score, m.why, m.matched_at AS matchedAt
       FROM job_matches m CROSS JOIN jobs j ON j.id = m.job_id CROSS JOIN companies c ON c.id = j.company_id
       WHERE m.builder_id = ? AND m.job_id ${beyond} ? AND m.job_id > ? AND j.on_board = 1 AND j.posted_at > ?
       ORDER BY m.job_id ${order} LIMIT ?`,
    )
    .all(builderId, start, living.afterId, living.postedAfter, request.limit + 1)
    .map(toMatch);
}

/**
 * Selects a builder's matches with these jobs, in one statement and any order. Leaves out jobs that are no
 * longer on the board.
 */
export function selectMatchesOf(
  core: Core,
  builderId: string,
  jobIds: readonly string[],
  postedAfter: number,
): JobMatch[] {
  return core.db
    .prepare<Row>(
      `SELECT ${LISTING}, m.filter_id AS filterId, m.score, m.why, m.matched_at AS matchedAt
       FROM json_each(?) wanted CROSS JOIN job_matches m ON m.builder_id = ? AND m.job_id = wanted.value
       CROSS JOIN jobs j ON j.id = m.job_id CROSS JOIN companies c ON c.id = j.company_id
       WHERE j.on_board = 1 AND j.posted_at > ?`,
    )
    .all(JSON.stringify(jobIds), builderId, postedAfter)
    .map(toMatch);
}

function toMatch(row: Row): JobMatch {
  return {
    job: toListing(row),
    filterId: row.filterId,
    score: row.score,
    why: JSON.parse(row.why),
    matchedAt: row.matchedAt,
  };
}

/** Deletes at most `limit` matches of jobs with ids up to `jobId`. Returns the number of deleted rows. */
export function deleteMatchesUpTo(core: Core, jobId: string, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM job_matches WHERE (builder_id, job_id) IN
         (SELECT builder_id, job_id FROM job_matches INDEXED BY job_matches_by_job WHERE job_id <= ? LIMIT ?)`,
    )
    .run(jobId, limit).changes;
}
