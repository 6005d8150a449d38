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
  signedInAgain,
  type SignInOrigin,
  signInOriginOfSession,
} from "./sessions.ts";
import { deleteSessionsBut } from "./sessions-store.ts";
import { accountState } from "./account-state.ts";

export { deletePassword, findPasswordHash } from "./accounts-store.ts";

/**
 * Whether the person has a password: one who came by a passkey alone may have none. For a person who has
 * signed in; throws forbidden.
 */
export function hasPassword(core: Core, caller: Caller): boolean {
  return findPasswordHash(core, requirePerson(caller).builderId) !== undefined;
}

/**
 * Changes the person's password, or sets their first one, and ends every session of theirs; the one that asks
 * goes on under a new secret, which is returned. Passkeys, tokens and connected apps stay. For a person who
 * has signed in; for a first password, a moment ago (`requireFresh`). Throws forbidden; bad_request where
 * `current` is not the password they have, and for a bad new one; rate_limited.
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

/** Who has no password yet came by a passkey or a link: that they did so a moment ago is the proof. */
function proveFirst(core: Core, person: BuilderCaller): () => void {
  requireFresh(core, person);
  return () => {
    if (hasPassword(core, person)) throw refuse("password_changed");
  };
}

/** Long enough for a link that is passed on by hand, short enough for one that lies around. */
const RECOVERY_LIFETIME_MS = DAY;

/**
 * Makes a link by which a builder sets a new password within 24 hours, or as long as it is told to, in place
 * of any before, and returns its address, shown only now. For admins, who signed in a moment ago, to those
 * below them, and the operator. Throws forbidden, not_found.
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

/** Whose password a recovery link sets, for the page it leads to. Throws not_found. */
export function peekRecovery(core: Core, token: string): { builderId: string; username: string } {
  return openedBy(core, peekLink(core, "recovery", token));
}

/**
 * Whom a link lets in: it is worth what its maker may do now. One by an admin who is none any more opens
 * nothing, nor one to the account of somebody who has come to stand beside or above whoever made it.
 */
function openedBy(core: Core, { builderId, createdBy }: Link): { builderId: string; username: string } {
  const target = findStanding(core, builderId ?? "");
  const maker = createdBy === null ? undefined : findStanding(core, createdBy);
  if (builderId === null || !target) throw brokenLink();
  const isWorth = maker?.suspendedAt === null && mayActOn(maker.role, "recover", target.role);
  if (createdBy !== null && createdBy !== builderId && !isWorth) throw brokenLink();
  return { builderId, username: target.username };
}

/**
 * Sets a new password by a recovery link, ends every session of its builder and opens one for whoever came by
 * it. Throws not_found for a link that does not work, forbidden for a suspended builder (the link stays),
 * bad_request, rate_limited.
 */
export async function recover(
  core: Core,
  from: SignInOrigin,
  { token, password }: { token: string; password: string },
): Promise<SignedIn> {
  core.memory(accountState).guard.admitAttempt(from.address);
  const { builderId, username } = peekRecovery(core, token);
  refuseBadPassword(password, username);
  const hash = await core.memory(accountState).hasher.hash(password);
  return core.db.write(() => {
    openedBy(core, useLink(core, "recovery", token));
    replacePassword(core, builderId, hash);
    notifyAddition(core, builderId, "password");
    record(core, {
      act: "recovery.used",
      actor: builderId,
      subject: builderId,
      address: from.address,
    });
    return signedInAgain(core, builderId, from, "link");
  });
}

/**
 * A new password ends what the old one opened: every session, every browser's mark, and every link that would
 * set it again.
 */
function replacePassword(core: Core, builderId: string, hash: string): void {
  putPassword(core, { builderId, hash, changedAt: core.clock.now() });
  deleteSessionsBut(core, builderId, null);
  forgetDevices(core, builderId);
  deleteUnusedRecoveries(core, builderId);
}
