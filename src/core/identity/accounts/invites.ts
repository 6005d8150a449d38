import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireAdmin } from "../access/caller.ts";
import { isAtLeast } from "../access/roles.ts";
import { record, recordBy } from "../audit/audit.ts";
import { Text, Whole } from "../../base/check.ts";
import { DAY, HOUR } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { findInvited, insertInvited } from "./invites-store.ts";
import { brokenLink, type Link, makeLink, peekLink, useLink } from "./links.ts";
import { requireFresh } from "./sessions.ts";
import { deleteUnusedLink, selectOpenLinks } from "./links-store.ts";
import { findStanding } from "../builders/builders.ts";

/** An invite link that is still open (docs/contract.md#9.15). Times in ms since the epoch. */
export interface Invite {
  id: string;
  /** What its maker calls it; empty for none. */
  label: string;
  /** Who made it; null for the operator. */
  invitedBy: string | null;
  /** How many may come by it, and how many have. */
  uses: number;
  used: number;
  createdAt: number;
  expiresAt: number;
}

export const InviteDraft = Type.Object(
  {
    label: Type.Optional(
      Text({ min: 0, max: 60, line: true, description: "The admins' name for the link." }),
    ),
    uses: Type.Optional(Whole(1, 1000, { description: "The number of people who can join with the link." })),
    hours: Type.Optional(Whole(1, 90 * 24, { description: "The lifetime of the link, in hours." })),
  },
  { additionalProperties: false },
);
export type InviteDraft = Static<typeof InviteDraft>;

/** How long one works that is told nothing else. */
const LIFETIME_MS = 7 * DAY;
/** More open ways in than anybody keeps an eye on. */
const OPEN_MAX = 100;

/**
 * Makes a link by which one person, or as many as are said, can make an account, within 7 days or the hours
 * that are said, and returns its address, shown only now. For admins, who signed in a moment ago, and the
 * operator: it is they who answer for who comes in by it. Throws forbidden, conflict where a hundred links
 * are open.
 */
export function makeInvite(core: Core, caller: Caller, draft: InviteDraft = {}): Invite & { url: string } {
  requireAdmin(caller);
  requireFresh(core, caller);
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
 * The open invite links of all admins, newest first, without their addresses. For admins and the operator;
 * throws forbidden.
 */
export function listInvites(core: Core, caller: Caller): Invite[] {
  requireAdmin(caller);
  return selectOpenLinks(core, "invite", core.clock.now()).map((link) => present(core, link));
}

/**
 * Takes an invite link back, whoever made it; who came by it stays. For admins and the operator. Throws
 * forbidden, not_found.
 */
export function withdrawInvite(core: Core, caller: Caller, id: string): void {
  requireAdmin(caller);
  core.db.transact(() => {
    if (!deleteUnusedLink(core, "invite", id)) throw refuse("invite_unknown");
    recordBy(core, caller, "invite.withdrawn", caller.builderId, { link: id });
  });
}

/** Whose invitation it is and until when it works, for the page it leads to. Throws not_found. */
export function peekInvite(core: Core, token: string): { invitedBy: string | null; expiresAt: number } {
  const link = peekLink(core, "invite", token);
  refuseOrphan(core, link);
  const { invitedBy, expiresAt } = present(core, link);
  return { invitedBy, expiresAt };
}

/**
 * Uses an invite once for a new builder, and notes by whose they came. Call it in the transaction of the
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
 * By whose invitation a builder came; undefined where by none. For admins and the operator. Throws forbidden.
 */
export function invitationOf(
  core: Core,
  caller: Caller,
  builderId: string,
): { invitedBy: string | null; label: string } | undefined {
  requireAdmin(caller);
  return findInvited(core, builderId);
}

/**
 * A link is worth what its maker may do now: throws not_found for one by an admin who is none any more, or
 * suspended.
 */
function refuseOrphan(core: Core, { createdBy }: Link): void {
  if (createdBy === null) return;
  const maker = findStanding(core, createdBy);
  if (!maker || !isAtLeast(maker.role, "admin") || maker.suspendedAt !== null) throw brokenLink();
}

/** What the log calls it. */
function nameOf({ id, label }: Pick<Link, "id" | "label">): string {
  return label || id;
}

function present(core: Core, link: Omit<Link, "purpose">): Invite {
  const { id, label, createdBy, uses, used, createdAt, expiresAt } = link;
  const invitedBy = createdBy === null ? null : (findStanding(core, createdBy)?.username ?? null);
  return { id, label, invitedBy, uses, used, createdAt, expiresAt };
}
