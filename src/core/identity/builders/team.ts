import { ROLES, type Role } from "../access/roles.ts";
import type { Core } from "../../base/core.ts";
import { selectTeam } from "./builders-store.ts";

/** A member of the team, as everybody sees them. */
export interface TeamMember {
  id: string;
  username: string;
  name: string;
  role: Role;
}

/**
 * Everybody with a role who is not suspended, the highest role first, then by date of joining. Checks no
 * scope.
 */
export function teamOf(core: Core): TeamMember[] {
  return selectTeam(core)
    .map(({ id, username, name, role }) => ({ id, username, name, role }))
    .sort((one, other) => ROLES.indexOf(other.role) - ROLES.indexOf(one.role));
}
