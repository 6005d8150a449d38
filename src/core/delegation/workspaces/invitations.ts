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

/** A link into a workspace that is still open. Times in ms since the epoch. */
export interface Invitation {
  id: string;
  /** Who made it. */
  invitedBy: string;
  createdAt: number;
  expiresAt: number;
}

/** What someone who holds a link may know before they join. */
export interface OpenInvitation {
  workspace: Workspace;
  invitedBy: string;
  expiresAt: number;
}

const LIFETIME_MS = 7 * DAY;
/** More than could ever be used. */
const INVITATIONS_MAX = MEMBERS_MAX;

/**
 * Makes a link by which one person who signs in can join, within 7 days, and returns its address, shown only
 * now. It works only as long as its maker owns the workspace. With an address it is sent there, too, by mail.
 * For an owner who signed in a moment ago. Throws forbidden, not_found, unprocessable for a personal
 * workspace, conflict where fifty links are open.
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
 * The links that are open, newest first, without their addresses. For an owner, signed in. Throws as
 * `inviteMember`.
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
 * Takes a link back. For an owner, signed in. Throws as `inviteMember`, and not_found for a link that is not
 * open.
 */
export function withdrawInvitation(core: Core, caller: Caller, id: string, invitationId: string): void {
  const { builderId } = requirePerson(caller);
  core.db.transact(() => {
    const { name } = requireOwner(sharedWorkspace(core, caller, id));
    if (!withdrawWorkspaceLink(core, id, invitationId)) throw refuse("invitation_unknown");
    recordBy(core, caller, "workspace.uninvited", builderId, { id, name, link: invitationId });
  });
}

/** What a link leads to, without using it up. For a person who has signed in. Throws not_found. */
export function peekInvitation(core: Core, caller: Caller, token: string): OpenInvitation {
  requirePerson(caller);
  const { maker: _maker, ...shown } = opened(core, peekLink(core, "workspace", token));
  return shown;
}

/**
 * Joins by a link and uses it up, and tells who made it; returns the workspace's id. For a person who has
 * signed in. Throws not_found for a link that is used, expired, withdrawn, or whose maker is suspended or
 * owns the workspace no more; conflict for who is in it already, and where it or they have no room.
 */
export function joinWorkspace(core: Core, caller: Caller, token: string): string {
  const { builderId, username } = requirePerson(caller);
  return core.db.transact(() => {
    const { workspace, maker } = opened(core, useLink(core, "workspace", token));
    enterWorkspace(core, caller, workspace, { id: builderId, username });
    const subject = { type: "workspace", id: workspace.id } as const;
    notify(core, { to: maker, kind: "invitation", by: builderId, subject });
    return workspace.id;
  });
}

/**
 * Where the link in a mail leads that invites somebody, here or into a workspace, by what its maker may do
 * now; undefined for one that works no more.
 */
export function mailedInvitation(
  core: Core,
  token: string,
): { kind: "community" | "workspace"; url: string; expiresAt: number } | undefined {
  return (
    orNone(() => {
      const { expiresAt } = peekInvite(core, token);
      return { kind: "community", url: `${core.origin}/sign-up?invite=${token}`, expiresAt };
    }) ??
    orNone(() => {
      const { expiresAt } = opened(core, peekLink(core, "workspace", token));
      return { kind: "workspace", url: `${core.origin}/join?token=${token}`, expiresAt };
    })
  );
}

function orNone<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof CoreError && error.error === "not_found") return undefined;
    throw error;
  }
}

/** A link is worth what its maker may do now. */
function opened(core: Core, link: Link): OpenInvitation & { maker: string } {
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
