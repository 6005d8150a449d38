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

const Kind = enumOf(
  "SubjectType",
  SUBJECT_KINDS,
  "The type of a subject that can be reported or moderated.",
  {
    post: "A post or reply.",
    job: "A job.",
    prompt: "A prompt.",
    builder: "A builder.",
    message: "A direct message.",
  },
);
enumOf("ReportState", REPORT_STATES, "The state of a report.", {
  open: "The report is not decided yet.",
  settled: "The report is decided.",
});
enumOf("ReportOutcome", OUTCOMES, "How a report was settled.", {
  upheld:
    "The content was hidden, the builder was suspended, or the report was confirmed after the content was deleted.",
  dismissed: "The report was unfounded.",
  gone: "The author deleted the content. Only earlier versions settled reports this way.",
});

/** GraphQL types of the objects that a report or a moderation decision can be about. */
const SUBJECTS = {
  post: PostRef,
  job: JobRef,
  prompt: PromptRef,
  builder: BuilderRef,
  message: MessageRef,
} satisfies Record<SubjectKind, unknown>;

const SubjectUnion = builder.unionType("Subject", {
  description: "The subject of a report or a moderation decision.",
  types: Object.values(SUBJECTS),
  resolveType: ({ id }: { id: string }) => typeOfId(id),
});

const Settled = output<NonNullable<Report["settled"]>>(
  "ReportSettlement",
  SettlementView,
  "How a report was settled.",
);

const MODERATORS = "For moderators only: `null` with an error if the token lacks `admin`.";

/** Returns the report if the caller is a moderator. Throws forbidden otherwise. */
function asModerator(report: Report, { caller }: GraphContext): Report {
  requireModerator(caller);
  return report;
}

const { title, text, hidden } = SubjectView.properties;

node(ReportRef, {
  description:
    "A report by a builder. Moderators see all reports. The reporter sees what they wrote, but not the decision.",
  kind: "rpt",
  many: getReports,
  view: ReportView,
  fields: (t) => ({
    type: t.field({
      type: Kind,
      description: "The type of the subject.",
      resolve: ({ subject }) => subject.type,
    }),
    subjectId: t.id({ description: "The identifier of the subject.", resolve: ({ subject }) => subject.id }),
    subject: t.field({
      type: SubjectUnion,
      nullable: true,
      description:
        "The reported subject. `null` if it no longer exists or you may not see it. Requires the scope that reads this type of object.",
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
      description: `The owner of the subject. \`null\` if it belongs to the operator, or was deleted and no report keeps a copy. For a deleted account, only the username is known. ${MODERATORS}`,
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
const REPORT = { payload: { report: { type: ReportRef, description: "The changed report." } } };
const SUBJECT = {
  payload: {
    subject: {
      type: SubjectUnion,
      description:
        "The content or builder after the change. Requires the scope that reads this type of object.",
      read: (id: string, context: GraphContext) => nodeOf(context, id),
    },
  },
  toPayload: ({ id }: Subject) => ({ subject: id }),
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
