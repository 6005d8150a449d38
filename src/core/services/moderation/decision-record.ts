import type { Core } from "../../base/core.ts";
import { notify, withdrawNotification } from "../../identity/notifications/notify.ts";
import { REPORTS } from "../../identity/notifications/kinds.ts";
import { closeCase } from "../../community/reports/cases.ts";
import type { Caller } from "../../identity/access/caller.ts";
import { type Act, ACT_FACTS } from "./acts.ts";
import { recordStaffEvent } from "../../outbox/events/events.ts";
import { type DecisionRow, insertDecision, type Undo, updateUndone } from "./decisions-store.ts";

/*
 * Stores decisions and notifies the members concerned. Other modules of moderation decide what changes. Call
 * each function in the transaction of the decision.
 */

export interface NewDecision {
  act: Act;
  subjectId: string;
  /** ID of the member concerned. Null for content of the operator. */
  builderId: string | null;
  reason: string;
  rule?: string | undefined;
  /** Null for good. */
  until?: number | null | undefined;
  undo?: Undo | undefined;
}

/**
 * Stores a decision, closes the case, and notifies the member of an act that limits the member. Also notifies
 * the moderator who took the case, unless that moderator decides. `automatic` is a decision of the server by
 * a setting of the community. Returns the ID.
 */
export function storeDecision(
  core: Core,
  by: Caller | "automatic",
  { act, subjectId, builderId, reason, rule = "", until = null, undo = {} }: NewDecision,
): string {
  const createdAt = core.clock.now();
  const id = core.makeId("dec", createdAt);
  const moderatorId = by === "automatic" ? null : by.builderId;
  const isAutomatic = by === "automatic";
  insertDecision(core, {
    ...{ id, act, subjectId, builderId, moderatorId, isAutomatic, reason, rule, until, undo, createdAt },
  });
  const { id: caseId, takenBy } = closeCase(core, subjectId);
  if (takenBy !== null && takenBy !== moderatorId)
    notify(core, { to: takenBy, kind: "case_decided", subject: REPORTS, fact: caseId });
  announce(core, { id, act, subjectId, builderId, moderatorId }, false);
  noticeOf(core, { id, act, builderId, moderatorId, reason });
  return id;
}

/** Records the event of a decision, or of its undo, for endpoints of the staff. */
export function announce(
  core: Core,
  decision: Pick<DecisionRow, "id" | "act" | "subjectId" | "builderId" | "moderatorId">,
  isUndone: boolean,
): void {
  const { id, act, subjectId, builderId, moderatorId } = decision;
  recordStaffEvent(core, "decision.made", {
    decision: {
      ...{ id, act, subject_id: subjectId, builder_id: builderId, moderator_id: moderatorId },
      is_undone: isUndone,
    },
  });
}

type Noticed = Pick<DecisionRow, "id" | "act" | "builderId" | "moderatorId" | "reason">;

/** Notifies the member of a decision that limits the member. The notification does not name the moderator. */
export function noticeOf(core: Core, { id, act, builderId, moderatorId, reason }: Noticed): void {
  if (!ACT_FACTS[act].isLimiting || builderId === null || builderId === moderatorId) return;
  notify(core, { to: builderId, kind: "decision", subject: { type: "decision", id }, about: reason });
}

/** Marks a decision as undone or replaced, and withdraws its notification. */
export function endDecision(core: Core, by: Caller, id: string): void {
  updateUndone(core, id, { undoneAt: core.clock.now(), undoneBy: by.builderId });
  withdrawNotification(core, { kind: "decision", subject: { type: "decision", id } });
}

/** Puts a decision in force again, and notifies the member again. */
export function renewDecision(core: Core, row: DecisionRow): void {
  updateUndone(core, row.id, { undoneAt: null, undoneBy: null });
  announce(core, row, false);
  noticeOf(core, row);
}
