import { type BuilderCaller, type Caller, requireAdmin, requirePerson } from "../access/caller.ts";
import { mayActOn } from "../access/roles.ts";
import { record, recordBy } from "../audit/audit.ts";
import { findBuilder, findStanding, refuseAccountAction } from "../builders/builders.ts";
import { foldUsername } from "../builders/username.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { notifyAddition } from "../notifications/notify.ts";
import { findPasswordHash, putPassword } from "./accounts-store.ts";
import { forgetDevices } from "./devices.ts";
import { brokenLink, type Link, makeLink, peekLink, useLink } from "./links.ts";
import { deleteUnusedRecoveries } from "./links-store.ts";
import { refuseBadPassword } from "./password.ts";
import { verifyProof } from "./reauthentication.ts";
import {
  openSession,
  requireFresh,
  requireStillSignedIn,
  type SignedIn,
  openSessionWithNotice,
  type SignInOrigin,
  signInOriginOfSession,
} from "./sessions.ts";
import { deleteSessionsBut } from "./sessions-store.ts";
import { accountState } from "./account-state.ts";

export { deletePassword, findPasswordHash } from "./accounts-store.ts";

/**
 * Whether the person has a password, because an account may have only a passkey. Needs a session; throws
 * forbidden.
 */
export function hasPassword(core: Core, caller: Caller): boolean {
  return findPasswordHash(core, requirePerson(caller).builderId) !== undefined;
}

/**
 * Changes the person's password, or sets the first one, and ends all of the person's sessions. The calling
 * session continues under a new secret, which is returned. Passkeys, tokens and connected apps remain. Needs
 * a session, and for a first password a recent sign-in (`requireFresh`). Throws forbidden, rate_limited.
 * Throws bad_request when `current` is wrong and for an invalid new password.
 */
export async function changePassword(
  core: Core,
  caller: Caller,
  { current, password }: { current?: string | undefined; password: string },
): Promise<SignedIn> {
  const person = requirePerson(caller);
  const { builderId, username } = person;
  refuseBadPassword(password, username);
  const proved = hasPassword(core, caller)
    ? await verifyProof(core, person, { password: current ?? "" })
    : proveFirst(core, person);
  const hash = await core.memory(accountState).hasher.hash(password);
  return core.db.write(() => {
    requireStillSignedIn(core, caller);
    proved();
    const from = signInOriginOfSession(core, person);
    replacePassword(core, builderId, hash);
    recordBy(core, caller, "password.changed", builderId);
    notifyAddition(core, builderId, "password");
    return openSession(core, builderId, from);
  });
}

/**
 * Returns the proof for a first password: a recent sign-in. A recent sign-in is enough, because the person
 * has signed in by a passkey or a link.
 */
function proveFirst(core: Core, person: BuilderCaller): () => void {
  requireFresh(core, person);
  return () => {
    if (hasPassword(core, person)) throw refuse("password_changed");
  };
}

/**
 * Lifetime of a recovery link. A day is long enough to pass the link on by hand, and limits the risk of a
 * lost link.
 */
const RECOVERY_LIFETIME_MS = DAY;

/**
 * Makes a link by which a builder sets a new password, and returns its URL, which is shown only once. The
 * link is valid for 24 hours by default and replaces earlier links. Admins with a recent sign-in may make
 * such a link for members of a lower role. The operator may make it for anyone. Throws forbidden, not_found.
 */
export function makeRecovery(
  core: Core,
  caller: Caller,
  username: string,
  lifetimeMs: number = RECOVERY_LIFETIME_MS,
): { url: string; expiresAt: number } {
  requireAdmin(caller);
  requireFresh(core, caller);
  return core.db.transact(() => {
    const builder = findBuilder(core, foldUsername(username));
    if (!builder) throw refuse("builder_unknown");
    if (builder.id !== caller.builderId) refuseAccountAction(core, caller, "recover", builder);
    deleteUnusedRecoveries(core, builder.id);
    const { token, expiresAt } = makeLink(core, {
      purpose: "recovery",
      lifetimeMs,
      builderId: builder.id,
      createdBy: caller.builderId,
    });
    recordBy(core, caller, "recovery.made", builder.id);
    if (caller.means !== "operator") notifyAddition(core, builder.id, "links");
    return { url: `${core.origin}/recover?token=${token}`, expiresAt };
  });
}

/**
 * Returns the account whose password a recovery link sets, for the page that the link opens. Throws
 * not_found.
 */
export function peekRecovery(core: Core, token: string): { builderId: string; username: string } {
  return accountOfLink(core, peekLink(core, "recovery", token));
}

/**
 * Returns the account that a link opens. The link's creator must still have the right to make such a link. So
 * a link is invalid when its creator is no longer an admin, or when the account now has the same or a higher
 * role.
 */
function accountOfLink(core: Core, { builderId, createdBy }: Link): { builderId: string; username: string } {
  const target = findStanding(core, builderId ?? "");
  const creator = createdBy === null ? undefined : findStanding(core, createdBy);
  if (builderId === null || !target) throw brokenLink();
  const isMakerEntitled = creator?.suspendedAt === null && mayActOn(creator.role, "recover", target.role);
  if (createdBy !== null && createdBy !== builderId && !isMakerEntitled) throw brokenLink();
  return { builderId, username: target.username };
}

/**
 * Sets a new password by a recovery link, ends every session of the builder and opens a new one. Throws
 * not_found for an invalid link. Throws forbidden for a suspended builder, and the link remains. Also throws
 * bad_request, rate_limited.
 */
export async function recover(
  core: Core,
  from: SignInOrigin,
  { token, password }: { token: string; password: string },
): Promise<SignedIn> {
  core.memory(accountState).attemptLimits.admitAttempt(from.address);
  const { builderId, username } = peekRecovery(core, token);
  refuseBadPassword(password, username);
  const hash = await core.memory(accountState).hasher.hash(password);
  return core.db.write(() => {
    accountOfLink(core, useLink(core, "recovery", token));
    replacePassword(core, builderId, hash);
    notifyAddition(core, builderId, "password");
    record(core, {
      act: "recovery.used",
      actor: builderId,
      subject: builderId,
      address: from.address,
    });
    return openSessionWithNotice(core, builderId, from, "link");
  });
}

/**
 * Stores a new password. Ends every session, device cookie and password link that the old password allowed.
 */
function replacePassword(core: Core, builderId: string, hash: string): void {
  putPassword(core, { builderId, hash, changedAt: core.clock.now() });
  deleteSessionsBut(core, builderId, null);
  forgetDevices(core, builderId);
  deleteUnusedRecoveries(core, builderId);
}
