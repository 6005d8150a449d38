import { type Static, Type } from "@sinclair/typebox";
import { Choice } from "../core/base/check.ts";
import type { Core } from "../core/base/core.ts";
import { parseTimestamp, TimestampText } from "../core/base/timestamp.ts";
import { DisplayText, Timestamp, orNull } from "../core/base/view.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import {
  ActDraft,
  ACTS,
  decide,
  decideMany,
  type Decision,
  DecisionView,
  getDecision,
  listDecisions,
  SUBJECTS_MAX,
} from "../core/services/moderation/decisions.ts";
import { previewRemoval, RemovalDraft, removeSpammers } from "../core/services/moderation/spam.ts";
import { undoDecision, undoDecisionsOf } from "../core/services/moderation/undo.ts";
import { area, list, read, write } from "./operation.ts";
import { A_DECISION, STAFF } from "./staff.ts";

const { expectedVersion, ...shared } = ActDraft.properties;
const DecisionDraft = Type.Object({ ...shared, expected_version: expectedVersion });
const ManyDraft = Type.Object({
  ids: Type.Array(Type.String({ maxLength: 64 }), {
    minItems: 1,
    maxItems: SUBJECTS_MAX,
    description: "The identifiers of the content, messages or builders.",
    examples: [["post_01kafzq8e5f2r8v0j3n6s1t4wx"]],
  }),
  ...shared,
});

export const DECISION_STATES = ["in_force", "undone"] as const;

const DecisionFilter = Type.Object({
  moderator: Type.Optional(
    Type.String({ description: "Return only decisions by this moderator, by username." }),
  ),
  builder: Type.Optional(
    Type.String({ description: "Return only decisions about this member, by username." }),
  ),
  subject: Type.Optional(
    Type.String({
      description: "Return only decisions about this content, message or builder, by identifier.",
    }),
  ),
  act: Type.Optional(Choice(ACTS, "Return only decisions with this act.")),
  day: Type.Optional(
    Type.String({ description: "Return only decisions of this day in UTC.", examples: ["2026-11-20"] }),
  ),
  state: Type.Optional(
    Choice(DECISION_STATES, "Return only decisions that are in force, or only undone ones."),
  ),
});

/** A subject that was refused in a request about many. */
export const RefusedSubjectView = Type.Object(
  {
    subject: DisplayText("The identifier.", "post_01kafzq8e5f2r8v0j3n6s1t4wx"),
    code: DisplayText("The code of the refusal.", "act_done"),
    message: DisplayText("The refusal as a sentence.", "This was already decided."),
  },
  { $id: "RefusedSubject" },
);

export const DecisionsView = Type.Object(
  {
    done: Type.Array(DecisionView, { description: "The decisions that were made." }),
    refused: Type.Array(RefusedSubjectView, { description: "The subjects that were refused." }),
  },
  { $id: "Decisions" },
);

export const UndoneView = Type.Object(
  {
    undone: Type.Array(DecisionView, {
      description: "The decisions that were undone, or put in force again.",
    }),
    kept: Type.Array(DecisionView, {
      description: "The decisions that others changed since, or that cannot be undone.",
    }),
  },
  { $id: "UndoneDecisions" },
);

const count = (description: string) => Type.Integer({ description, examples: [3] });
const COUNTS = {
  posts: count("The number of posts."),
  replies: count("The number of replies."),
  jobs: count("The number of jobs."),
  prompts: count("The number of prompts."),
  messages: count("The number of direct messages."),
};

export const RemovableMemberView = Type.Object(
  {
    username: DisplayText("The username.", "mallory"),
    joinedAt: Timestamp({ description: "The time at which the member joined." }),
    ...COUNTS,
    refusal: orNull(Type.String(), {
      description: "Why you cannot remove the member. `null` if you can.",
      examples: [null],
    }),
  },
  { $id: "RemovableMember" },
);

export const RemovalHostView = Type.Object(
  {
    host: DisplayText("A host that the members linked.", "spam.example"),
    isPreselected: Type.Boolean({ description: "Whether no other member linked the host within 90 days." }),
    otherMembers: count("The number of other members who linked the host."),
  },
  { $id: "RemovalHost" },
);

export const RemovalCountsView = Type.Object(
  { members: count("The number of members."), ...COUNTS },
  { $id: "RemovalCounts", description: "The sums over the members whom you can remove." },
);

export const RemovalPreviewView = Type.Object(
  {
    members: Type.Array(RemovableMemberView, { description: "The members." }),
    hosts: Type.Array(RemovalHostView, { description: "The hosts that they linked, most linked first." }),
    networks: count("The number of networks whose sign-ups are held."),
    counts: RemovalCountsView,
  },
  { $id: "RemovalPreview" },
);

export const RemovedView = Type.Object(
  { decisions: Type.Array(DecisionView, { description: "One decision for each removed member." }) },
  { $id: "RemovedMembers" },
);

const { usernames } = RemovalDraft.properties;

const UndoRequest = Type.Object({
  moderator: Type.String({ maxLength: 64, description: "The username of the moderator.", examples: ["bo"] }),
  since: TimestampText({
    description: "The time since which decisions are undone.",
    examples: ["2026-11-20T09:30:00.000Z"],
  }),
});

