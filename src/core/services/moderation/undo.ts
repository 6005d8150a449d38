import { CoreError, refuse } from "../../base/errors.ts";
import type { Core } from "../../base/core.ts";
import type { Brake } from "../../community/holding/brakes.ts";
import { dismissHeld, hold, isWaiting, reopenHeld } from "../../community/holding/holding.ts";
import { closeCase, closeOpenCase, openCase } from "../../community/reports/cases.ts";
import { reopenReports } from "../../community/reports/reports.ts";
import { deleteLock, findLock, putLock } from "../../community/feed/locks.ts";
import { type Caller, requireAdminOrToken, requireModerator } from "../../identity/access/caller.ts";
import { requireFreshSession } from "../../identity/accounts/sessions.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { findBuilder, findStanding, refuseAccountAction } from "../../identity/builders/builders.ts";
import { typedUsername } from "../../identity/builders/username.ts";
import { deleteRestriction, findRestriction, putRestriction } from "../../identity/standing/standing.ts";
import { isHiddenByDeletion } from "../deletion/pending.ts";
import { type Act, ACT_FACTS, type Decision } from "./acts.ts";
import { announce, endDecision, renewDecision } from "./decision-record.ts";
import { refuseManyActs } from "./act-limit.ts";
import { getDecision, getDecisions } from "./decisions.ts";
import {
  type DecisionRow,
  findDecision,
  selectSince,
  selectUndoneSince,
  type Undo,
} from "./decisions-store.ts";
import { approveContent, hideContent, reopen, showContent, suspend, unsuspend } from "./effects.ts";
import { canUndoRemoval, undoRemoval } from "./removal.ts";
import { storeMissingCopies } from "./reports.ts";
import { selectCopies } from "./cases-store.ts";
import { type ContentSubject, findSubject, isContent } from "./subjects.ts";
import { hideKeepingReports } from "./content-visibility.ts";

/*
 * Undoes decisions (docs/contract.md#12.37). A later act or a change by the member wins: the undo then leaves
 * that part as it is. Access that ended stays ended.
 */

/**
 * Undoes a decision. Rights as for its act: a moderator undoes no decision about themselves, and only
 * decisions about accounts with a lower role. Throws forbidden, not_found. Throws conflict for a decision
 * that is no longer in force.
 */
export function undoDecision(core: Core, caller: Caller, id: string): Decision {
  requireModerator(caller);
  refuseManyActs(core, caller);
  return core.db.transact(() => {
    const row = findDecision(core, id);
    if (!row) throw refuse("decision_unknown");
    if (row.undoneAt !== null) throw refuse("undo_over");
    undo(core, caller, row);
    return getDecision(core, caller, id);
  });
}

export interface UndoneDecisions {
  undone: Decision[];
  kept: Decision[];
}

/**
 * Undoes everything that one moderator decided and undid since a time, newest first. `kept` are decisions
 * that others changed since, and decisions that cannot be undone. Allowed for admins with a recent sign-in,
 * about members with a lower role, and for the operator. Throws forbidden, not_found. Throws rate_limited for
 * too many acts with tokens, and undoes nothing then.
 */
export function undoDecisionsOf(
  core: Core,
  caller: Caller,
  { moderator, since }: { moderator: string; since: number },
): UndoneDecisions {
  requireAdminOrToken(caller);
  requireFreshSession(core, caller);
  return core.db.transact(() => undoEach(core, caller, decisionsOf(core, caller, { moderator, since })));
}

/** Decisions that are undone before other requests run. */
const UNDO_BATCH = 50;

/**
 * Does the same in batches, because a moderator can have made thousands of decisions. `write` runs each batch
 * in a transaction. Other requests run in between, so a failure leaves the older decisions as they are.
 */
export async function undoDecisionsInBatches(
  core: Core,
  caller: Caller,
  of: { moderator: string; since: number },
  write: <Result>(change: () => Result) => Promise<Result>,
): Promise<UndoneDecisions> {
  requireAdminOrToken(caller);
  requireFreshSession(core, caller);
  const { moderatorId, tasks } = await write(() => decisionsOf(core, caller, of));
  const [undone, kept]: [Decision[], Decision[]] = [[], []];
  for (let from = 0; from < tasks.length; from += UNDO_BATCH) {
    const batch = { moderatorId, tasks: tasks.slice(from, from + UNDO_BATCH) };
    const done = await write(() => undoEach(core, caller, batch));
    undone.push(...done.undone);
    kept.push(...done.kept);
  }
  return { undone, kept };
}

/**
 * Returns how many decisions `undoDecisionsOf` would undo or put in force again, and the first `limit` of
 * them. Some of them may still be kept. Allowed for admins and the operator, like the undo. Throws forbidden,
 * not_found.
 */
