import type { Core } from "../../base/core.ts";
import { closeOpenCase, openCase } from "../reports/cases.ts";
import { hasOpenReports } from "../reports/reports.ts";
import type { Brake } from "./brakes.ts";
import { deleteHeld, type HeldRow, patchHeld, putHeld, selectHeld, selectWaiting } from "./holding-store.ts";

/*
 * Content that waits for approval (docs/contract.md#12.39). The feed, the job board and the prompts hide it,
 * and publish it at the approval. The `moderation` service checks permissions.
 */

export type Held = HeldRow;

/**
 * Notes that content waits for approval, and opens its case. The caller also hides the content. `mentioned`
 * has the builders whom the text mentioned before. Call it in the transaction of the write.
 */
export function hold(
  core: Core,
  { brake, detail }: Brake,
  content: Pick<Held, "subjectId" | "builderId" | "kind" | "isNew"> & { mentioned?: readonly string[] },
): void {
  const heldAt = core.clock.now();
  putHeld(core, { mentioned: [], ...content, brake, detail, heldAt, dismissedAt: null });
  openCase(core, content.subjectId, "brake");
}

/** Returns the held content among these ids, waiting or dismissed. Checks no permission. */
export function heldAmong(core: Core, ids: readonly string[]): ReadonlyMap<string, Held> {
  if (ids.length === 0) return new Map();
  return new Map(selectHeld(core, ids).map((row) => [row.subjectId, row]));
}

/**
 * Returns which of the shown content waits for approval. Reads nothing if none of it is hidden. Checks no
 * permission: only the author and moderators are shown hidden content.
 */
export function waitingAmong(
  core: Core,
  content: readonly { id: string; isHidden: boolean }[],
): ReadonlySet<string> {
  const hidden = content.filter(({ isHidden }) => isHidden).map(({ id }) => id);
  const waiting = [...heldAmong(core, hidden).values()].filter(({ dismissedAt }) => dismissedAt === null);
  return new Set(waiting.map(({ subjectId }) => subjectId));
}

/** Whether content waits for approval. Checks no permission. */
export function isWaiting(core: Core, subjectId: string): boolean {
  return selectHeld(core, [subjectId])[0]?.dismissedAt === null;
}

/** Returns content of a builder that waits for approval, at most `limit`. Checks no permission. */
export function waitingOf(core: Core, builderId: string, limit: number): Pick<Held, "subjectId" | "kind">[] {
  return selectWaiting(core, builderId, limit);
}

/** Ends a hold and returns it. The caller publishes the content. Call it in the approval's transaction. */
export function takeHeld(core: Core, subjectId: string): Held | undefined {
  const found = selectHeld(core, [subjectId])[0];
  if (found) deleteHeld(core, subjectId);
  return found;
}

/**
 * Notes that a moderator decided against held content. It stays hidden like any other content. A later
 * restore still publishes it as an approval. Returns whether the content was held.
 */
export function dismissHeld(core: Core, subjectId: string): boolean {
  return patchHeld(core, subjectId, core.clock.now());
}

/** Undoes `dismissHeld`: the content waits again, and its case is open. Returns whether it was held. */
export function reopenHeld(core: Core, subjectId: string): boolean {
  const isHeld = patchHeld(core, subjectId, null);
  if (isHeld) openCase(core, subjectId, "brake");
  return isHeld;
}

/**
 * Forgets the hold of deleted content, and closes its case unless reports about it are open. Call it in the
 * transaction of the deletion.
 */
export function forgetHeld(core: Core, subjectId: string): void {
  if (deleteHeld(core, subjectId) && !hasOpenReports(core, subjectId)) closeOpenCase(core, subjectId);
}
