/** @jsxImportSource @kitajs/html */
import type { Role } from "../../core/identity/access/roles.ts";
import { isNamedLikeStaff } from "../../core/identity/builders/look-alikes.ts";
import type { PageAsk } from "../request/route.ts";

/** The role as a label; nothing for a member without one. */
export function RoleMark({ ask, role }: { ask: PageAsk; role: Role }) {
  return role === "member" ? "" : <span class="badge good">{ask.words.adminMembers.roles[role]}</span>;
}

/** A mark for the display name of a member that is confusable with a name of staff; nothing for other names. */
export function NotStaffMark({ ask, who }: { ask: PageAsk; who: { username: string; name: string } }) {
  return isNamedLikeStaff(ask.staff(), who) ? (
    <>
      {" "}
      <span class="badge bad">{ask.words.adminMembers.notStaff}</span>
    </>
  ) : (
    ""
  );
}
