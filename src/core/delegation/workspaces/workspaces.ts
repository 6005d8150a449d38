import { type Static, Type } from "@sinclair/typebox";
import { type Caller, unknownId, requirePerson, requireOperator } from "../../identity/access/caller.ts";
import { requireFresh } from "../../identity/accounts/sessions.ts";
import {
  deleteMember,
  deleteMembers,
  findSuccessor,
  findRole,
  insertWorkspaceWithOwner,
  hasOtherOwner,
  insertMember,
  type Member,
  type Role,
  selectMembers,
  updateRole,
} from "../../identity/members/members.ts";
import { ownBuilder } from "../../identity/builders/own-builder.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { Text } from "../../base/check.ts";
import { forgetSubject, notify } from "../../identity/notifications/notify.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { cursorKey, descending, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { suspendAppsOf } from "../apps/apps.ts";
import { revokeGrantsOf } from "../grants/grants.ts";
import { revokeTokensOf } from "../tokens/tokens.ts";
import { deleteLinksInto } from "../../identity/accounts/links.ts";
import { removeEndpointsOf } from "../../outbox/webhooks/webhooks.ts";
import {
  deleteWorkspaceBatch,
  deleteWorkspaceRow,
  clearOwner,
  findWorkspace,
  markRemoved,
  selectOwn,
  selectRemoved,
  selectShared,
  updateName,
} from "./workspaces-store.ts";

/** The owner of tokens, apps and webhooks: a personal or a shared workspace. */
export interface Workspace {
  id: string;
  name: string;
  /** Whether this is the personal workspace that every builder has. Nobody can leave or share it. */
  isPersonal: boolean;
  /** Number of members. */
  members: number;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

export interface OwnWorkspace extends Workspace {
  /** The caller's role in the workspace. */
  role: Role;
}

/**
 * Maximum number of members of a workspace. The number is limited because the list of members has no pages.
 */
export const MEMBERS_MAX = 50;
/** Maximum number of workspaces of a builder, including the personal workspace. */
export const WORKSPACES_MAX = 20;

export const WorkspaceDraft = Type.Object({
  name: Text({ max: 100, visible: true, line: true, examples: ["Tidewater tools"] }),
});
export type WorkspaceDraft = Static<typeof WorkspaceDraft>;

/**
 * Creates a shared workspace owned by `username` and returns its id. Allowed for that builder in a session,
 * and for the operator. Throws forbidden, not_found, conflict for a builder who is already in twenty
 * workspaces.
 */
export function createWorkspace(core: Core, caller: Caller, username: string, draft: WorkspaceDraft): string {
  return core.db.transact(() => {
    const owner = ownBuilder(core, caller, username);
    refuseTooManyWorkspaces(core, owner);
    const createdAt = core.clock.now();
    const id = core.makeId("ws", createdAt);
    insertWorkspaceWithOwner(core, { id, name: draft.name, ownerId: null, createdAt }, owner.id);
    recordBy(core, caller, "workspace.made", owner.id, { id, name: draft.name });
    return id;
  });
}

/**
 * Lists all workspaces of a builder, the personal one first, then the newest. Allowed for the builder in a
 * session, and for the operator. Throws forbidden, not_found.
 */
export function listWorkspaces(core: Core, caller: Caller, username: string): OwnWorkspace[] {
  return selectOwn(core, ownBuilder(core, caller, username).id);
}

/**
 * Lists all shared workspaces of the community, newest first. Allowed for the operator. Throws forbidden,
 * bad_request for a cursor of another list.
 */
export function listSharedWorkspaces(core: Core, caller: Caller, request: PageRequest): Page<Workspace> {
  requireOperator(caller);
  const scope = { list: "workspaces", filters: {} };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("ws", parts[0]),
  );
  const end = request.backwards ? "ws_" : "ws_~";
  const rows = selectShared(core, descending(request), key?.[0] ?? end, request.limit + 1);
  return pageOf(rows, request, scope, ({ id }) => [id]);
}

/**
 * Returns a workspace. Allowed for its members in a session, and for the operator, who has the rights of an
 * owner. Throws not_found, also for a workspace that the caller is not in.
 */
export function getWorkspace(core: Core, caller: Caller, id: string): OwnWorkspace {
  return ownWorkspace(core, caller, id);
}

/**
 * Returns the workspace that the caller's session, token or app acts in. Allowed for any builder. Throws
 * not_found.
 */
export function getCurrentWorkspace(core: Core, caller: Caller): Workspace {
  const current = caller.workspaceId === null ? undefined : findWorkspace(core, caller.workspaceId);
  if (!current) throw refuse("workspace_none");
  return current;
}

/** Renames a workspace. Allowed for its owners and the operator. Throws forbidden, not_found. */
export function renameWorkspace(core: Core, caller: Caller, id: string, change: WorkspaceDraft): void {
  core.db.transact(() => {
    const { name } = requireOwner(ownWorkspace(core, caller, id));
    updateName(core, id, change.name);
    recordBy(core, caller, "workspace.renamed", caller.builderId, { id, name, to: change.name });
  });
}

