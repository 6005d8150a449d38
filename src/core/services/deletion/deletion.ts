import { type Caller, OPERATOR, requireAdmin, requirePerson } from "../../identity/access/caller.ts";
import { record, recordBy } from "../../identity/audit/audit.ts";
import {
  refuseLastAdmin,
  refuseAccountAction,
  type BuilderRow,
  findBuilder,
} from "../../identity/builders/builders.ts";
import { foldUsername, confirmsUsername } from "../../identity/builders/username.ts";
import type { Core } from "../../base/core.ts";
import { fault, refuse, refuseFields } from "../../base/errors.ts";
import { deleteLikesOf } from "../../community/feed/likes.ts";
import { dropPostsOf } from "../../community/feed/removal.ts";
import { dropJobsOf } from "../../community/jobs/removal.ts";
import { dropThreadsOf } from "../../community/messages/removal.ts";
import { deleteRatingsOf } from "../../community/prompts/ratings.ts";
import { dropPromptsOf } from "../../community/prompts/removal.ts";
import { leaveAllWorkspaces, refuseOwnerless } from "../../delegation/workspaces/workspaces.ts";
import {
  deleteBuilderRow,
  deleteFromHeaps,
  findPersonal,
  deletePrivateEvents,
  markRemoved,
  selectRemoved,
  selectWaitingAppeals,
} from "./deletion-store.ts";
import { continuePending, hideAccount } from "./pending.ts";
import { deletePending, findDue, findPending, type PendingRow } from "./pending-store.ts";
import { forgetOrigin } from "../imported/imported.ts";
import { APPEALS } from "../../identity/notifications/kinds.ts";
import { withdrawNotification } from "../../identity/notifications/notify.ts";
import { type Proof, verifyProof } from "../../identity/accounts/reauthentication.ts";
import { requireFresh, requireStillSignedIn } from "../../identity/accounts/sessions.ts";

/**
 * Deletes the caller's own account for good. Sign-in, tokens and grants stop working immediately, and the
 * username stays reserved. Content is deleted later in batches (`continueDeletion`). The caller confirms by
 * typing their `username`. Requires a session.
 * Throws forbidden, rate_limited, bad_request for a wrong username or password, and unauthorized for a wrong
 * passkey. Throws conflict for the last owner of the community or of a workspace with other members.
 */
export async function deleteOwnAccount(
  core: Core,
  caller: Caller,
  { username, proof }: { username: string; proof: Proof },
): Promise<void> {
  const person = requirePerson(caller);
  refuseMistyped(person.username, username);
  const proved = await verifyProof(core, person, proof);
  await core.db.write(() => {
    requireStillSignedIn(core, caller);
    proved();
    remove(core, caller, getExistingBuilder(core, person.username));
  });
}

/**
 * Deletes the account of another member. The account and its content are hidden immediately and erased after
 * seven days, unless an owner undoes the deletion (`undoDeletion`). `typed` is the username, repeated as
 * confirmation. If the operator calls this function, the account is erased immediately. For an account that
 * is already waiting to be erased, the check for the last owner of a workspace is skipped.
 * Allowed for admins with a recent sign-in, on members with a lower role, and for the operator. Throws
 * forbidden, not_found. Throws bad_request for a mistyped username. Throws conflict as `deleteOwnAccount`,
 * and for an admin's own account.
 */
export function deleteAccount(core: Core, caller: Caller, username: string, typed: string): void {
  requireAdmin(caller);
  requireFresh(core, caller);
  core.db.transact(() => {
    const pending = findPending(core, foldUsername(username));
    if (pending && caller.means === "operator") {
      refuseMistyped(pending.username, typed);
      erase(core, pending);
      return;
    }
    const builder = getExistingBuilder(core, username);
    if (builder.id === caller.builderId) throw refuse("own_account_here");
    refuseAccountAction(core, caller, "delete", builder);
    refuseMistyped(builder.username, typed);
    if (caller.means === "operator") remove(core, caller, builder);
    else hide(core, caller, builder);
  });
}

