import type { Static } from "@sinclair/typebox";
import { LogEntryView } from "../../core/identity/audit/log-view.ts";
import type { AuditEntry } from "../../core/identity/audit/audit.ts";
import { MEMBER_STANDINGS, type MemberListEntry } from "../../core/identity/builders/member-list.ts";
import { MemberView } from "../../core/identity/builders/member-view.ts";
import { APPEAL_OUTCOMES, CASE_CAUSES } from "../../core/base/db/schema-moderation.ts";
import { descriptionOf, withoutNull } from "../../core/base/view.ts";
import { ACTS, AppealView, LIMITING_ACTS } from "../../core/services/moderation/acts.ts";
import { APPEAL_STATES, type OwnDecision, OwnDecisionView } from "../../core/services/moderation/appeals.ts";
import { getDecisions, DecisionView } from "../../core/services/moderation/decisions.ts";
import {
  CASE_STATES,
  CASE_TAKEN,
  CaseView,
  type Case,
  type ListedCase,
  ListedCaseView,
} from "../../core/services/moderation/cases.ts";
import { SubjectView } from "../../core/services/moderation/subjects.ts";
import { appealOperations } from "../../operations/appeals.ts";
import { caseOperations } from "../../operations/cases.ts";
import {
  DECISION_STATES,
  decisionOperations,
  DecisionsView,
  RefusedSubjectView,
  RemovableMemberView,
  RemovalCountsView,
  RemovalHostView,
  RemovalPreviewView,
  RemovedView,
  UndoneView,
} from "../../operations/decisions.ts";
import { enumOf } from "../inputs.ts";
import { mutationOf } from "../mutation.ts";
import { output, payloadOf } from "../outputs.ts";
import { queryOf } from "../query.ts";
import { connectionOf, DecisionRef, node, ReportRef } from "./refs.ts";

enumOf("Act", ACTS, "An act of a moderator.", {
  hide: "Hides content.",
  restore: "Shows hidden content again.",
  approve: "Publishes content that waits for approval.",
  lock: "Locks a thread against replies.",
  unlock: "Unlocks a thread.",
  warn: "Warns a member.",
  limit: "Limits a member: their posts wait for approval.",
  unlimit: "Lifts a limit.",
  suspend: "Suspends a member.",
  unsuspend: "Lifts a suspension.",
  remove_spammer: "Removes a spammer and everything that they wrote.",
  dismiss: "Dismisses reports, or rejects content that waits for approval.",
});
enumOf("LimitingAct", LIMITING_ACTS, "An act that limits a member, who can appeal against it.", {
  hide: "Your content was hidden.",
  lock: "Your thread was locked against replies.",
  warn: "You were warned.",
  limit: "Your account was limited: your posts wait for approval.",
  suspend: "Your account was suspended.",
  remove_spammer: "Your account was removed for spam.",
});
enumOf("CaseState", CASE_STATES, "The state of a case.");
enumOf("CaseTaken", CASE_TAKEN, "A filter of cases by the moderator who works on them.", {
  mine: "You.",
  free: "Nobody.",
});
enumOf("CaseCause", CASE_CAUSES, "Why a case was opened.", {
  report: "A report.",
  act: "An act of a moderator.",
  brake: "A brake that holds content.",
});
enumOf("DecisionState", DECISION_STATES, "The state of a decision.", {
  in_force: "In force.",
  undone: "Undone or replaced.",
});
enumOf("AppealState", APPEAL_STATES, "The state of an appeal.");
enumOf("AppealOutcome", APPEAL_OUTCOMES, "The outcome of an appeal.");
enumOf(
  "StrangerReportOutcome",
  ["upheld", "dismissed"],
  "How a report by a person without an account was settled.",
);
enumOf("MemberStanding", MEMBER_STANDINGS, "The standing of a member.", {
  active: "Without limits.",
  limited: "Limited by a moderator.",
  suspended: "Suspended.",
});

/** Fields that are named by what they identify, because only a Node has `id`. */
type WithId = { id: string | null };

output<Static<typeof SubjectView>>("ModeratedSubject", SubjectView, "The subject of a case or decision.", {
  out: ["id"],
  fields: (t) => ({
    subjectId: t.id({
      description: descriptionOf(SubjectView.properties.id),
      resolve: ({ id }) => id,
    }),
  }),
});

const undone = withoutNull(DecisionView.properties.undone).inner as typeof MemberView;
output("UndoneDecision", undone, "When and by whom a decision was undone or replaced.");
const decided = withoutNull(AppealView.properties.decided).inner as typeof MemberView;
output("AppealDecision", decided, "The decision on an appeal.");
output("Appeal", AppealView, "A member's appeal against a decision.");

node(DecisionRef, {
  description: "A decision of a moderator, or of the server by a setting of the community.",
  kind: "dec",
  many: getDecisions,
  view: DecisionView,
});

const { held, strangerReports, notes, history } = CaseView.properties;
const inner = (schema: Parameters<typeof withoutNull>[0]) => withoutNull(schema).inner as typeof MemberView;

