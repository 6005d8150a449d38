/** @jsxImportSource @kitajs/html */
import type { Role } from "../../core/identity/access/roles.ts";
import type { PageAsk } from "../request/route.ts";

/** What somebody may do for the community, in a word; nothing for a member. */
export function RoleMark({ ask, role }: { ask: PageAsk; role: Role }) {
  return role === "member" ? "" : <span class="badge good">{ask.words.roll.roles[role]}</span>;
}
