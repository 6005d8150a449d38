import { type Static, Type } from "@sinclair/typebox";
import { Choice, Text } from "../../base/check.ts";
import { RULE_MAX } from "../../identity/community-settings/community-settings.ts";
import { APPEAL_OUTCOMES } from "../../base/db/schema-moderation.ts";
import { TimestampText } from "../../base/timestamp.ts";
import { DisplayText, Id, orNull, Timestamp } from "../../base/view.ts";
import { type Subject, SubjectView } from "./subjects.ts";

/** Acts of moderators (docs/contract.md#12.37). */
export const ACTS = [
  "hide",
  "restore",
  "approve",
  "lock",
  "unlock",
  "warn",
  "limit",
  "unlimit",
  "suspend",
  "unsuspend",
  "remove_spammer",
  "dismiss",
] as const;
export type Act = (typeof ACTS)[number];

interface ActFacts {
  /**
   * The object of the act. `content`: a post, reply, job or prompt. `thread`: the conversation of a post or
   * reply. `account`: the member, or the author of content or of a reported message. `any`: everything.
   */
  on: "content" | "thread" | "account" | "any";
  /** Whether the act limits the member, who then reads the reason. Such an act needs a reason. */
  isLimiting?: true;
  /** Whether the act can end at a time. */
  isTimed?: true;
  /** Whether a session needs a recent sign-in. */
  isGuarded?: true;
}

const FACTS = {
  hide: { on: "content", isLimiting: true },
  restore: { on: "content" },
  approve: { on: "content" },
  lock: { on: "thread", isLimiting: true },
  unlock: { on: "thread" },
  warn: { on: "account", isLimiting: true },
  limit: { on: "account", isLimiting: true, isTimed: true, isGuarded: true },
  unlimit: { on: "account", isGuarded: true },
  suspend: { on: "account", isLimiting: true, isTimed: true, isGuarded: true },
  unsuspend: { on: "account", isGuarded: true },
  remove_spammer: { on: "account", isLimiting: true, isGuarded: true },
  dismiss: { on: "any" },
} as const satisfies Record<Act, ActFacts>;
export const ACT_FACTS: Readonly<Record<Act, ActFacts>> = FACTS;

/** Acts that a member reads in their own decisions, with the reason. They can appeal against these acts. */
export type LimitingAct = {
  [Each in Act]: (typeof FACTS)[Each] extends { isLimiting: true } ? Each : never;
}[Act];
export const LIMITING_ACTS: readonly LimitingAct[] = ACTS.filter(isLimiting);

/** Whether an act limits its member, who can appeal. */
export function isLimiting(act: Act): act is LimitingAct {
  return ACT_FACTS[act].isLimiting === true;
}

export const REASON_MAX = 500;

export const ActDraft = Type.Object({
  act: Choice(ACTS, "The act.", ["hide"]),
  reason: Type.Optional(
    Text({
      min: 0,
      max: REASON_MAX,
      description:
        "The reason, which the member reads. Required for acts that limit a member: `hide`, `lock`, `warn`, `limit`, `suspend` and `remove_spammer`.",
      examples: ["An advertisement. Those have a place on the jobs board."],
    }),
  ),
  rule: Type.Optional(
    Text({
      min: 0,
      max: RULE_MAX,
      line: true,
      description:
        "The rule of the community that the reason refers to: a heading or list item of its rules.",
    }),
  ),
  until: Type.Optional(
    orNull(TimestampText(), {
      description: "The end of a limit or suspension. `null` or omitted for good.",
      examples: [null],
    }),
  ),
  expectedVersion: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        "The `version` of the case that you read. If someone has decided the case since then, the request is refused.",
    }),
  ),
});
export type ActDraft = Static<typeof ActDraft>;

export const AppealView = Type.Object(
  {
    text: DisplayText("The text of the appeal.", "I was quoting the advertisement."),
    createdAt: Timestamp({ description: "The time of the appeal." }),
    decided: orNull(
      Type.Object({
        at: Timestamp({ description: "The time of the decision." }),
        by: orNull(Type.String(), {
          description: "The username of the moderator. `null` for the operator.",
          examples: ["mod"],
        }),
        outcome: Choice(APPEAL_OUTCOMES, "Whether the appeal was granted."),
        answer: Type.String({
          description: "The answer, which the member reads.",
          examples: ["You are right."],
        }),
      }),
      "The decision on the appeal. `null` while it waits.",
    ),
  },
  { $id: "Appeal" },
);
export type Appeal = Static<typeof AppealView>;

/** A decision as moderators see it. */
export const DecisionView = Type.Object(
  {
    id: Id("dec_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the decision."),
    act: Choice(ACTS, "The act."),
    subject: SubjectView,
    builder: orNull(Type.String(), {
      description:
        "The username of the member concerned. `null` for content of the operator and for a deleted account.",
      examples: ["mallory"],
    }),
    by: orNull(Type.String(), {
      description:
        "The username of the moderator. `null` for the operator, an automatic decision and a deleted account.",
      examples: ["mod"],
    }),
    isAutomatic: Type.Boolean({ description: "Whether the server decided by a setting of the community." }),
    reason: Type.String({ description: "The reason, which the member reads.", examples: ["Spam."] }),
    rule: Type.String({
      description: "The rule of the community at that time. Empty for none.",
      examples: ["No advertisements in the feed"],
    }),
    until: orNull(Timestamp(), {
      description: "The end of a limit or suspension. `null` for good, and for other acts.",
      examples: [null],
    }),
    createdAt: Timestamp({ description: "The time of the decision." }),
    undone: orNull(
      Type.Object({
        at: Timestamp({ description: "The time." }),
        by: orNull(Type.String(), {
          description: "The username of the moderator. `null` for the operator.",
          examples: ["mod"],
        }),
      }),
      {
        description: "When and by whom the decision was undone or replaced. `null` while it is in force.",
        examples: [null],
      },
    ),
    appeal: orNull(AppealView, { description: "The member's appeal. `null` without one.", examples: [null] }),
  },
  { $id: "Decision" },
);

export interface Decision extends Static<typeof DecisionView> {
  subject: Subject;
  /** ID of the member concerned. */
  builderId: string | null;
}
