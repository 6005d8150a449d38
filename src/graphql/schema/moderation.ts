import { hide, restore, restoreBuilder, suspendBuilder } from "../../core/moderation/moderation.ts";
import {
  dismissReport,
  listReports,
  OUTCOMES,
  type Report,
  REPORT_STATES,
  ReportDraft,
  report,
  reopenReport,
} from "../../core/moderation/reports.ts";
import {
  type Subject,
  SUBJECT_KINDS,
  SUBJECT_SCOPES,
  type SubjectKind,
} from "../../core/moderation/subjects.ts";
import { getProfile } from "../../core/profiles/profiles.ts";
import { builder } from "../builder.ts";
import { type ConnectionArgs, pageRequest, toConnection } from "../connection.ts";
import { enumOf } from "../inputs.ts";
import { mutation } from "../mutation.ts";
import { connectionOf } from "./refs.ts";

const Kind = enumOf("SubjectType", SUBJECT_KINDS, "What a report or an act of moderation can be about.");
const State = enumOf("ReportState", REPORT_STATES, "Whether a report waits.", {
  open: "It waits.",
  settled: "It is decided.",
});
const Outcome = enumOf("ReportOutcome", OUTCOMES, "How a report was settled.", {
  upheld: "The thing was hidden, or the builder suspended.",
  dismissed: "It was found unfounded.",
  gone: "The author deleted the thing before anybody looked.",
});

const SubjectRef = builder.objectRef<Subject>("Subject").implement({
  description: "What a report or an act of moderation is about.",
  fields: (t) => ({
    type: t.field({ type: Kind, description: "What it is.", resolve: ({ kind }) => kind }),
    id: t.exposeID("id", { description: "Its identifier: `node` finds it." }),
    title: t.exposeString("title", {
      nullable: true,
      description: "What it is called; null where it is gone.",
    }),
    owner: t.string({
      nullable: true,
      description: "Whose it is, by their handle; null where it is gone, and for a job of the operator's.",
      resolve: ({ owner }) => owner?.username ?? null,
    }),
    hidden: t.boolean({
      description: "Whether it is hidden, or suspended.",
      resolve: ({ isHidden }) => isHidden,
    }),
  }),
});

const Receipt = builder.objectRef<Report>("ReportReceipt").implement({
  description: "Your report, as you see it: not what became of it.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Its identifier." }),
    type: t.field({ type: Kind, description: "What you reported.", resolve: ({ subject }) => subject.kind }),
    subjectId: t.id({ description: "Its identifier.", resolve: ({ subject }) => subject.id }),
    reason: t.exposeString("reason", { description: "What is wrong with it." }),
    createdAt: t.field({
      type: "DateTime",
      description: "When you first reported it.",
      resolve: ({ createdAt }) => createdAt,
    }),
  }),
});

const Settled = builder.objectRef<NonNullable<Report["settled"]>>("ReportSettlement").implement({
  description: "How a report was settled.",
  fields: (t) => ({
    at: t.field({ type: "DateTime", description: "When.", resolve: ({ at }) => at }),
    by: t.exposeString("by", {
      nullable: true,
      description: "By whom, by their handle; null where it settled itself, or the operator did.",
    }),
    outcome: t.field({ type: Outcome, description: "How.", resolve: ({ outcome }) => outcome }),
  }),
});

const ReportRef = builder.objectRef<Report>("Report").implement({
  description: "What one builder says against a thing. For moderators.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Its identifier." }),
    subject: t.field({
      type: SubjectRef,
      description: "What it is about.",
      resolve: ({ subject }) => subject,
    }),
    reason: t.exposeString("reason", { description: "What is said to be wrong." }),
    reporter: t.exposeString("reporter", { description: "The handle of whoever reports." }),
    createdAt: t.field({ type: "DateTime", description: "When.", resolve: ({ createdAt }) => createdAt }),
    settled: t.field({
      type: Settled,
      nullable: true,
      description: "How it was settled; null for an open one.",
      resolve: ({ settled }) => settled,
    }),
  }),
});
const ReportConnection = connectionOf(ReportRef, "Report", "reports");

