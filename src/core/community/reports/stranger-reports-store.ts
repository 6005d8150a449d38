import type { Core } from "../../base/core.ts";
import { strangerReports } from "../../base/db/schema-moderation.ts";
import type { Language } from "../../base/locales.ts";
import type { Decision } from "./reports.ts";

export interface StrangerReportRow {
  id: string;
  subjectId: string;
  reason: string;
  title: string | null;
  text: string | null;
  mail: string | null;
  language: Language;
  createdAt: number;
  settledAt: number | null;
  outcome: Decision | null;
}

const COLUMNS = `id, subject_id AS subjectId, reason, title, text, mail, language, created_at AS createdAt,
              settled_at AS settledAt, outcome`;

export function insertStrangerReport(core: Core, row: typeof strangerReports.$inferInsert): void {
  core.db.insert(strangerReports, row);
}

export function patchStrangerReport(
  core: Core,
  id: string,
  change: Partial<typeof strangerReports.$inferInsert>,
): void {
  core.db.patch(strangerReports, { id }, change);
}

export function findStrangerReport(core: Core, id: string): StrangerReportRow | undefined {
  return core.db.prepare<StrangerReportRow>(`SELECT ${COLUMNS} FROM stranger_reports WHERE id = ?`).get(id);
}

/** Finds the open report about a subject from a network address. */
export function findStrangerReportFrom(core: Core, subjectId: string, mark: Buffer): string | undefined {
  const sql = "SELECT id FROM stranger_reports WHERE subject_id = ? AND mark = ?";
  return core.db.prepare<{ id: string }>(sql).get(subjectId, mark)?.id;
}

/** Selects reports about a subject, newest first. */
export function selectStrangerReports(core: Core, subjectId: string, limit: number): StrangerReportRow[] {
  return core.db
    .prepare<StrangerReportRow>(
      `SELECT ${COLUMNS} FROM stranger_reports WHERE subject_id = ? ORDER BY id DESC LIMIT ?`,
    )
    .all(subjectId, limit);
}

/** Settles the open reports about a subject, and deletes their marks. Returns the ids. */
export function settleStrangersAbout(core: Core, subjectId: string, outcome: Decision): string[] {
  return core.db
    .prepare<{ id: string }>(
      `UPDATE stranger_reports SET settled_at = ?, outcome = ?, mark = NULL
       WHERE subject_id = ? AND settled_at IS NULL RETURNING id`,
    )
    .all(core.clock.now(), outcome, subjectId)
    .map(({ id }) => id);
}

/** Reopens the reports that were settled with this outcome. Returns whether there were any. */
export function reopenStrangersAbout(core: Core, subjectId: string, outcome: Decision): boolean {
  return core.db.patch(strangerReports, { subjectId, outcome }, { settledAt: null, outcome: null });
}

/** Deletes the copies of up to `limit` reports that were settled before a time. Returns their number. */
export function deleteStrangerCopies(core: Core, before: number, limit: number): number {
  return core.db
    .prepare(
      `UPDATE stranger_reports SET title = NULL, text = NULL WHERE id IN
         (SELECT id FROM stranger_reports INDEXED BY stranger_reports_settled
          WHERE settled_at <= ? AND text IS NOT NULL LIMIT ?)`,
    )
    .run(before, limit).changes;
}