export function previewUndoOf(
  core: Core,
  caller: Caller,
  of: { moderator: string; since: number },
  limit: number,
): { decisions: Decision[]; count: number } {
  requireAdminOrToken(caller);
  const ids = decisionsOf(core, caller, of)
    .tasks.filter(({ id, isOwn }) => (findDecision(core, id)?.undoneAt === null) === isOwn)
    .map(({ id }) => id);
  return { decisions: getDecisions(core, caller, ids.slice(0, limit)), count: ids.length };
}

/** Decisions that a moderator made or, if `isOwn` is false, undid. */
interface DecisionsOf {
  moderatorId: string;
  tasks: readonly { id: string; isOwn: boolean }[];
}

function decisionsOf(
  core: Core,
  caller: Caller,
  { moderator, since }: { moderator: string; since: number },
): DecisionsOf {
  const builder = findBuilder(core, typedUsername(moderator));
  if (!builder) throw refuse("builder_unknown");
  refuseAccountAction(core, caller, "secure", builder);
  const made = selectSince(core, builder.id, since);
  const own = new Set(made.map(({ id }) => id));
  const lifted = selectUndoneSince(core, builder.id, since).filter(({ id }) => !own.has(id));
  return {
    moderatorId: builder.id,
    tasks: [
      ...made.map(({ id }) => ({ id, isOwn: true })),
      ...lifted.map(({ id }) => ({ id, isOwn: false })),
    ],
  };
}

function undoEach(core: Core, caller: Caller, { moderatorId, tasks }: DecisionsOf): UndoneDecisions {
  const [undone, kept]: [string[], string[]] = [[], []];
  for (const { id, isOwn } of tasks) {
    const row = findDecision(core, id);
    if (!row) continue;
    if (isOwn && row.undoneAt !== null) {
      if (row.undoneBy !== moderatorId) kept.push(id);
      continue;
    }
    // The undo of a later act of the moderator has put this decision in force again.
    if (!isOwn && row.undoneAt === null) continue;
    refuseManyActs(core, caller);
    const isDone = attempt(core, caller, row, isOwn);
    (isDone ? undone : kept).push(id);
  }
  return { undone: getDecisions(core, caller, undone), kept: getDecisions(core, caller, kept) };
}

/** Returns false if the decision cannot be undone. A refusal comes before the first write. */
function attempt(core: Core, caller: Caller, row: DecisionRow, isOwn: boolean): boolean {
  try {
    if (isOwn) undo(core, caller, row);
    else redo(core, caller, row);
    return true;
  } catch (error) {
    if (error instanceof CoreError) return false;
    throw error;
  }
}

function undo(core: Core, caller: Caller, row: DecisionRow): void {
  checkRights(core, caller, row);
  // Reports that wait again reopen the case.
  closeCase(core, row.subjectId);
  endDecision(core, caller, row.id);
  announce(core, row, true);
  REVERSALS[row.act](core, caller, row);
  const { isLimiting } = ACT_FACTS[row.act];
  if (isLimiting && row.act !== "hide" && row.act !== "remove_spammer") reopen(core, row.subjectId);
  recordUndo(core, caller, row);
}

/** Puts a decision in force again that the moderator undid. */
function redo(core: Core, caller: Caller, row: DecisionRow): void {
  checkRights(core, caller, row);
  if (!enforce(core, caller, row)) throw refuse("undo_over");
  closeCase(core, row.subjectId);
  recordUndo(core, caller, row);
}

function recordUndo(core: Core, caller: Caller, row: DecisionRow): void {
  recordBy(core, caller, "decision.undone", row.builderId, { decision: row.id, act: row.act });
}

function checkRights(core: Core, caller: Caller, row: DecisionRow): void {
  const { id, builderId } = row;
  if (row.act === "remove_spammer" && (builderId === null || !canUndoRemoval(core, id, builderId)))
    throw refuse("removal_over");
  const facts = ACT_FACTS[row.act];
  if (facts.isGuarded) requireFreshSession(core, caller);
  // A decision about deleted content names no member, but a copy of the content does.
  const ownerId = builderId ?? selectCopies(core, [row.subjectId])[0]?.ownerId ?? null;
  if (caller.role === "moderator" && ownerId !== null && ownerId === caller.builderId)
    throw refuse("own_cause");
  const standing = row.builderId === null ? undefined : findStanding(core, row.builderId);
  if (facts.on === "account" && standing) refuseAccountAction(core, caller, "suspend", standing);
}

/** Finds content that is not deleted. */
function findContent(core: Core, id: string): ContentSubject | undefined {
  const subject = findSubject(core, id);
  return subject && isContent(subject) ? subject : undefined;
}

