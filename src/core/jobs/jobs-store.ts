import { eq } from "drizzle-orm";
import type { Core } from "../core.ts";
import { companies, jobs } from "../db/schema.ts";
import type { Job, JobListing } from "./jobs.ts";
import { facetTokens } from "./query.ts";

/** A job as its list shows it, with its place in the order of posting. */
export interface ListedJob extends JobListing {
  seq: number;
}

/** A match of a search before it is ranked. */
export interface Match {
  seq: number;
  postedAt: number;
}

interface ListingRow {
  seq: number;
  id: string;
  title: string;
  companyName: string;
  companySlug: string;
  location: string;
  stack: string;
  salaryMin: number;
  salaryMax: number;
  currency: string;
  postedAt: number;
}

const LISTING = `j.seq, j.id, j.title, c.name AS companyName, c.slug AS companySlug, j.location, j.stack,
              j.salary_min AS salaryMin, j.salary_max AS salaryMax, j.currency, j.posted_at AS postedAt`;

/** The newest jobs before `seq`. */
export function selectNewest(core: Core, beforeSeq: number, limit: number): ListedJob[] {
  return core.db
    .prepare<ListingRow>(
      `SELECT ${LISTING} FROM jobs j CROSS JOIN companies c ON c.id = j.company_id
       WHERE j.seq < ? ORDER BY j.seq DESC LIMIT ?`,
    )
    .all(beforeSeq, limit)
    .map(toListing);
}

/** The newest jobs before `seq` that match an FTS5 expression. The driver binds numbers as REAL, which FTS5 would ignore: hence the cast. */
export function selectMatching(
  core: Core,
  expression: string,
  beforeSeq: number,
  limit: number,
): ListedJob[] {
  return core.db
    .prepare<ListingRow>(
      `SELECT ${LISTING}
       FROM job_search s CROSS JOIN jobs j ON j.seq = s.rowid CROSS JOIN companies c ON c.id = j.company_id
       WHERE job_search MATCH ? AND s.rowid < CAST(? AS INTEGER)
       ORDER BY s.rowid DESC LIMIT ?`,
    )
    .all(expression, beforeSeq, limit)
    .map(toListing);
}

/** The newest matches from `hi` down to `lo`, both included, at most `limit`. */
export function selectMatches(
  core: Core,
  expression: string,
  lo: number,
  hi: number,
  limit: number,
): Match[] {
  return core.db
    .prepare<Match>(
      `SELECT s.rowid AS seq, j.posted_at AS postedAt
       FROM job_search s CROSS JOIN jobs j ON j.seq = s.rowid
       WHERE job_search MATCH ? AND s.rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)
       ORDER BY s.rowid DESC LIMIT ?`,
    )
    .all(expression, lo, hi, limit);
}

/** Which jobs from `lo` to `hi`, by their `seq`, match an expression: in their titles alone, or in all of their text. */
export function selectSeqs(
  core: Core,
  index: "job_titles" | "job_search",
  expression: string,
  lo: number,
  hi: number,
): number[] {
  return core.db
    .prepare<{ seq: number }>(
      `SELECT rowid AS seq FROM ${index}
       WHERE ${index} MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)
       ORDER BY rowid DESC`,
    )
    .all(expression, lo, hi)
    .map((row) => row.seq);
}

/** The listings of `seqs` in one statement, in any order. */
export function selectListings(core: Core, seqs: readonly number[]): ListedJob[] {
  return core.db
    .prepare<ListingRow>(
      `SELECT ${LISTING}
       FROM json_each(?) wanted CROSS JOIN jobs j ON j.seq = wanted.value CROSS JOIN companies c ON c.id = j.company_id`,
    )
    .all(JSON.stringify(seqs))
    .map(toListing);
}

export function findJob(core: Core, id: string): Job | undefined {
  const row = core.db
    .prepare<ListingRow & { description: string; applyUrl: string }>(
      `SELECT ${LISTING}, j.description, j.apply_url AS applyUrl
       FROM jobs j CROSS JOIN companies c ON c.id = j.company_id WHERE j.id = ?`,
    )
    .get(id);
  return row && { ...toListing(row), description: row.description, applyUrl: row.applyUrl };
}

/** The company of that slug; made with this name where there is none yet. */
export function ensureCompany(
  core: Core,
  company: { id: string; slug: string; name: string; createdAt: number },
) {
  core.db.orm.insert(companies).values(company).onConflictDoNothing().run();
  const found = core.db.orm.select().from(companies).where(eq(companies.slug, company.slug)).get();
  if (!found) throw new Error("a company that was just made is not there");
  return found;
}

/** A job and its place in the search index. */
export function insertJob(core: Core, row: typeof jobs.$inferInsert): void {
  const { lastInsertRowid: seq } = core.db.orm.insert(jobs).values(row).run();
  const facets = facetTokens({ ...row, city: row.city ?? null });
  core.db
    .prepare(
      "INSERT INTO job_search (rowid, title, description, facets) VALUES (CAST(? AS INTEGER), ?, ?, ?)",
    )
    .run(seq, row.title, row.description, facets);
  core.db.prepare("INSERT INTO job_titles (rowid, title) VALUES (CAST(? AS INTEGER), ?)").run(seq, row.title);
}

function toListing(row: ListingRow): ListedJob {
  return {
    seq: row.seq,
    id: row.id,
    title: row.title,
    company: { name: row.companyName, slug: row.companySlug },
    location: row.location,
    stack: JSON.parse(row.stack),
    salary: { min: row.salaryMin, max: row.salaryMax, currency: row.currency },
    postedAt: row.postedAt,
  };
}
