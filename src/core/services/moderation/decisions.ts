import { Type } from "@sinclair/typebox";
import { check } from "../../base/check.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { CoreError, refuse } from "../../base/errors.ts";
import { isId, lastIdAt } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { parseTimestamp } from "../../base/timestamp.ts";
import { dismissHeld, type Held, heldAmong } from "../../community/holding/holding.ts";
import { versionOf } from "../../community/reports/cases.ts";
import { hasOpenReports } from "../../community/reports/reports.ts";
import { deleteLock, findLock, putLock } from "../../community/feed/locks.ts";
import { findPost } from "../../community/feed/feed.ts";
import { type Caller, requireModerator } from "../../identity/access/caller.ts";
import { requireFreshSession } from "../../identity/accounts/sessions.ts";
import type { AuditEvent } from "../../identity/audit/audit-events.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { findBuilder, findStanding, refuseAccountAction } from "../../identity/builders/builders.ts";
import { typedUsername } from "../../identity/builders/username.ts";
import { rulesOf } from "../../identity/community-settings/community-settings.ts";
import { deleteRestriction, findRestriction, putRestriction } from "../../identity/standing/standing.ts";
import { isHiddenByDeletion } from "../deletion/pending.ts";
import { keepAsDecided } from "../hiding/hiding.ts";
import { refuseManyActs } from "./act-limit.ts";
import { type Act, ACT_FACTS, type ActDraft, type Decision } from "./acts.ts";
import { endDecision, type NewDecision, storeDecision } from "./decision-record.ts";
import {
  findInForce,
  findLastDecider,
  type NamedDecisionRow,
  selectDecisions,
  selectDecisionsById,
} from "./decisions-store.ts";
import { approveContent, hideContent, showContent, suspend, unsuspend, uphold } from "./effects.ts";
import { deletedSubject, dismissCase, refuseOwnCause, settleDeleted } from "./reports.ts";
import { beginRemoval, networksOfMember } from "./removal.ts";
import { type ContentSubject, findSubject, isContent, type Subject, subjectsOf } from "./subjects.ts";

export { type Act, ACTS, ActDraft, type Decision, DecisionView, LIMITING_ACTS } from "./acts.ts";

/*
 * Decisions of moderators (docs/contract.md#12.37). One decision is one act with its reason, and changes
 * content, an account and reports in one transaction.
 */

/** An act after its checks. */
interface Checked {
  act: Act;
  reason: string;
  rule: string;
  until: number | null;
}

/**
 * Performs an act on a post, reply, job, prompt, message or member. Changes the content or account, settles
 * or reopens reports, closes the case, notifies the member, and records the decision with its reason. An act
 * on an account of content or of a message applies to its author.
 *
 * Allowed for moderators, on accounts with a lower role, and not about themselves. Acts that limit an account
 * need a recent sign-in. Throws forbidden, not_found, unprocessable for a missing reason, and rate_limited
 * for too many acts with tokens. Throws conflict when nothing changes, and when someone has decided since
 * `expectedVersion`: the first of two decisions wins.
 */
export function decide(core: Core, caller: Caller, subjectId: string, draft: ActDraft): Decision {
  requireModerator(caller);
  const { act, expectedVersion } = draft;
  if (ACT_FACTS[act].isGuarded) requireFreshSession(core, caller);
  refuseManyActs(core, caller);
  const checked = checkDraft(core, draft);
  return core.db.transact(() => {
    const id = carryOut(core, caller, { subjectId, expectedVersion, ...checked });
    return getDecision(core, caller, id);
  });
}

/** Maximum number of subjects of `decideMany`. */
export const SUBJECTS_MAX = 200;

const Subjects = Type.Object({ subjectIds: Type.Array(Type.String(), { maxItems: SUBJECTS_MAX }) });

/**
 * Performs the same act on up to 200 subjects. A refused subject does not affect the others. Rights and
 * errors as for `decide`. Throws bad_request for more subjects.
 */
