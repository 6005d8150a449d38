import type { Core } from "../../base/core.ts";
import { companies, jobs } from "../../base/db/schema-jobs.ts";
import { foldText } from "../../base/text-folding.ts";
import { descending, type PageRequest, type Walk as ListWalk } from "../../base/page.ts";
import type { Match, MatchRange } from "../fulltext/ranking-windows.ts";
import type { JobFull, JobListing, Seniority } from "./job.ts";
import type { JobTimes } from "./expiry.ts";
import { facetTokens } from "./query.ts";

/** The fields of a job that are shown in lists, with the job's sequence number in the order of posting. */
export interface ListedJob extends JobListing {
  seq: number;
}

/** An SQL row with the fields of a job that are shown in lists. */
export interface ListingRow {
  seq: number;
  id: string;
  title: string;
  companyId: string;
  companyName: string;
  companySlug: string;
  location: string;
  stack: string;
  salaryMin: number;
  salaryMax: number;
  currency: string;
  postedAt: number;
}

export const LISTING = `j.seq, j.id, j.title, c.id AS companyId, c.name AS companyName, c.slug AS companySlug, j.location, j.stack,
              j.salary_min AS salaryMin, j.salary_max AS salaryMax, j.currency, j.posted_at AS postedAt`;

/**
 * A page of jobs in the order of posting. The page starts after `seq`, or at the first job in the direction
 * of the request if `seq` is undefined.
 */
export interface Walk {
  seq: number | undefined;
  request: PageRequest;
  /**
   * Only jobs posted after this time, in ms since the epoch. Older jobs have expired, even if they are still
   * marked as on the board.
   */
  postedAfter: number;
}

function startOf({ seq, request }: Pick<Walk, "seq" | "request">): number {
  return seq ?? (request.backwards ? 0 : Number.MAX_SAFE_INTEGER);
}

/** Selects the jobs on the board. */
export function selectNewest(core: Core, walk: Walk): ListedJob[] {
  const { beyond, order } = descending(walk.request);
  return core.db
    .prepare<ListingRow>(
      `SELECT ${LISTING} FROM jobs j INDEXED BY jobs_on_board CROSS JOIN companies c ON c.id = j.company_id
       WHERE j.on_board = 1 AND j.seq ${beyond} ? AND j.posted_at > ? ORDER BY j.seq ${order} LIMIT ?`,
    )
    .all(startOf(walk), walk.postedAfter, walk.request.limit + 1)
    .map(toListing);
}

/**
 * Selects the jobs on the board of many companies in one statement, newest first. Leaves out expired jobs.
 */
export function selectJobsOf(
  core: Core,
  walks: readonly ListWalk<number>[],
  request: PageRequest,
  postedAfter: number,
): ReadonlyMap<string, ListedJob[]> {
  const { beyond, order } = descending(request);
  const starts = walks.map(({ id, from: seq }) => ({ id, from: startOf({ seq, request }) }));
  const rows = core.db
    .prepare<ListingRow>(
      `SELECT ${LISTING}
       FROM json_each(?) wanted CROSS JOIN json_each((SELECT json_group_array(seq) FROM
         (SELECT seq FROM jobs INDEXED BY jobs_on_board_of_company WHERE company_id = wanted.value ->> 'id' AND on_board = 1
            AND seq ${beyond} wanted.value ->> 'from' AND posted_at > ? ORDER BY seq ${order} LIMIT ?))) found
       CROSS JOIN jobs j ON j.seq = found.value CROSS JOIN companies c ON c.id = j.company_id`,
    )
    .all(JSON.stringify(starts), postedAfter, request.limit + 1)
    .map(toListing);
  const sign = order === "ASC" ? 1 : -1;
  const lists = Map.groupBy(rows, ({ companyId }) => companyId);
  for (const list of lists.values()) list.sort((a, b) => sign * (a.seq - b.seq));
  return lists;
}

/**
 * Selects the jobs on the board that match an FTS5 expression. The SQLite driver binds numbers as REAL. FTS5
 * ignores a REAL rowid, so the query casts numbers to INTEGER.
 */
