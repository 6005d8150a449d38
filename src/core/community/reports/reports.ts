import type { Core } from "../../base/core.ts";
import { REPORTS } from "../../identity/notifications/kinds.ts";
import { notify, notifyTeam, withdrawNotification } from "../../identity/notifications/notify.ts";
import { type Moved, reopenAbout, reopenOfSender, settleAbout, settleOfSender } from "./reports-store.ts";

/*
 * How reports about a thing end: by a decision alone. Who may report what, and the moderators' queue, are
 * above in `moderation`. Nothing here asks a right. Call each in the transaction of what settles them, or
 * opens them again.
 */

/**
 * Upheld: the thing was hidden or the builder suspended, or the report was found right after the thing was
 * deleted. Gone: earlier versions settled a report so when the author deleted the thing; no report is settled
 * so any more.
 */
export const OUTCOMES = ["upheld", "dismissed", "gone"] as const;
export type Outcome = (typeof OUTCOMES)[number];
/** The outcomes that moderators decide on. */
export type Decision = Exclude<Outcome, "gone">;

interface Settlement {
  outcome: Decision;
  /** Whose decision it was; null for the operator's, and for nobody's. */
  by: string | null;
}

/** Settles every open report about a thing. */
export function settleReports(core: Core, subjectId: string, how: Settlement): void {
  settled(core, settleAbout(core, subjectId, how));
}

/** The same for every open report about a message of a builder. */
export function settleReportsOfSender(core: Core, senderId: string, how: Settlement): void {
  settled(core, settleOfSender(core, senderId, how));
}

/** Opens again what was settled in one way. Returns the ids of the reports. */
export function reopenReports(core: Core, subjectId: string, outcome: Decision): string[] {
  return opened(core, reopenAbout(core, subjectId, outcome));
}

export function reopenReportsOfSender(core: Core, senderId: string, outcome: Decision): string[] {
  return opened(core, reopenOfSender(core, senderId, outcome));
}

/** They wait no more. Whoever reported is told that it was decided, and not how: that is for moderators. */
function settled(core: Core, reports: readonly Moved[]): void {
  for (const { id, reporterId } of reports) {
    withdrawNotification(core, { kind: "report_waiting", subject: REPORTS, fact: id });
    notify(core, { to: reporterId, kind: "report_decided", subject: { type: "report", id } });
  }
}

/** They wait again, and nothing is decided. */
function opened(core: Core, reports: readonly Moved[]): string[] {
  for (const { id } of reports) {
    withdrawNotification(core, { kind: "report_decided", subject: { type: "report", id } });
    notifyTeam(core, { kind: "report_waiting", subject: REPORTS, fact: id });
  }
  return reports.map(({ id }) => id);
}