export function decideMany(
  core: Core,
  caller: Caller,
  { subjectIds: given, ...draft }: ActDraft & { subjectIds: readonly string[] },
): { done: Decision[]; refused: { id: string; error: CoreError }[] } {
  requireModerator(caller);
  const { subjectIds } = check(Subjects, { subjectIds: given });
  if (ACT_FACTS[draft.act].isGuarded) requireFreshSession(core, caller);
  const checked = checkDraft(core, draft);
  const done: string[] = [];
  const refused: { id: string; error: CoreError }[] = [];
  core.db.transact(() => {
    for (const id of new Set(subjectIds))
      try {
        refuseManyActs(core, caller);
        // A refusal comes before the first write, so it needs no rollback.
        done.push(carryOut(core, caller, { subjectId: id, ...checked }));
      } catch (error) {
        if (!(error instanceof CoreError)) throw error;
        refused.push({ id, error });
      }
  });
  return { done: getDecisions(core, caller, done), refused };
}

/** Filters of the list of decisions. `day` is a day in UTC, such as 2026-11-20. */
export interface DecisionFilter {
  moderator?: string | undefined;
  builder?: string | undefined;
  subject?: string | undefined;
  act?: Act | undefined;
  day?: string | undefined;
  state?: "in_force" | "undone" | undefined;
}

/** Lists decisions, newest first. Allowed for moderators. Throws bad_request for a cursor of another list. */
export function listDecisions(
  core: Core,
  caller: Caller,
  { moderator, builder, subject, act, day, state }: DecisionFilter,
  request: PageRequest,
): Page<Decision> {
  requireModerator(caller);
  const scope = { list: "decisions", filters: { moderator, builder, subject, act, day, state } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("dec", parts[0]),
  );
  const start = day === undefined ? undefined : (parseTimestamp(`${day}T00:00:00Z`) ?? 0);
  const filters = {
    moderatorId: idOf(core, moderator),
    builderId: idOf(core, builder),
    subjectId: subject,
    act,
    after: start === undefined ? undefined : lastIdAt("dec", start - 1),
    before: start === undefined ? undefined : lastIdAt("dec", start + DAY - 1),
    isInForce: state && state === "in_force",
  };
  const decisions = withSubjects(core, selectDecisions(core, filters, key?.[0], request));
  return pageOf(decisions, request, scope, ({ id }) => [id]);
}

/** Returns a decision. Allowed for moderators. Throws not_found. */
export function getDecision(core: Core, caller: Caller, id: string): Decision {
  const [decision] = getDecisions(core, caller, [id]);
  if (!decision) throw refuse("decision_unknown");
  return decision;
}

/** Returns decisions by ID. Allowed for moderators. */
export function getDecisions(core: Core, caller: Caller, ids: readonly string[]): Decision[] {
  requireModerator(caller);
  return withSubjects(core, selectDecisionsById(core, ids));
}

/** Returns the newest decisions about a subject. The calling operation checks permissions. */
export function decisionsAbout(core: Core, subjectId: string, limit: number): Decision[] {
  return withSubjects(core, selectDecisions(core, { subjectId }, undefined, { limit }).slice(0, limit));
}

/** Adds the subjects to rows. The calling operation checks permissions. */
export function withSubjects(core: Core, rows: readonly NamedDecisionRow[]): Decision[] {
  const subjects = subjectsOf(
    core,
    rows.map(({ subjectId }) => subjectId),
  );
  return rows.flatMap((row) => {
    const subject = subjects.get(row.subjectId);
    return subject ? [toDecision(row, subject)] : [];
  });
}

