import type { Core } from "../../base/core.ts";
import type { Decision } from "./reports.ts";

/** A report that was just settled or reopened, and its reporter. */
export interface ChangedReport {
  id: string;
  subjectId: string;
  reporterId: string;
}
const RETURNING_REPORT = "RETURNING id, subject_id AS subjectId, reporter_id AS reporterId";

/** Settles every open report about a subject. */
export function settleAbout(
  core: Core,
  subjectId: string,
  { outcome, by }: { outcome: Decision; by: string | null },
): ChangedReport[] {
  return core.db
    .prepare<ChangedReport>(
      `UPDATE reports SET settled_at = ?, settled_by = ?, outcome = ?
       WHERE subject_id = ? AND settled_at IS NULL ${RETURNING_REPORT}`,
    )
    .all(core.clock.now(), by, outcome, subjectId);
}

/**
 * SQL clause that selects the reports about a builder's messages. These reports are few and adjacent in the
 * index of reported content. The sender is read from the message. If the message is deleted, the sender is
 * read from the copy that the report stores.
 */
const ABOUT_MESSAGES = `FROM reports r LEFT JOIN messages m ON m.id = r.subject_id
          LEFT JOIN report_copies c ON c.report_id = r.id
          WHERE r.subject_id > 'msg_' AND r.subject_id < 'msg_~' AND coalesce(m.sender_id, c.owner_id) = ?`;

/** Settles every open report about messages of a builder. */
export function settleOfSender(
  core: Core,
  senderId: string,
  { outcome, by }: { outcome: Decision; by: string | null },
): ChangedReport[] {
  return core.db
    .prepare<ChangedReport>(
      `UPDATE reports SET settled_at = ?, settled_by = ?, outcome = ? WHERE settled_at IS NULL AND id IN
         (SELECT r.id ${ABOUT_MESSAGES} AND r.settled_at IS NULL) ${RETURNING_REPORT}`,
    )
    .all(core.clock.now(), by, outcome, senderId);
}

export function reopenOfSender(core: Core, senderId: string, outcome: Decision): ChangedReport[] {
  return core.db
    .prepare<ChangedReport>(
      `UPDATE reports SET settled_at = NULL, settled_by = NULL, outcome = NULL WHERE id IN
         (SELECT r.id ${ABOUT_MESSAGES} AND r.outcome = ?) ${RETURNING_REPORT}`,
    )
    .all(senderId, outcome);
}

/** Reopens the reports about a subject that were settled with this outcome. */
export function reopenAbout(core: Core, subjectId: string, outcome: Decision): ChangedReport[] {
  return core.db
    .prepare<ChangedReport>(
      `UPDATE reports SET settled_at = NULL, settled_by = NULL, outcome = NULL
       WHERE subject_id = ? AND outcome = ? ${RETURNING_REPORT}`,
    )
    .all(subjectId, outcome);
}

/** Whether members or people without an account have reported a subject, and nobody has decided since. */
export function hasOpenReports(core: Core, subjectId: string): boolean {
  return (
    core.db
      .prepare(
        `SELECT 1 FROM reports WHERE subject_id = ? AND settled_at IS NULL
         UNION ALL SELECT 1 FROM stranger_reports WHERE subject_id = ? AND settled_at IS NULL LIMIT 1`,
      )
      .get(subjectId, subjectId) !== undefined
  );
}
