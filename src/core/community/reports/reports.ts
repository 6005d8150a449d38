import type { Core } from "../../base/core.ts";
import { notify, withdrawNotification } from "../../identity/notifications/notify.ts";
import { closeCase, openCase } from "./cases.ts";
import { reopenStrangerReports, settleStrangerReports } from "./stranger-reports.ts";
import {
  type ChangedReport,
  reopenAbout,
  reopenOfSender,
  settleAbout,
  settleOfSender,
} from "./reports-store.ts";

export { hasOpenReports } from "./reports-store.ts";

/*
 * Settles and reopens reports. The `moderation` service has the reporting rules and the moderators' queue,
 * and checks permissions. Call each function in the transaction of the moderation decision.
 */

/**
 * Outcomes of a report:
 * - `upheld`: the content was hidden, the builder was suspended, or the report was justified but the content
 *   was already deleted.
 * - `dismissed`: the report was not justified.
 * - `gone`: the author deleted the content. Only earlier versions wrote this outcome.
 */
export const OUTCOMES = ["upheld", "dismissed", "gone"] as const;
export type Outcome = (typeof OUTCOMES)[number];
/** The outcomes that a moderator can choose. */
export type Decision = Exclude<Outcome, "gone">;

interface Settlement {
  outcome: Decision;
  /** Id of the moderator who decided. Null for the operator and for automatic decisions. */
  by: string | null;
}

/** Settles every open report about a subject. The decision closes the case (`closeCase`). */
export function settleReports(core: Core, subjectId: string, how: Settlement): void {
  settled(core, settleAbout(core, subjectId, how));
  settleStrangerReports(core, subjectId, how.outcome);
}

/** Settles every open report about messages of a builder, and closes the cases of these messages. */
export function settleReportsOfSender(core: Core, senderId: string, how: Settlement): void {
  const changed = settleOfSender(core, senderId, how);
  settled(core, changed);
  for (const id of new Set(changed.map(({ subjectId }) => subjectId))) closeCase(core, id);
}

/** Reopens the reports that were settled with this outcome, and their case. Returns the report ids. */
export function reopenReports(core: Core, subjectId: string, outcome: Decision): string[] {
  const hasStrangers = reopenStrangerReports(core, subjectId, outcome);
  const reopened = opened(core, reopenAbout(core, subjectId, outcome));
  if (hasStrangers && reopened.length === 0) openCase(core, subjectId, "report");
  return reopened;
}

export function reopenReportsOfSender(core: Core, senderId: string, outcome: Decision): string[] {
  return opened(core, reopenOfSender(core, senderId, outcome));
}

/**
 * Notifies reporters that a decision was made. The notification does not contain the outcome, because only
 * moderators see the outcome.
 */
function settled(core: Core, reports: readonly ChangedReport[]): void {
  for (const { id, reporterId } of reports)
    notify(core, { to: reporterId, kind: "report_decided", subject: { type: "report", id } });
}

/** Undoes the notifications that `settled` sent, and opens the cases again. */
function opened(core: Core, reports: readonly ChangedReport[]): string[] {
  for (const { id } of reports)
    withdrawNotification(core, { kind: "report_decided", subject: { type: "report", id } });
  for (const id of new Set(reports.map(({ subjectId }) => subjectId))) openCase(core, id, "report");
  return reports.map(({ id }) => id);
}
