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
  hasWorking,
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
 * Makes a builder with a personal workspace and returns their id. Asks no right: what calls it has. The
 * username of one who `wasAsked` was compared with staff's when they asked to join. Throws as
 * `refuseUsername`.
 */
export function addBuilder(
  core: Core,
  draft: BuilderDraft,
  { isVouchedFor, wasAsked = false }: { isVouchedFor: boolean; wasAsked?: boolean },
): string {
  return core.db.transact(() => {
    refuseUsername(core, draft.username, { role: wasAsked ? "asked" : draft.role });
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
 * Throws unprocessable for a reserved username, and for one that is confusable with staff's or the
 * community's (docs/threats.md#F05); conflict for one that is taken, or was before, by anybody but `to`, or
 * that an applicant waits with. An account that is created with a role may be named so: its creator knows the
 * person.
 */
export function refuseUsername(
  core: Core,
  username: string,
  to: { id?: string; role?: Role | "asked" } = {},
): void {
  refuseReserved(username);
  const owner = findBuilder(core, username);
  if (
    owner === undefined ? isFormerUsername(core, username) || isAskedFor(core, username) : owner.id !== to.id
  )
    throw refuse("username_taken");
  // A username that its builder had before is theirs to have back.
  const isNew = owner === undefined;
  if (isNew && (to.role ?? "member") === "member") refuseLookAlike(core, username);
}

/**
 * The username of now for a handle in any case: one that its builder has given up leads to the one they have.
 * A word that is nobody's stays as it is.
 */
export function handleOf(core: Core, handle: string): string {
  const username = foldUsername(handle);
  return findRenamed(core, username) ?? username;
}

/** Whether a new builder could have that name, which has the form of one. */
export function isFreeUsername(core: Core, username: string): boolean {
  return (
    !isReserved(username) &&
    !findBuilder(core, username) &&
    !isFormerUsername(core, username) &&
    !isAskedFor(core, username) &&
    !looksLikeStaff(core, username)
  );
}

function isAskedFor(core: Core, username: string): boolean {
  return findApplicant(core, username)?.state === "waiting";
}

/**
 * Throws forbidden where the caller may not do that to somebody else's account, by the roles that both have
 * at this moment; the refusal names who may. The operator may. Call it in the transaction of the act.
 */
export function refuseAccountAction(core: Core, caller: Caller, touch: AccountAction, target: Ranked): void {
  refuseUnless(core, caller, target, (role) => mayActOn(role, touch, target.role));
}

/** The same for a change of somebody else's role. */
export function refuseRoleChange(core: Core, caller: Caller, target: Ranked, to: Role): void {
  refuseUnless(core, caller, target, (role) => mayChangeRole(role, target.role, to));
}

type Ranked = Pick<BuilderRow, "username" | "role">;

const ONLY = {
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
  throw least === undefined ? refuse("head_untouchable", { username }) : refuse(ONLY[least]);
}

/**
 * Throws conflict where nobody who may come in is left of what somebody was: an owner, or, where a community
 * has none, an admin. Call it in the transaction, after the change.
 */
export function refuseLastAdmin(core: Core, { username, role }: Ranked): void {
  if (role === "owner" && !hasWorking(core, ["owner"])) throw refuse("head_last", { username });
  if (role === "admin" && !hasWorking(core, ["admin", "owner"])) throw refuse("admin_last", { username });
}

/**
 * What the operator makes somebody who is to run the community: its owner, where it has none who may come in,
 * else an admin.
 */
export function roleOfAdmin(core: Core): Role {
  return hasWorking(core, ["owner"]) ? "admin" : "owner";
}

/** The role of each of them, by their ids: everybody may know who runs a community. */
export function rolesOf(core: Core, ids: readonly string[]): ReadonlyMap<string, Role> {
  const known = new Map(selectRoles(core, ids).map(({ id, role }) => [id, role]));
  return new Map(ids.map((id) => [id, known.get(id) ?? "member"]));
}

/** Whether anybody lives here yet. */
export function hasBuilders(core: Core): boolean {
  return anyBuilder(core);
}
