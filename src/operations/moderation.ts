import { Type } from "@sinclair/typebox";
import {
  hide,
  ReasonDraft,
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
import { STAFF } from "./staff.ts";

const { id, reason, createdAt } = ReportView.properties;
/**
 * The reporter's view. It reveals neither the state of the reported subject nor the outcome of the report.
 */
const ReceiptView = Type.Object(
  {
    id,
    subject: Type.Pick(SubjectView, ["type", "id"], { description: "The subject of the report." }),
    reason,
    createdAt,
  },
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
  description: "The identifier of the post, reply, job, or prompt.",
  example: EXAMPLE_IDS.post,
};
const aReport = {
  name: "id",
  description: "The identifier of the report.",
  example: "rpt_01kafzq8e5f2r8v0j3n6s1t4wx",
};

/** The fields that the report operations of all subject kinds share. */
function reporting(kind: SubjectKind) {
  return {
    scope: SUBJECT_SCOPES[kind],
    effect: "changes",
    view: ReceiptView,
    example: { subject: { type: kind, id: EXAMPLE_IDS[kind] } },
    responseDescription: "Your report",
  } as const;
}

/**
 * Returns the operation that reports subjects of one kind, at the path of this kind. A builder is identified
 * by username.
 */
function reportOf(
  kind: Exclude<SubjectKind, "message">,
  { at, what }: { at: `${Method} /${string}`; what: string },
) {
  return write({
    route: at,
    summary: `Report ${what} to the moderators`,
    description:
      "Only the moderators see the report. If you report the same subject again, the new reason replaces the old one. Once the report is settled, another report changes nothing.",
    ...reporting(kind),
    param:
      kind === "builder"
        ? USERNAME
        : {
            name: "id",
            description: `The identifier of ${what.replace(/^a /, "the ")}.`,
            example: EXAMPLE_IDS[kind],
          },
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
    route: "PUT /messages/{thread}/report",
    summary: "Report a direct message to the moderators",
    description:
      "Reports a message from the other builder. Only the moderators see the report. They see the reported message and nothing else in the conversation. If you report the same message again while the report is open, the new reason replaces the old one.",
    ...reporting("message"),
    param: {
      name: "thread",
      description: "The identifier of the conversation.",
      example: "thr_01kafzq8e5f2r8v0j3n6s1t4wx",
    },
    draft: MessageReport,
    run: ({ core, caller, id, draft }) => reportMessage(core, caller, id, draft),
  }),
  listReports: list({
    route: "GET /reports",
    summary: "List reports",
    description: "Returns reports, newest first.",
    ...STAFF,
    filter: ReportFilter,
    view: ReportView,
    page: "ReportPage",
    responseDescription: "One page of reports",
    run: ({ core, caller, filter, page }) => listReports(core, caller, filter, page),
  }),
  dismissReport: write({
    route: "PUT /reports/{id}/dismissal",
    summary: "Dismiss a report",
    description: "All open reports about the same subject are also dismissed.",
    restDescription: "Returns 409 if the report was already settled with another outcome.",
    ...STAFF,
    effect: "changes",
    param: aReport,
    view: ReportView,
    example: { settled: { at: "2026-11-20T09:30:00.000Z", by: "root", outcome: "dismissed" } },
    responseDescription: "The settled report",
    refusals: [409],
    run: ({ core, caller, id }) => dismissReport(core, caller, id),
  }),
  reopenReport: write({
    route: "DELETE /reports/{id}/dismissal",
    summary: "Undo a dismissal",
    description: "Reopens all reports that the dismissal settled.",
    ...STAFF,
    effect: "changes",
    param: aReport,
    view: ReportView,
    responseDescription: "The reopened report",
    refusals: [409],
    run: ({ core, caller, id }) => reopenReport(core, caller, id),
  }),
  hideThing: write({
    route: "PUT /moderation/{id}/hidden",
    summary: "Hide a post, reply, job, or prompt",
    description:
      "Removes the content from every list, search, and count, and upholds the reports about it. Only its author and the moderators can still see the content. The author is notified, with the reason. If the author has already deleted the content, only the reports are settled.",
    restDescription: "For everyone else, hidden content returns 404.",
    ...STAFF,
    effect: "changes",
    param: thing,
    draft: ReasonDraft,
    view: SubjectView,
    example: { hidden: true },
    responseDescription: "The hidden content",
    run: ({ core, caller, id, draft }) => hide(core, caller, id, draft),
  }),
  restoreThing: write({
    route: "DELETE /moderation/{id}/hidden",
    summary: "Show hidden content again",
    description:
      "Restores the content unchanged and reopens the reports about it. Content that its author deleted stays deleted.",
    ...STAFF,
    effect: "changes",
    param: thing,
    view: SubjectView,
    responseDescription: "The restored content",
    run: ({ core, caller, id }) => restore(core, caller, id),
  }),
  suspendBuilder: write({
    route: "PUT /profiles/{username}/suspension",
    summary: "Suspend a builder",
    description:
      "From now on, the server refuses every request of the builder, with any credentials. Their posts stay. Reports about the builder are upheld.",
    restDescription: "Returns 409 if you try to suspend yourself.",
    ...STAFF,
    effect: "changes",
    param: USERNAME,
    draft: ReasonDraft,
    view: SubjectView,
    example: { ...exampleBuilder, hidden: true },
    responseDescription: "The builder",
    refusals: [409],
    run: ({ core, caller, id, draft }) => suspendBuilder(core, caller, id, draft),
  }),
  restoreBuilder: write({
    route: "DELETE /profiles/{username}/suspension",
    summary: "Lift a builder's suspension",
    description:
      "The builder can sign in with their password again. Reports that the suspension upheld are reopened.",
    ...STAFF,
    effect: "changes",
    param: USERNAME,
    view: SubjectView,
    example: exampleBuilder,
    responseDescription: "The builder",
    refusals: [409],
    run: ({ core, caller, id }) => restoreBuilder(core, caller, id),
  }),
});
