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
} from "./deletion-store.ts";
import { continuePending, hideAccount } from "./pending.ts";
import { deletePending, findDue, findPending, type PendingRow } from "./pending-store.ts";
import { forgetOrigin } from "../imported/imported.ts";
import { type Proof, verifyProof } from "../../identity/accounts/reauthentication.ts";
import { requireFresh, requireStillSignedIn } from "../../identity/accounts/sessions.ts";

/**
 * Deletes the person's own account for good: from now on no sign-in, token or grant of it works, and its
 * username is nobody's and stays taken. What they wrote and did goes by and by (`continueDeletion`).
 * `username` is typed as a sign that they mean it. For a person who has signed in. Throws forbidden;
 * bad_request where the username or the password is not theirs, unauthorized for a passkey that is not;
 * conflict for the last owner of the community and of a workspace that others are in; rate_limited.
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
    remove(core, caller, findKnown(core, person.username));
  });
}

/**
 * Deletes the account of another member. It is hidden at once with everything they wrote, and erased after
 * seven days, unless an owner undoes that (`undoDeletion`). The operator erases it at once, also one that
 * waits, whom no last owner holds. `typed` is the username once more. For admins, who signed in a moment ago,
 * to those below them, and the operator. Throws forbidden, not_found; bad_request where it is mistyped;
 * conflict as `deleteOwnAccount`, and for an admin's own account.
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
    const builder = findKnown(core, username);
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

/** Erases accounts whose seven days are over. Called now and then. */
export async function eraseDueAccounts(core: Core): Promise<void> {
  while (findDue(core, core.clock.steady()))
    await core.db.write(() => {
      const row = findDue(core, core.clock.steady());
      if (row) erase(core, row);
    });
}

/** From now on it is a deleted account like any other. */
function erase(core: Core, { builderId: id, username }: PendingRow): void {
  const workspaceId = findPersonal(core, id);
  leaveAllWorkspaces(core, OPERATOR, { id, workspaceId }, { heirs: true });
  deletePending(core, id);
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
 * So many rows are dealt with at once, in a few ms: whoever deletes an account of many years holds nobody up.
 */
const SLICE = 100;

/**
 * What hangs on an account, in the order in which it goes. First what others see. Nobody can earn anything by
 * what is gone, so the ledger comes after it.
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
 * Deletes one batch more of what deleted accounts leave behind, and goes on with those that wait to be
 * erased. Returns whether there was any. Call it in a transaction, again and again.
 */
export function continueDeletion(core: Core): boolean {
  if (continuePending(core)) return true;
  const id = selectRemoved(core);
  if (id === undefined) return false;
  let left = SLICE;
  for (const step of STEPS) {
    left -= step(core, id, left);
    if (left <= 0) return true;
  }
  deleteBuilderRow(core, id);
  return true;
}

function remove(core: Core, caller: Caller, builder: BuilderRow): void {
  leaveAllWorkspaces(core, caller, builder);
  // Of an undo that still shows what they wrote.
  deletePending(core, builder.id);
  markRemoved(core, builder, core.clock.now());
  forgetOrigin(core, builder.id);
  if (caller.means !== "operator") refuseLastAdmin(core, builder);
  // About nobody, or it would go with the account; and by nobody where it was theirs.
  const { id, username } = builder;
  recordBy(core, caller, "account.deleted", null, { id, username });
  core.wake();
}

function findKnown(core: Core, username: string): BuilderRow {
  const builder = findBuilder(core, foldUsername(username));
  if (!builder) throw refuse("builder_unknown");
  return builder;
}

function refuseMistyped(username: string, typed: string): void {
  if (!confirmsUsername(username, typed))
    throw refuseFields([fault("username", "not_this_account", { username })]);
}
