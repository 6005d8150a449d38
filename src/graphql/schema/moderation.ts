import { requireModerator } from "../../core/identity/access/caller.ts";
import {
  getReports,
  type Report,
  REPORT_STATES,
  ReportView,
  SettlementView,
} from "../../core/services/moderation/reports.ts";
import {
  type Subject,
  SUBJECT_KINDS,
  type SubjectKind,
  SubjectView,
} from "../../core/services/moderation/subjects.ts";
import { OUTCOMES } from "../../core/community/reports/reports.ts";
import { descriptionOf } from "../../core/base/view.ts";
import { moderationOperations } from "../../operations/moderation.ts";
import { builder } from "../builder.ts";
import type { GraphContext } from "../context.ts";
import { enumOf } from "../inputs.ts";
import { mutationOf } from "../mutation.ts";
import { output } from "../outputs.ts";
import { nodeOf, typeOfId } from "../nodes.ts";
import { queryOf } from "../query.ts";
import { RevisionRef } from "./post.ts";
import { BuilderRef, connectionOf, JobRef, MessageRef, node, PostRef, PromptRef, ReportRef } from "./refs.ts";

const Kind = enumOf("SubjectType", SUBJECT_KINDS, "What a report or an act of moderation can be about.");
enumOf("ReportState", REPORT_STATES, "Whether a report waits.", {
  open: "It waits.",
  settled: "It is decided.",
});
enumOf("ReportOutcome", OUTCOMES, "How a report was settled.", {
  upheld:
    "The thing was hidden, the builder suspended, or the report found right after the thing was deleted.",
  dismissed: "It was found unfounded.",
  gone: "The author deleted the thing. Earlier versions settled reports so; no report is settled so any more.",
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
  resolveType: ({ id }: { id: string }) => typeOfId(id),
});

const Settled = output<NonNullable<Report["settled"]>>(
  "ReportSettlement",
  SettlementView,
  "How a report was settled.",
);

const MODERATORS = "For moderators: null, with an error, for a token without `admin`.";

/** The part of a report for moderators. Throws forbidden. */
function asModerator(report: Report, { caller }: GraphContext): Report {
  requireModerator(caller);
  return report;
}

const { title, text, hidden } = SubjectView.properties;

node(ReportRef, {
  description:
    "What one builder says against a thing. Moderators see all of them; whoever wrote it sees what they wrote, and not what became of it.",
  kind: "rpt",
  many: getReports,
  view: ReportView,
  fields: (t) => ({
    type: t.field({ type: Kind, description: "What it is about.", resolve: ({ subject }) => subject.type }),
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
      description: `${descriptionOf(title)} ${MODERATORS}`,
      resolve: (report, _, context) => asModerator(report, context).subject.title,
    }),
    subjectText: t.string({
      nullable: true,
      description: `${descriptionOf(text)} ${MODERATORS}`,
      resolve: (report, _, context) => asModerator(report, context).subject.text ?? null,
    }),
    asReported: t.field({
      type: RevisionRef,
      nullable: true,
      description: `${descriptionOf(ReportView.properties.asReported)} ${MODERATORS}`,
      resolve: (report, _, context) => asModerator(report, context).asReported,
    }),
    subjectOwner: t.field({
      type: BuilderRef,
      nullable: true,
      description: `Whose it is; null where it was deleted and no report keeps it, or is the operator's. Of a deleted account the username alone is known. ${MODERATORS}`,
      resolve: (report, _, context) => ownerOf(asModerator(report, context).subject),
    }),
    subjectHidden: t.boolean({
      nullable: true,
      description: `${descriptionOf(hidden)} ${MODERATORS}`,
      resolve: (report, _, context) => asModerator(report, context).subject.hidden,
    }),
    settled: t.field({
      type: Settled,
      nullable: true,
      description: `${descriptionOf(ReportView.properties.settled)} ${MODERATORS}`,
      resolve: (report, _, context) => asModerator(report, context).settled,
    }),
  }),
});

function ownerOf({ ownerId, owner: username }: Subject) {
  return ownerId === null || username === null ? null : { id: ownerId, username };
}

const ReportConnection = connectionOf(ReportRef, "Report", "reports");

queryOf("reports", moderationOperations.listReports, ReportConnection);

const YOURS = { payload: { report: { type: ReportRef, description: "Your report." } } };
const REPORT = { payload: { report: { type: ReportRef, description: "The report as it is now." } } };
const SUBJECT = {
  payload: {
    subject: {
      type: SubjectUnion,
      description: "What it was done to, as it is now; with the scope that it is read with.",
      read: (id: string, context: GraphContext) => nodeOf(context, id),
    },
  },
  show: ({ id }: Subject) => ({ subject: id }),
};

mutationOf(moderationOperations.reportPost, YOURS);
mutationOf(moderationOperations.reportJob, YOURS);
mutationOf(moderationOperations.reportPrompt, YOURS);
mutationOf(moderationOperations.reportBuilder, YOURS);
mutationOf(moderationOperations.reportMessage, YOURS);
mutationOf(moderationOperations.dismissReport, REPORT);
mutationOf(moderationOperations.reopenReport, REPORT);
mutationOf(moderationOperations.hideThing, SUBJECT);
mutationOf(moderationOperations.restoreThing, SUBJECT);
mutationOf(moderationOperations.suspendBuilder, SUBJECT);
mutationOf(moderationOperations.restoreBuilder, SUBJECT);
