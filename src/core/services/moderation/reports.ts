import { type Static, Type } from "@sinclair/typebox";
import { recordStaffEvent } from "../../outbox/events/events.ts";
import { type Caller, isModerator, requireBuilder, requireModerator } from "../../identity/access/caller.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { Choice, type Filtered, Text } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { firstRevision, getPost } from "../../community/feed/feed.ts";
import { formerRevisions, type Revision, RevisionView } from "../../community/feed/revisions.ts";
import { DAY } from "../../base/clock.ts";
import { isId, kindOf } from "../../base/ids.ts";
import { getJob } from "../../community/jobs/jobs.ts";
import { getMessages, reportableMessage } from "../../community/messages/messages.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { Id, orNull, DisplayText, Timestamp } from "../../base/view.ts";
import { getPrompt } from "../../community/prompts/prompts.ts";
import { refuseManyActs } from "./act-limit.ts";
import { hideReported } from "./report-brake.ts";
import { announce, endDecision, storeDecision } from "./decision-record.ts";
import { findInForce } from "./decisions-store.ts";
import {
  countOpen,
  deleteCopies,
  findReport,
  findReportAbout,
  findReportBy,
  insertReport,
  storeCopy,
  type ReportRow,
  selectAllUncopied,
  selectReports,
  selectReportsAbout,
  selectReportsById,
  selectUncopied,
  type Uncopied,
  updateReport,
} from "./reports-store.ts";
import { isWaiting } from "../../community/holding/holding.ts";
import { closeCase, findCase, openCase, openMissingCases } from "../../community/reports/cases.ts";
import { forgetStrangerCopies } from "../../community/reports/stranger-reports.ts";
import { OUTCOMES, reopenReports, settleReports } from "../../community/reports/reports.ts";
import {
  findSubject,
  isContent,
  reportedSubject,
  rowsOf,
  type Subject,
  SUBJECT_SCOPES,
  type SubjectKind,
  SubjectView,
} from "./subjects.ts";

export const REPORT_STATES = ["open", "settled"] as const;
export type ReportState = (typeof REPORT_STATES)[number];

export const ReportFilter = Type.Object({
  state: Type.Optional(Choice(REPORT_STATES, "Return only open reports, or only settled reports.")),
});

export const SettlementView = Type.Object({
  at: Timestamp({ description: "The time of the decision." }),
  by: orNull(
    Type.String(),
    "The username of the person who decided. `null` if the operator decided, or if the report was settled automatically.",
  ),
  outcome: Choice(
    OUTCOMES,
    "The outcome. `upheld`: the content was hidden, the builder was suspended, or the report was confirmed after the content was deleted. `dismissed`: the report was unfounded. `gone`: the author deleted the content (only in reports of earlier versions).",
  ),
});

/** A report of one builder about one subject. */
export const ReportView = Type.Object(
  {
    id: Id("rpt_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the report."),
    subject: SubjectView,
    asReported: orNull(RevisionView, {
      description:
        "The reported revision, if the post was edited after the report and is not deleted. `null` in all other cases.",
      examples: [null],
    }),
    reason: DisplayText(
      "The reason that the reporter gave.",
      "The same advertisement for the fifth time today.",
    ),
    reporter: DisplayText("The username of the reporter.", "bo"),
    createdAt: Timestamp({ description: "The time at which the report was first sent." }),
    settled: orNull(SettlementView, {
      description: "The decision on the report. `null` if the report is open.",
      examples: [null],
    }),
  },
  { $id: "Report" },
);

export interface Report extends Static<typeof ReportView> {
  subject: Subject;
}

export const ReportDraft = Type.Object({
  reason: Text({
    max: 500,
    visible: true,
    description: "The reason for the report, which the moderators read.",
    examples: ["The same advertisement for the fifth time today."],
  }),
});
export type ReportDraft = Static<typeof ReportDraft>;

/**
 * Reports a subject to the moderators; nobody else is notified. Each builder has one report per subject. A
 * repeated report changes the reason while the first report is open, and changes nothing once the first
 * report is settled. The content is copied, so that moderators can read the content even if it is edited or
 * deleted. Enough reports hide the content (`hideReported`). Needs the scope with which the subject is read
 * (`SUBJECT_SCOPES`). Throws not_found for a subject that the caller cannot see.
 */
