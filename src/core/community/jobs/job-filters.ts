import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { refuseOverQuota } from "../../identity/quotas/quotas.ts";
import { Choice, ruled, Text, WholeNumber } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { Currency, JobQuery, SENIORITIES } from "./job.ts";
import { Id, orNull, DisplayText, Timestamp } from "../../base/view.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import {
  countFilters,
  deleteFilterRow,
  findFilter,
  insertFilter,
  selectFilters,
  toFilter,
  updateFilter,
} from "./job-filters-store.ts";
import { termsOfQuery } from "./indexed-text.ts";

export const SalaryFloorView = Type.Object(
  {
    min: Type.Integer({
      description: "The minimum salary. The upper end of a job's range must reach this amount.",
      examples: [80_000],
    }),
    currency: DisplayText(
      "The currency as three capital letters, such as `EUR`. Currencies are not converted.",
      "EUR",
    ),
  },
  {
    $id: "SalaryFloor",
    description: "The minimum salary per year, in whole units of the currency.",
  },
);

export const JobFilterView = Type.Object(
  {
    id: Id("flt_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the filter."),
    name: DisplayText("Your name for the filter.", "Rust in Berlin"),
    q: DisplayText("Search words, as in the job search. Empty if the condition is not set.", ""),
    stack: Type.Array(Type.String(), {
      description: "A job must have at least one of these. Empty if the condition is not set.",
      examples: [["rust"]],
    }),
    city: orNull(Type.String(), {
      description: "The city, as a slug. `null` if the condition is not set.",
      examples: ["berlin"],
    }),
    remote: orNull(Type.Boolean(), {
      description:
        "`true` matches fully remote jobs and, if `city` is set, jobs in that city. `false` excludes fully remote jobs. `null` if the condition is not set.",
      examples: [true],
    }),
    seniority: Type.Array(Choice(SENIORITIES), {
      description: "A job must have at least one of these. Empty if the condition is not set.",
      examples: [["senior", "staff"]],
    }),
    salary: orNull(SalaryFloorView, "The minimum salary. `null` if the condition is not set."),
    createdAt: Timestamp({ description: "The time at which the filter was saved." }),
  },
  { $id: "JobFilter" },
);

export interface JobFilter extends Static<typeof JobFilterView> {
  /** Id of the builder who owns the filter. Only the owner sees the filter. */
  builderId: string;
}

/**
 * Maximum number of saved filters per builder. The limit exists because each job is checked against every
 * filter.
 */
export const FILTERS_MAX = 20;

const { q, stack, city, remote, seniority } = JobQuery.properties;

const fields = {
  q,
  stack,
  city: criterion(
    Type.Optional(city, false),
    "A city, as a slug. With `remote` set to `true`, jobs in that city and fully remote jobs match.",
    "berlin",
  ),
  remote: criterion(
    Type.Optional(remote, false),
    "`true` matches fully remote jobs and, if `city` is set, jobs in that city. `false` excludes fully remote jobs.",
    true,
  ),
  seniority,
  salary: criterion(
    Type.Object(
      { min: WholeNumber(0, 1_000_000_000, { description: "The minimum salary." }), currency: Currency },
      ruled("not_salary"),
    ),
    "The minimum salary per year, in whole units of the currency. A job matches if the upper end of its range is at least `min`. Currencies are not converted.",
    { min: 80_000, currency: "EUR" },
  ),
};
const Name = Text({
  max: 100,
  visible: true,
  line: true,
  description: "Your name for the filter.",
  examples: ["Rust in Berlin"],
});

/** Input for a new filter. Omitted, null and empty criteria match every job. */
export const JobFilterInput = Type.Object({ name: Name, ...fields });
export type JobFilterInput = Partial<Static<typeof JobFilterInput>> & { name: string };

/** A change to a filter. Omitted fields are unchanged. */
export const JobFilterChange = Type.Object({ name: Type.Optional(Name), ...fields });
export type JobFilterChange = Static<typeof JobFilterChange>;

