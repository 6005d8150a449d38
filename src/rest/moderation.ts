import { type TSchema, Type } from "@sinclair/typebox";
import { Choice } from "../core/ground/check.ts";
import { isoTime } from "../core/ground/clock.ts";
import { hide, restore, restoreBuilder, suspendBuilder } from "../core/across/moderation/moderation.ts";
import {
  dismissReport,
  listReports,
  MessageReport,
  reopenReport,
  report,
  type Report,
  REPORT_STATES,
  ReportDraft,
  reportMessage,
} from "../core/across/moderation/reports.ts";
import { type Subject, SUBJECT_KINDS, SUBJECT_SCOPES } from "../core/across/moderation/subjects.ts";
import { getProfile } from "../core/community/profiles/profiles.ts";
import { operation } from "./operation.ts";
import { pageParameters, PageOf, pageRequest, presentPage } from "./page.ts";
import { OUTCOMES } from "../core/community/reports/reports.ts";

function orNull<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}

const SubjectAnswer = Type.Object(
  {
    type: Choice(SUBJECT_KINDS),
    id: Type.String(),
    title: orNull(Type.String(), "What it is called; null where it was deleted."),
    text: Type.Optional(
      Type.String({ description: "The whole of a message that was reported, and of nothing else." }),
    ),
    owner: orNull(Type.String(), "Whose it is: a username; null where it was deleted, or is the operator's."),
    hidden: Type.Boolean({ description: "Whether it is hidden, or the builder suspended." }),
  },
  { $id: "Subject" },
);
const ReportAnswer = Type.Object(
  {
    id: Type.String(),
    subject: SubjectAnswer,
    reason: Type.String(),
    reporter: Type.String({ description: "The username of whoever reported it." }),
    created_at: Type.String({ format: "date-time" }),
    settled: orNull(
      Type.Object({
        at: Type.String({ format: "date-time" }),
        by: orNull(Type.String(), "A username; null for the operator, and where it settled itself."),
        outcome: Choice(
          OUTCOMES,
          "`upheld`: hidden or suspended. `gone`: its author deleted it before anybody looked.",
        ),
      }),
      "When, by whom and how; null for an open one.",
    ),
  },
  { $id: "Report" },
);
const ReportReceipt = Type.Object(
  {
    id: Type.String(),
    subject: Type.Object({ type: Choice(SUBJECT_KINDS), id: Type.String() }),
    reason: Type.String(),
    created_at: Type.String({ format: "date-time" }),
  },
  { $id: "ReportReceipt" },
);

const ReportsQuery = Type.Object({
  state: Type.Optional(Choice(REPORT_STATES, "Only reports that wait, or only those that are settled.")),
  ...pageParameters,
});

const at = "2026-11-20T09:30:00.000Z";
const reason = "The same advertisement for the fifth time today.";
const exampleIds = {
  post: "post_01kafzq8e5f2r8v0j3n6s1t4wx",
  job: "job_01kafzq8e5f2r8v0j3n6s1t4wx",
  prompt: "prompt_01kafzq8e5f2r8v0j3n6s1t4wx",
  builder: "builder_01kafzq8e5f2r8v0j3n6s1t4wx",
  thr: "thr_01kafzq8e5f2r8v0j3n6s1t4wx",
  msg: "msg_01kafzq8e5f2r8v0j3n6s1t4wx",
  rpt: "rpt_01kafzq8e5f2r8v0j3n6s1t4wx",
};
const exampleSubject = {
  type: "post",
  id: exampleIds.post,
  title: "Cheap followers",
  owner: "mallory",
  hidden: false,
};
const exampleBuilder = {
  type: "builder",
  id: exampleIds.builder,
  title: "ada",
  owner: "ada",
  hidden: false,
};
const exampleReport = {
  id: exampleIds.rpt,
  subject: exampleSubject,
  reason,
  reporter: "bo",
  created_at: at,
  settled: null,
};
const exampleDismissal = { ...exampleReport, settled: { at, by: "root", outcome: "dismissed" } };

