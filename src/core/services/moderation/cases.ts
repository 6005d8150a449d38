import { type Static, Type } from "@sinclair/typebox";
import { check, Choice, type Filtered, Text } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { CASE_CAUSES } from "../../base/db/schema-moderation.ts";
import { refuse } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { DisplayText, Enum, Id, orNull, Timestamp } from "../../base/view.ts";
import { findCase, openCase, setTaker } from "../../community/reports/cases.ts";
import { strangerReportsAbout } from "../../community/reports/stranger-reports.ts";
import { type Caller, requireModerator } from "../../identity/access/caller.ts";
import { findBuilder } from "../../identity/builders/builders.ts";
import { typedUsername } from "../../identity/builders/username.ts";
import {
  COUNTED_MAX,
  countDecisions,
  countHistory,
  findListed,
  insertNote,
  type ListedRow,
  selectCases,
  selectCopies,
  selectNotes,
} from "./cases-store.ts";
import { type Decision, DecisionView } from "./acts.ts";
import { decisionsAbout } from "./decisions.ts";
import { refuseOwnCause, reportsAbout, ReportView } from "./reports.ts";
import { reportedSubject, rowsOf, type Subject, SubjectView } from "./subjects.ts";

/*
 * Cases (docs/contract.md#12.40): everything that was reported, held or decided about one subject, for
 * moderators.
 */

export const CASE_STATES = ["open", "closed"] as const;
export const CASE_TAKEN = ["mine", "free"] as const;

export const CaseFilter = Type.Object({
  state: Type.Optional(Choice(CASE_STATES, "Return only open cases, or only closed cases. Default: open.")),
  taken: Type.Optional(
    Choice(CASE_TAKEN, "Return only cases that you took, or only cases that nobody took."),
  ),
  cause: Type.Optional(Choice(CASE_CAUSES, "Return only cases that were opened for this reason.")),
  member: Type.Optional(Type.String({ description: "Return only cases about this member, by username." })),
});

const Held = Type.Object(
  {
    brake: DisplayText("The brake that holds the content.", "newcomer_links"),
    detail: DisplayText("The word, host or number that caused it; may be empty.", "spam.example"),
    heldAt: Timestamp({ description: "The time since which the content is held." }),
  },
  { $id: "CaseHeld" },
);

/** A case in a list. */
export const ListedCaseView = Type.Object(
  {
    id: orNull(
      Type.String({ examples: ["case_01kafzq8e5f2r8v0j3n6s1t4wx"] }),
      "The identifier of the case. `null` if nothing happened to the subject yet.",
    ),
    subject: SubjectView,
    state: Enum(CASE_STATES, "The state of the case."),
    cause: orNull(
      Enum(CASE_CAUSES, "Why the case was opened last."),
      "Why the case was opened last: a report, an act of a moderator, or a brake.",
    ),
    openedAt: orNull(Timestamp(), "The time at which the case was opened last."),
    closedAt: orNull(Timestamp(), {
      description: "The time at which the case was closed. `null` while it is open.",
      examples: [null],
    }),
    version: Type.Integer({
      description: "The number of decisions in this case. A decision names it as `expectedVersion`.",
      examples: [0],
    }),
    takenBy: orNull(Type.String(), {
      description: "The username of the moderator who works on the case.",
      examples: ["mod"],
    }),
    reportCount: Type.Integer({
      description: "The number of reports by members, counted up to 100.",
      examples: [2],
    }),
    strangerReportCount: Type.Integer({
      description: "The number of reports by people without an account, counted up to 100.",
      examples: [0],
    }),
    noteCount: Type.Integer({ description: "The number of notes, counted up to 100.", examples: [1] }),
    reason: orNull(Type.String(), {
      description: "The reason of the newest report. `null` without a report.",
      examples: ["Spam."],
    }),
    held: orNull(Held, {
      description: "The brake that holds the content. `null` if the content is not held.",
      examples: [null],
    }),
  },
  { $id: "ListedCase" },
);

export interface ListedCase extends Static<typeof ListedCaseView> {
  subject: Subject;
}

