import type { Core } from "../../base/core.ts";
import { reportCopies, reports } from "../../base/db/schema.ts";
import { descending, type PageRequest } from "../../base/page.ts";
import type { Outcome } from "../../community/reports/reports.ts";
import type { ReportState } from "./reports.ts";
import type { ReportedCopy } from "./subjects-store.ts";

export interface ReportRow {
  id: string;
  subjectId: string;
  reason: string;
  createdAt: number;
  reporter: string;
  settledAt: number | null;
  settledBy: string | null;
  outcome: Outcome | null;
  revisionId: string | null;
  /** Copy of the reported content, for moderators; null after the copy is deleted. */
  copy: ReportedCopy | null;
}

type Stored = Omit<ReportRow, "copy"> & {
  title: string | null;
  text: string;
  later: string | null;
  ownerId: string | null;
  username: string | null;
};

// SQL that selects reports with the current username of the subject's owner. The username at the time of the
// report may have been different.
const REPORT = `SELECT r.id, r.subject_id AS subjectId, r.reason, r.created_at AS createdAt, reporter.username AS reporter,
              r.settled_at AS settledAt, settler.username AS settledBy, r.outcome, r.revision_id AS revisionId,
              c.title, c.text, c.later, c.owner_id AS ownerId, coalesce(owner.username, c.username) AS username`;
const JOINED = `CROSS JOIN builders reporter ON reporter.id = r.reporter_id
       LEFT JOIN builders settler ON settler.id = r.settled_by
       LEFT JOIN report_copies c ON c.report_id = r.id
       LEFT JOIN builders owner ON owner.id = c.owner_id AND owner.removed_at IS NULL`;

const IN_STATE: Readonly<Record<ReportState, string>> = {
  open: "INDEXED BY reports_open",
  settled: "INDEXED BY reports_settled",
};

/** Selects reports, newest first, optionally only those in one state. */
export function selectReports(
  core: Core,
  state: ReportState | undefined,
  fromId: string | undefined,
  request: PageRequest,
): ReportRow[] {
  const { beyond, order } = descending(request);
  const index = state === undefined ? "" : IN_STATE[state];
  const isSettled = { open: "IS NULL", settled: "IS NOT NULL" };
  return core.db
    .prepare<Stored>(
      `${REPORT} FROM reports r ${index} ${JOINED}
       WHERE ${state === undefined ? "" : `r.settled_at ${isSettled[state]} AND`} r.id ${beyond} ?
       ORDER BY r.id ${order} LIMIT ?`,
    )
    .all(fromId ?? (request.backwards ? "" : "rpt_~"), request.limit + 1)
    .map(toRow);
}

export function findReport(core: Core, id: string): ReportRow | undefined {
  const row = core.db.prepare<Stored>(`${REPORT} FROM reports r ${JOINED} WHERE r.id = ?`).get(id);
  return row && toRow(row);
}

export function findReportBy(core: Core, subjectId: string, reporterId: string): ReportRow | undefined {
  const row = core.db
    .prepare<Stored>(`${REPORT} FROM reports r ${JOINED} WHERE r.subject_id = ? AND r.reporter_id = ?`)
    .get(subjectId, reporterId);
  return row && toRow(row);
}

/**
 * Finds the newest report with the given outcome about a subject; the outcome null means that the report is
 * open.
 */
export function findReportAbout(
  core: Core,
  subjectId: string,
  outcome: Outcome | null,
): ReportRow | undefined {
  const row = core.db
    .prepare<Stored>(
      `${REPORT} FROM reports r ${JOINED} WHERE r.subject_id = ? AND r.outcome IS ? ORDER BY r.id DESC LIMIT 1`,
    )
    .get(subjectId, outcome);
  return row && toRow(row);
}

/** Selects the newest reports about a subject. */
export function selectReportsAbout(core: Core, subjectId: string, limit: number): ReportRow[] {
  return core.db
    .prepare<Stored>(`${REPORT} FROM reports r ${JOINED} WHERE r.subject_id = ? ORDER BY r.id DESC LIMIT ?`)
    .all(subjectId, limit)
    .map(toRow);
}

/** Selects reports by id in any order, optionally only those of one reporter. */
export function selectReportsById(
  core: Core,
  ids: readonly string[],
  reporterId: string | undefined,
): ReportRow[] {
  return core.db
    .prepare<Stored>(
      `${REPORT} FROM json_each(?) wanted CROSS JOIN reports r ON r.id = wanted.value ${JOINED}
       WHERE ? IS NULL OR r.reporter_id = ?`,
    )
    .all(JSON.stringify(ids), reporterId ?? null, reporterId ?? null)
    .map(toRow);
}

export function insertReport(core: Core, row: typeof reports.$inferInsert): void {
  core.db.insert(reports, row);
}

export function updateReport(
  core: Core,
  id: string,
  change: Pick<typeof reports.$inferInsert, "reason">,
): void {
  core.db.patch(reports, { id }, change);
}

export function countOpen(core: Core, max: number): number {
  return (
    core.db
      .prepare<{ count: number }>(
        "SELECT count(*) AS count FROM (SELECT 1 FROM reports INDEXED BY reports_open WHERE settled_at IS NULL LIMIT ?)",
      )
      .get(max)?.count ?? 0
  );
}

/**
 * Stores a copy of the reported content. If the report already has a copy, keeps that copy and stores the
 * present content in `later`.
 */
export function storeCopy(core: Core, copy: typeof reportCopies.$inferInsert): void {
  if (core.db.insertNew(reportCopies, copy)) return;
  core.db
    .prepare(
      `UPDATE report_copies SET later = CASE
         WHEN title <> @title THEN @title || char(10, 10) || @text
         WHEN text <> @text THEN @text END
       WHERE report_id = @reportId`,
    )
    .run({ reportId: copy.reportId, title: copy.title, text: copy.text });
}

export interface Uncopied {
  id: string;
  subjectId: string;
  revisionId: string | null;
}

const UNCOPIED = `SELECT r.id, r.subject_id AS subjectId, r.revision_id AS revisionId`;
const IS_UNCOPIED = "NOT EXISTS (SELECT 1 FROM report_copies WHERE report_id = r.id)";

/** Selects the given reports that have no copy. */
export function selectUncopied(core: Core, ids: readonly string[]): Uncopied[] {
  return core.db
    .prepare<Uncopied>(
      `${UNCOPIED} FROM json_each(?) wanted CROSS JOIN reports r ON r.id = wanted.value WHERE ${IS_UNCOPIED}`,
    )
    .all(JSON.stringify(ids));
}

/** Selects all open reports that have no copy. Scans all open reports. */
export function selectAllUncopied(core: Core): Uncopied[] {
  return core.db
    .prepare<Uncopied>(
      `${UNCOPIED} FROM reports r INDEXED BY reports_open WHERE r.settled_at IS NULL AND ${IS_UNCOPIED}`,
    )
    .all();
}

/** Deletes up to `limit` copies of reports that were settled before a time. Returns their number. */
export function deleteCopies(core: Core, before: number, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM report_copies WHERE report_id IN
         (SELECT c.report_id FROM report_copies c CROSS JOIN reports r ON r.id = c.report_id
          WHERE r.settled_at <= ? LIMIT ?)`,
    )
    .run(before, limit).changes;
}

function toRow({ title, text, later, ownerId, username, ...row }: Stored): ReportRow {
  return { ...row, copy: title === null ? null : { title, text, later, ownerId, username } };
}
