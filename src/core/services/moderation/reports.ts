import { type Static, Type } from "@sinclair/typebox";
import { type Caller, isModerator, requireBuilder, requireModerator } from "../../identity/access/caller.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { REPORTS } from "../../identity/notifications/kinds.ts";
import { notifyTeam } from "../../identity/notifications/notify.ts";
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
import { Id, orNull, Shown, Timestamp } from "../../base/view.ts";
import { getPrompt } from "../../community/prompts/prompts.ts";
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
  selectReportsById,
  selectUncopied,
  type Uncopied,
  updateReport,
} from "./reports-store.ts";
import { OUTCOMES, reopenReports, settleReports } from "../../community/reports/reports.ts";
import {
  reportedSubject,
  findSubject,
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

/** What one builder says against a thing. */
export const ReportView = Type.Object(
  {
    id: Id("rpt_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the report."),
    subject: SubjectView,
    asReported: orNull(RevisionView, {
      description:
        "The reported revision, if the post was edited after the report and is not deleted. `null` in all other cases.",
      examples: [null],
    }),
    reason: Shown("The reason that the reporter gave.", "The same advertisement for the fifth time today."),
    reporter: Shown("The username of the reporter.", "bo"),
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
 * Reports a thing to the moderators; nobody else learns of it. There is one report for each builder and
 * thing: the same again changes its reason while it is open, and nothing once it is settled. What the thing
 * says is copied, for moderators to read also when it was edited or deleted. Needs the scope that the thing
 * is read with (`SUBJECT_SCOPES`). Throws not_found for what the caller cannot see.
 */
export function report(
  core: Core,
  caller: Caller,
  { kind, id: subjectId }: { kind: SubjectKind; id: string },
  { reason }: ReportDraft,
): Report {
  const { builderId } = requireBuilder(caller, SUBJECT_SCOPES[kind]);
  return core.db.transact(() => {
    refuseUnseen(core, caller, kind, subjectId);
    const revisionId = kind === "post" ? getPost(core, caller, subjectId).revision : null;
    const earlier = findReportBy(core, subjectId, builderId);
    const createdAt = core.clock.now();
    const id = earlier?.id ?? core.makeId("rpt", createdAt);
    if (!earlier) {
      insertReport(core, { id, subjectId, reporterId: builderId, reason, createdAt, revisionId });
      // By nobody: an admin who has blocked whoever reports still has to look.
      notifyTeam(core, { kind: "report_waiting", subject: REPORTS, fact: id });
    } else if (earlier.settledAt === null) updateReport(core, id, { reason });
    if (!earlier || earlier.settledAt === null) keepCopies(core, [{ id, subjectId, revisionId }]);
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
 * The same for a message of the other builder in a thread of the caller's. Moderators are shown that message,
 * who wrote it and who reports it, and nothing else of the thread. Needs `messages:read`. Throws not_found
 * for a thread or message of others, and for one's own message.
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

/** The moderators' queue, newest first. For moderators. Throws bad_request for a cursor of another list. */
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

/** How many reports wait, counted up to a bound. For moderators. */
export function countWaiting(core: Core, caller: Caller, upTo: number): number {
  requireModerator(caller);
  return countOpen(core, upTo);
}

/**
 * Reports by their ids; those that the caller may not see are left out. For moderators all of them; without,
 * one's own, of what the caller's scopes may report, and nothing of what was deleted. What became of them is
 * for moderators: `settled` is not to be shown to anybody else.
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
 * Finds a report unfounded, and with it all others about the same thing. Once however often it is asked;
 * `reopenReport` takes it back. For moderators. Throws not_found, conflict for one that was settled
 * otherwise.
 */
export function dismissReport(core: Core, caller: Caller, id: string): Report {
  return decide(core, caller, id, "dismissed");
}

/** Takes a dismissal back: all the reports that it settled are open again. Otherwise the same. */
export function reopenReport(core: Core, caller: Caller, id: string): Report {
  return decide(core, caller, id, "open");
}

function decide(core: Core, caller: Caller, id: string, to: "dismissed" | "open"): Report {
  requireModerator(caller);
  return core.db.transact(() => {
    const { subject, settled } = withSubject(core, findReport(core, id));
    const state = settled?.outcome ?? "open";
    if (state === to) return withSubject(core, findReport(core, id));
    if (state === "upheld") throw refuse("report_upheld");
    if (state === "gone") throw refuse("report_void");
    refuseOwnCause(caller, subject);
    if (to === "open") storeMissingCopies(core, reopenReports(core, subject.id, "dismissed"));
    else settleReports(core, subject.id, { outcome: "dismissed", by: caller.builderId });
    recordDecision(core, caller, to === "open" ? "reports.reopened" : "reports.dismissed", subject);
    return withSubject(core, findReport(core, id));
  });
}

/**
 * Upholds the open reports about a post, reply, job, or prompt that was deleted, or opens them again. Nothing
 * else changes, and its author is not told. For moderation, which has asked the right. Throws not_found for
 * what nobody has reported so; forbidden. Call it in a transaction.
 */
export function decideDeleted(core: Core, caller: Caller, id: string, isUpheld: boolean): Subject {
  const [open, upheld] = [findReportAbout(core, id, null), findReportAbout(core, id, "upheld")];
  const row = isUpheld ? (open ?? upheld) : (upheld ?? open);
  const subject = row && withSubject(core, row).subject;
  if (!subject?.isDeleted || subject.type === "builder" || subject.type === "message")
    throw refuse("subject_unknown");
  refuseOwnCause(caller, subject);
  if (row !== (isUpheld ? open : upheld)) return subject;
  if (isUpheld) settleReports(core, id, { outcome: "upheld", by: caller.builderId });
  else reopenReports(core, id, "upheld");
  recordDecision(core, caller, isUpheld ? "reports.upheld" : "reports.reopened", subject);
  return subject;
}

/** Without an account: whom a report is against is not told that there was one. */
function recordDecision(
  core: Core,
  caller: Caller,
  act: "reports.dismissed" | "reports.reopened" | "reports.upheld",
  { type: kind, id, title, isDeleted }: Subject,
): void {
  // The log is kept for longer than the copy.
  recordBy(core, caller, act, null, { kind, id, title: isDeleted ? null : title });
}

/** How long a decided report keeps what was reported. */
const COPIES_KEPT_MS = 30 * DAY;

/** Copies what reports are about that were opened again, where the copies are gone by now. */
export function storeMissingCopies(core: Core, reopened: readonly string[]): void {
  keepCopies(core, selectUncopied(core, reopened));
}

/**
 * The same for all open reports, which an export of an earlier version brings without copies. Call it in a
 * transaction.
 */
export function storeAllCopies(core: Core): void {
  keepCopies(core, selectAllUncopied(core));
}

/** Deletes the copies of reports that were decided 30 days ago. Called now and then. */
export async function forgetOldCopies(core: Core): Promise<void> {
  const before = core.clock.now() - COPIES_KEPT_MS;
  while ((await core.db.write(() => deleteCopies(core, before, 500))) > 0);
}

function keepCopies(core: Core, reports: readonly Uncopied[]): void {
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
 * Nobody judges their own cause who moderates for others: what is theirs, an admin looks at. Throws
 * forbidden.
 */
export function refuseOwnCause({ role, builderId }: Caller, { id, ownerId }: Subject): void {
  if (role === "moderator" && (ownerId === builderId || id === builderId)) throw refuse("own_cause");
}

/** Asks each kind's own module, which knows what is hidden from whom. */
function refuseUnseen(core: Core, caller: Caller, kind: SubjectKind, id: string): void {
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

/** Who reported before there were revisions has read the first. */
function revisionOf({ subjectId, revisionId }: Pick<ReportRow, "subjectId" | "revisionId">): string[] {
  return kindOf(subjectId) === "post" ? [revisionId ?? firstRevision(subjectId)] : [];
}

function withSubject(core: Core, row: ReportRow | undefined): Report {
  const [report] = row ? withSubjects(core, [row]) : [];
  if (!report) throw refuse("report_unknown");
  return report;
}

/** What whoever reported is shown. */
function withoutCopy(core: Core, row: ReportRow | undefined): Report {
  return withSubject(core, row && { ...row, copy: null });
}

function toReport(row: ReportRow, subject: Subject, former: ReadonlyMap<string, Revision>): Report {
  const { id, reason, reporter, createdAt, settledAt: at, settledBy: by, outcome } = row;
  const settled = at === null || outcome === null ? null : { at, by, outcome };
  const asRead = former.get(revisionOf(row)[0] ?? "") ?? null;
  return { id, subject, asReported: subject.isDeleted ? null : asRead, reason, reporter, createdAt, settled };
}