export function selectMatching(core: Core, expression: string, walk: Walk): ListedJob[] {
  const { beyond, order } = descending(walk.request);
  return core.db
    .prepare<ListingRow>(
      `SELECT ${LISTING}
       FROM job_search s CROSS JOIN jobs j ON j.seq = s.rowid CROSS JOIN companies c ON c.id = j.company_id
       WHERE job_search MATCH ? AND s.rowid ${beyond} CAST(? AS INTEGER) AND j.posted_at > ?
       ORDER BY s.rowid ${order} LIMIT ?`,
    )
    .all(expression, startOf(walk), walk.postedAfter, walk.request.limit + 1)
    .map(toListing);
}

/** A range of matches posted between two times, both exclusive. */
export type PostedRange = MatchRange & { postedAfter: number; postedBefore: number };

export type TitledMatch = Match & { title: string };

/** Selects matches newest first, or oldest first for an upward range. */
export function selectMatches(core: Core, expression: string, range: PostedRange): TitledMatch[] {
  return core.db
    .prepare<TitledMatch>(
      `SELECT s.rowid AS seq, j.posted_at AS at, j.title FROM job_search s CROSS JOIN jobs j ON j.seq = s.rowid
       WHERE job_search MATCH ? AND s.rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) AND j.posted_at > ? AND j.posted_at < ?
       ORDER BY s.rowid ${range.isUpwards ? "ASC" : "DESC"} LIMIT ?`,
    )
    .all(expression, range.lo, range.hi, range.postedAfter, range.postedBefore, range.limit);
}

/** Selects the listings of `seqs` in one statement, in any order. */
export function selectListings(core: Core, seqs: readonly number[]): ListedJob[] {
  return core.db
    .prepare<ListingRow>(
      `SELECT ${LISTING}
       FROM json_each(?) wanted CROSS JOIN jobs j ON j.seq = wanted.value CROSS JOIN companies c ON c.id = j.company_id`,
    )
    .all(JSON.stringify(seqs))
    .map(toListing);
}

interface FullRow extends ListingRow, JobTimes {
  description: string;
  applyUrl: string;
  city: string | null;
  remote: 0 | 1;
  seniority: Seniority;
  publishedBy: string | null;
}

const FULL = `${LISTING}, j.description, j.apply_url AS applyUrl, j.city, j.remote, j.seniority,
              j.published_by AS publishedBy, j.closed_at AS closedAt, j.hidden_at AS hiddenAt`;

/** Finds a job in any state. */
export function findJob(core: Core, id: string): (JobFull & JobTimes) | undefined {
  const row = core.db
    .prepare<FullRow>(
      `SELECT ${FULL} FROM jobs j CROSS JOIN companies c ON c.id = j.company_id WHERE j.id = ?`,
    )
    .get(id);
  return row && toFull(row);
}

/** Selects jobs by id in any state, in one statement and any order. */
export function selectJobs(core: Core, ids: readonly string[]): (JobFull & JobTimes)[] {
  return core.db
    .prepare<FullRow>(
      `SELECT ${FULL} FROM json_each(?) wanted CROSS JOIN jobs j ON j.id = wanted.value
       CROSS JOIN companies c ON c.id = j.company_id`,
    )
    .all(JSON.stringify(ids))
    .map(toFull);
}

/** Selects a builder's published jobs in any state. */
export function selectPublished(
  core: Core,
  builderId: string,
  seq: number | undefined,
  request: PageRequest,
): (JobFull & JobTimes & { seq: number })[] {
  const { beyond, order } = descending(request);
  return core.db
    .prepare<FullRow>(
      `SELECT ${FULL} FROM jobs j INDEXED BY jobs_by_publisher CROSS JOIN companies c ON c.id = j.company_id
       WHERE j.published_by = ? AND j.seq ${beyond} ? ORDER BY j.seq ${order} LIMIT ?`,
    )
    .all(builderId, startOf({ seq, request }), request.limit + 1)
    .map((row) => ({ ...toFull(row), seq: row.seq }));
}

/** The columns of a job that are read by saved filters and by the search index. */
export interface MatchableJob extends JobTimes {
  seq: number;
  id: string;
  title: string;
  description: string;
  stack: string[];
  city: string | null;
  remote: boolean;
  seniority: Seniority;
  salary: { min: number; max: number; currency: string };
  publishedBy: string | null;
  onBoard: boolean;
}

