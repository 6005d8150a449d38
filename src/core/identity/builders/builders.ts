import { type Static, Type } from "@sinclair/typebox";
import type { Caller } from "../access/caller.ts";
import { mayChangeRole, mayActOn, type Role, ROLES, type AccountAction } from "../access/roles.ts";
import { Choice, Text } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { findApplicant } from "./applicants-store.ts";
import {
  anyBuilder,
  type BuilderRow,
  findBuilder,
  findRenamed,
  findStanding,
  hasActive,
  insertBuilder,
  selectRoles,
  isFormerUsername,
} from "./builders-store.ts";
import { looksLikeStaff, refuseLookAlike } from "./look-alikes.ts";
import { foldUsername, isReserved, refuseReserved, Username } from "./username.ts";

export {
  type BuilderRow,
  findBuilder,
  findStanding,
  selectLanguage,
  lastRenamedAt,
  renameBuilder,
  putRole,
  updateSuspension,
} from "./builders-store.ts";

export const BuilderDraft = Type.Object({
  username: Username,
  name: Text({ max: 100, visible: true, line: true }),
  role: Choice(ROLES),
});
export type BuilderDraft = Static<typeof BuilderDraft>;

/**
 * Creates a builder with a personal workspace and returns the builder's ID. Checks no permission; the caller
 * of this function does. `isApplicant` means that the join request already compared the username with staff
 * names. Throws like `refuseUsername`.
 */
export function addBuilder(
  core: Core,
  draft: BuilderDraft,
  { isVouchedFor, isApplicant = false }: { isVouchedFor: boolean; isApplicant?: boolean },
): string {
  return core.db.transact(() => {
    refuseUsername(core, draft.username, { role: isApplicant ? "asked" : draft.role });
    const createdAt = core.clock.now();
    const id = core.makeId("builder", createdAt);
    insertBuilder(core, {
      ...draft,
      id,
      workspaceId: core.makeId("ws", createdAt),
      bio: "",
      createdAt,
      isVouched: isVouchedFor,
    });
    return id;
  });
}

/**
 * Throws unprocessable for a reserved username, and for a username that is confusable with a staff name or
 * the community's name (docs/threats.md#F05). Throws conflict for a current or former username of anyone but
 * `to`, and for a username that an applicant has reserved. An account created with a role may have a
 * confusable name, because the creator of the account knows the person.
 */
export function refuseUsername(
  core: Core,
  username: string,
  to: { id?: string; role?: Role | "asked" } = {},
): void {
  refuseReserved(username);
  const owner = findBuilder(core, username);
  if (
    owner === undefined
      ? isFormerUsername(core, username) || isReservedByApplicant(core, username)
      : owner.id !== to.id
  )
    throw refuse("username_taken");
  // A builder may take back a username that the same builder had before.
  const isNew = owner === undefined;
  if (isNew && (to.role ?? "member") === "member") refuseLookAlike(core, username);
}

/**
 * Returns the current username for a handle in any letter case. A former username leads to the current one.
 * An unknown handle is returned in lower case.
 */
export function handleOf(core: Core, handle: string): string {
  const username = foldUsername(handle);
  return findRenamed(core, username) ?? username;
}

/** Whether a new builder could take this well-formed username. */
export function isFreeUsername(core: Core, username: string): boolean {
  return (
    !isReserved(username) &&
    !findBuilder(core, username) &&
    !isFormerUsername(core, username) &&
    !isReservedByApplicant(core, username) &&
    !looksLikeStaff(core, username)
  );
}

function isReservedByApplicant(core: Core, username: string): boolean {
  return findApplicant(core, username)?.state === "waiting";
}

/**
 * Throws forbidden unless the caller may perform the operation on another member's account. The current roles
 * of the caller and of the member decide. The refusal names the required role. The operator passes. Call it
 * in the transaction of the operation.
 */
export function refuseAccountAction(core: Core, caller: Caller, action: AccountAction, target: Ranked): void {
  refuseUnless(core, caller, target, (role) => mayActOn(role, action, target.role));
}

/**
 * Throws forbidden unless the caller may change another member's role. Otherwise like `refuseAccountAction`.
 */
export function refuseRoleChange(core: Core, caller: Caller, target: Ranked, to: Role): void {
  refuseUnless(core, caller, target, (role) => mayChangeRole(role, target.role, to));
}

type Ranked = Pick<BuilderRow, "username" | "role">;

const REFUSAL_BY_ROLE = {
  member: "not_yours",
  moderator: "moderator_only",
  admin: "admin_only",
  owner: "head_only",
} as const satisfies Record<Role, string>;

function refuseUnless(core: Core, caller: Caller, { username }: Ranked, may: (role: Role) => boolean): void {
  if (caller.means === "operator") return;
  const standing = caller.builderId === null ? undefined : findStanding(core, caller.builderId);
  if (standing?.suspendedAt === null && may(standing.role)) return;
  const least = ROLES.find(may);
  throw least === undefined ? refuse("head_untouchable", { username }) : refuse(REFUSAL_BY_ROLE[least]);
}

/**
 * Throws conflict when no active owner is left, or no active admin in a community without owners. `role` is
 * the member's former role. Call it in the transaction, after the change.
 */
export function refuseLastAdmin(core: Core, { username, role }: Ranked): void {
  if (role === "owner" && !hasActive(core, ["owner"])) throw refuse("head_last", { username });
  if (role === "admin" && !hasActive(core, ["admin", "owner"])) throw refuse("admin_last", { username });
}

/**
 * Returns the role for a member whom the operator puts in charge: owner when no active owner exists,
 * otherwise admin.
 */
export function roleOfAdmin(core: Core): Role {
  return hasActive(core, ["owner"]) ? "admin" : "owner";
}

/** Returns the role of each builder by ID. Roles are public. */
export function rolesOf(core: Core, ids: readonly string[]): ReadonlyMap<string, Role> {
  const known = new Map(selectRoles(core, ids).map(({ id, role }) => [id, role]));
  return new Map(ids.map((id) => [id, known.get(id) ?? "member"]));
}

/** Whether the community has any builder. */
export function hasBuilders(core: Core): boolean {
  return anyBuilder(core);
}
