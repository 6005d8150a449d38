import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireAdmin, requireAdminOrToken } from "../access/caller.ts";
import { isAtLeast } from "../access/roles.ts";
import { record, recordBy } from "../audit/audit.ts";
import { Text, WholeNumber } from "../../base/check.ts";
import { DAY, HOUR } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { findInvited, insertInvited } from "./invites-store.ts";
import { brokenLink, type Link, makeLink, peekLink, useLink } from "./links.ts";
import { requireFreshSession } from "./sessions.ts";
import { deleteUnusedLink, selectOpenLinks } from "./links-store.ts";
import { findStanding } from "../builders/builders.ts";

/** An open invite link (docs/contract.md#9.15). Times in ms since the epoch. */
export interface Invite {
  id: string;
  /** Name given by its creator; may be empty. */
  label: string;
  /** Username of the creator; null for the operator. */
  invitedBy: string | null;
  /** Maximum number of people who may use the link. `used` is the number of people who have used it. */
  uses: number;
  used: number;
  createdAt: number;
  expiresAt: number;
}

export const InviteDraft = Type.Object({
  label: Type.Optional(Text({ min: 0, max: 60, line: true, description: "The admins' name for the link." })),
  uses: Type.Optional(
    WholeNumber(1, 1000, { description: "The number of people who can join with the link." }),
  ),
  hours: Type.Optional(WholeNumber(1, 90 * 24, { description: "The lifetime of the link, in hours." })),
});
export type InviteDraft = Static<typeof InviteDraft>;

/** Default lifetime of an invite link. */
const LIFETIME_MS = 7 * DAY;
/** Maximum number of open invites. Nobody keeps track of more invites. */
const OPEN_MAX = 100;

/**
 * Makes a link by which people create accounts, and returns its URL, which is shown only once. By default the
 * link is valid for one person and 7 days; `draft` can change both limits. For admins with a recent sign-in,
 * their tokens with `admin`, and the operator. Admins and the operator are responsible for the people who
 * join. Throws forbidden, and conflict when a hundred links are open.
 */
export function makeInvite(core: Core, caller: Caller, draft: InviteDraft = {}): Invite & { url: string } {
  requireAdminOrToken(caller);
  requireFreshSession(core, caller);
  const { label = "", uses = 1, hours } = draft;
  return core.db.transact(() => {
    if (selectOpenLinks(core, "invite", core.clock.now()).length >= OPEN_MAX)
      throw refuse("invites_too_many", { max: OPEN_MAX });
    const { token, ...link } = makeLink(core, {
      purpose: "invite",
      lifetimeMs: hours === undefined ? LIFETIME_MS : hours * HOUR,
      createdBy: caller.builderId,
      label: label.trim(),
      uses,
    });
    recordBy(core, caller, "invite.made", caller.builderId, { link: link.id, label: nameOf(link), uses });
    return { ...present(core, link), url: `${core.origin}/sign-up?invite=${token}` };
  });
}

/**
 * Lists the open invites of all admins, newest first. The result contains no URLs of links. For admins, their
 * tokens with `admin`, and the operator; throws forbidden.
 */
export function listInvites(core: Core, caller: Caller): Invite[] {
  requireAdminOrToken(caller);
  return selectOpenLinks(core, "invite", core.clock.now()).map((link) => present(core, link));
}

/** Returns an open invite of any admin, as `listInvites` does. Throws forbidden, not_found. */
export function getInvite(core: Core, caller: Caller, id: string): Invite {
  const invite = listInvites(core, caller).find((one) => one.id === id);
  if (!invite) throw refuse("invite_unknown");
  return invite;
}

/**
 * Withdraws an invite link of any admin. Accounts that people created by the link remain. For admins, their
 * tokens with `admin`, and the operator. Throws forbidden, not_found.
 */
export function withdrawInvite(core: Core, caller: Caller, id: string): void {
  requireAdminOrToken(caller);
  core.db.transact(() => {
    if (!deleteUnusedLink(core, "invite", id)) throw refuse("invite_unknown");
    recordBy(core, caller, "invite.withdrawn", caller.builderId, { link: id });
  });
}

/** Returns the inviter and the expiry of a link, for the page that the link opens. Throws not_found. */
export function peekInvite(core: Core, token: string): { invitedBy: string | null; expiresAt: number } {
  const link = peekLink(core, "invite", token);
  refuseOrphan(core, link);
  const { invitedBy, expiresAt } = present(core, link);
  return { invitedBy, expiresAt };
}

/**
 * Uses an invite once for a new builder and stores who invited the builder. Call it in the transaction of the
 * sign-up. Throws not_found.
 */
export function useInvite(core: Core, token: string, builderId: string, address: string | null): void {
  const link = useLink(core, "invite", token);
  refuseOrphan(core, link);
  insertInvited(core, { builderId, invitedBy: link.createdBy, label: link.label });
  record(core, {
    act: "invite.used",
    actor: builderId,
    subject: link.createdBy,
    detail: { link: link.id, label: nameOf(link) },
    address,
  });
}

/**
 * Returns the invitation by which a builder joined; undefined without one. For admins and the operator.
 * Throws forbidden.
 */
export function invitationOf(
  core: Core,
  caller: Caller,
  builderId: string,
): { invitedBy: string | null; label: string } | undefined {
  requireAdmin(caller);
  return findInvited(core, builderId);
}

/** Throws not_found for a link whose creator is no longer an admin or is suspended. */
function refuseOrphan(core: Core, { createdBy }: Link): void {
  if (createdBy === null) return;
  const creator = findStanding(core, createdBy);
  if (!creator || !isAtLeast(creator.role, "admin") || creator.suspendedAt !== null) throw brokenLink();
}

/** Name of the link in the audit log. */
function nameOf({ id, label }: Pick<Link, "id" | "label">): string {
  return label || id;
}

function present(core: Core, link: Omit<Link, "purpose">): Invite {
  const { id, label, createdBy, uses, used, createdAt, expiresAt } = link;
  const invitedBy = createdBy === null ? null : (findStanding(core, createdBy)?.username ?? null);
  return { id, label, invitedBy, uses, used, createdAt, expiresAt };
}