function hide(core: Core, caller: Caller, builder: BuilderRow): void {
  const { id, username } = builder;
  refuseOwnerless(core, caller, id);
  hideAccount(core, caller, builder);
  refuseLastAdmin(core, builder);
  recordBy(core, caller, "account.deleted", null, { id, username });
  core.wake();
}

/** Erases accounts whose seven days are over. Runs periodically. */
export async function eraseDueAccounts(core: Core): Promise<void> {
  while (findDue(core, core.clock.steady()))
    await core.db.write(() => {
      const row = findDue(core, core.clock.steady());
      if (row) erase(core, row);
    });
}

/** Erases an account whose deletion is pending. */
function erase(core: Core, { builderId: id, username }: PendingRow): void {
  const workspaceId = findPersonal(core, id);
  leaveAllWorkspaces(core, OPERATOR, { id, workspaceId }, { successors: true });
  deletePending(core, id);
  withdrawAppeals(core, id);
  markRemoved(core, { id, username }, core.clock.now());
  forgetOrigin(core, id);
  record(core, {
    act: "account.erased",
    actor: null,
    subject: null,
    detail: { id, username },
    address: null,
  });
  core.wake();
}

/**
 * Rows per transaction. A transaction takes a few milliseconds, so deleting an old account does not block
 * other writes.
 */
const BATCH = 100;

/**
 * Deletion steps in order. The first steps delete content that other members see. The ledger is deleted last:
 * the member can earn no more XP once the content is deleted.
 */
const STEPS: readonly ((core: Core, builderId: string, limit: number) => number)[] = [
  deletePrivateEvents,
  dropPostsOf,
  dropPromptsOf,
  dropJobsOf,
  dropThreadsOf,
  deleteLikesOf,
  deleteRatingsOf,
  deleteFromHeaps,
];

/**
 * Hides or restores the next batch of a pending deletion. If no pending deletion has work left, deletes the
 * next batch of a deleted account. Returns whether any work was done. Call it repeatedly, each time in a
 * transaction.
 */
export function continueDeletion(core: Core): boolean {
  if (continuePending(core)) return true;
  const id = selectRemoved(core);
  if (id === undefined) return false;
  let left = BATCH;
  for (const step of STEPS) {
    left -= step(core, id, left);
    if (left <= 0) return true;
  }
  deleteBuilderRow(core, id);
  return true;
}

function remove(core: Core, caller: Caller, builder: BuilderRow): void {
  leaveAllWorkspaces(core, caller, builder);
  // If an earlier deletion was undone, the undo may still be restoring content. Deleting the row of the
  // earlier deletion stops the undo.
  deletePending(core, builder.id);
  withdrawAppeals(core, builder.id);
  markRemoved(core, builder, core.clock.now());
  forgetOrigin(core, builder.id);
  if (caller.means !== "operator") refuseLastAdmin(core, builder);
  // The log entry has no subject, because entries about an account are deleted with the account. If members
  // delete their own account, the entry has no actor either.
  const { id, username } = builder;
  recordBy(core, caller, "account.deleted", null, { id, username });
  core.wake();
}

/** The team no longer waits for appeals that are deleted with the account. */
function withdrawAppeals(core: Core, builderId: string): void {
  for (const fact of selectWaitingAppeals(core, builderId))
    withdrawNotification(core, { kind: "appeal_waiting", subject: APPEALS, fact });
}

function getExistingBuilder(core: Core, username: string): BuilderRow {
  const builder = findBuilder(core, foldUsername(username));
  if (!builder) throw refuse("builder_unknown");
  return builder;
}

function refuseMistyped(username: string, typed: string): void {
  if (!confirmsUsername(username, typed))
    throw refuseFields([fault("username", "not_this_account", { username })]);
}
