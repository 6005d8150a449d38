/** @jsxImportSource @kitajs/html */
import type { Role } from "../../core/identity/access/roles.ts";
import { isNamedLikeStaff } from "../../core/identity/builders/look-alikes.ts";
import type { PageContext } from "../request/route.ts";

/** The role as a label. Empty for an ordinary member. */
export function RoleMark({ ctx, role }: { ctx: PageContext; role: Role }) {
  return role === "member" ? "" : <span class="badge good">{ctx.messages.adminMembers.roles[role]}</span>;
}

/**
 * A mark for a member whose display name can be confused with the name of a staff member. Empty for other
 * members.
 */
export function NotStaffMark({ ctx, who }: { ctx: PageContext; who: { username: string; name: string } }) {
  return isNamedLikeStaff(ctx.staff(), who) ? <NotStaff messages={ctx.messages} /> : "";
}

/** The mark of `NotStaffMark`. */
export function NotStaff({ messages }: Pick<PageContext, "messages">) {
  return (
    <>
      {" "}
      <span class="badge bad">{messages.adminMembers.notStaff}</span>
    </>
  );
}