const thing = {
  name: "id",
  description: "The identifier of a post, reply, job or prompt.",
  example: exampleIds.post,
};
const builder = {
  name: "username",
  description: "The builder's handle without a leading @, in any case.",
  example: "ada",
};
const aReport = { name: "id", description: "The report's identifier.", example: exampleIds.rpt };

/** Where each kind of thing is found, and so reported. A builder goes by their username. */
const REPORTABLE = [
  { kind: "post", id: "reportPost", path: "/feed/{id}", what: "a post or reply" },
  { kind: "job", id: "reportJob", path: "/jobs/{id}", what: "a job" },
  { kind: "prompt", id: "reportPrompt", path: "/prompts/{id}", what: "a prompt" },
  { kind: "builder", id: "reportBuilder", path: "/profiles/{username}", what: "a builder" },
] as const;

export const moderationOperations = [
  ...REPORTABLE.map(({ kind, id: operationId, path, what }) =>
    operation({
      id: operationId,
      method: "PUT",
      path: `${path}/report`,
      group: "Moderation",
      summary: `Report ${what} to the moderators`,
      description:
        "One report for each builder and thing: the same again changes its reason while it is open. Nobody but the moderators learns of it.",
      scope: SUBJECT_SCOPES[kind],
      param:
        kind === "builder"
          ? builder
          : { name: "id", description: "Its identifier.", example: exampleIds[kind] },
      body: ReportDraft,
      answer: {
        status: 200,
        description: "Your report",
        schema: ReportReceipt,
        example: {
          id: exampleIds.rpt,
          subject: { type: kind, id: exampleIds[kind] },
          reason,
          created_at: at,
        },
      },
      refusals: [400, 404],
      handle: ({ core, caller, id, body, commit }) =>
        commit(() => {
          const subjectId = kind === "builder" ? getProfile(core, caller, id).id : id;
          return {
            status: 200,
            body: presentReceipt(report(core, caller, { kind, id: subjectId }, body)),
          };
        }),
    }),
  ),
  operation({
    id: "reportMessage",
    method: "PUT",
    path: "/messages/{thread}/report",
    group: "Moderation",
    summary: "Report a direct message to the moderators",
    description:
      "One of the other builder's, their newest where none is named. The moderators are shown that message, and nothing else of the thread; nobody but them learns of it. The same again changes its reason while it is open.",
    scope: SUBJECT_SCOPES.message,
    param: { name: "thread", description: "The thread's id.", example: exampleIds.thr },
    body: MessageReport,
    answer: {
      status: 200,
      description: "Your report",
      schema: ReportReceipt,
      example: {
        id: exampleIds.rpt,
        subject: { type: "message", id: exampleIds.msg },
        reason,
        created_at: at,
      },
    },
    refusals: [400, 404],
    handle: ({ core, caller, id, body, commit }) =>
      commit(() => ({ status: 200, body: presentReceipt(reportMessage(core, caller, id, body)) })),
  }),
  operation({
    id: "listReports",
    method: "GET",
    path: "/reports",
    group: "Moderation",
    summary: "List what has been reported, newest first",
    scope: "admin",
    query: ReportsQuery,
    answer: {
      status: 200,
      description: "One page of reports",
      schema: PageOf("ReportPage", ReportAnswer),
      example: { data: [exampleReport], next: null },
    },
    refusals: [400],
    handle: ({ core, caller, query }) =>
      presentPage(listReports(core, caller, { state: query.state }, pageRequest(query)), presentReport),
  }),
  operation({
    id: "dismissReport",
    method: "PUT",
    path: "/reports/{id}/dismissal",
    group: "Moderation",
    summary: "Find a report unfounded",
    description: "Settles all open reports about the same thing. 409 for one that was settled otherwise.",
    scope: "admin",
    param: aReport,
    answer: {
      status: 200,
      description: "The report, settled",
      schema: ReportAnswer,
      example: exampleDismissal,
    },
    refusals: [404, 409],
    handle: ({ core, caller, id, commit }) =>
      commit(() => ({ status: 200, body: presentReport(dismissReport(core, caller, id)) })),
  }),
  operation({
    id: "reopenReport",
    method: "DELETE",
    path: "/reports/{id}/dismissal",
    group: "Moderation",
    summary: "Take a dismissal back",
    description: "All the reports that it settled are open again.",
    scope: "admin",
    param: aReport,
    answer: { status: 200, description: "The report, open", schema: ReportAnswer, example: exampleReport },
    refusals: [404, 409],
    handle: ({ core, caller, id, commit }) =>
      commit(() => ({ status: 200, body: presentReport(reopenReport(core, caller, id)) })),
  }),
  operation({
    id: "hideThing",
    method: "PUT",
    path: "/moderation/{id}/hidden",
    group: "Moderation",
    summary: "Hide a post, reply, job or prompt",
    description:
      "It is in no list, search or count, and a 404 to everybody but its author and moderators. Settles the reports about it.",
    scope: "admin",
    param: thing,
    answer: {
      status: 200,
      description: "What was hidden",
      schema: SubjectAnswer,
      example: { ...exampleSubject, hidden: true },
    },
    refusals: [404],
    handle: ({ core, caller, id, commit }) =>
      commit(() => ({ status: 200, body: presentSubject(hide(core, caller, id)) })),
  }),
  operation({
    id: "restoreThing",
    method: "DELETE",
    path: "/moderation/{id}/hidden",
    group: "Moderation",
    summary: "Restore what was hidden",
    description: "It is what it was, and the reports about it are open again.",
    scope: "admin",
    param: thing,
    answer: { status: 200, description: "What was restored", schema: SubjectAnswer, example: exampleSubject },
    refusals: [404],
    handle: ({ core, caller, id, commit }) =>
      commit(() => ({ status: 200, body: presentSubject(restore(core, caller, id)) })),
  }),
  operation({
    id: "suspendBuilder",
    method: "PUT",
    path: "/profiles/{username}/suspension",
    group: "Moderation",
    summary: "Lock a builder out",
    description:
      "Their very next request is refused, by whatever credentials; their posts stay. Settles the reports about them. 409 for yourself.",
    scope: "admin",
    param: builder,
    answer: {
      status: 200,
      description: "The builder",
      schema: SubjectAnswer,
      example: { ...exampleBuilder, hidden: true },
    },
    refusals: [404, 409],
    handle: ({ core, caller, id, commit }) =>
      commit(() => ({ status: 200, body: presentSubject(suspendBuilder(core, caller, id)) })),
  }),
  operation({
    id: "restoreBuilder",
    method: "DELETE",
    path: "/profiles/{username}/suspension",
    group: "Moderation",
    summary: "Let a builder in again",
    scope: "admin",
    param: builder,
    answer: { status: 200, description: "The builder", schema: SubjectAnswer, example: exampleBuilder },
    refusals: [404, 409],
    handle: ({ core, caller, id, commit }) =>
      commit(() => ({ status: 200, body: presentSubject(restoreBuilder(core, caller, id)) })),
  }),
];

function presentSubject({ kind, id, title, text, owner, isHidden }: Subject) {
  return {
    type: kind,
    id,
    title,
    ...(text === null ? {} : { text }),
    owner: owner?.username ?? null,
    hidden: isHidden,
  };
}

function presentReport({ id, subject, reason, reporter, createdAt, settled }: Report) {
  return {
    id,
    subject: presentSubject(subject),
    reason,
    reporter,
    created_at: isoTime(createdAt),
    settled: settled && { ...settled, at: isoTime(settled.at) },
  };
}

/** For whoever reports: not how it stands with the thing, nor what became of the report. */
function presentReceipt({ id, subject, reason, createdAt }: Report) {
  return { id, subject: { type: subject.kind, id: subject.id }, reason, created_at: isoTime(createdAt) };
}