function toDecision(row: NamedDecisionRow, subject: Subject): Decision {
  const { id, act, builder, builderId, moderator: by, reason, rule, until, createdAt, undoneAt } = row;
  const { appealText, appealedAt, appealDecidedAt: at, appealOutcome: outcome } = row;
  return {
    ...{ id, act, subject, builder, builderId, by, reason, rule, until, createdAt },
    isAutomatic: row.isAutomatic === 1,
    undone: undoneAt === null ? null : { at: undoneAt, by: row.undoer },
    appeal:
      appealText === null || appealedAt === null
        ? null
        : {
            text: appealText,
            createdAt: appealedAt,
            decided:
              at === null || outcome === null
                ? null
                : { at, by: row.appealDecider, outcome, answer: row.appealAnswer ?? "" },
          },
  };
}

/** Returns an ID that no row has for an unknown username, so that the list is empty. */
function idOf(core: Core, username: string | undefined): string | undefined {
  return username === undefined ? undefined : (findBuilder(core, typedUsername(username))?.id ?? "");
}

function checkDraft(core: Core, { act, reason = "", rule = "", until: end }: ActDraft): Checked {
  const { isLimiting, isTimed } = ACT_FACTS[act];
  if (isLimiting && reason.trim() === "") throw refuse("reason_missing");
  if (rule !== "" && !rulesOf(core).includes(rule)) throw refuse("rule_unknown");
  const until = end === undefined || end === null ? null : (parseTimestamp(end) ?? 0);
  if (until !== null && !isTimed) throw refuse("until_unused");
  if (until !== null && until <= core.clock.now()) throw refuse("until_past");
  return { act, reason: reason.trim(), rule, until };
}

interface Task extends Checked {
  subjectId: string;
  expectedVersion?: number | undefined;
}

/** Performs the act. Returns the ID of the decision. */
function carryOut(core: Core, caller: Caller, task: Task): string {
  const { act, subjectId, expectedVersion, reason } = task;
  const { on } = ACT_FACTS[act];
  refuseStale(core, subjectId, expectedVersion);
  const subject = findSubject(core, subjectId);
  if (act === "dismiss") {
    if (subject) refuseOwnCause(caller, subject);
    const instead = subject && dismissalOfHeld(core, subject);
    if (instead === "hide" && reason === "") throw refuse("reason_missing");
    if (instead) return decideContent(core, caller, { ...task, act: instead }, contentOf(subject));
    return dismissCase(core, caller, subjectId, reason);
  }
  if (!subject) return decideAboutDeleted(core, caller, task);
  // Hiding their own content gives a moderator nothing.
  if (act !== "hide") refuseOwnCause(caller, subject);
  if (on === "content") return decideContent(core, caller, task, contentOf(subject));
  if (on === "thread") return decideThread(core, caller, task, subject);
  return decideAccount(core, caller, task, subject);
}

/**
 * Returns the act that a dismissal of waiting content means: unfounded reports no longer hide it, and other
 * content is rejected. Undefined for content that does not wait, and if the dismissal is about its reports.
 */
function dismissalOfHeld(core: Core, { id }: Subject): "approve" | "hide" | undefined {
  const held = heldAmong(core, [id]).get(id);
  if (held?.dismissedAt !== null) return undefined;
  if (held.brake === "reports") return "approve";
  return hasOpenReports(core, id) ? undefined : "hide";
}

/**
 * Throws conflict if someone decided about the subject after the moderator read the case. The refusal names
 * the other moderator.
 */
function refuseStale(core: Core, subjectId: string, expectedVersion: number | undefined): void {
  if (expectedVersion === undefined || expectedVersion === versionOf(core, subjectId)) return;
  const username = findLastDecider(core, subjectId)?.username ?? null;
  throw username === null ? refuse("case_changed") : refuse("case_decided", { username });
}

/** Settles the reports about deleted content. The author is not notified, and does not learn of them. */
function decideAboutDeleted(core: Core, caller: Caller, { act, subjectId, reason, rule }: Task): string {
  if (act !== "hide" && act !== "restore") throw refuse("subject_unknown");
  const isUpheld = act === "hide";
  // Before the first write, because `decideMany` goes on after a refusal.
  const { subject, isSettled } = deletedSubject(core, caller, subjectId, isUpheld);
  if (isSettled) throw refuse("act_done");
  const ended = isUpheld ? null : endInForce(core, caller, subjectId, "hide");
  const id = storeDecision(core, caller, { act, subjectId, builderId: null, reason, rule, undo: { ended } });
  settleDeleted(core, caller, subject, { isUpheld, reason });
  return id;
}

