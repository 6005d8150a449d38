import { type Static, Type } from "@sinclair/typebox";
import { type Caller, unknownId, requirePerson, requireOperator } from "../../identity/access/caller.ts";
import { requireFresh } from "../../identity/accounts/sessions.ts";
import {
  deleteMember,
  deleteMembers,
  findHeir,
  findRole,
  foundWorkspace,
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

/** Where tokens, apps and webhooks belong: one person's own, or shared by several. */
export interface Workspace {
  id: string;
  name: string;
  /** The one that each builder has from the beginning, for ever and alone. */
  isPersonal: boolean;
  /** How many people are in it. */
  members: number;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

export interface OwnWorkspace extends Workspace {
  /** What the caller is in it. */
  role: Role;
}

/** Lists of people and of workspaces are one answer each, so they are bounded. */
export const MEMBERS_MAX = 50;
/** The personal one counts. */
export const WORKSPACES_MAX = 20;

export const WorkspaceDraft = Type.Object({
  name: Text({ max: 100, visible: true, line: true, examples: ["Tidewater tools"] }),
});
export type WorkspaceDraft = Static<typeof WorkspaceDraft>;

/**
 * Makes a shared workspace whose owner is `username`, and returns its id. For that builder, signed in, and
 * the operator. Throws forbidden, not_found, conflict for a builder who is in twenty already.
 */
export function createWorkspace(core: Core, caller: Caller, username: string, draft: WorkspaceDraft): string {
  return core.db.transact(() => {
    const owner = ownBuilder(core, caller, username);
    refuseCrowded(core, owner);
    const createdAt = core.clock.now();
    const id = core.makeId("ws", createdAt);
    foundWorkspace(core, { id, name: draft.name, ownerId: null, createdAt }, owner.id);
    recordBy(core, caller, "workspace.made", owner.id, { id, name: draft.name });
    return id;
  });
}

/**
 * All workspaces of a builder, the personal one first, then the newest. For them, signed in, and the
 * operator. Throws forbidden, not_found.
 */
export function listWorkspaces(core: Core, caller: Caller, username: string): OwnWorkspace[] {
  return selectOwn(core, ownBuilder(core, caller, username).id);
}

/**
 * The shared workspaces of everybody, newest first. For the operator. Throws forbidden, bad_request for a
 * cursor of another list.
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
 * For its members, signed in, and the operator, who acts as an owner. Throws not_found, also for one of other
 * people.
 */
export function getWorkspace(core: Core, caller: Caller, id: string): OwnWorkspace {
  return ownWorkspace(core, caller, id);
}

/**
 * «The current workspace»: the one that the caller's credentials are of. For any builder. Throws not_found.
 */
export function getCurrentWorkspace(core: Core, caller: Caller): Workspace {
  const current = caller.workspaceId === null ? undefined : findWorkspace(core, caller.workspaceId);
  if (!current) throw refuse("workspace_none");
  return current;
}

/** Gives it another name. For its owners and the operator. Throws forbidden, not_found. */
export function renameWorkspace(core: Core, caller: Caller, id: string, change: WorkspaceDraft): void {
  core.db.transact(() => {
    const { name } = requireOwner(ownWorkspace(core, caller, id));
    updateName(core, id, change.name);
    recordBy(core, caller, "workspace.renamed", caller.builderId, { id, name, to: change.name });
  });
}

/**
 * Everybody in it, those who joined first before the others. For its members and the operator. Throws
 * not_found.
 */
export function listMembers(core: Core, caller: Caller, id: string): Member[] {
  return selectMembers(core, ownWorkspace(core, caller, id).id);
}

/**
 * Puts somebody in, without asking them: for the operator; people invite each other by a link. Throws
 * forbidden, not_found, unprocessable for a personal workspace, conflict for who is in it already, and where
 * it or they have no room.
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
 * Lets a builder in. Asks no right: what calls it has. Throws conflict for who is in it already, and where it
 * or they have no room.
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
  refuseCrowded(core, builder);
  const joinedAt = core.clock.now();
  insertMember(core, { workspaceId: workspace.id, builderId: builder.id, role: "member", joinedAt });
  recordBy(core, caller, "workspace.joined", builder.id, { id: workspace.id, name: workspace.name });
}

/**
 * Goes out of a shared workspace: tokens and apps' grants that the caller has in it end at once and for good.
 * For a person who is in it. Throws not_found, unprocessable for the personal one, conflict for its last
 * owner.
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
 * Puts a member out, with the same effect. For its owners, who signed in a moment ago, and the operator.
 * Throws as `leaveWorkspace`, and forbidden.
 */
export function removeMember(core: Core, caller: Caller, id: string, username: string): void {
  core.db.transact(() => {
    const workspace = requireOwner(sharedWorkspace(core, caller, id));
    requireFresh(core, caller);
    const { builderId } = memberCalled(core, workspace, username);
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
 * Makes a member an owner, or an owner a member. Rights and errors as for `removeMember`; throws conflict
 * also for the role that the member has already.
 */
export function setRole(core: Core, caller: Caller, id: string, username: string, role: Role): void {
  core.db.transact(() => {
    const workspace = requireOwner(sharedWorkspace(core, caller, id));
    requireFresh(core, caller);
    const { builderId, role: from } = memberCalled(core, workspace, username);
    if (from === role) throw refuse("role_same", { username });
    if (role === "member") refuseLastOwner(core, id, builderId);
    updateRole(core, id, builderId, role);
    recordBy(core, caller, "member.changed", builderId, { id, name: workspace.name, member: username, role });
  });
}

/**
 * Deletes a shared workspace: from now on nobody finds it, and its tokens, endpoints and apps work no more.
 * What hangs on it, which may be very much, is deleted by and by (`dropRemovedWorkspaces`). For its owners,
 * who signed in a moment ago, and the operator. Throws forbidden, not_found, unprocessable for a personal
 * one.
 */
export function deleteWorkspace(core: Core, caller: Caller, id: string): void {
  core.db.transact(() => {
    const { name } = requireOwner(sharedWorkspace(core, caller, id));
    requireFresh(core, caller);
    // Each of them loses what they had in it.
    for (const { builderId } of selectMembers(core, id))
      recordBy(core, caller, "workspace.deleted", builderId, { id, name });
    discard(core, id);
  });
}

/**
 * Takes a builder out of all workspaces, as their account is deleted: the personal one goes with them, and so
 * do shared ones that they are alone in, or anybody could make one to be there for ever. Asks no right: what
 * calls it has. Call it in a transaction. Throws as `refuseOwnerless`, unless `heirs`. Without that refusal
 * the member who joined first becomes its owner.
 */
export function leaveAllWorkspaces(
  core: Core,
  caller: Caller,
  builder: { id: string; workspaceId: string },
  { heirs = false }: { heirs?: boolean } = {},
): void {
  if (!heirs) refuseOwnerless(core, caller, builder.id);
  for (const { id, isPersonal } of selectOwn(core, builder.id)) {
    if (isPersonal) continue;
    const heir = findHeir(core, id, builder.id);
    if (heir === undefined) {
      discard(core, id);
      continue;
    }
    if (isLastOwner(core, id, builder.id)) updateRole(core, id, heir, "owner");
    deleteMember(core, id, builder.id);
    endCredentials(core, { workspaceId: id, builderId: builder.id });
  }
  clearOwner(core, builder.workspaceId);
  discard(core, builder.workspaceId);
}

/**
 * Throws conflict, naming the workspace, where others are in a workspace of a builder's and none of them is
 * an owner who may come in.
 */
export function refuseOwnerless(core: Core, caller: Caller, builderId: string): void {
  for (const { id, name, isPersonal, members } of selectOwn(core, builderId))
    if (!isPersonal && members > 1 && isLastOwner(core, id, builderId))
      throw caller.builderId === builderId
        ? refuse("own_workspace_needs_owner", { name })
        : refuse("workspace_needs_owner", { name, id });
}

/** For good: a member who comes back later finds none of them alive again. */
function endCredentials(core: Core, whose: { workspaceId: string; builderId?: string }): void {
  const now = core.clock.now();
  revokeTokensOf(core, whose, now);
  revokeGrantsOf(core, whose, now);
}

/** From now on it is gone for everyone, and its apps are locked. What hangs on it goes afterwards. */
function discard(core: Core, id: string): void {
  endCredentials(core, { workspaceId: id });
  removeEndpointsOf(core, id);
  deleteLinksInto(core, id);
  deleteMembers(core, id);
  forgetSubject(core, id);
  markRemoved(core, id, core.clock.now());
  suspendAppsOf(core, id, "Its workspace was deleted.");
}

const SLICE = 500;

/**
 * Deletes what is left of removed workspaces, in small slices; one whose endpoints are not yet gone waits.
 * Called now and then.
 */
export async function dropRemovedWorkspaces(core: Core): Promise<void> {
  for (const id of selectRemoved(core)) {
    while ((await core.db.write(() => deleteWorkspaceBatch(core, id, SLICE))) > 0);
    await core.db.write(() => deleteWorkspaceRow(core, id));
  }
}

/** A workspace of other people is as unknown as one that never was. */
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

/** Throws unprocessable for a personal one, where there is nobody to add, remove or leave to. */
export function sharedWorkspace(core: Core, caller: Caller, id: string): OwnWorkspace {
  const workspace = ownWorkspace(core, caller, id);
  if (workspace.isPersonal) throw refuse("workspace_personal");
  return workspace;
}

export function requireOwner(workspace: OwnWorkspace): OwnWorkspace {
  if (workspace.role !== "owner") throw refuse("owner_only");
  return workspace;
}

function memberCalled(core: Core, { id }: Workspace, username: string): Member {
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
 * A workspace without an owner who may come in could not be changed by anybody, and its apps would stop: a
 * suspended one is none.
 */
function isLastOwner(core: Core, workspaceId: string, builderId: string): boolean {
  return findRole(core, workspaceId, builderId) === "owner" && !hasOtherOwner(core, workspaceId, builderId);
}

function refuseCrowded(core: Core, builder: { id: string; username: string }): void {
  if (selectOwn(core, builder.id).length >= WORKSPACES_MAX)
    throw refuse("workspaces_too_many", { username: builder.username, max: WORKSPACES_MAX });
}
