import { ROLES, type Role } from "../access/roles.ts";
import type { Core } from "../../base/core.ts";
import { selectTeam } from "./builders-store.ts";

/** A team member's public data. */
export interface TeamMember {
  id: string;
  username: string;
  name: string;
  role: Role;
}

/**
 * Returns all members with a role who are not suspended: highest role first, then by join date. Checks no
 * scope.
 */
export function teamOf(core: Core): TeamMember[] {
  return selectTeam(core)
    .map(({ id, username, name, role }) => ({ id, username, name, role }))
    .sort((one, other) => ROLES.indexOf(other.role) - ROLES.indexOf(one.role));
}
