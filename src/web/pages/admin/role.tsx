/** @jsxImportSource @kitajs/html */
import { isAtLeast, mayChangeRole, type Role, ROLES } from "../../../core/identity/access/roles.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import type { MemberListEntry } from "../../../core/identity/builders/member-list.ts";
import { ConfirmUsername } from "../../parts/confirm-username.tsx";
import { Choices, Form, Submit } from "../../parts/parts.tsx";
import type { PersonContext } from "../../request/route.ts";

/** Returns the roles that the viewer may give a builder. Viewers may only lower their own role. */
function assignableRoles({ person }: PersonContext, { id, role }: MemberListEntry): Role[] {
  const isSelf = id === person.caller.builderId;
  return ROLES.filter((to) => (isSelf ? !isAtLeast(to, role) : mayChangeRole(person.role, role, to)));
}

/** A builder's role, and the forms that change it. `action` is the path of their page. */
export function RolePart({
  ctx,
  builder,
  action,
  error,
}: {
  ctx: PersonContext;
  builder: MemberListEntry;
  action: string;
  error: CoreError | undefined;
}) {
  const { roles, role: messages } = ctx.messages.adminMembers;
  const otherRoles = assignableRoles(ctx, builder).filter((role) => role !== builder.role);
  const isOther = builder.id !== ctx.person.caller.builderId;
  return (
    <section class="part">
      <h2>{messages.title}</h2>
      {otherRoles.length === 0 ? (
        <p
          class="hint"
          safe
        >{`${roles[builder.role]}: ${messages.may[builder.role]} ${messages.fixed[builder.role]}`}</p>
      ) : (
        <Form action={`${action}/role`} ctx={ctx} kind="stack narrow">
          <Choices
            legend={messages.what}
            name="role"
            type="radio"
            options={ROLES.filter((role) => role === builder.role || otherRoles.includes(role)).map(
              (role) => ({
                value: role,
                words: roles[role],
                hint: messages.may[role],
                isOn: role === builder.role,
              }),
            )}
          />
          <Submit kind="quiet">{messages.give}</Submit>
        </Form>
      )}
      {ctx.person.role === "owner" && isOther && builder.role !== "owner" && builder.suspendedAt === null ? (
        <section class="part">
          <p class="hint">{messages.handOverLead}</p>
          <Form action={`${action}/hand-over`} ctx={ctx} kind="stack narrow">
            <ConfirmUsername ctx={ctx} name="new_owner" username={builder.username} error={error} />
            <Submit kind="danger">{messages.handOver}</Submit>
          </Form>
        </section>
      ) : (
        ""
      )}
    </section>
  );
}
