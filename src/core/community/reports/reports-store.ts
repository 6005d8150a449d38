import type { Core } from "../../ground/core.ts";
import { reports } from "../../ground/db/schema.ts";
import type { Outcome } from "./reports.ts";

/** Settles every open report about a thing. Call it in the transaction of what settles them. */
export function settleReports(
  core: Core,
  subjectId: string,
  { outcome, by }: { outcome: Outcome; by: string | null },
): void {
  core.db
    .prepare(
      "UPDATE reports SET settled_at = ?, settled_by = ?, outcome = ? WHERE subject_id = ? AND settled_at IS NULL",
    )
    .run(core.clock.now(), by, outcome, subjectId);
}

/** Reports about messages are few, and side by side in the index of subjects. */
const ABOUT_MESSAGES = `FROM reports r CROSS JOIN messages m ON m.id = r.subject_id
          WHERE r.subject_id > 'msg_' AND r.subject_id < 'msg_~'`;

/** The same for every open report about a message of a builder. */
export function settleReportsOfSender(
  core: Core,
  senderId: string,
  { outcome, by }: { outcome: Outcome; by: string | null },
): void {
  core.db
    .prepare(
      `UPDATE reports SET settled_at = ?, settled_by = ?, outcome = ? WHERE settled_at IS NULL AND id IN
         (SELECT r.id ${ABOUT_MESSAGES} AND r.settled_at IS NULL AND m.sender_id = ?)`,
    )
    .run(core.clock.now(), by, outcome, senderId);
}

export function reopenReportsOfSender(core: Core, senderId: string, outcome: Outcome): void {
  core.db
    .prepare(
      `UPDATE reports SET settled_at = NULL, settled_by = NULL, outcome = NULL WHERE id IN
         (SELECT r.id ${ABOUT_MESSAGES} AND r.outcome = ? AND m.sender_id = ?)`,
    )
    .run(outcome, senderId);
}

/** Settles the open reports about messages that are about to go. */
export function settleReportsOfThread(core: Core, threadId: string, now: number): void {
  core.db
    .prepare(
      `UPDATE reports SET settled_at = ?, outcome = 'gone' WHERE settled_at IS NULL AND id IN
         (SELECT r.id ${ABOUT_MESSAGES} AND r.settled_at IS NULL AND m.thread_id = ?)`,
    )
    .run(now, threadId);
}

/** Opens again what was settled in one way. */
export function reopenReports(core: Core, subjectId: string, outcome: Outcome): void {
  core.db.patch(reports, { subjectId, outcome }, { settledAt: null, settledBy: null, outcome: null });
}
