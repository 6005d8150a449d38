import { ROLES, type Role } from "../access/roles.ts";
import type { Core } from "../../base/core.ts";
import { selectTeam } from "./builders-store.ts";

/** Somebody who runs the community, as everybody sees them. */
export interface TeamMember {
  id: string;
  username: string;
  name: string;
  role: Role;
}

/** Whoever runs the community and may come in: by their role, who came first before the others. Asks no right. */
export function teamOf(core: Core): TeamMember[] {
  return selectTeam(core)
    .map(({ id, username, name, role }) => ({ id, username, name, role }))
    .sort((one, other) => ROLES.indexOf(other.role) - ROLES.indexOf(one.role));
}
