import { hidePost, unhidePost as showPost } from "../../community/feed/removal.ts";
import { unhideJob as showJob, hideJob } from "../../community/jobs/board.ts";
import { unhidePrompt as showPrompt, hidePrompt } from "../../community/prompts/removal.ts";
import { endAccess } from "../../delegation/securing/access.ts";
import { type Caller, requirePerson } from "../../identity/access/caller.ts";
import { requireFresh } from "../../identity/accounts/sessions.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { type BuilderRow, findStanding } from "../../identity/builders/builders.ts";
import { foldUsername } from "../../identity/builders/username.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import {
  deleteHidden,
  deletePending,
  findInState,
  findPending,
  type HiddenKind,
  hideThread,
  assignToOtherDeletion,
  noteHidden,
  hidePending,
  putState,
  selectHidden,
  selectPending,
  selectVisible,
  showThread,
  restoreAccount,
} from "./pending-store.ts";

export { isHiddenByDeletion } from "./pending-store.ts";

/**
 * Keeps a subject hidden even if the deletion that hid the subject is undone. Returns whether the undo would
 * have shown the subject. Call it in a transaction.
 */
export function keepHidden(core: Core, subjectId: string): boolean {
  return deleteHidden(core, subjectId);
}

/** How long the deletion of another member's account can be undone, in steady time. */
const UNDO_WITHIN_MS = 7 * DAY;

/** An account that waits to be erased. Times are in ms since the epoch. */
export interface PendingDeletion {
  username: string;
  /** Username of the admin who deleted the account; null if the admin's account is deleted. */
  deletedBy: string | null;
  deletedAt: number;
  erasedAt: number;
}

/**
 * Hides an account and its content. The account is erased after seven days, unless the deletion is undone.
 * Passwords, passkeys and the email address are kept, but do not work unless the deletion is undone. All
 * other items that give access, such as sessions and tokens, end for good. Endpoints are switched off. Checks
 * no right. Call it in a transaction.
 */
export function hideAccount(core: Core, caller: Caller, builder: BuilderRow): void {
  endAccess(core, builder.id, { session: null, passkeys: "all", mail: "kept", endpoints: "off" });
  const dueAt = core.clock.steady() + UNDO_WITHIN_MS;
  hidePending(core, builder, { deletedBy: caller.builderId, dueAt });
  hideSome(core, builder.id);
}

/** Lists all accounts that wait to be erased. Allowed for owners and the operator. Throws forbidden. */
export function listPendingDeletions(core: Core, caller: Caller): PendingDeletion[] {
  requireOwner(core, caller);
  return selectPending(core).map(({ username, deleter, createdAt, dueAt }) => ({
    username,
    deletedBy: deleter,
    deletedAt: createdAt,
    erasedAt: core.clock.now() + dueAt - core.clock.steady(),
  }));
}

/**
 * Undoes a deletion and restores the account with its content. The member can then sign in with their
 * password or passkey. Allowed for owners with a recent sign-in, and for the operator. Throws forbidden,
 * not_found.
 */
export function undoDeletion(core: Core, caller: Caller, username: string): void {
  requireFresh(core, caller);
  core.db.transact(() => {
    requireOwner(core, caller);
    const row = findPending(core, foldUsername(username));
    if (!row || row.state === "restoring") throw refuse("builder_unknown");
    restoreAccount(core, row);
    recordBy(core, caller, "account.undeleted", row.builderId);
    showSome(core, row.builderId);
    core.wake();
  });
}

/** Number of subjects that are hidden or restored per transaction. */
const BATCH = 100;

const HIDING: Readonly<Record<HiddenKind, (core: Core, id: string) => unknown>> = {
  post: hidePost,
  prompt: hidePrompt,
  job: hideJob,
  thread: hideThread,
};
const KINDS = Object.keys(HIDING) as HiddenKind[];

/**
 * Hides the next batch of a deleted member's content, or restores the next batch after an undo. Returns
 * whether any work was done. Call it repeatedly, each time in a transaction.
 */
export function continuePending(core: Core): boolean {
  const hiding = findInState(core, "hiding");
  if (hiding) hideSome(core, hiding.builderId);
  const restoring = findInState(core, "restoring");
  if (restoring) showSome(core, restoring.builderId);
  return (hiding ?? restoring) !== undefined;
}

function hideSome(core: Core, builderId: string): void {
  let left = BATCH;
  for (const kind of KINDS)
    for (const subjectId of selectVisible(core, kind, builderId, left)) {
      noteHidden(core, { subjectId, builderId, kind });
      HIDING[kind](core, subjectId);
      left--;
    }
  if (left > 0) putState(core, builderId, "hidden");
}

function showSome(core: Core, builderId: string): void {
  const some = selectHidden(core, builderId, BATCH);
  for (const each of some) {
    if (each.kind === "thread" && assignToOtherDeletion(core, each.subjectId, builderId)) continue;
    show(core, each);
    deleteHidden(core, each.subjectId);
  }
  if (some.length < BATCH) deletePending(core, builderId);
}

function show(core: Core, { kind, subjectId, members }: ReturnType<typeof selectHidden>[number]): void {
  if (kind === "post") showPost(core, subjectId);
  else if (kind === "prompt") showPrompt(core, subjectId);
  else if (kind === "job") showJob(core, subjectId);
  else showThread(core, subjectId, members ?? "[]");
}

function requireOwner(core: Core, caller: Caller): void {
  if (caller.means === "operator") return;
  const standing = findStanding(core, requirePerson(caller).builderId);
  if (standing?.suspendedAt !== null || standing.role !== "owner") throw refuse("head_only");
}
