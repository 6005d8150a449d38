import { type Static, Type } from "@sinclair/typebox";
import { check, Choice, Text } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { APPEAL_OUTCOMES } from "../../base/db/schema-moderation.ts";
import { refuse } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { Id, orNull, Timestamp } from "../../base/view.ts";
import { type Caller, requireBuilder, requireModerator } from "../../identity/access/caller.ts";
import { isAtLeast, mayActOn, ROLES } from "../../identity/access/roles.ts";
import type { Appellant } from "../../identity/accounts/appeal-sessions.ts";
import { record, recordBy } from "../../identity/audit/audit.ts";
import { findStanding, refuseAccountAction } from "../../identity/builders/builders.ts";
import { APPEALS } from "../../identity/notifications/kinds.ts";
import { notify, notifyTeam, withdrawNotification } from "../../identity/notifications/notify.ts";
import { ACT_FACTS, AppealView, type Decision, DecisionView, isLimiting, LIMITING_ACTS } from "./acts.ts";
import {
  findOwnDecision,
  findSuspension,
  hasOtherStaff,
  insertAppeal,
  type OwnDecisionRow,
  selectAppealIds,
  selectOwnDecisions,
  updateAppeal,
} from "./appeals-store.ts";
import { refuseManyActs } from "./act-limit.ts";
import { decide, getDecision, getDecisions } from "./decisions.ts";
import { type DecisionRow, findDecision } from "./decisions-store.ts";
import { canUndoRemoval } from "./removal.ts";
import { type Subject, subjectsOf, SubjectView } from "./subjects.ts";
import { undoDecision } from "./undo.ts";

/*
 * Decisions as the members concerned read them, and their appeals (docs/contract.md#12.42). Members never
 * see who decided. Moderators decide about appeals.
 */

/** A decision as its member reads it. It never says who decided. */
export const OwnDecisionView = Type.Object(
  {
    id: Id("dec_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the decision."),
    act: Choice(LIMITING_ACTS, "The act."),
    subject: orNull(
      Type.Object({
        type: SubjectView.properties.type,
        id: SubjectView.properties.id,
        title: SubjectView.properties.title,
      }),
      {
        description:
          "The content or builder. `null` for a reported message, which would identify the reporter, and for deleted content.",
      },
    ),
    isAutomatic: DecisionView.properties.isAutomatic,
    reason: Type.String({ description: "The reason.", examples: ["Spam."] }),
    rule: DecisionView.properties.rule,
    until: DecisionView.properties.until,
    createdAt: DecisionView.properties.createdAt,
    undoneAt: orNull(Timestamp(), {
      description: "The time at which the decision was undone or replaced. `null` while it is in force.",
      examples: [null],
    }),
    appeal: orNull(
      Type.Object({
        text: AppealView.properties.text,
        createdAt: AppealView.properties.createdAt,
        decided: orNull(
          Type.Object({
            at: Timestamp({ description: "The time of the answer." }),
            outcome: Choice(APPEAL_OUTCOMES, "Whether the appeal was granted."),
            answer: Type.String({ description: "The answer.", examples: ["You are right."] }),
          }),
          "The answer to the appeal. `null` while it waits.",
        ),
      }),
      { description: "Your appeal. `null` without one.", examples: [null] },
    ),
  },
  { $id: "OwnDecision" },
);
/** Times in ms since the epoch. */
export type OwnDecision = Static<typeof OwnDecisionView>;
type OwnAppeal = NonNullable<OwnDecision["appeal"]>;

export const AppealDraft = Type.Object({
  text: Text({
    max: 2000,
    visible: true,
    description: "Why the decision should be changed.",
    examples: ["I was quoting the advertisement."],
  }),
});
export type AppealDraft = Static<typeof AppealDraft>;

/**
 * Returns the ID of the member. Throws forbidden for apps: the reasons are private, and a member has only one
 * appeal against each decision.
 */
function requireOwn(caller: Caller, scope: "profile:read" | "profile:write"): string {
  const { builderId } = requireBuilder(caller, scope);
  if (caller.means === "app") throw refuse("own_decisions_by_app");
  return builderId;
}

