import type { Core } from "../../ground/core.ts";
import { REPORTS } from "../../identity/notifications/kinds.ts";
import { notify, notifyCrew, withdraw } from "../../identity/notifications/notify.ts";
import {
  type Moved,
  reopenAbout,
  reopenOfSender,
  settleAbout,
  settleOfSender,
  settleOfThread,
} from "./reports-store.ts";

/*
 * How reports about a thing end, which the thing's own concept knows first. Who may report what, and the
 * moderators' queue, stand above in `moderation`. Nothing here asks a right. Call each in the transaction of
 * what settles them, or opens them again.
 */

/**
 * Upheld: the thing was hidden or the builder suspended. Gone: its author deleted it before anybody looked.
 */
export const OUTCOMES = ["upheld", "dismissed", "gone"] as const;
export type Outcome = (typeof OUTCOMES)[number];

interface Settlement {
  outcome: Outcome;
  /** Whose decision it was; null for the operator's, and for nobody's. */
  by: string | null;
}

/** Settles every open report about a thing. */
export function settleReports(core: Core, subjectId: string, how: Settlement): void {
  settled(core, settleAbout(core, subjectId, how), how.outcome);
}

/** The same for every open report about a message of a builder. */
export function settleReportsOfSender(core: Core, senderId: string, how: Settlement): void {
  settled(core, settleOfSender(core, senderId, how), how.outcome);
}

/** The same for the messages of a thread that is about to go. */
export function settleReportsOfThread(core: Core, threadId: string, now: number): void {
  settled(core, settleOfThread(core, threadId, now), "gone");
}

/** Opens again what was settled in one way. */
export function reopenReports(core: Core, subjectId: string, outcome: Outcome): void {
  opened(core, reopenAbout(core, subjectId, outcome));
}

export function reopenReportsOfSender(core: Core, senderId: string, outcome: Outcome): void {
  opened(core, reopenOfSender(core, senderId, outcome));
}

/** They wait no more. Whoever reported is told that it was decided, and not how: that is for moderators. */
function settled(core: Core, reports: readonly Moved[], outcome: Outcome): void {
  for (const { id, reporterId } of reports) {
    withdraw(core, { kind: "report_waiting", subject: REPORTS, fact: id });
    if (outcome !== "gone")
      notify(core, { to: reporterId, kind: "report_decided", subject: { type: "report", id } });
  }
}

/** They wait again, and nothing is decided. */
function opened(core: Core, reports: readonly Moved[]): void {
  for (const { id } of reports) {
    withdraw(core, { kind: "report_decided", subject: { type: "report", id } });
    notifyCrew(core, { kind: "report_waiting", subject: REPORTS, fact: id });
  }
}
