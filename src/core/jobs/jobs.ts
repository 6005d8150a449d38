import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireScope } from "../access/caller.ts";
import { Choice, HttpsUrl, Slug, Text, Whole, Word } from "../check.ts";
import type { Core } from "../core.ts";
import { notFound, unprocessable } from "../errors.ts";
import { recordPublicEvent } from "../events/events.ts";
import { cursorKey, type CursorKey, type Page, pageOf, type PageRequest } from "../page.ts";
import {
  ensureCompany,
  findJob,
  insertJob,
  type ListedJob,
  selectMatching,
  selectNewest,
} from "./jobs-store.ts";
import { type Facets, matchExpression, parseQuery } from "./query.ts";
import { type RankedPlace, rankedSearch } from "./search.ts";

export interface JobListing {
  id: string;
  title: string;
  company: { name: string; slug: string };
  location: string;
  stack: string[];
  /** Whole units of the currency, a year. */
  salary: { min: number; max: number; currency: string };
  /** Milliseconds since the epoch. */
  postedAt: number;
}

export interface Job extends JobListing {
  /** Markdown. */
  description: string;
  applyUrl: string;
}

export const SENIORITIES = ["intern", "junior", "mid", "senior", "staff", "principal", "lead"] as const;
export type Seniority = (typeof SENIORITIES)[number];

export interface JobFilter extends Facets {
  /** Words, "quoted phrases", a trailing `*`; every one must stand in the title or the description. */
  q?: string | undefined;
}

export const JobDraft = Type.Object({
  title: Text({ max: 200, visible: true, line: true }),
  company: Type.Object({ name: Text({ max: 100, visible: true, line: true }), slug: Slug() }),
  location: Text({ max: 100, visible: true, line: true }),
  city: Type.Optional(Slug()),
  remote: Type.Boolean(),
  seniority: Choice(SENIORITIES),
  stack: Type.Array(Slug(), { maxItems: 20 }),
  salary: Type.Object({
    min: Whole(0, 1_000_000_000),
    max: Whole(0, 1_000_000_000),
    currency: Word("^[A-Z]{3}$", "must be a currency of three capitals, such as EUR"),
  }),
  description: Text({ max: 20_000, visible: true }),
  apply_url: HttpsUrl(),
});
export type JobDraft = Static<typeof JobDraft>;

/**
 * Searches the board (§4), ranked by relevance × recency where there are words and by recency where there are none.
 * Needs `jobs:read`. Throws bad_request for a cursor of another search.
 */
export function searchJobs(
  core: Core,
  caller: Caller,
  filter: JobFilter,
  request: PageRequest,
): Page<JobListing> {
  requireScope(caller, "jobs:read");
  const scope = { list: "jobs", filters: { ...filter } };
  const terms = parseQuery(filter.q ?? "");
  if (terms.length > 0) {
    const place = cursorKey(request, scope, isPlaceKey);
    const rows = rankedSearch(core, terms, filter, place && toPlace(place), request.limit + 1);
    return pageOf(rows, request, scope, ({ place: { at, hi, lo, score, seq } }) => [at, hi, lo, score, seq]);
  }
  const [before] = cursorKey(request, scope, isSeqKey) ?? [Number.MAX_SAFE_INTEGER];
  const expression = matchExpression([], filter);
  const rows: ListedJob[] =
    expression === undefined
      ? selectNewest(core, before, request.limit + 1)
      : selectMatching(core, expression, before, request.limit + 1);
  return pageOf(rows, request, scope, ({ seq }) => [seq]);
}

/** One job by its id (§4). Needs `jobs:read`. Throws not_found. */
export function getJob(core: Core, caller: Caller, id: string): Job {
  requireScope(caller, "jobs:read");
  const job = findJob(core, id);
  if (!job) throw notFound("There is no job with that id.");
  return job;
}

/**
 * Puts a job on the board and returns its id; `job.published` is recorded in the same transaction.
 * Needs `jobs:write`. Throws unprocessable where the salary's ends are swapped.
 */
export function publishJob(core: Core, caller: Caller, draft: JobDraft): string {
  requireScope(caller, "jobs:write");
  if (draft.salary.min > draft.salary.max) {
    throw unprocessable("`salary.min` is above `salary.max`; swap them.");
  }
  const postedAt = core.clock.now();
  const id = core.makeId("job", postedAt);
  core.db.transact(() => {
    const company = ensureCompany(core, {
      ...draft.company,
      id: core.makeId("company", postedAt),
      createdAt: postedAt,
    });
    insertJob(core, {
      id,
      companyId: company.id,
      title: draft.title,
      description: draft.description,
      location: draft.location,
      city: draft.city ?? null,
      remote: draft.remote,
      seniority: draft.seniority,
      stack: [...new Set(draft.stack)],
      salaryMin: draft.salary.min,
      salaryMax: draft.salary.max,
      currency: draft.salary.currency,
      applyUrl: draft.apply_url,
      postedAt,
    });
    recordPublicEvent(core, "job.published", {
      job: {
        id,
        title: draft.title,
        company: { name: company.name, slug: company.slug },
        url: `${core.origin}/jobs/${id}`,
      },
    });
  });
  return id;
}

function isSeqKey(key: CursorKey): key is [number] {
  return key.length === 1 && Number.isSafeInteger(key[0]);
}

function isPlaceKey(key: CursorKey): key is [number, number, number, number, number] {
  const [at, hi, lo, score, seq] = key;
  return key.length === 5 && [at, hi, lo, seq].every(Number.isSafeInteger) && typeof score === "number";
}

function toPlace([at, hi, lo, score, seq]: [number, number, number, number, number]): RankedPlace {
  return { at, hi, lo, score, seq };
}