output("CaseHeld", inner(held), "The brake that holds content.");
const named = (name: string, view: typeof MemberView, idField: string, description: string): void => {
  const { id } = view.properties as unknown as { id: typeof MemberView };
  output<WithId>(name, view, description, {
    out: ["id"],
    fields: (t) => ({
      [idField]: t.id({ description: descriptionOf(id), resolve: (of) => of.id ?? "" }),
    }),
  });
};
named(
  "StrangerReport",
  strangerReports.items as never,
  "reportId",
  "A report by a person without an account.",
);
named("CaseNote", notes.items as never, "noteId", "A note of a moderator.");
const historyView = inner(history);
const counts = (historyView.properties as unknown as { decisions: { items: typeof MemberView } }).decisions;
output("CaseHistoryCount", counts.items, "How many decisions about a member have one act.");
output("CaseHistory", historyView, "The history of a member.");

const caseId = descriptionOf(ListedCaseView.properties.id);
const ListedCaseRef = output<ListedCase>("ListedCase", ListedCaseView, "A case in a list.", {
  out: ["id"],
  fields: (t) => ({
    caseId: t.id({ nullable: true, description: caseId, resolve: ({ id }) => id }),
  }),
});
const CaseRef = output<Case>(
  "Case",
  CaseView,
  "Everything that was reported, held or decided about one subject.",
  {
    out: ["id"],
    fields: (t) => ({
      caseId: t.id({ nullable: true, description: caseId, resolve: ({ id }) => id }),
      reports: t.field({
        type: [ReportRef],
        description: descriptionOf(CaseView.properties.reports),
        resolve: ({ reports }) => reports as never,
      }),
      decisions: t.field({
        type: [DecisionRef],
        description: descriptionOf(CaseView.properties.decisions),
        resolve: ({ decisions }) => decisions as never,
      }),
    }),
  },
);
const LogEntryRef = output<AuditEntry>("ModerationLogEntry", LogEntryView, "An entry of the moderation log.");
const MemberRef = output<MemberListEntry>("Member", MemberView, "A member as moderators see them.");

queryOf("cases", caseOperations.listCases, connectionOf(ListedCaseRef, "Case", "cases"));
queryOf("case", caseOperations.getCase, CaseRef);
const DecisionConnection = connectionOf(DecisionRef, "Decision", "decisions");
queryOf("decisions", decisionOperations.listDecisions, DecisionConnection);
queryOf("appeals", appealOperations.listAppeals, DecisionConnection);
queryOf("decision", decisionOperations.getDecision, DecisionRef);
queryOf(
  "moderationLog",
  caseOperations.listModerationLog,
  connectionOf(LogEntryRef, "ModerationLogEntry", "entries"),
);
queryOf("members", caseOperations.listMembers, connectionOf(MemberRef, "Member", "members"));

const CASE = { payload: { case: { type: CaseRef, description: "The case." } } };
const DECISION = { payload: { decision: { type: DecisionRef, description: "The decision." } } };

mutationOf(caseOperations.takeCase, CASE);
mutationOf(caseOperations.releaseCase, CASE);
mutationOf(caseOperations.addCaseNote, CASE);
mutationOf(decisionOperations.decide, DECISION);
mutationOf(decisionOperations.undoDecision, DECISION);
mutationOf(appealOperations.decideAppeal, DECISION);

const ownSubject = inner(OwnDecisionView.properties.subject);
const ownAppeal = inner(OwnDecisionView.properties.appeal);
named(
  "OwnDecisionSubject",
  ownSubject,
  "subjectId",
  "The content or builder that a decision about you names.",
);
output(
  "OwnAppealAnswer",
  inner((ownAppeal.properties as unknown as { decided: typeof ownAppeal }).decided),
  "The answer to your appeal.",
);
output("OwnAppeal", ownAppeal, "Your appeal against a decision.");
const OwnDecisionRef = output<OwnDecision>("OwnDecision", OwnDecisionView, "A decision that limits you.", {
  out: ["id"],
  fields: (t) => ({
    decisionId: t.id({
      description: descriptionOf(OwnDecisionView.properties.id),
      resolve: ({ id }) => id,
    }),
  }),
});
queryOf(
  "ownDecisions",
  appealOperations.listOwnDecisions,
  connectionOf(OwnDecisionRef, "OwnDecision", "decisions"),
);
mutationOf(appealOperations.appealDecision, {
  payload: { decision: { type: OwnDecisionRef, description: "The decision with your appeal." } },
});

const RefusedRef = output(
  "RefusedSubject",
  RefusedSubjectView,
  "A subject that was refused in a mutation about many.",
);
output("RemovableMember", RemovableMemberView, "A member in the preview of a removal.");
output("RemovalHost", RemovalHostView, "A host that spammers linked.");
output("RemovalCounts", RemovalCountsView, descriptionOf(RemovalCountsView));

mutationOf(decisionOperations.decideMany, {
  payload: {
    done: { type: [DecisionRef], description: descriptionOf(DecisionsView.properties.done) },
    refused: { type: [RefusedRef], description: descriptionOf(DecisionsView.properties.refused) },
  },
  toPayload: (result) => result,
});
mutationOf(decisionOperations.undoDecisionsOf, {
  payload: {
    undone: { type: [DecisionRef], description: descriptionOf(UndoneView.properties.undone) },
    kept: { type: [DecisionRef], description: descriptionOf(UndoneView.properties.kept) },
  },
  toPayload: (result) => result,
});
mutationOf(decisionOperations.previewRemoval, {
  payload: payloadOf(RemovalPreviewView),
  toPayload: (result) => result,
});
mutationOf(decisionOperations.removeSpammers, {
  payload: {
    decisions: { type: [DecisionRef], description: descriptionOf(RemovedView.properties.decisions) },
  },
  toPayload: (result) => result,
});
