import { hidePost, unhidePost } from "../../community/feed/removal.ts";
import { hideJob, unhideJob } from "../../community/jobs/board.ts";
import { hidePrompt, unhidePrompt } from "../../community/prompts/removal.ts";
import type { Core } from "../../base/core.ts";
import {
  deleteHidden,
  type HiddenKind,
  type HiddenRow,
  type HidingCause,
  hideThread,
  isRecorded,
  noteHidden,
  otherHider,
  selectHidden,
  selectVisible,
  showThread,
} from "./hiding-store.ts";

export {
  deleteSomeHidden,
  type HiddenKind,
  type HiddenRow,
  type HidingCause,
  noteHidden,
} from "./hiding-store.ts";

/*
 * Hides and shows all content of an account in batches. Each hidden subject is recorded, so that an undo
 * shows exactly the content that was visible. Call each function in a transaction.
 */

/** Number of subjects that are hidden or shown per transaction. */
export const BATCH = 100;

const KINDS: readonly HiddenKind[] = ["post", "prompt", "job", "thread"];

/**
 * Hides at most `limit` posts, replies, prompts, jobs and conversations of a builder, and records each.
 * Returns how many it hid; fewer than `limit` means that nothing visible is left. `isSilent` records no
 * event. `hidden` runs after each subject.
 */
export function hideSomeOf(
  core: Core,
  cause: HidingCause,
  builderId: string,
  limit: number,
  { isSilent = false, hidden }: { isSilent?: boolean; hidden?: (subjectId: string) => void } = {},
): number {
  let left = limit;
  for (const kind of KINDS)
    for (const subjectId of selectVisible(core, cause, kind, builderId, left)) {
      noteHidden(core, cause, { subjectId, builderId, kind });
      if (kind === "post") hidePost(core, subjectId, { isSilent });
      else if (kind === "prompt") hidePrompt(core, subjectId);
      else if (kind === "job") hideJob(core, subjectId);
      else hideThread(core, cause, subjectId);
      hidden?.(subjectId);
      left--;
    }
  return limit - left;
}

/**
 * Shows at most `limit` subjects that the cause has hidden. A conversation stays hidden while the account of
 * its other member is hidden, too. Returns how many subjects it handled; fewer than `limit` means that none
 * is left. `show` may show a subject in its own way, and then returns true.
 */
export function showSomeOf(
  core: Core,
  cause: HidingCause,
  builderId: string,
  limit: number,
  show: (row: HiddenRow) => boolean = () => false,
): number {
  const some = selectHidden(core, cause, builderId, limit);
  for (const row of some) {
    const { kind, subjectId, members } = row;
    deleteHidden(core, cause, subjectId);
    const other = kind === "thread" ? otherHider(core, subjectId, builderId) : undefined;
    if (other) noteHidden(core, other.cause, { subjectId, kind, builderId: other.builderId, members });
    else if (!show(row)) showAgain(core, row);
  }
  return some.length;
}

function showAgain(core: Core, { kind, subjectId, members }: HiddenRow): void {
  if (kind === "post") unhidePost(core, subjectId);
  else if (kind === "prompt") unhidePrompt(core, subjectId);
  else if (kind === "job") unhideJob(core, subjectId);
  else showThread(core, subjectId, members ?? "[]");
}

/**
 * Keeps a subject as it is now, even if the deletion or removal that hid the subject is undone. Returns
 * whether an undo would have changed the subject. Call it when a moderator decides about the subject alone.
 */
export function keepAsDecided(core: Core, subjectId: string): boolean {
  const [one, other] = [deleteHidden(core, "deletion", subjectId), deleteHidden(core, "removal", subjectId)];
  return one || other;
}

/** Whether the deletion or removal of the author's account has hidden a subject. */
export function isHiddenOtherwise(core: Core, subjectId: string): boolean {
  return isRecorded(core, "deletion", subjectId) || isRecorded(core, "removal", subjectId);
}