function endedBy(core: Core, { undo: json }: DecisionRow): DecisionRow | undefined {
  const { ended } = JSON.parse(json) as Undo;
  return ended ? findDecision(core, ended) : undefined;
}

/** Puts the effect of a decision in force again. Returns false if something else has replaced it. */
function enforce(core: Core, caller: Caller, row: DecisionRow): boolean {
  const { act, subjectId, builderId, until, reason, id: decisionId } = row;
  const isOver = until !== null && until <= core.clock.now();
  if (act === "hide") {
    const subject = findContent(core, subjectId);
    if (!subject || subject.hidden) return false;
    hideContent(core, caller, subject);
  } else if (act === "lock") {
    if (!findSubject(core, subjectId) || findLock(core, subjectId) !== undefined) return false;
    putLock(core, { postId: subjectId, decisionId });
  } else if (act === "limit" || act === "suspend") {
    const kind = act === "limit" ? "limited" : "suspended";
    if (builderId === null || isOver || findRestriction(core, builderId, kind)) return false;
    putRestriction(core, { builderId, kind, until, decisionId });
    if (act === "suspend") suspend(core, caller, builderId, { reason });
  } else if (act !== "warn") return false;
  renewDecision(core, row);
  return true;
}

/** Puts the decision in force that `row` ended. States from before decisions were stored have none. */
function returnToEnded(core: Core, caller: Caller, row: DecisionRow): boolean {
  const ended = endedBy(core, row);
  return ended !== undefined && enforce(core, caller, ended);
}

function liftRestriction(core: Core, caller: Caller, row: DecisionRow): void {
  const { builderId, id } = row;
  const kind = row.act === "limit" ? "limited" : "suspended";
  if (builderId === null || findRestriction(core, builderId, kind)?.decisionId !== id) return;
  deleteRestriction(core, builderId, kind);
  if (!returnToEnded(core, caller, row) && kind === "suspended")
    unsuspend(core, caller, builderId, { reason: row.reason });
}

const REVERSALS: Readonly<Record<Act, (core: Core, caller: Caller, row: DecisionRow) => void>> = {
  hide(core, caller, { subjectId, isAutomatic }) {
    const subject = findContent(core, subjectId);
    if (isAutomatic === 1) {
      // A brake hid the content. If a moderator has hidden it since, it stays hidden.
      if (subject && isWaiting(core, subjectId) && !isHiddenByDeletion(core, subjectId))
        approveContent(core, caller, subject);
      return;
    }
    // Content that a brake held waits again.
    if (reopenHeld(core, subjectId)) return;
    if (!subject) reopen(core, subjectId);
    else if (subject.hidden && !isHiddenByDeletion(core, subjectId)) showContent(core, subject);
  },
  restore(core, caller, row) {
    const subject = findContent(core, row.subjectId);
    if (!returnToEnded(core, caller, row) && subject && !subject.hidden) hideContent(core, caller, subject);
  },
  lock(core, _caller, { id, subjectId }) {
    if (findLock(core, subjectId) === id) deleteLock(core, subjectId);
  },
  unlock: (core, caller, row) => void returnToEnded(core, caller, row),
  warn: () => undefined,
  limit: liftRestriction,
  unlimit: (core, caller, row) => void returnToEnded(core, caller, row),
  suspend: liftRestriction,
  unsuspend(core, caller, row) {
    const { builderId, reason } = row;
    if (!returnToEnded(core, caller, row) && builderId !== null) suspend(core, caller, builderId, { reason });
  },
  dismiss(core, _caller, { subjectId }) {
    storeMissingCopies(core, reopenReports(core, subjectId, "dismissed"));
    // A case with notes alone is open again, too.
    openCase(core, subjectId, "act");
  },
  approve(core, _caller, row) {
    const { held } = JSON.parse(row.undo) as Undo;
    const subject = findContent(core, row.subjectId);
    if (!held || !subject || subject.hidden || row.builderId === null) return;
    hideKeepingReports(core, subject);
    const { brake, detail, kind } = held;
    const content = { subjectId: subject.id, builderId: row.builderId, kind, isNew: false };
    hold(core, { brake: brake as Brake["brake"], detail }, content);
    storeMissingCopies(core, reopenReports(core, subject.id, "dismissed"));
    const ended = endedBy(core, row);
    if (!ended) return;
    renewDecision(core, ended);
    // A moderator had rejected the content before it was restored.
    if (ended.isAutomatic === 0 && dismissHeld(core, subject.id)) closeOpenCase(core, subject.id);
  },
  remove_spammer(core, caller, row) {
    const { id, builderId } = row;
    if (builderId !== null) undoRemoval(core, { id, builderId });
    liftRestriction(core, caller, row);
  },
};