export function report(
  core: Core,
  caller: Caller,
  { kind, id: subjectId }: { kind: SubjectKind; id: string },
  { reason }: ReportDraft,
): Report {
  const { builderId } = requireBuilder(caller, SUBJECT_SCOPES[kind]);
  return core.db.transact(() => {
    requireVisible(core, caller, kind, subjectId);
    const revisionId = kind === "post" ? getPost(core, caller, subjectId).revision : null;
    const earlier = findReportBy(core, subjectId, builderId);
    const createdAt = core.clock.now();
    const id = earlier?.id ?? core.makeId("rpt", createdAt);
    if (!earlier) {
      insertReport(core, { id, subjectId, reporterId: builderId, reason, createdAt, revisionId });
      const caseId = openCase(core, subjectId, "report");
      recordStaffEvent(core, "report.created", { report: { id, subject_id: subjectId, case_id: caseId } });
    } else if (earlier.settledAt === null) updateReport(core, id, { reason });
    if (!earlier || earlier.settledAt === null) storeCopies(core, [{ id, subjectId, revisionId }]);
    if (!earlier) hideReported(core, subjectId);
    return withoutCopy(core, findReport(core, id));
  });
}

export const MessageReport = Type.Object({
  ...ReportDraft.properties,
  message: Type.Optional(
    Type.String({
      description:
        "The identifier of the message you report. Without this field, the other builder's newest message is reported.",
      examples: ["msg_01kafzq8e5f2r8v0j3n6s1t4wx"],
    }),
  ),
});
export type MessageReport = Static<typeof MessageReport>;

/**
 * Reports a message of the other member in a thread of the caller. Moderators see that message, its sender
 * and the reporter, and nothing else of the thread. Needs `messages:read`. Throws not_found for a thread or
 * message that the caller cannot see, and for the caller's own message.
 */
export function reportMessage(
  core: Core,
  caller: Caller,
  threadId: string,
  { reason, message }: MessageReport,
): Report {
  return core.db.transact(() => {
    const id = reportableMessage(core, caller, threadId, message);
    return report(core, caller, { kind: "message", id }, { reason });
  });
}

/** Lists reports, newest first. Allowed for moderators. Throws bad_request for a cursor of another list. */
export function listReports(
  core: Core,
  caller: Caller,
  { state }: Filtered<typeof ReportFilter>,
  request: PageRequest,
): Page<Report> {
  requireModerator(caller);
  const scope = { list: "reports", filters: { state } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("rpt", parts[0]),
  );
  const reports = withSubjects(core, selectReports(core, state, key?.[0], request));
  return pageOf(reports, request, scope, ({ id }) => [id]);
}

/** Returns the newest reports about a subject. The calling operation must check permissions. */
export function reportsAbout(core: Core, subjectId: string, limit: number): Report[] {
  return withSubjects(core, selectReportsAbout(core, subjectId, limit));
}

/** Counts open reports up to `upTo`. Allowed for moderators. */
export function countWaiting(core: Core, caller: Caller, upTo: number): number {
  requireModerator(caller);
  return countOpen(core, upTo);
}

/**
 * Returns reports by id, without reports that the caller may not see. Moderators see all reports. Other
 * members see only their own reports, if they have the scope for the subject of the report, and see no copies
 * of the content. The result always contains `settled` (who settled the report and how). The caller of this
 * function must not show `settled` to other members.
 */
export function getReports(core: Core, caller: Caller, ids: readonly string[]): Report[] {
  if (isModerator(caller)) {
    requireModerator(caller);
    return withSubjects(core, selectReportsById(core, ids, undefined));
  }
  if (caller.builderId === null) return [];
  const own = selectReportsById(core, ids, caller.builderId).map((row) => ({ ...row, copy: null }));
  return withSubjects(core, own).filter(({ subject }) => caller.scopes.has(SUBJECT_SCOPES[subject.type]));
}

/**
 * Dismisses a report and all other reports about the same subject as unfounded. Idempotent. `reopenReport`
 * undoes the dismissal. Allowed for moderators. Throws not_found, and rate_limited for too many acts with
 * tokens. Throws conflict for a report that was settled with another outcome.
 */
export function dismissReport(core: Core, caller: Caller, id: string, reason = ""): Report {
  return changeState(core, caller, id, "dismissed", reason);
}

