import {
  brokenLink,
  type Link,
  makeLink,
  openWorkspaceLinks,
  peekLink,
  useLink,
  withdrawWorkspaceLink,
} from "../../identity/accounts/links.ts";
import { requireFresh } from "../../identity/accounts/sessions.ts";
import { type Caller, requirePerson } from "../../identity/access/caller.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { notify, notifyAddition } from "../../identity/notifications/notify.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { CoreError, refuse } from "../../base/errors.ts";
import { type InvitationDraft, mailInvitation } from "../../identity/mail/invitation.ts";
import { peekInvite } from "../../identity/accounts/invites.ts";
import { enterWorkspace, MEMBERS_MAX, requireOwner, sharedWorkspace, type Workspace } from "./workspaces.ts";
import { findWorkspace } from "./workspaces-store.ts";
import { type Member, selectMembers } from "../../identity/members/members.ts";
import { findStanding } from "../../identity/builders/builders.ts";

/** An open invitation link to a workspace. Times are in ms since the epoch. */
export interface Invitation {
  id: string;
  /** Username of the owner who created the link. */
  invitedBy: string;
  createdAt: number;
  expiresAt: number;
}

/** The data that a person with the link may see before joining. */
export interface OpenInvitation {
  workspace: Workspace;
  invitedBy: string;
  expiresAt: number;
}

const LIFETIME_MS = 7 * DAY;
/**
 * Maximum number of open links per workspace. More links would be useless, because this is also the maximum
 * number of members.
 */
const INVITATIONS_MAX = MEMBERS_MAX;

/**
 * Creates an invitation link. One signed-in person can join with the link within 7 days. The URL is returned
 * here and never again. The link works only while the member who created it owns the workspace. If `address`
 * is set, the link is also sent to this email address. Allowed for an owner with a recent sign-in. Throws
 * forbidden, not_found, unprocessable for a personal workspace, conflict if fifty links are open.
 */
export function inviteMember(
  core: Core,
  caller: Caller,
  id: string,
  { address }: InvitationDraft = {},
): Invitation & { url: string } {
  const { builderId, username } = requirePerson(caller);
  return core.db.transact(() => {
    const { name } = requireOwner(sharedWorkspace(core, caller, id));
    requireFresh(core, caller);
    if (openWorkspaceLinks(core, id).length >= INVITATIONS_MAX)
      throw refuse("invitations_too_many", { max: INVITATIONS_MAX });
    const { token, ...link } = makeLink(core, {
      purpose: "workspace",
      lifetimeMs: LIFETIME_MS,
      workspaceId: id,
      createdBy: builderId,
    });
    recordBy(core, caller, "workspace.invited", builderId, { id, name, link: link.id });
    notifyAddition(core, builderId, "links");
    if (address !== undefined) {
      mailInvitation(core, { builderId, address, token });
      recordBy(core, caller, "workspace.mailed", builderId, { id, name, link: link.id });
    }
    return { ...present(link, username), url: `${core.origin}/join?token=${token}` };
  });
}

/**
 * Lists the open invitation links, newest first, without their URLs. Allowed for an owner in a session.
 * Throws as `inviteMember`.
 */
export function listInvitations(core: Core, caller: Caller, id: string): Invitation[] {
  requirePerson(caller);
  requireOwner(sharedWorkspace(core, caller, id));
  const owners = ownersOf(core, id);
  return openWorkspaceLinks(core, id).flatMap((link) => {
    const maker = owners.get(link.createdBy);
    return maker ? [present(link, maker.username)] : [];
  });
}

/**
 * Withdraws an invitation link. Allowed for an owner in a session. Throws as `inviteMember`, and not_found
 * for a link that is not open.
 */
export function withdrawInvitation(core: Core, caller: Caller, id: string, invitationId: string): void {
  const { builderId } = requirePerson(caller);
  core.db.transact(() => {
    const { name } = requireOwner(sharedWorkspace(core, caller, id));
    if (!withdrawWorkspaceLink(core, id, invitationId)) throw refuse("invitation_unknown");
    recordBy(core, caller, "workspace.uninvited", builderId, { id, name, link: invitationId });
  });
}

/** Returns the workspace of a link without using the link. Requires a session. Throws not_found. */
export function peekInvitation(core: Core, caller: Caller, token: string): OpenInvitation {
  requirePerson(caller);
  const { maker: _maker, ...shown } = openInvitation(core, peekLink(core, "workspace", token));
  return shown;
}

/**
 * Joins a workspace by an invitation link, uses the link up and notifies the owner who created it. Returns
 * the id of the workspace. Requires a session. Throws not_found for a link that is used, expired or
 * withdrawn, or whose creator is suspended or no longer an owner. Throws conflict for a person who is already
 * a member, for a full workspace, and for a person in too many workspaces.
 */
export function joinWorkspace(core: Core, caller: Caller, token: string): string {
  const { builderId, username } = requirePerson(caller);
  return core.db.transact(() => {
    const { workspace, maker } = openInvitation(core, useLink(core, "workspace", token));
    enterWorkspace(core, caller, workspace, { id: builderId, username });
    const subject = { type: "workspace", id: workspace.id } as const;
    notify(core, { to: maker, kind: "invitation", by: builderId, subject });
    return workspace.id;
  });
}

/**
 * Returns the target of a mailed invitation link: the community or a workspace. Returns undefined for a link
 * that no longer works.
 */
export function mailedInvitation(
  core: Core,
  token: string,
): { kind: "community" | "workspace"; url: string; expiresAt: number } | undefined {
  return (
    orUndefined(() => {
      const { expiresAt } = peekInvite(core, token);
      return { kind: "community", url: `${core.origin}/sign-up?invite=${token}`, expiresAt };
    }) ??
    orUndefined(() => {
      const { expiresAt } = openInvitation(core, peekLink(core, "workspace", token));
      return { kind: "workspace", url: `${core.origin}/join?token=${token}`, expiresAt };
    })
  );
}

function orUndefined<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof CoreError && error.error === "not_found") return undefined;
    throw error;
  }
}

/**
 * Returns the workspace of a link. Throws not_found unless the member who created the link is still an owner
 * and not suspended.
 */
function openInvitation(core: Core, link: Link): OpenInvitation & { maker: string } {
  const workspace = findWorkspace(core, link.workspaceId ?? "");
  const maker = ownersOf(core, link.workspaceId ?? "").get(link.createdBy);
  if (!workspace || !maker || findStanding(core, maker.builderId)?.suspendedAt !== null) throw brokenLink();
  return { workspace, invitedBy: maker.username, expiresAt: link.expiresAt, maker: maker.builderId };
}

function ownersOf(core: Core, workspaceId: string): Map<string | null, Member> {
  const owners = selectMembers(core, workspaceId).filter(({ role }) => role === "owner");
  return new Map(owners.map((owner) => [owner.builderId, owner]));
}

function present({ id, createdAt, expiresAt }: Link, invitedBy: string): Invitation {
  return { id, invitedBy, createdAt, expiresAt };
}