export const CaseView = Type.Object(
  {
    ...ListedCaseView.properties,
    text: orNull(Type.String(), {
      description: "The present text. `null` if the subject was deleted.",
      examples: [null],
    }),
    reports: Type.Array(ReportView, { description: "The newest reports by members, at most 100." }),
    strangerReports: Type.Array(
      Type.Object(
        {
          id: Id("srp_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the report."),
          reason: DisplayText("The reason of the report.", "My photo, without my consent."),
          text: orNull(Type.String(), {
            description: "The text when it was reported. `null` once the copy was deleted.",
            examples: [null],
          }),
          wantsAnswer: Type.Boolean({ description: "Whether the outcome is sent by email." }),
          createdAt: Timestamp({ description: "The time of the report." }),
          outcome: orNull(
            Enum(["upheld", "dismissed"], "The outcome."),
            "The outcome. `null` while the report is open.",
          ),
        },
        { $id: "StrangerReport" },
      ),
      { description: "The newest reports by people without an account, at most 100." },
    ),
    notes: Type.Array(
      Type.Object(
        {
          id: Id("note_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the note."),
          author: orNull(Type.String(), {
            description: "The username of the author. `null` for the operator.",
            examples: ["mod"],
          }),
          text: DisplayText("The note.", "Warned before, see the case of last week."),
          createdAt: Timestamp({ description: "The time of the note." }),
        },
        { $id: "CaseNote" },
      ),
      { description: "The notes of moderators, oldest first." },
    ),
    decisions: Type.Array(DecisionView, {
      description: "The newest decisions about the subject, at most 100.",
    }),
    history: orNull(
      Type.Object(
        {
          username: DisplayText("The username of the member.", "mallory"),
          joinedAt: Timestamp({ description: "The time at which the member joined." }),
          cases: Type.Integer({
            description: "The number of cases about this member, counted up to 1,000.",
            examples: [3],
          }),
          reports: Type.Integer({
            description: "The number of reports in these cases, counted up to 1,000.",
            examples: [4],
          }),
          decisions: Type.Array(
            Type.Object(
              {
                act: DisplayText("The act.", "warn"),
                count: Type.Integer({
                  description: "The number of decisions that were not undone.",
                  examples: [1],
                }),
              },
              { $id: "CaseHistoryCount" },
            ),
            { description: "The newest 1,000 decisions about this member, by act." },
          ),
        },
        { $id: "CaseHistory" },
      ),
      "The history of the member whom the case is about. `null` without a member.",
    ),
  },
  { $id: "Case" },
);

export interface Case extends Static<typeof CaseView> {
  subject: Subject;
  decisions: Decision[];
}

export const CaseNoteDraft = Type.Object({
  text: Text({
    max: 2000,
    visible: true,
    description: "The note, which only moderators read.",
    examples: ["Warned before."],
  }),
});
export type CaseNoteDraft = Static<typeof CaseNoteDraft>;

/** Maximum number of reports and decisions of a case that are returned, and of notes that a case has. */
const SHOWN = COUNTED_MAX;
const HISTORY_MAX = 1_000;

/**
 * Lists open or closed cases. The case that was opened or closed last comes first. Allowed for moderators.
 * Throws not_found for an unknown member. Throws bad_request for a cursor of another list.
 */
export function listCases(
  core: Core,
  caller: Caller,
  { state = "open", taken, cause, member }: Filtered<typeof CaseFilter>,
  request: PageRequest,
): Page<ListedCase> {
  requireModerator(caller);
  const builderId = member === undefined ? undefined : findBuilder(core, typedUsername(member))?.id;
  if (member !== undefined && builderId === undefined) throw refuse("builder_unknown");
  const scope = { list: "cases", filters: { state, taken, cause, builderId } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [number, string] =>
      parts.length === 2 && typeof parts[0] === "number" && isId("case", parts[1]),
  );
  const isOpen = state === "open";
  const takenBy = taken === undefined ? undefined : taken === "mine" ? (caller.builderId ?? "") : null;
  const filter = { isOpen, cause, takenBy, builderId };
  const rows = selectCases(core, filter, key && { at: key[0], id: key[1] }, request);
  return pageOf(listed(core, rows), request, scope, (one) => [
    (isOpen ? one.openedAt : one.closedAt) ?? 0,
    one.id ?? "",
  ]);
}

/**
 * Returns a case by its id or by the id of its subject. A subject without a case gives a case without an id.
 * Allowed for moderators. Throws not_found.
 */
export function getCase(core: Core, caller: Caller, caseOrSubjectId: string): Case {
  requireModerator(caller);
  const row = findCase(core, caseOrSubjectId);
  const subjectId = row?.subjectId ?? caseOrSubjectId;
  const live = rowsOf(core, [subjectId]).get(subjectId);
  const found = row && findListed(core, row.id);
  const summary = found ? listed(core, [found])[0] : live && withoutCase(subjectId, live);
  if (!summary) throw refuse("case_unknown");
  return {
    ...summary,
    text: live?.text ?? null,
    reports: reportsAbout(core, subjectId, SHOWN),
    strangerReports: strangerReportsAbout(core, subjectId, SHOWN).map(
      ({ id, reason, title, text, mail, createdAt, outcome }) => ({
        id,
        reason,
        text: text === null || title === null || title === "" ? text : `${title}\n\n${text}`,
        wantsAnswer: mail !== null,
        createdAt,
        outcome,
      }),
    ),
    notes: row ? selectNotes(core, row.id, SHOWN) : [],
    decisions: decisionsAbout(core, subjectId, SHOWN),
    history: historyOf(core, row?.builderId ?? summary.subject.ownerId),
  };
}