/**
 * Lists all members of a workspace in the order of joining. Allowed for its members and the operator. Throws
 * not_found.
 */
export function listMembers(core: Core, caller: Caller, id: string): Member[] {
  return selectMembers(core, ownWorkspace(core, caller, id).id);
}

/**
 * Adds a builder to a shared workspace without an invitation. Only for the operator. Owners use
 * `inviteMember`.
 *
 * Throws forbidden, not_found. Throws unprocessable for a personal workspace. Throws conflict for a builder
 * who is already a member or in too many workspaces, and for a full workspace.
 */
export function addMember(core: Core, caller: Caller, id: string, username: string): void {
  requireOperator(caller);
  core.db.transact(() => {
    const workspace = sharedWorkspace(core, caller, id);
    const builder = ownBuilder(core, caller, username);
    enterWorkspace(core, caller, workspace, builder);
    notify(core, { to: builder.id, kind: "invitation", subject: { type: "workspace", id } });
  });
}

/**
 * Adds a builder to a workspace. Checks no right. Throws conflict for a builder who is already a member, for
 * a full workspace, and for a builder in too many workspaces.
 */
export function enterWorkspace(
  core: Core,
  caller: Caller,
  workspace: Workspace,
  builder: { id: string; username: string },
): void {
  if (findRole(core, workspace.id, builder.id))
    throw refuse("member_already", { username: builder.username });
  if (workspace.members >= MEMBERS_MAX) throw refuse("members_too_many", { max: MEMBERS_MAX });
  refuseTooManyWorkspaces(core, builder);
  const joinedAt = core.clock.now();
  insertMember(core, { workspaceId: workspace.id, builderId: builder.id, role: "member", joinedAt });
  recordBy(core, caller, "workspace.joined", builder.id, { id: workspace.id, name: workspace.name });
}

/**
 * Leaves a shared workspace. The caller's tokens and grants in that workspace are revoked for good. Allowed
 * for its members in a session. Throws not_found, unprocessable for a personal workspace, conflict for the
 * last owner.
 */
export function leaveWorkspace(core: Core, caller: Caller, id: string): void {
  const { builderId } = requirePerson(caller);
  core.db.transact(() => {
    const { name } = sharedWorkspace(core, caller, id);
    dropMember(core, id, builderId);
    recordBy(core, caller, "workspace.left", builderId, { id, name });
  });
}

/**
 * Removes a member and revokes their tokens and grants in the workspace. Allowed for owners with a recent
 * sign-in, and for the operator. Throws as `leaveWorkspace`, and forbidden.
 */
export function removeMember(core: Core, caller: Caller, id: string, username: string): void {
  core.db.transact(() => {
    const workspace = requireOwner(sharedWorkspace(core, caller, id));
    requireFresh(core, caller);
    const { builderId } = getMemberByUsername(core, workspace, username);
    dropMember(core, id, builderId);
    recordBy(core, caller, "member.removed", builderId, { id, name: workspace.name, member: username });
  });
}

function dropMember(core: Core, workspaceId: string, builderId: string): void {
  refuseLastOwner(core, workspaceId, builderId);
  deleteMember(core, workspaceId, builderId);
  endCredentials(core, { workspaceId, builderId });
}

/**
 * Sets the role of a member. Rights and errors as for `removeMember`. Throws conflict also if the member
 * already has the role.
 */
export function setRole(core: Core, caller: Caller, id: string, username: string, role: Role): void {
  core.db.transact(() => {
    const workspace = requireOwner(sharedWorkspace(core, caller, id));
    requireFresh(core, caller);
    const { builderId, role: from } = getMemberByUsername(core, workspace, username);
    if (from === role) throw refuse("role_same", { username });
    if (role === "member") refuseLastOwner(core, id, builderId);
    updateRole(core, id, builderId, role);
    recordBy(core, caller, "member.changed", builderId, { id, name: workspace.name, member: username, role });
  });
}

/**
 * Deletes a shared workspace. The workspace is no longer found, and its tokens, endpoints and apps stop
 * working immediately. The rows of the workspace, which may be many, are deleted later in batches
 * (`dropRemovedWorkspaces`). Allowed for owners with a recent sign-in, and for the operator. Throws
 * forbidden, not_found, unprocessable for a personal workspace.
 */
export function deleteWorkspace(core: Core, caller: Caller, id: string): void {
  core.db.transact(() => {
    const { name } = requireOwner(sharedWorkspace(core, caller, id));
    requireFresh(core, caller);
    // Every member loses tokens and grants in the workspace, so each member gets a log entry.
    for (const { builderId } of selectMembers(core, id))
      recordBy(core, caller, "workspace.deleted", builderId, { id, name });
    discard(core, id);
  });
}

