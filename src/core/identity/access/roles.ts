import { ROLES } from "../../base/db/schema.ts";

export { ROLES } from "../../base/db/schema.ts";

/**
 * Role of a member in the community (docs/contract.md#12.23). Each role includes the rights of the roles
 * before it.
 */
export type Role = (typeof ROLES)[number];

/** Whether the role has the rights of `least`. A guest has no role. */
export function isAtLeast(role: Role | null, least: Role): boolean {
  return role !== null && ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** Operations on another member's account, with the lowest role that may perform them. */
const ACCOUNT_ACTIONS = {
  /** Suspend or restore the account. */
  suspend: "moderator",
  /** Create a link that sets the password. */
  recover: "admin",
  /** See the account's credentials and revoke them. */
  secure: "admin",
  delete: "admin",
} as const satisfies Record<string, Role>;

export type AccountAction = keyof typeof ACCOUNT_ACTIONS;

/**
 * Whether `actor` may perform the operation on the account of another member with the role `target`. Nobody
 * may act on a member of the same or a higher role, so nobody may act on an owner.
 */
export function mayActOn(actor: Role | null, action: AccountAction, target: Role): boolean {
  return actor !== null && isAtLeast(actor, ACCOUNT_ACTIONS[action]) && !isAtLeast(target, actor);
}

/**
 * Whether `actor` may change another member's role from `from` to `to`. Admins may appoint and dismiss
 * moderators. Owners may assign any role, but may not change the role of another owner.
 */
export function mayChangeRole(actor: Role | null, from: Role, to: Role): boolean {
  if (actor === null || !isAtLeast(actor, "admin") || isAtLeast(from, actor)) return false;
  return actor === "owner" || !isAtLeast(to, actor);
}
