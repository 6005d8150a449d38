import type { Core } from "../../base/core.ts";
import type { CASE_CAUSES } from "../../base/db/schema-moderation.ts";
import { REPORTS } from "../../identity/notifications/kinds.ts";
import { notifyTeam, withdrawNotification } from "../../identity/notifications/notify.ts";
import { kindOf } from "../../base/ids.ts";
import {
  type CaseRow,
  findCaseById,
  findCaseOf,
  insertCase,
  insertMissingCases,
  patchCase,
} from "./cases-store.ts";

/*
 * Opens and closes cases (docs/contract.md#12.40). The `moderation` service reads them, and checks
 * permissions. Call each function in the transaction of its cause.
 */

export type { CaseRow } from "./cases-store.ts";

/** Why a case was opened: a report, a moderator's act without a report, or a brake. */
export type CaseCause = (typeof CASE_CAUSES)[number];

/**
 * Opens the case of a subject, or reopens it. Notifies the team of a report and of held content. Returns the
 * ID of the case.
 */
export function openCase(core: Core, subjectId: string, cause: CaseCause): string {
  const id = putOpen(core, subjectId, cause);
  // The notification has no actor, because a moderator who has blocked the reporter must still be notified.
  if (cause !== "act") notifyTeam(core, { kind: "report_waiting", subject: REPORTS, fact: id });
  return id;
}

/**
 * Closes the case of a subject because of a decision, and counts the decision. A subject without a case gets
 * a closed one. Withdraws the notification of an earlier decision. Returns the moderator who took the case.
 */
export function closeCase(core: Core, subjectId: string): { id: string; takenBy: string | null } {
  const found = findCaseOf(core, subjectId);
  const now = core.clock.now();
  if (!found) {
    const id = core.makeId("case", now);
    insertCase(core, { id, subjectId, cause: "act", openedAt: now, closedAt: now, version: 1 });
    return { id, takenBy: null };
  }
  patchCase(core, found.id, { closedAt: found.closedAt ?? now, version: found.version + 1 });
  withdrawNotification(core, { kind: "report_waiting", subject: REPORTS, fact: found.id });
  if (found.takenBy !== null)
    withdrawNotification(core, { kind: "case_decided", subject: REPORTS, fact: found.id });
  return found;
}

/** Closes the open case of a subject, if there is one, because a decision about the author covers it. */
export function closeOpenCase(core: Core, subjectId: string): void {
  if (findCaseOf(core, subjectId)?.closedAt === null) closeCase(core, subjectId);
}

/**
 * Returns how many decisions were made in the case of a subject. 0 for a subject without a case. A decision
 * names the version that the moderator saw, so that the second of two decisions at once is refused.
 */
export function versionOf(core: Core, subjectId: string): number {
  return findCaseOf(core, subjectId)?.version ?? 0;
}

/** Returns the case of an id: of the case itself, or of its subject. */
export function findCase(core: Core, id: string): CaseRow | undefined {
  return kindOf(id) === "case" ? findCaseById(core, id) : findCaseOf(core, id);
}

/** Sets or clears the moderator who works on a case. Call it in a transaction. */
export function setTaker(core: Core, id: string, builderId: string | null): void {
  patchCase(core, id, { takenBy: builderId, takenAt: builderId === null ? null : core.clock.now() });
}

/** Stores the cases of reports that have none, such as after an import. Scans all reports. */
export function openMissingCases(core: Core): void {
  insertMissingCases(core);
}

function putOpen(core: Core, subjectId: string, cause: CaseCause): string {
  const found = findCaseOf(core, subjectId);
  if (found?.closedAt === null) return found.id;
  const openedAt = core.clock.now();
  const id = found?.id ?? core.makeId("case", openedAt);
  if (found) patchCase(core, id, { cause, openedAt, closedAt: null, takenBy: null, takenAt: null });
  else insertCase(core, { id, subjectId, cause, openedAt });
  return id;
}
