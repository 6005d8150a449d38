import { requireScope } from "../../core/identity/access/caller.ts";
import { kindOf } from "../../core/ground/ids.ts";
import { hide, restore, restoreBuilder, suspendBuilder } from "../../core/across/moderation/moderation.ts";
import {
  dismissReport,
  listReports,
  MessageReport,
  type Report,
  REPORT_STATES,
  ReportDraft,
  report,
  reportMessage,
  reopenReport,
} from "../../core/across/moderation/reports.ts";
import { SUBJECT_KINDS, SUBJECT_SCOPES, type SubjectKind } from "../../core/across/moderation/subjects.ts";
import { getProfile } from "../../core/community/profiles/profiles.ts";
import { builder, TYPE_OF_KIND } from "../builder.ts";
import { type ConnectionArgs, listed } from "../connection.ts";
import type { GraphContext } from "../context.ts";
import { enumOf } from "../inputs.ts";
import { mutation } from "../mutation.ts";
import { nodeOf } from "./node.ts";
import { BuilderRef, connectionOf, JobRef, MessageRef, node, PostRef, PromptRef, ReportRef } from "./refs.ts";
import { OUTCOMES } from "../../core/community/reports/reports.ts";

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

/** The node of every kind of subject. */
const SUBJECTS = {
  post: PostRef,
  job: JobRef,
  prompt: PromptRef,
  builder: BuilderRef,
  message: MessageRef,
} satisfies Record<SubjectKind, unknown>;

const SubjectUnion = builder.unionType("Subject", {
  description: "What a report or an act of moderation is about.",
  types: Object.values(SUBJECTS),
  resolveType: ({ id }: { id: string }) => TYPE_OF_KIND[kindOf(id)],
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

const MODERATORS = "For moderators: null, with an error, for a token without `admin`.";

/** What only a moderator is shown of a report. Throws forbidden. */
function asModerator(report: Report, { caller }: GraphContext): Report {
  requireScope(caller, "admin");
  return report;
}

node(ReportRef, {
  description:
    "What one builder says against a thing. Moderators see all of them; whoever wrote it sees what they wrote, and not what became of it.",
  fields: (t) => ({
    type: t.field({ type: Kind, description: "What it is about.", resolve: ({ subject }) => subject.kind }),
    subjectId: t.id({ description: "The identifier of that.", resolve: ({ subject }) => subject.id }),
    subject: t.field({
      type: SubjectUnion,
      nullable: true,
      description:
        "The thing itself, with the scope that it is read with; null where it is gone, or not yours to see.",
      resolve: ({ subject }, _, context) => nodeOf(context, subject.id) as never,
    }),
    subjectTitle: t.string({
      nullable: true,
      description: `What it is called; null where it is gone. ${MODERATORS}`,
      resolve: (report, _, context) => asModerator(report, context).subject.title,
    }),
    subjectText: t.string({
      nullable: true,
      description: `The whole of a message that was reported; null for everything else. ${MODERATORS}`,
      resolve: (report, _, context) => asModerator(report, context).subject.text,
    }),
    subjectOwner: t.field({
      type: BuilderRef,
      nullable: true,
      description: `Whose it is; null where it is gone, and for a job of the operator's. ${MODERATORS}`,
      resolve: (report, _, context) => asModerator(report, context).subject.owner,
    }),
    subjectHidden: t.boolean({
      nullable: true,
      description: `Whether it is hidden, or suspended. ${MODERATORS}`,
      resolve: (report, _, context) => asModerator(report, context).subject.isHidden,
    }),
    reason: t.exposeString("reason", { description: "What is said to be wrong." }),
    reporter: t.exposeString("reporter", { description: "The handle of whoever reports." }),
    createdAt: t.field({
      type: "DateTime",
      description: "When it was first reported.",
      resolve: ({ createdAt }) => createdAt,
    }),
    settled: t.field({
      type: Settled,
      nullable: true,
      description: `How it was settled; null for an open one. ${MODERATORS}`,
      resolve: (report, _, context) => asModerator(report, context).settled,
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
      listed(args as ConnectionArgs, (request) =>
        listReports(core, caller, { state: state ?? undefined }, request),
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
    payload: { report: { type: ReportRef, description: "Your report." } },
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

mutation("reportMessage", {
  description: `Reports a direct message of the other builder in a thread, their newest where none is named, ${ABOUT} \`messages:read\`. Moderators see that message and nothing else of the thread.`,
  names: { id: "The thread." },
  draft: MessageReport,
  payload: { report: { type: ReportRef, description: "Your report." } },
  run: ({ core, caller, named, draft, commit }) =>
    commit(() => ({ report: reportMessage(core, caller, named.id, draft) })),
});

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

const SUBJECT = {
  subject: {
    type: SubjectUnion,
    description: "What it was done to, as it is now; with the scope that it is read with.",
    read: (id: string, context: GraphContext) => nodeOf(context, id),
  },
};

mutation("hideThing", {
  description:
    "Hides a post, reply, job or prompt from everybody but its author and moderators. Needs `admin`.",
  names: { id: "Its identifier." },
  payload: SUBJECT,
  run: ({ core, caller, named, commit }) => commit(() => ({ subject: hide(core, caller, named.id).id })),
});

mutation("restoreThing", {
  description: "Restores what was hidden; the reports about it are open again. Needs `admin`.",
  names: { id: "Its identifier." },
  payload: SUBJECT,
  run: ({ core, caller, named, commit }) => commit(() => ({ subject: restore(core, caller, named.id).id })),
});

mutation("suspendBuilder", {
  description: "Locks a builder out: their very next request is refused. Needs `admin`.",
  names: { username: "Their handle, in any case." },
  payload: SUBJECT,
  run: ({ core, caller, named, commit }) =>
    commit(() => ({ subject: suspendBuilder(core, caller, named.username).id })),
});

mutation("restoreBuilder", {
  description: "Lets a builder in again. Needs `admin`.",
  names: { username: "Their handle, in any case." },
  payload: SUBJECT,
  run: ({ core, caller, named, commit }) =>
    commit(() => ({ subject: restoreBuilder(core, caller, named.username).id })),
});