function contentOf(subject: Subject): ContentSubject {
  if (!isContent(subject)) throw refuse("act_unfit");
  return subject;
}

function decideContent(core: Core, caller: Caller, task: Task, subject: ContentSubject): string {
  const { act, reason } = task;
  const { id, hidden, ownerId: builderId } = subject;
  const held = heldAmong(core, [id]).get(id);
  // Content that a deletion has hidden can be restored only by undoing that deletion.
  if (act !== "hide" && isHiddenByDeletion(core, id)) throw refuse("subject_unknown");
  // Restored content that was held is approved, so that its XP, mentions and event begin.
  if (act === "approve" || (act === "restore" && held)) return approve(core, caller, task, subject, held);
  if (act !== "hide" && act !== "restore") throw refuse("act_unfit");
  // A deletion or removal may have hidden the content. If a moderator hides it too, an undo keeps it hidden.
  if (act === "hide" && hidden && !held && !keepAsDecided(core, id)) throw refuse("act_done");
  if (act === "restore" && !hidden) throw refuse("act_done");
  keepAsDecided(core, id);
  if (act === "hide") hideContent(core, caller, subject);
  if (act === "hide" && held) dismissHeld(core, id);
  const ended = act === "restore" ? endInForce(core, caller, id, "hide") : null;
  const decisionId = recordAct(core, caller, act === "hide" ? "thing.hidden" : "thing.restored", subject, {
    ...{ ...task, subjectId: id, builderId, reason },
    undo: { ended },
  });
  // Reports that wait again reopen the case that the decision closed.
  if (act === "restore") showContent(core, subject);
  return decisionId;
}

/** Publishes held content. Throws conflict for content that does not wait. */
function approve(
  core: Core,
  caller: Caller,
  task: Task,
  subject: ContentSubject,
  held: Held | undefined,
): string {
  const { id, ownerId: builderId } = subject;
  if (!held) throw refuse("act_done");
  if (!approveContent(core, caller, subject)) throw refuse("act_unfit");
  const ended = endInForce(core, caller, id, "hide");
  const { brake, detail, kind } = held;
  const undo = { ended, held: { brake, detail, kind } };
  return recordAct(core, caller, "thing.approved", subject, {
    ...{ ...task, act: "approve", subjectId: id, builderId, undo },
  });
}

function decideThread(core: Core, caller: Caller, task: Task, subject: Subject): string {
  const { act, reason } = task;
  const post = subject.type === "post" ? findPost(core, subject.id) : undefined;
  const root = post && findSubject(core, post.rootId ?? post.id);
  if (!root) throw refuse("act_unfit");
  refuseOwnCause(caller, root);
  const lock = findLock(core, root.id);
  if ((act === "lock") === (lock !== undefined)) throw refuse("act_done");
  const ended = act === "unlock" ? endInForce(core, caller, root.id, "lock") : null;
  if (act === "unlock") deleteLock(core, root.id);
  const decisionId = recordAct(core, caller, act === "lock" ? "thread.locked" : "thread.unlocked", root, {
    ...{ ...task, subjectId: root.id, builderId: root.ownerId, reason },
    undo: { ended },
  });
  if (act === "lock") putLock(core, { postId: root.id, decisionId });
  return decisionId;
}

