import { type Caller, isModerator, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { seesHidden } from "../../identity/access/visibility.ts";
import { spendLinks } from "../../identity/newcomers/newcomers.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { recordPublicEvent } from "../../outbox/events/events.ts";
import { matchJob } from "./matching.ts";
import { cursorKey, type CursorKey, type Page, pageOf, type PageRequest, pagesOf } from "../../base/page.ts";
import { type BrakedContent, brakeOf } from "../holding/brakes.ts";
import { hold } from "../holding/holding.ts";
import { award, withdrawSubject } from "../xp/xp.ts";
import { updateListing } from "./board.ts";
import { getOrCreateCompany } from "./companies.ts";
import {
  findJob,
  insertJob,
  type ListedJob,
  selectJobs,
  selectJobsOf,
  selectMatching,
  selectNewest,
  selectPublished,
  updateJob,
} from "./jobs-store.ts";

export { insertIndexed } from "./jobs-store.ts";
import type { Job, JobChange, JobDraft, JobFull, JobListing, JobQuery } from "./job.ts";
import { expiryCutoff, type JobTimes, LIFETIME_MS, stateOf } from "./expiry.ts";
import { matchExpression } from "./query.ts";
import { rankedJobs } from "./search.ts";
import { parseQuery } from "../fulltext/language.ts";
import { isPositionKey, positionKey, toPosition } from "../fulltext/ranking-windows.ts";

/**
 * Searches the job board (docs/contract.md#V4.8). Results are ranked by relevance × recency, or by recency
 * alone if the query has no words. Needs `jobs:read`. Throws bad_request for a cursor of another search, and
 * for paging backwards from the end of a very large result.
 */
export function searchJobs(
  core: Core,
  caller: Caller,
  query: JobQuery,
  request: PageRequest,
): Page<JobListing> {
  requireScope(caller, "jobs:read");
  const scope = { list: "jobs", filters: { ...query } };
  const terms = parseQuery(query.q ?? "");
  if (terms.length > 0) {
    const key = cursorKey(request, scope, isPositionKey);
    const rows = rankedJobs(core, terms, query, key && toPosition(key), request);
    return pageOf(rows, request, scope, ({ place }) => positionKey(place));
  }
  const [seq] = cursorKey(request, scope, isSeqKey) ?? [];
  const walk = { seq, request, postedAfter: expiryCutoff(core.clock.now()) };
  const expression = matchExpression([], query);
  const rows: ListedJob[] =
    expression === undefined ? selectNewest(core, walk) : selectMatching(core, expression, walk);
  return pageOf(rows, request, scope, (job) => [job.seq]);
}

/**
 * Returns the jobs on the board of many companies, newest first. The list of an unknown company is empty.
 * Needs `jobs:read`. Throws bad_request for a cursor of another list.
 */
export function listJobsOf(
  core: Core,
  caller: Caller,
  companyIds: readonly string[],
  request: PageRequest,
): ReadonlyMap<string, Page<JobListing>> {
  requireScope(caller, "jobs:read");
  return pagesOf<ListedJob, number>(companyIds, request, {
    scopeOf: (companyId) => ({ list: "jobs-of", filters: { companyId } }),
    isKey: isSeqKey,
    select: (walks) => selectJobsOf(core, walks, request, expiryCutoff(core.clock.now())),
    keyOf: ({ seq }) => seq,
  });
}

/**
 * Returns one job (docs/contract.md#V4.9). Only the publisher and moderators see a job that is not open.
 * Needs `jobs:read`. Throws not_found.
 */
export function getJob(core: Core, caller: Caller, id: string): Job {
  requireScope(caller, "jobs:read");
  return visibleJob(core, caller, id);
}

/** Returns many jobs at once. Leaves out jobs that the caller may not see. Needs `jobs:read`. */
export function getJobs(core: Core, caller: Caller, ids: readonly string[]): Job[] {
  requireScope(caller, "jobs:read");
  const now = core.clock.now();
  return selectJobs(core, ids)
    .map((found) => withState(found, now))
    .filter((job) => isVisible(caller, job));
}

/**
 * Whether the caller may change a job and see the job in every state. True only for the publisher of the job
 * and for the operator.
 */
export function isPublisher(caller: Caller, job: Pick<Job, "publishedBy">): boolean {
  return caller.means === "operator" || (caller.builderId !== null && caller.builderId === job.publishedBy);
}

/**
 * Returns what a caller may do with a visible job. The operations enforce the same rules, and a test compares
 * these results with the operations.
 */
export function jobAbilities(
  caller: Caller,
  job: Pick<Job, "publishedBy">,
): Record<"change" | "moderate", boolean> {
  return {
    change: caller.scopes.has("jobs:write") && isPublisher(caller, job),
    moderate: isModerator(caller),
  };
}

/**
 * Returns the jobs that the caller published, in any state, newest first. Needs `jobs:read`. Throws
 * bad_request for a cursor of another list.
 */
export function listOwnJobs(core: Core, caller: Caller, request: PageRequest): Page<Job> {
  const { builderId } = requireBuilder(caller, "jobs:read");
  const scope = { list: "own-jobs", filters: { builderId } };
  const [seq] = cursorKey(request, scope, isSeqKey) ?? [];
  const now = core.clock.now();
  const rows = selectPublished(core, builderId, seq, request).map((row) => ({
    ...withState(row, now),
    seq: row.seq,
  }));
  return pageOf(rows, request, scope, (job) => [job.seq]);
}

/**
 * Puts a job on the board for 60 days and returns it. Records `job.published` in the same transaction, and
 * `job.matched` for builders whose saved filters match. A job that a brake holds is hidden, and its events,
 * XP and matches begin at the approval (docs/contract.md#12.39). Needs `jobs:write`. Throws forbidden for
 * another member's company, unprocessable if the salary's maximum is below its minimum, and the refusals of
 * `spendLinks` for a new member.
 */
export function publishJob(core: Core, caller: Caller, draft: JobDraft): Job {
  requireScope(caller, "jobs:write");
  refuseSwapped(draft.salary);
  return core.db.transact(() => {
    spendLinks(core, caller, { texts: [draft.description] });
    // The application link does not count against the link limit of the description, because every job has
    // this link.
    spendLinks(core, caller, { texts: [], addresses: [draft.apply_url] });
    const postedAt = core.clock.now();
    const id = core.makeId("job", postedAt);
    const { company: named, city = null, ...rest } = draft;
    const company = getOrCreateCompany(core, caller, named);
    const brake = brakeOf(core, caller, brakedTextsOf(rest, [company.name, city]));
    insertJob(core, {
      ...columns(rest),
      id,
      city,
      companyId: company.id,
      publishedBy: caller.builderId,
      postedAt,
      hiddenAt: brake ? postedAt : null,
    });
    if (brake && caller.builderId !== null)
      hold(core, brake, { subjectId: id, builderId: caller.builderId, kind: "job", isNew: true });
    else {
      recordPublished(core, id);
      matchJob(core, id);
      if (caller.builderId !== null) award(core, caller.builderId, "job.published", id);
    }
    return visibleJob(core, caller, id);
  });
}

/** Records the event of a job that is public from now on. */
export function recordPublished(core: Core, id: string): void {
  recordPublicEvent(core, "job.published", { job: { id, url: `${core.origin}/jobs/${id}` } }, id);
}

/**
 * Changes the given fields, and whether the job is open. An open job is checked against the saved filters
 * again. Existing matches are kept, and builders with a new match are notified. A change that a brake catches
 * hides the job until the approval. Needs `jobs:write`, and the
 * caller must be the publisher. Throws not_found and forbidden. Throws conflict if the caller reopens a job
 * older than 60 days. Throws unprocessable if the salary's maximum is below its minimum.
 */
export function changeJob(core: Core, caller: Caller, id: string, change: JobChange): Job {
  requireScope(caller, "jobs:write");
  return core.db.transact(() => {
    const job = visibleJob(core, caller, id);
    if (!isPublisher(caller, job)) throw refuse("job_not_yours");
    const { open, city, ...rest } = change;
    if (open && job.state === "expired") throw refuse("job_over");
    refuseSwapped(rest.salary ?? job.salary);
    if (rest.description !== undefined)
      spendLinks(core, caller, { texts: [rest.description] }, { texts: [job.description] });
    if (rest.apply_url !== undefined)
      spendLinks(
        core,
        caller,
        { texts: [], addresses: [rest.apply_url] },
        { texts: [], addresses: [job.applyUrl] },
      );
    const fields = { ...draftOf(job), ...rest };
    const before = brakedTextsOf(draftOf(job), [job.company.name, job.city]);
    const after = brakedTextsOf(fields, [job.company.name, city === undefined ? job.city : city]);
    const isPublic = job.state === "open" || job.state === "closed";
    const brake = isPublic ? brakeOf(core, caller, { ...after, before }) : null;
    if (brake && caller.builderId !== null) {
      hold(core, brake, { subjectId: id, builderId: caller.builderId, kind: "job", isNew: false });
      withdrawSubject(core, id, "hidden");
    }
    updateJob(core, id, {
      ...columns(fields),
      ...(brake ? { hiddenAt: core.clock.now() } : {}),
      city: city === undefined ? job.city : city,
      ...(rest.title === undefined || rest.title === job.title ? {} : { retitledAt: core.clock.now() }),
      ...(open === undefined ? {} : { closedAt: open ? null : core.clock.now() }),
    });
    updateListing(core, id);
    return visibleJob(core, caller, id);
  });
}

type Fields = Omit<JobDraft, "company" | "city">;

function draftOf({ applyUrl, ...job }: Job): Fields {
  return { ...job, apply_url: applyUrl };
}

function columns({ salary, apply_url: applyUrl, ...draft }: Fields) {
  const { title, location, remote, seniority, description } = draft;
  return {
    title,
    location,
    remote,
    seniority,
    description,
    stack: [...new Set(draft.stack)],
    salaryMin: salary.min,
    salaryMax: salary.max,
    currency: salary.currency,
    applyUrl,
  };
}

/** Returns all texts and links of a job that readers see, for the brakes. */
function brakedTextsOf(
  { title, location, description, stack, apply_url: address }: Fields,
  names: readonly (string | null)[],
): BrakedContent {
  return { texts: [description, title, location, ...stack, ...names], addresses: [address] };
}

function refuseSwapped(salary: { min: number; max: number }): void {
  if (salary.min > salary.max) throw refuse("salary_upside_down");
}

function visibleJob(core: Core, caller: Caller, id: string): Job {
  const found = findJob(core, id);
  const job = found && withState(found, core.clock.now());
  if (job && isVisible(caller, job)) return job;
  throw refuse("job_unknown");
}

function isVisible(caller: Caller, job: Job): boolean {
  return job.state === "open" || isPublisher(caller, job) || seesHidden(caller, job.publishedBy ?? "");
}

function withState({ closedAt, hiddenAt, ...job }: JobFull & JobTimes, now: number): Job {
  const state = stateOf({ postedAt: job.postedAt, closedAt, hiddenAt }, now);
  return { ...job, state, expiresAt: job.postedAt + LIFETIME_MS };
}

function isSeqKey(key: CursorKey): key is [number] {
  return key.length === 1 && Number.isSafeInteger(key[0]);
}
