import { type Caller, requireAdmin } from "../access/caller.ts";
import { isAtLeast } from "../access/roles.ts";
import { recordBy } from "../audit/audit.ts";
import { DAY } from "../../ground/clock.ts";
import type { Core } from "../../ground/core.ts";
import { refuse } from "../../ground/errors.ts";
import { brokenLink, type Link, makeLink, peekLink, useLink } from "./links.ts";
import { requireFresh } from "./sessions.ts";
import { deleteUnusedLink, selectOpenLinks } from "./links-store.ts";
import { findStanding } from "../builders/builders.ts";

/** An invite link that is still open. Times in ms since the epoch. */
export interface Invite {
  id: string;
  /** Who made it; null for the operator. */
  invitedBy: string | null;
  createdAt: number;
  expiresAt: number;
}

const LIFETIME_MS = 7 * DAY;
/** More open ways in than anybody keeps an eye on. */
const OPEN_MAX = 100;

/**
 * Makes a link by which one person can make an account, within 7 days, and returns its address, shown only
 * now. For admins, who signed in a moment ago, and the operator: under the policy «invite» it is they who
 * answer for who comes in. Throws forbidden, conflict where a hundred links are open.
 */
export function makeInvite(core: Core, caller: Caller): Invite & { url: string } {
  requireAdmin(caller);
  requireFresh(core, caller);
  return core.db.transact(() => {
    if (selectOpenLinks(core, "invite", core.clock.now()).length >= OPEN_MAX)
      throw refuse("invites_too_many", { max: OPEN_MAX });
    const { token, ...link } = makeLink(core, {
      purpose: "invite",
      lifetimeMs: LIFETIME_MS,
      createdBy: caller.builderId,
    });
    recordBy(core, caller, "invite.made", caller.builderId, { link: link.id });
    return { ...present(core, link), url: `${core.origin}/sign-up?invite=${token}` };
  });
}

/**
 * The open invite links of all admins, newest first, without their addresses. For admins and the operator;
 * throws forbidden.
 */
export function listInvites(core: Core, caller: Caller): Invite[] {
  requireAdmin(caller);
  return selectOpenLinks(core, "invite", core.clock.now()).map((link) => present(core, link));
}

/** Takes an invite link back, whoever made it. For admins and the operator. Throws forbidden, not_found. */
export function withdrawInvite(core: Core, caller: Caller, id: string): void {
  requireAdmin(caller);
  core.db.transact(() => {
    if (!deleteUnusedLink(core, "invite", id)) throw refuse("invite_unknown");
    recordBy(core, caller, "invite.withdrawn", caller.builderId, { link: id });
  });
}

/** Whether an invite works and until when, for the page it leads to. Throws not_found. */
export function peekInvite(core: Core, token: string): { expiresAt: number } {
  const link = peekLink(core, "invite", token);
  refuseOrphan(core, link);
  return { expiresAt: link.expiresAt };
}

/** Uses an invite up. Call it in the transaction of the sign-up. Throws not_found. */
export function useInvite(core: Core, token: string): void {
  refuseOrphan(core, useLink(core, "invite", token));
}

/**
 * A link is worth what its maker may do now: throws not_found for one by an admin who is none any more, or
 * suspended.
 */
export function refuseOrphan(core: Core, { createdBy }: Link): void {
  if (createdBy === null) return;
  const maker = findStanding(core, createdBy);
  if (!maker || !isAtLeast(maker.role, "admin") || maker.suspendedAt !== null) throw brokenLink();
}

function present(core: Core, { id, createdBy, createdAt, expiresAt }: Link): Invite {
  const invitedBy = createdBy === null ? null : (findStanding(core, createdBy)?.username ?? null);
  return { id, invitedBy, createdAt, expiresAt };
}