/** Returns the schema of a criterion. A client removes the criterion with null. */
function criterion<Schema extends TSchema>(schema: Schema, description: string, example: Static<Schema>) {
  const rule = `${schema["rule"]}, or null`;
  return Type.Optional(Type.Union([schema, Type.Null()], { description, examples: [example], rule }));
}

/**
 * Returns the caller's filters, newest first. Needs `jobs:read`. Throws bad_request for a cursor of another
 * list.
 */
export function listJobFilters(core: Core, caller: Caller, request: PageRequest): Page<JobFilter> {
  const { builderId } = requireBuilder(caller, "jobs:read");
  const scope = { list: "job-filters", filters: { builderId } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("flt", parts[0]),
  );
  return pageOf(selectFilters(core, builderId, key, request), request, scope, ({ id }) => [id]);
}

/**
 * Returns one of the caller's filters. Needs `jobs:read`. Throws not_found, also for another member's filter.
 */
export function getJobFilter(core: Core, caller: Caller, id: string): JobFilter {
  return toFilter(ownFilter(core, requireBuilder(caller, "jobs:read").builderId, id));
}

/**
 * Saves a filter. Jobs that are published, changed or reopened afterwards are checked against the filter.
 * Needs `jobs:write`. Throws conflict if the builder already has `FILTERS_MAX` filters, or as many filters as
 * the operator allows.
 */
export function createJobFilter(core: Core, caller: Caller, input: JobFilterInput): JobFilter {
  const owner = requireBuilder(caller, "jobs:write");
  const { builderId } = owner;
  return core.db.transact(() => {
    if (countFilters(core, builderId) >= FILTERS_MAX) throw refuse("filters_too_many", { max: FILTERS_MAX });
    refuseOverQuota(core, owner, "filters", () => countFilters(core, builderId));
    const createdAt = core.clock.now();
    const blank = { q: "", stack: [], city: null, remote: null, seniority: [], salary: null };
    const filter = merged(
      { id: core.makeId("flt", createdAt), builderId, createdAt, name: "", ...blank },
      input,
    );
    insertFilter(core, { ...row(filter), terms: termsOfQuery(core, filter.q) });
    return filter;
  });
}

/** Changes the given fields of a filter. Existing matches are kept. Needs `jobs:write`. Throws not_found. */
export function changeJobFilter(core: Core, caller: Caller, id: string, change: JobFilterChange): JobFilter {
  const { builderId } = requireBuilder(caller, "jobs:write");
  return core.db.transact(() => {
    const filter = merged(toFilter(ownFilter(core, builderId, id)), change);
    updateFilter(core, { ...row(filter), terms: termsOfQuery(core, filter.q) });
    return filter;
  });
}

/** Deletes a filter. Its matches are kept. Needs `jobs:write`. Throws not_found. */
export function deleteJobFilter(core: Core, caller: Caller, id: string): void {
  const { builderId } = requireBuilder(caller, "jobs:write");
  core.db.transact(() => {
    if (!deleteFilterRow(core, builderId, id)) throw unknownFilter();
  });
}

function merged(filter: JobFilter, change: JobFilterChange): JobFilter {
  const next = { ...filter };
  if (change.name !== undefined) next.name = change.name;
  if (change.q !== undefined) next.q = change.q;
  if (change.stack !== undefined) next.stack = [...new Set(change.stack)];
  if (change.city !== undefined) next.city = change.city;
  if (change.remote !== undefined) next.remote = change.remote;
  if (change.seniority !== undefined) next.seniority = [...new Set(change.seniority)];
  if (change.salary !== undefined) next.salary = change.salary;
  return next;
}

function row({ salary, ...filter }: JobFilter) {
  return { ...filter, salaryMin: salary?.min ?? null, currency: salary?.currency ?? null };
}

function ownFilter(core: Core, builderId: string, id: string) {
  const found = findFilter(core, builderId, id);
  if (!found) throw unknownFilter();
  return found;
}

function unknownFilter() {
  return refuse("filter_unknown");
}
