import type { Core } from "../../base/core.ts";
import { approvePost } from "../../community/feed/approval.ts";
import { approveJob } from "../../community/jobs/approval.ts";
import { approvePrompt } from "../../community/prompts/approval.ts";
import {
  reopenReports,
  reopenReportsOfSender,
  settleReports,
  settleReportsOfSender,
} from "../../community/reports/reports.ts";
import { restoreSubject } from "../../community/xp/xp.ts";
import { setSuspended } from "../../delegation/securing/suspension.ts";
import type { Caller } from "../../identity/access/caller.ts";
import type { Detail } from "../../identity/audit/audit-events.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { findBuilder, findStanding } from "../../identity/builders/builders.ts";
import { deleteRestriction } from "../../identity/standing/standing.ts";
import { liftSuspension } from "./decisions-store.ts";
import { storeMissingCopies } from "./reports.ts";
import type { ContentKind } from "./subjects.ts";
import { HIDING, hideKeepingReports } from "./content-visibility.ts";

/*
 * Effects of decisions on content, reports and accounts. Call each function in the transaction of the
 * decision, after its rights were checked.
 */

/** Hides content with its XP, and settles the reports about it. */
export function hideContent(
  core: Core,
  caller: Caller,
  { type, id }: { type: ContentKind; id: string },
): void {
  hideKeepingReports(core, { type, id });
  uphold(core, caller, id);
}

/** Functions that publish held content. */
const APPROVALS: Readonly<Record<ContentKind, (core: Core, id: string) => boolean>> = {
  post: approvePost,
  job: approveJob,
  prompt: approvePrompt,
};

/** Publishes held content, and dismisses the reports about it. Returns whether the content was held. */
export function approveContent(
  core: Core,
  caller: Caller,
  subject: { type: ContentKind; id: string },
): boolean {
  if (!APPROVALS[subject.type](core, subject.id)) return false;
  settleReports(core, subject.id, { outcome: "dismissed", by: caller.builderId });
  return true;
}

/** Shows hidden content with its XP, and reopens the reports about it. */
export function showContent(core: Core, { type, id }: { type: ContentKind; id: string }): void {
  HIDING[type].restore(core, id);
  restoreSubject(core, id);
  reopen(core, id);
}

/** Settles the open reports about a subject as upheld. */
export function uphold(core: Core, caller: Caller, subjectId: string): void {
  settleReports(core, subjectId, { outcome: "upheld", by: caller.builderId });
}

/** Reopens the upheld reports about a subject. */
export function reopen(core: Core, subjectId: string): void {
  storeMissingCopies(core, reopenReports(core, subjectId, "upheld"));
}

/**
 * Suspends a member, and settles the reports about the member and about their messages, because a message in
 * a private thread cannot be hidden. Does nothing to the account of a member who is suspended already.
 */
export function suspend(core: Core, caller: Caller, builderId: string, detail: Detail): void {
  const standing = findStanding(core, builderId);
  if (standing?.suspendedAt === null) setSuspended(core, caller, standing.username, true, detail);
  uphold(core, caller, builderId);
  settleReportsOfSender(core, builderId, { outcome: "upheld", by: caller.builderId });
}

/** Lifts the suspension of a member, and reopens the reports that it settled. */
export function unsuspend(core: Core, caller: Caller, builderId: string, detail: Detail): void {
  const standing = findStanding(core, builderId);
  // An account that waits to be erased is then no longer suspended when its deletion is undone.
  if (standing && !findBuilder(core, standing.username)) {
    liftSuspension(core, builderId);
    recordBy(core, caller, "builder.restored", builderId, detail);
  } else if (standing && standing.suspendedAt !== null)
    setSuspended(core, caller, standing.username, false, detail);
  deleteRestriction(core, builderId, "suspended");
  reopen(core, builderId);
  storeMissingCopies(core, reopenReportsOfSender(core, builderId, "upheld"));
}