/** Undoes a dismissal and reopens all reports that it settled. Rights and errors as for `dismissReport`. */
export function reopenReport(core: Core, caller: Caller, id: string): Report {
  return changeState(core, caller, id, "open");
}

function changeState(core: Core, caller: Caller, id: string, to: "dismissed" | "open", reason = ""): Report {
  requireModerator(caller);
  return core.db.transact(() => {
    const { subject, settled } = withSubject(core, findReport(core, id));
    const state = settled?.outcome ?? "open";
    if (state === to) return withSubject(core, findReport(core, id));
    if (state === "upheld") throw refuse("report_upheld");
    if (state === "gone") throw refuse("report_void");
    refuseManyActs(core, caller);
    refuseOwnCause(caller, subject);
    if (to === "open") {
      // Counts the change, like an undo. The reports that wait again reopen the case.
      closeCase(core, subject.id);
      storeMissingCopies(core, reopenReports(core, subject.id, "dismissed"));
      const dismissal = findInForce(core, subject.id, "dismiss");
      if (dismissal) {
        endDecision(core, caller, dismissal.id);
        announce(core, dismissal, true);
      }
      recordDecision(core, caller, "reports.reopened", subject);
    } else dismissAbout(core, caller, subject, reason);
    return withSubject(core, findReport(core, id));
  });
}

/**
 * Closes the open case of a subject, which may be deleted, and dismisses its reports as unfounded. Returns
 * the ID of the decision. The calling operation must check permissions. Throws forbidden. Throws conflict
 * for a closed case. Call it in a transaction.
 */
export function dismissCase(core: Core, caller: Caller, subjectId: string, reason: string): string {
  const open = findReportAbout(core, subjectId, null);
  const row = rowsOf(core, [subjectId]).get(subjectId);
  const subject = reportedSubject(subjectId, row, open?.copy ?? null);
  if (!subject || (!open && findCase(core, subjectId)?.closedAt !== null)) throw refuse("act_done");
  refuseOwnCause(caller, subject);
  return dismissAbout(core, caller, subject, reason);
}

function dismissAbout(core: Core, caller: Caller, subject: Subject, reason: string): string {
  const { id: subjectId, isDeleted, ownerId } = subject;
  settleReports(core, subjectId, { outcome: "dismissed", by: caller.builderId });
  const builderId = isDeleted ? null : ownerId;
  const id = storeDecision(core, caller, { act: "dismiss", subjectId, builderId, reason });
  // The decision closed the case. Content that waits for approval still waits.
  if (isWaiting(core, subjectId)) openCase(core, subjectId, "brake");
  recordDecision(core, caller, "reports.dismissed", subject, reason);
  return id;
}

/**
 * Returns a deleted post, reply, job or prompt with reports, and whether its reports are in the requested
 * state already. The calling operation must check permissions. Throws forbidden. Throws not_found if no such
 * report exists.
 */
export function deletedSubject(
  core: Core,
  caller: Caller,
  id: string,
  isUpheld: boolean,
): { subject: Subject; isSettled: boolean } {
  const [open, upheld] = [findReportAbout(core, id, null), findReportAbout(core, id, "upheld")];
  const row = isUpheld ? (open ?? upheld) : (upheld ?? open);
  const subject = row && withSubject(core, row).subject;
  if (!subject?.isDeleted || !isContent(subject)) throw refuse("subject_unknown");
  refuseOwnCause(caller, subject);
  return { subject, isSettled: row !== (isUpheld ? open : upheld) };
}

/**
 * Upholds or reopens the reports about the subject of `deletedSubject`. Nothing else changes, and the author
 * is not notified. Checks nothing. Call it in the transaction of the decision.
 */
export function settleDeleted(
  core: Core,
  caller: Caller,
  subject: Subject,
  { isUpheld, reason }: { isUpheld: boolean; reason: string },
): void {
  if (isUpheld) settleReports(core, subject.id, { outcome: "upheld", by: caller.builderId });
  else reopenReports(core, subject.id, "upheld");
  recordDecision(core, caller, isUpheld ? "reports.upheld" : "reports.reopened", subject, reason);
}

/**
 * Records the decision without a subject account, because the reported member must not learn of the report.
 */
