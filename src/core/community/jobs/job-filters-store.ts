import type { Core } from "../../base/core.ts";
import { jobFilters } from "../../base/db/schema-jobs.ts";
import { type CursorKey, descending, type PageRequest } from "../../base/page.ts";
import type { FilterCriteria } from "./match-reasons.ts";
import type { JobFilter } from "./job-filters.ts";
import type { Seniority } from "./job.ts";

type Row = typeof jobFilters.$inferSelect;

/** The fields of a saved filter that are needed to check jobs. */
export interface SavedFilter {
  id: string;
  builderId: string;
  criteria: FilterCriteria;
}

export function insertFilter(core: Core, row: Row): void {
  core.db.insert(jobFilters, row);
}

export function updateFilter(core: Core, { id, ...row }: Row): void {
  core.db.patch(jobFilters, { id }, row);
}

export function deleteFilterRow(core: Core, builderId: string, id: string): boolean {
  return (
    core.db.prepare("DELETE FROM job_filters WHERE id = ? AND builder_id = ?").run(id, builderId).changes > 0
  );
}

export function findFilter(core: Core, builderId: string, id: string): Row | undefined {
  const row = core.db
    .prepare<SqlRow>(`SELECT ${COLUMNS} FROM job_filters f WHERE f.id = ? AND f.builder_id = ?`)
    .get(id, builderId);
  return row && parsed(row);
}

export function countFilters(core: Core, builderId: string): number {
  return (
    core.db
      .prepare<{ n: number }>("SELECT count(*) AS n FROM job_filters WHERE builder_id = ?")
      .get(builderId)?.n ?? 0
  );
}

interface SqlRow {
  id: string;
  builderId: string;
  name: string;
  q: string;
  terms: string;
  stack: string;
  city: string | null;
  remote: 0 | 1 | null;
  seniority: string;
  salaryMin: number | null;
  currency: string | null;
  createdAt: number;
}

const COLUMNS = `f.id, f.builder_id AS builderId, f.name, f.q, f.terms, f.stack, f.city, f.remote, f.seniority,
              f.salary_min AS salaryMin, f.currency, f.created_at AS createdAt`;

/** Selects a page of a builder's filters, newest first. */
export function selectFilters(
  core: Core,
  builderId: string,
  from: CursorKey | undefined,
  request: PageRequest,
): JobFilter[] {
  const { beyond, order } = descending(request);
  const start = from?.[0] ?? (request.backwards ? "" : "flt_~");
  return core.db
    .prepare<SqlRow>(
      `SELECT ${COLUMNS} FROM job_filters f WHERE f.builder_id = ? AND f.id ${beyond} ? ORDER BY f.id ${order} LIMIT ?`,
    )
    .all(builderId, start, request.limit + 1)
    .map((row) => toFilter(parsed(row)));
}

/** Selects all filters of a builder, oldest first. Returns none for a suspended builder. */
export function selectFiltersOf(core: Core, builderId: string): SavedFilter[] {
  return core.db
    .prepare<SqlRow>(
      `SELECT ${COLUMNS} FROM builders b CROSS JOIN job_filters f ON f.builder_id = b.id
       WHERE b.id = ? AND b.suspended_at IS NULL ORDER BY f.id`,
    )
    .all(builderId)
    .map(toSaved);
}

/** Selects the next filters of all builders, ordered by id. */
export function selectFiltersAfter(core: Core, afterId: string, limit: number): SavedFilter[] {
  return core.db
    .prepare<SqlRow>(`SELECT ${COLUMNS} FROM job_filters f WHERE f.id > ? ORDER BY f.id LIMIT ?`)
    .all(afterId, limit)
    .map(toSaved);
}

export function toFilter({ salaryMin, currency, terms: _terms, ...row }: Row): JobFilter {
  const salary = salaryMin === null || currency === null ? null : { min: salaryMin, currency };
  return { ...row, seniority: row.seniority as Seniority[], salary };
}

function toSaved(row: SqlRow): SavedFilter {
  const { id, builderId, terms, stack, city, remote, seniority, salary } = {
    ...toFilter(parsed(row)),
    terms: JSON.parse(row.terms) as FilterCriteria["terms"],
  };
  const criteria = { terms, stack, city: city ?? undefined, remote: remote ?? undefined, seniority, salary };
  return { id, builderId, criteria };
}

function parsed(row: SqlRow): Row {
  return {
    ...row,
    terms: [],
    stack: JSON.parse(row.stack),
    remote: row.remote === null ? null : row.remote === 1,
    seniority: JSON.parse(row.seniority),
  };
}