export function findMatchable(core: Core, id: string): MatchableJob | undefined {
  const row = core.db
    .prepare<FullRow & { onBoard: 0 | 1 }>(
      `SELECT ${FULL}, j.on_board AS onBoard FROM jobs j CROSS JOIN companies c ON c.id = j.company_id WHERE j.id = ?`,
    )
    .get(id);
  return row && { ...toFull(row), seq: row.seq, onBoard: row.onBoard === 1 };
}

export function findCompany(core: Core, slug: string): typeof companies.$inferSelect | undefined {
  return core.db
    .prepare<typeof companies.$inferSelect>(
      `SELECT id, slug, name, created_at AS createdAt, made_by AS madeBy, workspace_id AS workspaceId
       FROM companies WHERE slug = ?`,
    )
    .get(slug);
}

/** Selects companies by id, in one statement and any order. */
export function selectCompanies(
  core: Core,
  ids: readonly string[],
): { id: string; name: string; slug: string }[] {
  return core.db
    .prepare<{ id: string; name: string; slug: string }>(
      "SELECT c.id, c.name, c.slug FROM json_each(?) wanted CROSS JOIN companies c ON c.id = wanted.value",
    )
    .all(JSON.stringify(ids));
}

/** Returns the company with the slug of `company`. Creates the company if it is missing. */
export function ensureCompany(
  core: Core,
  company: typeof companies.$inferInsert,
): typeof companies.$inferSelect {
  core.db.insertNew(companies, company);
  const found = findCompany(core, company.slug);
  if (!found) throw new Error("a company that was just made is not there");
  return found;
}

/** Stores a job, and its search index entry unless it is hidden. */
export function insertJob(core: Core, row: typeof jobs.$inferInsert): void {
  const isHidden = typeof row.hiddenAt === "number";
  const seq = core.db.insert(jobs, { ...row, onBoard: !isHidden });
  if (!isHidden) insertIndexed(core, { ...row, seq, city: row.city ?? null });
}

export function updateJob(core: Core, id: string, change: Partial<typeof jobs.$inferInsert>): boolean {
  return core.db.patch(jobs, { id }, change);
}

export function insertIndexed(
  core: Core,
  job: Pick<MatchableJob, "seq" | "title" | "description" | "stack" | "city" | "remote" | "seniority">,
): void {
  core.db
    .prepare(
      "INSERT INTO job_search (rowid, title, description, facets) VALUES (CAST(? AS INTEGER), ?, ?, ?)",
    )
    .run(job.seq, foldText(job.title), foldText(job.description), facetTokens(job));
}

export function deleteIndexed(core: Core, seq: number): void {
  core.db.prepare("DELETE FROM job_search WHERE rowid = CAST(? AS INTEGER)").run(seq);
}

/** Selects jobs that are still on the board and were posted at or before `line`, in ms since the epoch. */
export function selectOverdue(core: Core, line: number, limit: number): string[] {
  return core.db
    .prepare<{ id: string }>(
      `SELECT id FROM jobs INDEXED BY jobs_on_board_by_age
       WHERE on_board = 1 AND posted_at <= ? ORDER BY posted_at LIMIT ?`,
    )
    .all(line, limit)
    .map(({ id }) => id);
}

export function toListing(row: ListingRow): ListedJob {
  return {
    seq: row.seq,
    id: row.id,
    title: row.title,
    companyId: row.companyId,
    company: { name: row.companyName, slug: row.companySlug },
    location: row.location,
    stack: JSON.parse(row.stack),
    salary: { min: row.salaryMin, max: row.salaryMax, currency: row.currency },
    postedAt: row.postedAt,
  };
}

function toFull(row: FullRow): JobFull & JobTimes {
  const { seq: _seq, ...listing } = toListing(row);
  const { description, applyUrl, city, seniority, publishedBy, closedAt, hiddenAt } = row;
  return {
    ...listing,
    description,
    applyUrl,
    city,
    remote: row.remote === 1,
    seniority,
    publishedBy,
    closedAt,
    hiddenAt,
  };
}
