import { endAccess } from "../../delegation/securing/access.ts";
import { type Caller, requirePerson } from "../../identity/access/caller.ts";
import { requireFresh } from "../../identity/accounts/sessions.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { type BuilderRow, findStanding } from "../../identity/builders/builders.ts";
import { foldUsername } from "../../identity/builders/username.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { BATCH, hideSomeOf, showSomeOf } from "../hiding/hiding.ts";
import {
  deletePending,
  findInState,
  findPending,
  hidePending,
  putState,
  restoreAccount,
  selectPending,
} from "./pending-store.ts";

export { isHiddenByDeletion } from "./pending-store.ts";

/** How long the deletion of another member's account can be undone, in steady time. */
export const UNDO_DELETION_WITHIN_MS = 7 * DAY;

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
  const dueAt = core.clock.steady() + UNDO_DELETION_WITHIN_MS;
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
  if (hideSomeOf(core, "deletion", builderId, BATCH) < BATCH) putState(core, builderId, "hidden");
}

function showSome(core: Core, builderId: string): void {
  if (showSomeOf(core, "deletion", builderId, BATCH) < BATCH) deletePending(core, builderId);
}

function requireOwner(core: Core, caller: Caller): void {
  if (caller.means === "operator") return;
  const standing = findStanding(core, requirePerson(caller).builderId);
  if (standing?.suspendedAt !== null || standing.role !== "owner") throw refuse("head_only");
}
