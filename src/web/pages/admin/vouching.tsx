/** @jsxImportSource @kitajs/html */
import type { MemberListEntry } from "../../../core/identity/builders/member-list.ts";
import { newUntil, vouchFor } from "../../../core/identity/newcomers/newcomers.ts";
import { Button, Form, Time } from "../../parts/parts.tsx";
import { adminPage, type PersonContext } from "../../request/route.ts";

const pathOf = (username: string) => `/admin/builders/${username}`;

/**
 * The form with which an admin vouches for a member. This lifts the member's newcomer limits
 * (docs/contract.md#9.17).
 */
export const vouchingPages = [
  adminPage("POST", pathOf(":username/vouch"), async ({ core, person, params, write }) => {
    const username = params["username"] ?? "";
    await write(() => vouchFor(core, person.caller, username));
    return { to: pathOf(username), notice: "vouched-for" };
  }),
];

/** The end of a member's newcomer limits, and the button that lifts them now. */
export function NewcomerPart({ ctx, builder }: { ctx: PersonContext; builder: MemberListEntry }) {
  const until = newUntil(ctx.core, builder.id);
  if (until === undefined) return "";
  const messages = ctx.messages.adminMembers.newness;
  return (
    <section class="part">
      <h2>{messages.title}</h2>
      <p class="hint">{messages.lead({ when: <Time ctx={ctx} at={until} /> })}</p>
      <Form action={`${pathOf(builder.username)}/vouch`} ctx={ctx} kind="inline">
        <Button kind="quiet">{messages.vouch}</Button>
      </Form>
    </section>
  );
}
