import { Type } from "@sinclair/typebox";
import {
  HidingDraft,
  hide,
  restore,
  restoreBuilder,
  suspendBuilder,
} from "../core/services/moderation/moderation.ts";
import {
  dismissReport,
  listReports,
  MessageReport,
  reopenReport,
  report,
  ReportDraft,
  ReportFilter,
  reportMessage,
  ReportView,
} from "../core/services/moderation/reports.ts";
import { SUBJECT_SCOPES, type SubjectKind, SubjectView } from "../core/services/moderation/subjects.ts";
import { getProfile } from "../core/community/profiles/profiles.ts";
import { USERNAME } from "../core/identity/builders/author.ts";
import { area, list, type Method, write } from "./operation.ts";

const { id, reason, createdAt } = ReportView.properties;
/** For whoever reports: not how it stands with the thing, nor what became of the report. */
const ReceiptView = Type.Object(
  { id, subject: Type.Pick(SubjectView, ["type", "id"]), reason, createdAt },
  { $id: "ReportReceipt" },
);

const EXAMPLE_IDS = {
  post: "post_01kafzq8e5f2r8v0j3n6s1t4wx",
  job: "job_01kafzq8e5f2r8v0j3n6s1t4wx",
  prompt: "prompt_01kafzq8e5f2r8v0j3n6s1t4wx",
  builder: "builder_01kafzq8e5f2r8v0j3n6s1t4wx",
  message: "msg_01kafzq8e5f2r8v0j3n6s1t4wx",
};
const exampleBuilder = { type: "builder", id: EXAMPLE_IDS.builder, title: "ada", owner: "ada" };

const thing = {
  name: "id",
  description: "The identifier of a post, reply, job or prompt.",
  example: EXAMPLE_IDS.post,
};
const aReport = {
  name: "id",
  description: "The report's identifier.",
  example: "rpt_01kafzq8e5f2r8v0j3n6s1t4wx",
};

/** What all reports have in common, whatever they are about. */
function reporting(kind: SubjectKind) {
  return {
    scope: SUBJECT_SCOPES[kind],
    effect: "changes",
    view: ReceiptView,
    example: { subject: { type: kind, id: EXAMPLE_IDS[kind] } },
    gives: "Your report",
  } as const;
}

/** Where each kind of thing is found, it is reported. A builder goes by their username. */
function reportOf(
  kind: Exclude<SubjectKind, "message">,
  { at, what }: { at: `${Method} /${string}`; what: string },
) {
  return write({
    at,
    summary: `Report ${what} to the moderators`,
    description:
      "One report for each builder and thing: the same again changes its reason while it is open. Nobody but the moderators learns of it.",
    ...reporting(kind),
    param:
      kind === "builder"
        ? USERNAME
        : { name: "id", description: "Its identifier.", example: EXAMPLE_IDS[kind] },
    draft: ReportDraft,
    run({ core, caller, id: given, draft }) {
      const subjectId = kind === "builder" ? getProfile(core, caller, given).id : given;
      return report(core, caller, { kind, id: subjectId }, draft);
    },
  });
}

export const moderationOperations = area("Moderation", {
  reportPost: reportOf("post", { at: "PUT /feed/{id}/report", what: "a post or reply" }),
  reportJob: reportOf("job", { at: "PUT /jobs/{id}/report", what: "a job" }),
  reportPrompt: reportOf("prompt", { at: "PUT /prompts/{id}/report", what: "a prompt" }),
  reportBuilder: reportOf("builder", {
    at: "PUT /profiles/{username}/report",
    what: "a builder",
  }),
  reportMessage: write({
    at: "PUT /messages/{thread}/report",
    summary: "Report a direct message to the moderators",
    description:
      "One of the other builder's, their newest where none is named. The moderators are shown that message, and nothing else of the thread; nobody but them learns of it. The same again changes its reason while it is open.",
    ...reporting("message"),
    param: { name: "thread", description: "The thread's id.", example: "thr_01kafzq8e5f2r8v0j3n6s1t4wx" },
    draft: MessageReport,
    run: ({ core, caller, id, draft }) => reportMessage(core, caller, id, draft),
  }),
  listReports: list({
    at: "GET /reports",
    summary: "List what has been reported, newest first",
    scope: "admin",
    filter: ReportFilter,
    view: ReportView,
    page: "ReportPage",
    gives: "One page of reports",
    run: ({ core, caller, filter, page }) => listReports(core, caller, filter, page),
  }),
  dismissReport: write({
    at: "PUT /reports/{id}/dismissal",
    summary: "Find a report unfounded",
    description: "Settles all open reports about the same thing.",
    restDescription: "409 for one that was settled otherwise.",
    scope: "admin",
    effect: "changes",
    param: aReport,
    view: ReportView,
    example: { settled: { at: "2026-11-20T09:30:00.000Z", by: "root", outcome: "dismissed" } },
    gives: "The report, settled",
    refusals: [409],
    run: ({ core, caller, id }) => dismissReport(core, caller, id),
  }),
  reopenReport: write({
    at: "DELETE /reports/{id}/dismissal",
    summary: "Take a dismissal back",
    description: "All the reports that it settled are open again.",
    scope: "admin",
    effect: "changes",
    param: aReport,
    view: ReportView,
    gives: "The report, open",
    refusals: [409],
    run: ({ core, caller, id }) => reopenReport(core, caller, id),
  }),
  hideThing: write({
    at: "PUT /moderation/{id}/hidden",
    summary: "Hide a post, reply, job or prompt",
    description:
      "It is in no list, search or count, and there for nobody but its author, who is told, and moderators. Settles the reports about it. Where its author has deleted it, settling its reports is all that happens.",
    restDescription: "To everybody else it is a 404.",
    scope: "admin",
    effect: "changes",
    param: thing,
    draft: HidingDraft,
    isDraftOptional: true,
    view: SubjectView,
    example: { hidden: true },
    gives: "What was hidden",
    run: ({ core, caller, id, draft }) => hide(core, caller, id, draft),
  }),
  restoreThing: write({
    at: "DELETE /moderation/{id}/hidden",
    summary: "Restore what was hidden",
    description:
      "It is what it was, and the reports about it are open again. What its author has deleted stays deleted.",
    scope: "admin",
    effect: "changes",
    param: thing,
    view: SubjectView,
    gives: "What was restored",
    run: ({ core, caller, id }) => restore(core, caller, id),
  }),
  suspendBuilder: write({
    at: "PUT /profiles/{username}/suspension",
    summary: "Lock a builder out",
    description:
      "Their very next request is refused, by whatever credentials; their posts stay. Settles the reports about them.",
    restDescription: "409 for yourself.",
    scope: "admin",
    effect: "changes",
    param: USERNAME,
    view: SubjectView,
    example: { ...exampleBuilder, hidden: true },
    gives: "The builder",
    refusals: [409],
    run: ({ core, caller, id }) => suspendBuilder(core, caller, id),
  }),
  restoreBuilder: write({
    at: "DELETE /profiles/{username}/suspension",
    summary: "Let a builder in again",
    scope: "admin",
    effect: "changes",
    param: USERNAME,
    view: SubjectView,
    example: exampleBuilder,
    gives: "The builder",
    refusals: [409],
    run: ({ core, caller, id }) => restoreBuilder(core, caller, id),
  }),
});