/** Lists the decisions about the member, newest first. Throws forbidden, bad_request. */
export function listOwnDecisions(core: Core, caller: Caller, request: PageRequest): Page<OwnDecision> {
  const builderId = requireOwn(caller, "profile:read");
  const scope = { list: "own_decisions", filters: { builderId } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("dec", parts[0]),
  );
  const rows = selectOwnDecisions(core, { builderId, acts: LIMITING_ACTS }, key?.[0], request);
  return pageOf(present(core, rows), request, scope, ({ id }) => [id]);
}

/** Returns a decision about the member. Throws forbidden, not_found. */
export function getOwnDecision(core: Core, caller: Caller, id: string): OwnDecision {
  const row = findOwnDecision(core, requireOwn(caller, "profile:read"), id);
  return required(core, row);
}

/**
 * Appeals against a decision about the member. Throws forbidden, bad_request, not_found.
 * Throws conflict for a second appeal, and for a decision that was undone.
 */
export function appeal(core: Core, caller: Caller, id: string, draft: AppealDraft): OwnDecision {
  const builderId = requireOwn(caller, "profile:write");
  return core.db.transact(() => {
    store(core, findOwnDecision(core, builderId, id), draft);
    recordBy(core, caller, "appeal.made", builderId);
    return required(core, findOwnDecision(core, builderId, id));
  });
}

/** Returns the decision that suspends the member. Undefined for a suspension older than decisions. */
export function getOwnSuspension(core: Core, { builderId }: Appellant): OwnDecision | undefined {
  const row = findSuspension(core, builderId);
  return row && present(core, [row])[0];
}

/** Appeals against the suspension. Throws like `appeal`. */
export function appealSuspension(
  core: Core,
  { builderId }: Pick<Appellant, "builderId">,
  draft: AppealDraft,
  address: string,
): void {
  core.db.transact(() => {
    store(core, findSuspension(core, builderId), draft);
    record(core, { act: "appeal.made", actor: builderId, subject: builderId, address });
  });
}

function store(core: Core, row: OwnDecisionRow | undefined, draft: AppealDraft): void {
  const { text } = check(AppealDraft, draft);
  if (!row || !isLimiting(row.act)) throw refuse("own_decision_unknown");
  const { id, undoneAt, appealedAt } = row;
  if (appealedAt !== null) throw refuse("appealed_already");
  if (undoneAt !== null) throw refuse("decision_over");
  insertAppeal(core, { decisionId: id, text, createdAt: core.clock.now() });
  // The notification has no actor, because a moderator who has blocked the member must still be notified.
  notifyTeam(core, { kind: "appeal_waiting", subject: APPEALS, fact: id });
}

export const APPEAL_STATES = ["waiting", "decided"] as const;

export const AppealFilter = Type.Object({
  state: Type.Optional(Choice(APPEAL_STATES, "Only waiting appeals (the default), or only decided ones.")),
});

/**
 * Lists the decisions with appeals. Waiting appeals come in the order of their arrival, decided ones last
 * decided first. Allowed for moderators. Throws bad_request for a cursor of another list.
 */
export function listAppeals(
  core: Core,
  caller: Caller,
  { state = "waiting" }: Static<typeof AppealFilter>,
  request: PageRequest,
): Page<Decision> {
  requireModerator(caller);
  const scope = { list: "appeals", filters: { state } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [number, string] =>
      parts.length === 2 && typeof parts[0] === "number" && isId("dec", parts[1]),
  );
  const ids = selectAppealIds(core, state, key && { at: key[0], id: key[1] }, request);
  return pageOf(getDecisions(core, caller, ids), request, scope, ({ id, appeal: made }) => [
    (state === "waiting" ? made?.createdAt : made?.decided?.at) ?? 0,
    id,
  ]);
}

export const AppealAnswer = Type.Object({
  outcome: Choice(APPEAL_OUTCOMES, "`granted` undoes the decision. `denied` leaves it in force.", [
    "granted",
  ]),
  answer: Text({
    max: 2000,
    visible: true,
    description: "The answer, which the member reads.",
    examples: ["You are right, the text was a quotation."],
  }),
});
export type AppealAnswer = Static<typeof AppealAnswer>;

