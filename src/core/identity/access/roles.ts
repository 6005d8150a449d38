import { ROLES } from "../../base/db/schema.ts";

export { ROLES } from "../../base/db/schema.ts";

/** What somebody may do for the community (docs/contract.md#12.23); each may what those before it may. */
export type Role = (typeof ROLES)[number];

/** Whether the role may what `least` may; a stranger has none. */
export function isAtLeast(role: Role | null, least: Role): boolean {
  return role !== null && ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** What is done to somebody else's account, and who may do it at the least. */
const ACCOUNT_ACTIONS = {
  /** Lock them out, or let them in again. */
  suspend: "moderator",
  /** Make a link that sets their password. */
  recover: "admin",
  /** See what gives access to the account, and end it. */
  secure: "admin",
  /** Delete the account. */
  delete: "admin",
} as const satisfies Record<string, Role>;

export type AccountAction = keyof typeof ACCOUNT_ACTIONS;

/**
 * Whether `actor` may do that to the account of somebody else, who is `target`: nobody touches those beside
 * or above them, and so nobody an owner.
 */
export function mayActOn(actor: Role | null, touch: AccountAction, target: Role): boolean {
  return actor !== null && isAtLeast(actor, ACCOUNT_ACTIONS[touch]) && !isAtLeast(target, actor);
}

/**
 * Whether `actor` may make somebody else, who is `from`, a `to`: admins make and unmake moderators, owners
 * whomever they want but of owners.
 */
export function mayChangeRole(actor: Role | null, from: Role, to: Role): boolean {
  if (actor === null || !isAtLeast(actor, "admin") || isAtLeast(from, actor)) return false;
  return actor === "owner" || !isAtLeast(to, actor);
}