function decideAccount(core: Core, caller: Caller, task: Task, subject: Subject): string {
  const { act, reason, until } = task;
  const builderId = subject.ownerId;
  const standing = builderId === null ? undefined : findStanding(core, builderId);
  if (builderId === null || !standing) throw refuse("act_unfit");
  if (builderId === caller.builderId) throw refuse("own_suspension");
  refuseAccountAction(core, caller, "suspend", standing);
  const decision = { ...task, subjectId: subject.id, builderId };
  // The member reads the entry. A reported message would tell the member who reported it.
  const named = (subject.type === "message" && findSubject(core, builderId)) || subject;
  const detail = { kind: named.type, id: named.id, title: named.title, reason };
  if (act === "warn") {
    recordBy(core, caller, "builder.warned", builderId, detail);
    uphold(core, caller, subject.id);
    return storeDecision(core, caller, decision);
  }
  if (act === "remove_spammer") return removeSpammer(core, caller, { ...decision, hosts: [] });
  const kind = act === "limit" || act === "unlimit" ? "limited" : "suspended";
  const isLifting = act === "unlimit" || act === "unsuspend";
  const restriction = findRestriction(core, builderId, kind);
  const isRestricted = kind === "suspended" ? standing.suspendedAt !== null : restriction !== undefined;
  if (isLifting && !isRestricted) throw refuse("act_done");
  const ended = restriction?.decisionId ?? null;
  if (ended !== null) endDecision(core, caller, ended);
  const id = storeDecision(core, caller, { ...decision, undo: { ended } });
  if (isLifting) {
    if (kind === "suspended") unsuspend(core, caller, builderId, detail);
    else deleteRestriction(core, builderId, kind);
  } else {
    putRestriction(core, { builderId, kind, until, decisionId: id });
    uphold(core, caller, subject.id);
    if (kind === "suspended") suspend(core, caller, builderId, detail);
    // The account was suspended before, so `suspend` records nothing.
    if (act === "suspend" && isRestricted) recordBy(core, caller, "builder.suspended", builderId, detail);
  }
  if (kind === "limited")
    recordBy(core, caller, act === "limit" ? "builder.limited" : "builder.unlimited", builderId, detail);
  return id;
}

/** The removal of a spammer: `hosts` are link hosts that hold posts for 30 days. */
export interface Removal {
  subjectId: string;
  builderId: string;
  reason: string;
  rule?: string | undefined;
  hosts: readonly string[];
}

/**
 * Stores the decision to remove a spammer, suspends the account for good and begins to hide its content.
 * Returns the ID of the decision. The calling operation checks rights and the reason. Call it in a
 * transaction.
 */
export function removeSpammer(core: Core, caller: Caller, removal: Removal): string {
  const { subjectId, builderId, reason, rule, hosts } = removal;
  const networks = networksOfMember(core, builderId);
  const username = findStanding(core, builderId)?.username ?? "";
  const ended = findRestriction(core, builderId, "suspended")?.decisionId ?? null;
  if (ended !== null) endDecision(core, caller, ended);
  const decision = { act: "remove_spammer", subjectId, builderId, reason, rule, undo: { ended } } as const;
  const decisionId = storeDecision(core, caller, decision);
  putRestriction(core, { builderId, kind: "suspended", until: null, decisionId });
  uphold(core, caller, subjectId);
  suspend(core, caller, builderId, { reason });
  recordBy(core, caller, "builder.removed", builderId, { reason });
  beginRemoval(core, { builderId, username, decisionId, hosts }, networks);
  return decisionId;
}

/** Ends the decision that is in force. Returns its ID; null for a state from before decisions were stored. */
function endInForce(core: Core, caller: Caller, subjectId: string, act: Act): string | null {
  const row = findInForce(core, subjectId, act);
  if (row) endDecision(core, caller, row.id);
  return row?.id ?? null;
}

/** Stores a decision with its audit entry about the owner. */
function recordAct(
  core: Core,
  caller: Caller,
  event: AuditEvent,
  { type, id, title, ownerId }: Subject,
  decision: NewDecision,
): string {
  recordBy(core, caller, event, ownerId, { kind: type, id, title, reason: decision.reason });
  if (ACT_FACTS[decision.act].isLimiting) uphold(core, caller, id);
  return storeDecision(core, caller, decision);
}