/**
 * Takes an open case, so that the other moderators see who works on it. Idempotent. Allowed for moderators
 * with an account. Throws not_found. Throws conflict for a closed case and for a case that another moderator
 * took. Throws forbidden for a moderator's own cause.
 */
export function takeCase(core: Core, caller: Caller, caseOrSubjectId: string): Case {
  return change(core, caller, caseOrSubjectId, ({ state, takenBy }, caseId) => {
    if (caller.builderId === null) throw refuse("builder_only");
    if (state === "closed") throw refuse("case_closed");
    if (takenBy !== null && takenBy !== caller.username) throw refuse("case_taken", { username: takenBy });
    setTaker(core, caseId, caller.builderId);
  });
}

/**
 * Releases a case that the caller or another moderator took. Idempotent. Allowed for moderators. Throws
 * not_found, and forbidden for a moderator's own cause.
 */
export function releaseCase(core: Core, caller: Caller, caseOrSubjectId: string): Case {
  return change(core, caller, caseOrSubjectId, (_case, caseId) => setTaker(core, caseId, null));
}

/**
 * Adds a note for moderators. A subject without a case gets an open case. Allowed for moderators. Throws
 * not_found, bad_request, forbidden for a moderator's own cause, and conflict for too many notes.
 */
export function addCaseNote(core: Core, caller: Caller, caseOrSubjectId: string, draft: CaseNoteDraft): Case {
  const { text } = check(CaseNoteDraft, draft);
  return change(core, caller, caseOrSubjectId, ({ noteCount }, caseId) => {
    if (noteCount >= SHOWN) throw refuse("case_notes_too_many", { max: SHOWN });
    const createdAt = core.clock.now();
    insertNote(core, {
      id: core.makeId("note", createdAt),
      caseId,
      authorId: caller.builderId,
      text,
      createdAt,
    });
  });
}

function change(
  core: Core,
  caller: Caller,
  caseOrSubjectId: string,
  apply: (found: Case, caseId: string) => void,
): Case {
  requireModerator(caller);
  return core.db.transact(() => {
    const found = getCase(core, caller, caseOrSubjectId);
    refuseOwnCause(caller, found.subject);
    const caseId = found.id ?? openCase(core, found.subject.id, "act");
    apply(found.id === null ? { ...found, state: "open" } : found, caseId);
    return getCase(core, caller, caseId);
  });
}

function listed(core: Core, rows: readonly ListedRow[]): ListedCase[] {
  const ids = rows.map(({ subjectId }) => subjectId);
  const live = rowsOf(core, ids);
  const gone = ids.filter((id) => !live.has(id));
  const copies = new Map(
    gone.length === 0 ? [] : selectCopies(core, gone).map((copy) => [copy.subjectId, copy]),
  );
  return rows.flatMap((row) => {
    const subject = reportedSubject(
      row.subjectId,
      live.get(row.subjectId),
      copies.get(row.subjectId) ?? null,
    );
    return subject ? [present(row, subject)] : [];
  });
}

function present(row: ListedRow, subject: Subject): ListedCase {
  const { id, cause, openedAt, closedAt, version, takenBy, reports, strangerReports, notes, reason } = row;
  const { brake, detail, heldAt } = row;
  return {
    id,
    subject,
    state: closedAt === null ? "open" : "closed",
    cause,
    openedAt,
    closedAt,
    version,
    takenBy,
    reportCount: reports,
    strangerReportCount: strangerReports,
    noteCount: notes,
    reason,
    held: brake === null || detail === null || heldAt === null ? null : { brake, detail, heldAt },
  };
}

function withoutCase(subjectId: string, live: Parameters<typeof reportedSubject>[1]): ListedCase | undefined {
  const subject = reportedSubject(subjectId, live, null);
  return (
    subject && {
      id: null,
      subject,
      state: "closed",
      cause: null,
      openedAt: null,
      closedAt: null,
      version: 0,
      takenBy: null,
      reportCount: 0,
      strangerReportCount: 0,
      noteCount: 0,
      reason: null,
      held: null,
    }
  );
}

function historyOf(core: Core, builderId: string | null): Case["history"] {
  const member = builderId === null ? undefined : rowsOf(core, [builderId]).get(builderId);
  const joined = member && findBuilder(core, member.title);
  if (!joined) return null;
  return {
    username: joined.username,
    ...countHistory(core, joined.id, HISTORY_MAX),
    decisions: countDecisions(core, joined.id, HISTORY_MAX),
  };
}
