/** @jsxImportSource @kitajs/html */
import { type Invite, listInvites, withdrawInvite } from "../../../core/identity/accounts/invites.ts";
import { check } from "../../../core/ground/check.ts";
import { InvitationDraft, inviteNewcomer } from "../../../core/identity/mail/invitation.ts";
import { sendsMail } from "../../../core/identity/mail/mail.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { orAgain } from "../../request/forms.ts";
import { Ago, Button, Empty, Fault, Form, Secret, Time } from "../../parts/parts.tsx";
import { weave } from "../../parts/weave.ts";
import { forAdmins, type PersonAsk, type View } from "../../request/route.ts";
import { afterProof } from "../entry/proof.tsx";
import { draftOf, InviteForm, SentTo } from "../../parts/inviting.tsx";
import { AdminHead } from "./head.tsx";

const HERE = "/admin/invites";

/** Links by which newcomers come in. */
export const adminInvitePages = [
  forAdmins("GET", HERE, (ask) => listView(ask)),
  forAdmins(
    "POST",
    HERE,
    afterProof(HERE, (ask) =>
      orAgain(
        async () => {
          const draft = check(InvitationDraft, draftOf(ask));
          return listView(ask, {
            made: await ask.write(() => inviteNewcomer(ask.core, ask.person.caller, draft)),
            sentTo: draft.address,
          });
        },
        (error) => listView(ask, { error }),
      ),
    ),
  ),
  forAdmins("POST", `${HERE}/:id/withdraw`, async (ask) => {
    await ask.write(() => withdrawInvite(ask.core, ask.person.caller, ask.params["id"] ?? ""));
    return { to: HERE, notice: "link-withdrawn" };
  }),
];

function listView(
  ask: PersonAsk,
  {
    made,
    sentTo,
    error,
  }: { made?: Invite & { url: string }; sentTo?: string | undefined; error?: CoreError } = {},
): View {
  const words = ask.words.admin.invites;
  const { core, person } = ask;
  const invites = listInvites(core, person.caller);
  const make = (
    <InviteForm ask={ask} action={HERE} error={error}>
      {words.make}
    </InviteForm>
  );
  return {
    title: ask.words.admin.places.invites,
    error,
    body: (
      <>
        <AdminHead
          ask={ask}
          title={ask.words.admin.places.invites}
          action={invites.length > 0 && !sendsMail(core) ? make : ""}
        >
          <p>{core.policy.signup === "closed" ? words.closed : words.lead}</p>
        </AdminHead>
        <Fault ask={ask} error={error} fields={["address"]} />
        {made && (
          <Secret label={words.label} value={made.url}>
            <p>{weave(words.copy, { when: <Time ask={ask} at={made.expiresAt} /> })}</p>
            <SentTo ask={ask} address={sentTo} />
          </Secret>
        )}
        {sendsMail(core) ? make : ""}
        {invites.length === 0 ? (
          <Empty title={words.empty}>
            <p>{words.emptyLead}</p>
            {sendsMail(core) ? "" : make}
          </Empty>
        ) : (
          <ul class="rows">
            {invites.map((invite) => (
              <InviteRow invite={invite} ask={ask} />
            ))}
          </ul>
        )}
      </>
    ),
  };
}

function InviteRow({ invite, ask }: { invite: Invite; ask: PersonAsk }) {
  const words = ask.words.admin.invites;
  return (
    <li>
      <div class="row-main">
        <p class="row-title plainly">
          {weave(invite.invitedBy === null ? words.madeByOperator : words.madeBy, {
            when: <Ago ask={ask} at={invite.createdAt} />,
            inviter: <span safe>{`@${invite.invitedBy ?? ""}`}</span>,
          })}
        </p>
        <p class="row-meta">{weave(words.until, { when: <Time ask={ask} at={invite.expiresAt} /> })}</p>
      </div>
      <Form
        action={`${HERE}/${invite.id}/withdraw`}
        token={ask.formToken}
        kind="inline"
        label={words.withdrawOf(new Date(invite.createdAt).toISOString().slice(0, 16))}
      >
        <Button kind="quiet">{words.withdraw}</Button>
      </Form>
    </li>
  );
}
