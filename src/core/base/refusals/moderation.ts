import type { Refusals } from "./refusals.ts";

/** Refusals about decisions of moderators. */
export const MODERATION = {
  reason_missing: {
    error: "unprocessable",
    path: "reason",
    says: "State the reason. The member reads it.",
  },
  rule_unknown: {
    error: "unprocessable",
    path: "rule",
    says: "The community's rules have no such rule. Choose one of them, or none.",
  },
  until_past: { error: "unprocessable", path: "until", says: "`until` must be in the future." },
  until_unused: {
    error: "unprocessable",
    path: "until",
    says: "Only `limit` and `suspend` can end at a time. Remove `until`.",
  },
  act_unfit: {
    error: "unprocessable",
    path: "act",
    says: "This act does not apply to this. Choose another act.",
  },
  act_done: { error: "conflict", says: "This is already so. There is nothing to change." },
  case_decided: {
    error: "conflict",
    says: "Another moderator, @{username}, decided this case in the meantime. Reload it, and decide again if you disagree.",
  },
  case_changed: {
    error: "conflict",
    says: "This case was decided in the meantime. Reload it, and decide again if you disagree.",
  },
  decision_unknown: { error: "not_found", says: "There is no decision with that id." },
  appeal_unknown: { error: "not_found", says: "There is no appeal against a decision with that id." },
  appeal_decided: {
    error: "conflict",
    says: "Someone else answered this appeal in the meantime.",
  },
  own_decisions_by_app: { error: "forbidden", says: "Apps cannot read the decisions about you, or appeal." },
  own_appeal: { error: "forbidden", says: "This is your own appeal. Another moderator decides about it." },
  appeal_of_own_decision: {
    error: "forbidden",
    says: "You made this decision. Another moderator decides about the appeal.",
  },
  undo_over: {
    error: "conflict",
    says: "This decision is no longer in force, so there is nothing to undo.",
  },
  removal_over: {
    error: "conflict",
    says: "The removal of a spammer can be undone for seven days only. Lift the suspension instead.",
  },
  thread_locked: {
    error: "forbidden",
    says: "The moderators locked this conversation. Nobody except them can reply.",
  },
  limited_messages: {
    error: "forbidden",
    path: "to",
    says: "The moderators limited your account. You can write only to members who wrote to you, or who accepted or follow you.",
  },
  acts_too_many: {
    error: "rate_limited",
    says: "You made {max} decisions with tokens within an hour. Wait {seconds:second} and try again.",
  },
} as const satisfies Refusals;