builder.queryFields((t) => ({
  reports: t.field({
    type: ReportConnection,
    nullable: true,
    description: "What has been reported, newest first. Needs `admin`.",
    args: {
      ...t.arg.connectionArgs(),
      state: t.arg({
        type: State,
        required: false,
        description: "Only those that wait, or only those settled.",
      }),
    },
    resolve: (_root, { state, ...args }, { core, caller }) =>
      toConnection(
        listReports(core, caller, { state: state ?? undefined }, pageRequest(args as ConnectionArgs)),
      ),
  }),
}));

const ABOUT =
  "to the moderators. One report for each builder and thing: the same again changes its reason while it is open. Needs";

/** One for each kind, as whoever may read a thing may report it. A builder goes by their handle. */
function reportMutation(name: string, kind: SubjectKind, what: string): void {
  const isBuilder = kind === "builder";
  mutation(name, {
    description: `Reports ${what} ${ABOUT} \`${SUBJECT_SCOPES[kind]}\`.`,
    names: namesOf(isBuilder),
    draft: ReportDraft,
    payload: { report: { type: Receipt, description: "Your report." } },
    run: ({ core, caller, named, draft, commit }) =>
      commit(() => {
        const id = isBuilder ? getProfile(core, caller, named.username).id : named.id;
        return { report: report(core, caller, { kind, id }, draft) };
      }),
  });
}

/** Typed as both: whichever is not asked for is never read. */
function namesOf(isBuilder: boolean): Readonly<Record<"id" | "username", string>> {
  const names: unknown = isBuilder ? { username: "Their handle, in any case." } : { id: "Its identifier." };
  return names as Readonly<Record<"id" | "username", string>>;
}

reportMutation("reportPost", "post", "a post or reply");
reportMutation("reportJob", "job", "a job");
reportMutation("reportPrompt", "prompt", "a prompt");
reportMutation("reportBuilder", "builder", "a builder");

const REPORT = { report: { type: ReportRef, description: "The report as it is now." } };

mutation("dismissReport", {
  description: "Finds a report unfounded, and with it all open ones about the same thing. Needs `admin`.",
  names: { id: "The report." },
  payload: REPORT,
  run: ({ core, caller, named, commit }) => commit(() => ({ report: dismissReport(core, caller, named.id) })),
});

mutation("reopenReport", {
  description: "Takes a dismissal back: all the reports that it settled are open again. Needs `admin`.",
  names: { id: "The report." },
  payload: REPORT,
  run: ({ core, caller, named, commit }) => commit(() => ({ report: reopenReport(core, caller, named.id) })),
});

const SUBJECT = { subject: { type: SubjectRef, description: "What it was done to, as it is now." } };

mutation("hideThing", {
  description:
    "Hides a post, reply, job or prompt from everybody but its author and moderators. Needs `admin`.",
  names: { id: "Its identifier." },
  payload: SUBJECT,
  run: ({ core, caller, named, commit }) => commit(() => ({ subject: hide(core, caller, named.id) })),
});

mutation("restoreThing", {
  description: "Restores what was hidden; the reports about it are open again. Needs `admin`.",
  names: { id: "Its identifier." },
  payload: SUBJECT,
  run: ({ core, caller, named, commit }) => commit(() => ({ subject: restore(core, caller, named.id) })),
});

mutation("suspendBuilder", {
  description: "Locks a builder out: their very next request is refused. Needs `admin`.",
  names: { username: "Their handle, in any case." },
  payload: SUBJECT,
  run: ({ core, caller, named, commit }) =>
    commit(() => ({ subject: suspendBuilder(core, caller, named.username) })),
});

mutation("restoreBuilder", {
  description: "Lets a builder in again. Needs `admin`.",
  names: { username: "Their handle, in any case." },
  payload: SUBJECT,
  run: ({ core, caller, named, commit }) =>
    commit(() => ({ subject: restoreBuilder(core, caller, named.username) })),
});