function recordDecision(
  core: Core,
  caller: Caller,
  act: "reports.dismissed" | "reports.reopened" | "reports.upheld",
  { type: kind, id, title, isDeleted }: Subject,
  reason = "",
): void {
  // The log is kept longer than the copy, so it must not contain the title of a deleted subject.
  const detail = { kind, id, title: isDeleted ? null : title };
  recordBy(core, caller, act, null, reason === "" ? detail : { ...detail, reason });
}

/** How long a settled report keeps its copy. */
export const COPIES_RETENTION_MS = 30 * DAY;

/** Stores copies for reopened reports whose copies were deleted. */
export function storeMissingCopies(core: Core, reopened: readonly string[]): void {
  storeCopies(core, selectUncopied(core, reopened));
}

/**
 * Stores copies for all open reports that have none, and opens the cases of all reports. Such reports exist
 * if the data was imported from an export of an earlier version, because such an export contains no copies.
 * Call it in a transaction.
 */
export function storeAllCopies(core: Core): void {
  storeCopies(core, selectAllUncopied(core));
  openMissingCases(core);
}

/** Deletes the copies of reports that were settled more than 30 days ago. Runs periodically. */
export async function forgetOldCopies(core: Core): Promise<void> {
  const before = core.clock.now() - COPIES_RETENTION_MS;
  while ((await core.db.write(() => deleteCopies(core, before, 500))) > 0);
  await forgetStrangerCopies(core, before);
}

function storeCopies(core: Core, reports: readonly Uncopied[]): void {
  const rows = rowsOf(
    core,
    reports.map(({ subjectId }) => subjectId),
  );
  const former = formerRevisions(core, reports.flatMap(revisionOf));
  for (const report of reports) {
    const row = rows.get(report.subjectId);
    if (!row) continue;
    const { title, ownerId, username } = row;
    const text = former.get(revisionOf(report)[0] ?? "")?.text ?? row.text;
    storeCopy(core, { reportId: report.id, title, text, ownerId, username });
  }
}

/**
 * Throws forbidden if a moderator decides about their own content or account, because an admin must decide
 * then.
 */
export function refuseOwnCause({ role, builderId }: Caller, { id, ownerId }: Subject): void {
  if (role === "moderator" && (ownerId === builderId || id === builderId)) throw refuse("own_cause");
}

/**
 * Throws not_found for a subject that the caller cannot see. The module of the subject's kind checks this.
 */
export function requireVisible(core: Core, caller: Caller, kind: SubjectKind, id: string): void {
  if (kind === "post") getPost(core, caller, id);
  else if (kind === "prompt") getPrompt(core, caller, id);
  else if (kind === "job") getJob(core, caller, id);
  else if (kind === "message") {
    const [message] = getMessages(core, caller, [id]);
    if (!message || message.senderId === caller.builderId) throw refuse("message_not_theirs");
  } else if (findSubject(core, id)?.type !== "builder") throw refuse("builder_id_unknown");
}

function withSubjects(core: Core, rows: readonly ReportRow[]): Report[] {
  const live = rowsOf(
    core,
    rows.map(({ subjectId }) => subjectId),
  );
  const former = formerRevisions(core, rows.flatMap(revisionOf));
  return rows.flatMap((row) => {
    const subject = reportedSubject(row.subjectId, live.get(row.subjectId), row.copy);
    return subject ? [toReport(row, subject, former)] : [];
  });
}

/** A report from before revisions existed refers to the first revision. */
function revisionOf({ subjectId, revisionId }: Pick<ReportRow, "subjectId" | "revisionId">): string[] {
  return kindOf(subjectId) === "post" ? [revisionId ?? firstRevision(subjectId)] : [];
}

function withSubject(core: Core, row: ReportRow | undefined): Report {
  const [report] = row ? withSubjects(core, [row]) : [];
  if (!report) throw refuse("report_unknown");
  return report;
}

/** Returns the report as its reporter sees it, without the copy. */
function withoutCopy(core: Core, row: ReportRow | undefined): Report {
  return withSubject(core, row && { ...row, copy: null });
}

function toReport(row: ReportRow, subject: Subject, former: ReadonlyMap<string, Revision>): Report {
  const { id, reason, reporter, createdAt, settledAt: at, settledBy: by, outcome } = row;
  const settled = at === null || outcome === null ? null : { at, by, outcome };
  const asRead = former.get(revisionOf(row)[0] ?? "") ?? null;
  return { id, subject, asReported: subject.isDeleted ? null : asRead, reason, reporter, createdAt, settled };
}