/** Decides about many subjects. A refusal becomes its code and its sentence. */
function decideAll(
  core: Core,
  caller: Caller,
  { ids, ...draft }: Static<typeof ManyDraft>,
): { done: Decision[]; refused: Static<typeof RefusedSubjectView>[] } {
  const { done, refused } = decideMany(core, caller, { ...draft, subjectIds: ids });
  return {
    done,
    refused: refused.map(({ id, error: { code, message } }) => ({ subject: id, code, message })),
  };
}

export const decisionOperations = area("Moderation", {
  decide: write({
    route: "POST /moderation/{id}/decisions",
    summary: "Decide about content, a message, or a builder",
    description:
      "Performs one act, settles the reports about its subject and closes the case. The member reads the reason of an act that limits them. An act on an account applies to the author of content or of a message. The tokens of a moderator make at most 300 decisions an hour.",
    restDescription:
      "Returns 409 if nothing would change, and if someone has decided since the version in `expected_version`.",
    ...STAFF,
    effect: "creates",
    param: {
      name: "id",
      description: "The identifier of the post, reply, job, prompt, message or builder.",
      example: "post_01kafzq8e5f2r8v0j3n6s1t4wx",
    },
    draft: DecisionDraft,
    view: DecisionView,
    responseDescription: "The decision",
    locationOf: ({ id }) => `/decisions/${id}`,
    run: ({ core, caller, id, draft: { expected_version: version, ...draft } }) =>
      decide(core, caller, id, version === undefined ? draft : { ...draft, expectedVersion: version }),
  }),
  decideMany: write({
    route: "POST /decisions",
    summary: "Decide about many subjects",
    description: `Performs the same act on up to ${SUBJECTS_MAX} subjects. A refused subject does not affect the others.`,
    ...STAFF,
    effect: "changes",
    draft: ManyDraft,
    view: DecisionsView,
    responseDescription: "The decisions and the refused subjects",
    run: ({ core, caller, draft }) => decideAll(core, caller, draft),
  }),
  listDecisions: list({
    route: "GET /decisions",
    summary: "List decisions",
    description: "Returns the decisions of all moderators and of the server, newest first.",
    ...STAFF,
    filter: DecisionFilter,
    view: DecisionView,
    page: "DecisionPage",
    responseDescription: "One page of decisions",
    run: ({ core, caller, filter, page }) => listDecisions(core, caller, filter, page),
  }),
  getDecision: read({
    route: "GET /decisions/{id}",
    summary: "Retrieve a decision",
    ...STAFF,
    param: A_DECISION,
    view: DecisionView,
    responseDescription: "The decision",
    run: ({ core, caller, id }) => getDecision(core, caller, id),
  }),
  undoDecision: write({
    route: "PUT /decisions/{id}/undone",
    summary: "Undo a decision",
    description:
      "Restores the content or the standing. Later acts and changes by the member stay, and access that ended stays ended. The removal of a spammer can be undone for seven days.",
    restDescription: "Returns 409 if the decision is no longer in force.",
    ...STAFF,
    effect: "changes",
    param: A_DECISION,
    view: DecisionView,
    responseDescription: "The decision",
    refusals: [409],
    run: ({ core, caller, id }) => undoDecision(core, caller, id),
  }),
  undoDecisionsOf: write({
    route: "POST /decisions/undo",
    summary: "Undo all decisions of a moderator",
    description:
      "Undoes everything that one moderator decided and undid since a time, newest first. The moderator must have a lower role than you.",
    scope: "admin",
    effect: "changes",
    draft: UndoRequest,
    view: UndoneView,
    responseDescription: "The undone and the kept decisions",
    refusals: [404],
    run: ({ core, caller, draft: { moderator, since } }) =>
      undoDecisionsOf(core, caller, { moderator, since: parseTimestamp(since) ?? 0 }),
  }),
  previewRemoval: write({
    route: "POST /removals/preview",
    summary: "Preview the removal of spammers",
    description: "Returns what the removal would change. Changes nothing.",
    ...STAFF,
    effect: "changes",
    draft: Type.Object({ usernames }),
    view: RemovalPreviewView,
    responseDescription: "The preview",
    refusals: [404],
    async prepare({ core, caller, draft }) {
      const { members, ...preview } = await previewRemoval(core, caller, draft.usernames);
      return {
        ...preview,
        members: members.map(({ refused, ...member }) => ({ ...member, refusal: refused?.message ?? null })),
      };
    },
    run: ({ draft }) => draft,
  }),
  removeSpammers: write({
    route: "POST /removals",
    summary: "Remove spammers",
    description:
      "Removes all of the members or none. Suspends the accounts, ends their access and hides everything that they wrote. For 30 days, holds sign-ups from their networks and posts that link to the hosts. Can be undone for seven days.",
    ...STAFF,
    effect: "changes",
    draft: RemovalDraft,
    view: RemovedView,
    responseDescription: "The decisions",
    refusals: [404],
    run: ({ core, caller, draft }) => ({ decisions: removeSpammers(core, caller, draft) }),
  }),
});
