import { ROLES } from "../../ground/db/schema.ts";

export { ROLES } from "../../ground/db/schema.ts";

/** What somebody may do for the community (docs/contract.md#12.23); each may what those before it may. */
export type Role = (typeof ROLES)[number];

/** Whether the role may what `least` may; a stranger has none. */
export function isAtLeast(role: Role | null, least: Role): boolean {
  return role !== null && ROLES.indexOf(role) >= ROLES.indexOf(least);
}
