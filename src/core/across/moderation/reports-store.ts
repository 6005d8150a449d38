import type { Core } from "../../ground/core.ts";
import { reports } from "../../ground/db/schema.ts";
import { descending, type PageRequest } from "../../ground/page.ts";
import type { Outcome } from "../../community/reports/reports.ts";
import type { ReportState } from "./reports.ts";

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
}

const REPORT = `SELECT r.id, r.subject_id AS subjectId, r.reason, r.created_at AS createdAt, reporter.username AS reporter,
              r.settled_at AS settledAt, settler.username AS settledBy, r.outcome,
              r.revision_id AS revisionId`;
const PEOPLE = `CROSS JOIN builders reporter ON reporter.id = r.reporter_id
       LEFT JOIN builders settler ON settler.id = r.settled_by`;

const IN_STATE: Readonly<Record<ReportState, string>> = {
  open: "INDEXED BY reports_open",
  settled: "INDEXED BY reports_settled",
};

/** Newest first; all, or those of one state. */
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
    .prepare<ReportRow>(
      `${REPORT} FROM reports r ${index} ${PEOPLE}
       WHERE ${state === undefined ? "" : `r.settled_at ${isSettled[state]} AND`} r.id ${beyond} ?
       ORDER BY r.id ${order} LIMIT ?`,
    )
    .all(fromId ?? (request.backwards ? "" : "rpt_~"), request.limit + 1);
}

export function findReport(core: Core, id: string): ReportRow | undefined {
  return core.db.prepare<ReportRow>(`${REPORT} FROM reports r ${PEOPLE} WHERE r.id = ?`).get(id);
}

export function findReportBy(core: Core, subjectId: string, reporterId: string): ReportRow | undefined {
  return core.db
    .prepare<ReportRow>(`${REPORT} FROM reports r ${PEOPLE} WHERE r.subject_id = ? AND r.reporter_id = ?`)
    .get(subjectId, reporterId);
}

/** Reports by their ids, in one statement and any order; those of one reporter alone where one is named. */
export function selectReportsById(
  core: Core,
  ids: readonly string[],
  reporterId: string | undefined,
): ReportRow[] {
  return core.db
    .prepare<ReportRow>(
      `${REPORT} FROM json_each(?) wanted CROSS JOIN reports r ON r.id = wanted.value ${PEOPLE}
       WHERE ? IS NULL OR r.reporter_id = ?`,
    )
    .all(JSON.stringify(ids), reporterId ?? null, reporterId ?? null);
}

export function insertReport(core: Core, row: typeof reports.$inferInsert): void {
  core.db.insert(reports, row);
}

export function updateReport(
  core: Core,
  id: string,
  change: Pick<typeof reports.$inferInsert, "reason" | "revisionId">,
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