/**
 * Decides about an appeal, and notifies the member. A granted appeal undoes the decision. A spammer's removal
 * that can no longer be undone ends with the suspension.
 *
 * Allowed for moderators with the rights that the decision needs, and not for the appellant. The moderator
 * who made the decision is refused while another active one could decide. Throws forbidden, bad_request,
 * not_found. Throws conflict for a second decision: the first one wins.
 */
export function decideAppeal(core: Core, caller: Caller, id: string, draft: AppealAnswer): Decision {
  requireModerator(caller);
  refuseManyActs(core, caller);
  const { outcome, answer } = check(AppealAnswer, draft);
  return core.db.transact(() => {
    const appealed = findDecision(core, id);
    const { appeal: made } = appealed ? getDecision(core, caller, id) : { appeal: null };
    if (!appealed || !made) throw refuse("appeal_unknown");
    refuseAppealOf(core, caller, appealed);
    if (made.decided) throw refuse("appeal_decided");
    if (outcome === "granted" && appealed.undoneAt === null) lift(core, caller, appealed);
    const { builderId } = appealed;
    updateAppeal(core, id, {
      ...{ outcome, answer, decidedAt: core.clock.now(), decidedBy: caller.builderId },
    });
    withdrawNotification(core, { kind: "appeal_waiting", subject: APPEALS, fact: id });
    if (builderId !== null)
      notify(core, {
        to: builderId,
        kind: "appeal_decided",
        subject: { type: "decision", id },
        about: answer,
      });
    recordBy(core, caller, "appeal.decided", builderId, { decision: id, outcome, reason: answer });
    return getDecision(core, caller, id);
  });
}

function lift(core: Core, caller: Caller, { id, act, builderId }: DecisionRow): void {
  if (act !== "remove_spammer" || builderId === null || canUndoRemoval(core, id, builderId))
    undoDecision(core, caller, id);
  else decide(core, caller, builderId, { act: "unsuspend" });
}

/** Throws forbidden unless the caller may decide about an appeal against the decision. */
function refuseAppealOf(core: Core, caller: Caller, { act, builderId, moderatorId }: DecisionRow): void {
  if (caller.means === "operator") return;
  if (builderId === caller.builderId) throw refuse("own_appeal");
  const target = builderId === null ? undefined : findStanding(core, builderId);
  const isAboutAccount = ACT_FACTS[act].on === "account" && target !== undefined;
  if (isAboutAccount) refuseAccountAction(core, caller, "suspend", target);
  if (moderatorId === null || moderatorId !== caller.builderId) return;
  const roles = ROLES.filter((role) =>
    isAboutAccount ? mayActOn(role, "suspend", target.role) : isAtLeast(role, "moderator"),
  );
  if (hasOtherStaff(core, roles, [moderatorId, builderId ?? ""])) throw refuse("appeal_of_own_decision");
}

function required(core: Core, row: OwnDecisionRow | undefined): OwnDecision {
  const [decision] = row ? present(core, [row]) : [];
  if (!decision) throw refuse("own_decision_unknown");
  return decision;
}

function present(core: Core, rows: readonly OwnDecisionRow[]): OwnDecision[] {
  const subjects = subjectsOf(
    core,
    rows.map(({ subjectId }) => subjectId),
  );
  return rows.flatMap((row) => {
    const { act } = row;
    if (!isLimiting(act)) return [];
    const subject = subjects.get(row.subjectId);
    const { id, reason, rule, until, createdAt, undoneAt } = row;
    return [
      {
        ...{ id, act, reason, rule, until, createdAt, undoneAt },
        subject: subject && !subject.isDeleted && subject.type !== "message" ? named(subject) : null,
        isAutomatic: row.isAutomatic === 1,
        appeal: appealOf(row),
      },
    ];
  });
}

const named = ({ type, id, title }: Subject) => ({ type, id, title });

function appealOf({ appealText, appealedAt, decidedAt, outcome, answer }: OwnDecisionRow): OwnAppeal | null {
  if (appealText === null || appealedAt === null) return null;
  const isDecided = decidedAt !== null && outcome !== null;
  const decided = isDecided ? { at: decidedAt, outcome, answer: answer ?? "" } : null;
  return { text: appealText, createdAt: appealedAt, decided };
}