/**
 * Removes a builder from all workspaces when their account is deleted. The personal workspace is deleted. A
 * shared workspace without other members is deleted too, because otherwise nobody could ever delete it.
 * Without `successors`, throws as `refuseOwnerless`. With `successors`, a workspace without another owner
 * passes to the member who joined first. Checks no right. Call it in a transaction.
 */
export function leaveAllWorkspaces(
  core: Core,
  caller: Caller,
  builder: { id: string; workspaceId: string },
  { successors = false }: { successors?: boolean } = {},
): void {
  if (!successors) refuseOwnerless(core, caller, builder.id);
  for (const { id, isPersonal } of selectOwn(core, builder.id)) {
    if (isPersonal) continue;
    const successor = findSuccessor(core, id, builder.id);
    if (successor === undefined) {
      discard(core, id);
      continue;
    }
    if (isLastOwner(core, id, builder.id)) updateRole(core, id, successor, "owner");
    deleteMember(core, id, builder.id);
    endCredentials(core, { workspaceId: id, builderId: builder.id });
  }
  clearOwner(core, builder.workspaceId);
  discard(core, builder.workspaceId);
}

/**
 * Throws conflict, naming the workspace, if the builder is the last owner of a workspace with other members.
 * Suspended owners do not count.
 */
export function refuseOwnerless(core: Core, caller: Caller, builderId: string): void {
  for (const { id, name, isPersonal, members } of selectOwn(core, builderId))
    if (!isPersonal && members > 1 && isLastOwner(core, id, builderId))
      throw caller.builderId === builderId
        ? refuse("own_workspace_needs_owner", { name })
        : refuse("workspace_needs_owner", { name, id });
}

/**
 * Revokes tokens and grants in a workspace for good. A member who joins the workspace again does not get the
 * revoked tokens and grants back.
 */
function endCredentials(core: Core, filter: { workspaceId: string; builderId?: string }): void {
  const now = core.clock.now();
  revokeTokensOf(core, filter, now);
  revokeGrantsOf(core, filter, now);
}

/** Removes a workspace for everyone and suspends its apps. Its remaining rows are deleted later. */
function discard(core: Core, id: string): void {
  endCredentials(core, { workspaceId: id });
  removeEndpointsOf(core, id);
  deleteLinksInto(core, id);
  deleteMembers(core, id);
  forgetSubject(core, id);
  markRemoved(core, id, core.clock.now());
  suspendAppsOf(core, id, "Its workspace was deleted.");
}

const BATCH = 500;

/**
 * Deletes the remaining rows of removed workspaces in small batches. A workspace that still has endpoints is
 * skipped. Runs periodically.
 */
export async function dropRemovedWorkspaces(core: Core): Promise<void> {
  for (const id of selectRemoved(core)) {
    while ((await core.db.write(() => deleteWorkspaceBatch(core, id, BATCH))) > 0);
    await core.db.write(() => deleteWorkspaceRow(core, id));
  }
}

/**
 * Returns a workspace of the caller. Throws not_found for a workspace that the caller is not in, like for an
 * unknown workspace.
 */
function ownWorkspace(core: Core, caller: Caller, id: string): OwnWorkspace {
  const own =
    caller.means === "operator"
      ? asOwner(findWorkspace(core, id))
      : selectOwn(core, requirePerson(caller).builderId, id)[0];
  if (!own) throw unknownId(caller, "workspace");
  return own;
}

function asOwner(workspace: Workspace | undefined): OwnWorkspace | undefined {
  return workspace && { ...workspace, role: "owner" };
}

/**
 * Returns a shared workspace of the caller. Throws unprocessable for a personal workspace, because its
 * members cannot change.
 */
export function sharedWorkspace(core: Core, caller: Caller, id: string): OwnWorkspace {
  const workspace = ownWorkspace(core, caller, id);
  if (workspace.isPersonal) throw refuse("workspace_personal");
  return workspace;
}

export function requireOwner(workspace: OwnWorkspace): OwnWorkspace {
  if (workspace.role !== "owner") throw refuse("owner_only");
  return workspace;
}

function getMemberByUsername(core: Core, { id }: Workspace, username: string): Member {
  const member = selectMembers(core, id).find((each) => each.username === username);
  if (!member) throw refuse("member_unknown");
  return member;
}

function refuseLastOwner(core: Core, workspaceId: string, builderId: string): void {
  if (isLastOwner(core, workspaceId, builderId)) {
    throw refuse("owner_last");
  }
}

/**
 * Whether the builder is the only active owner. Suspended owners do not count. Without an active owner,
 * nobody could change the workspace, and its apps would stop working.
 */
function isLastOwner(core: Core, workspaceId: string, builderId: string): boolean {
  return findRole(core, workspaceId, builderId) === "owner" && !hasOtherOwner(core, workspaceId, builderId);
}

function refuseTooManyWorkspaces(core: Core, builder: { id: string; username: string }): void {
  if (selectOwn(core, builder.id).length >= WORKSPACES_MAX)
    throw refuse("workspaces_too_many", { username: builder.username, max: WORKSPACES_MAX });
}
