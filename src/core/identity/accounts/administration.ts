import { Type } from "@sinclair/typebox";
import {
  type Caller,
  requireAdmin,
  requireAdminOrToken,
  requireModerator,
  requirePerson,
  requireScope,
} from "../access/caller.ts";
import { isAtLeast, type Role, ROLES } from "../access/roles.ts";
import { recordBy } from "../audit/audit.ts";
import {
  addBuilder,
  type BuilderDraft,
  type BuilderRow,
  findBuilder,
  putRole,
  refuseRoleChange,
  refuseLastAdmin,
} from "../builders/builders.ts";
import { refuseLinkInName } from "../builders/author.ts";
import { teamOf } from "../builders/team.ts";
import { confirmsUsername } from "../builders/username.ts";
import { MEMBERS } from "../notifications/kinds.ts";
import { notify, notifyTeam } from "../notifications/notify.ts";
import { Choice } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { fault, refuse, refuseFields } from "../../base/errors.ts";
import { requireFresh, requireFreshSession } from "./sessions.ts";

/**
 * Creates a builder with a personal workspace and returns the builder's ID. Needs `admin`, and in a session a
 * recent sign-in. People who join use `signUp` instead. Throws forbidden, unprocessable for a reserved
 * username, conflict for a taken one.
 */
export function createBuilder(core: Core, caller: Caller, draft: BuilderDraft): string {
  requireScope(caller, "admin");
  requireFreshSession(core, caller);
  return core.db.transact(() => {
    refuseLinkInName(draft.name);
    const id = addBuilder(core, draft, { isVouchedFor: caller.means === "operator" });
    recordBy(core, caller, "account.created", id);
    const { username, role } = draft;
    if (role !== "member") {
      requireAdmin(caller);
      refuseRoleChange(core, caller, { username, role: "member" }, role);
      recordBy(core, caller, "role.given", id, { from: "member", to: role });
    }
    // The operator often creates many accounts at once, so these accounts cause no notification.
    if (caller.means !== "operator") notifyOfMember(core, { id, username });
    return id;
  });
}

/**
 * Notifies all admins and moderators of a new member, and fires an event for them. Call it in the transaction
 * that adds the member.
 */
export function notifyOfMember(core: Core, { id, username }: { id: string; username: string }): void {
  core.fireStaffEvent(core, "builder.joined", { builder: { id, username } });
  notifyTeam(core, { kind: "member_joined", by: id, subject: MEMBERS });
}

export const RoleDraft = Type.Object({ role: Choice(ROLES) });

/**
 * Changes a builder's role, effective from the builder's next request. For admins and owners by the rules of
 * `mayChangeRole`, for members who give up their own role, and for the operator. A session needs a recent
 * sign-in. A token with `admin` makes members moderators and moderators members, and changes no role above
 * them. Throws forbidden, not_found, and conflict for the same role or when no active owner would remain.
 */
export function changeRole(core: Core, caller: Caller, username: string, role: Role): void {
  const isToken = caller.means !== "session" && caller.means !== "operator";
  if (isToken) requireAdminOrToken(caller);
  else requireFreshModerator(core, caller);
  core.db.transact(() => {
    const builder = getExistingBuilder(core, username);
    if (isToken && [builder.role, role].some((one) => isAtLeast(one, "admin"))) throw refuse("person_only");
    if (builder.role === role) throw refuse("role_same", { username: builder.username });
    const isStepDown = builder.id === caller.builderId && !isAtLeast(role, builder.role);
    if (!isStepDown) refuseRoleChange(core, caller, builder, role);
    storeRole(core, caller, builder, role);
    if (role === "owner") notifyOwners(core, caller, builder);
    refuseLastAdmin(core, builder);
  });
}

/**
 * Makes another member the owner and the caller an admin. `typed` repeats the member's username as
 * confirmation. For an owner with a recent sign-in. Notifies the other owners. Throws forbidden, not_found,
 * and bad_request for a wrong confirmation. Throws conflict when the member is the caller, and for a
 * suspended member when no other owner exists.
 */
export function transferOwnership(core: Core, caller: Caller, username: string, typed: string): void {
  requireFreshModerator(core, caller);
  const person = requirePerson(caller);
  core.db.transact(() => {
    const [builder, own] = [getExistingBuilder(core, username), getExistingBuilder(core, person.username)];
    if (builder.id === own.id) throw refuse("head_own");
    if (own.role !== "owner") throw refuse("head_only");
    if (!confirmsUsername(builder.username, typed))
      throw refuseFields([fault("new_owner", "not_new_owner", { username: builder.username })]);
    if (builder.role !== "owner") storeRole(core, caller, builder, "owner");
    notifyOwners(core, caller, builder);
    storeRole(core, caller, own, "admin");
    refuseLastAdmin(core, own);
  });
}

/**
 * Notifies all owners except the caller that the community has a new owner. The new owner is notified too.
 * Operations of the operator notify nobody. Call it in the transaction of the change.
 */
function notifyOwners(core: Core, caller: Caller, { id, username }: BuilderRow): void {
  if (caller.means === "operator") return;
  const notification = {
    kind: "owner_changed",
    subject: { type: "builder", id },
    about: `@${username}`,
  } as const;
  for (const owner of teamOf(core))
    if (owner.role === "owner")
      notify(core, { ...notification, to: owner.id, by: caller.builderId ?? undefined });
}

function requireFreshModerator(core: Core, caller: Caller): void {
  if (caller.means !== "operator") requirePerson(caller);
  requireModerator(caller);
  requireFresh(core, caller);
}

function storeRole(core: Core, caller: Caller, { id, role: from }: BuilderRow, to: Role): void {
  putRole(core, id, to);
  recordBy(core, caller, "role.given", id, { from, to });
}

function getExistingBuilder(core: Core, username: string): BuilderRow {
  const builder = findBuilder(core, username);
  if (!builder) throw refuse("builder_unknown");
  return builder;
}
