/** @jsxImportSource @kitajs/html */
import {
  type Invite,
  listInvites,
  makeInvite,
  withdrawInvite,
} from "../../../core/identity/accounts/invites.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { orAgain } from "../../request/forms.ts";
import { Ago, Button, Empty, Fault, Form, Secret, Time } from "../../parts/parts.tsx";
import { forAdmins, type PersonAsk, type View } from "../../request/route.ts";
import { afterProof } from "../entry/proof.tsx";
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
        async () => listView(ask, { made: await ask.write(() => makeInvite(ask.core, ask.person.caller)) }),
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
  { made, error }: { made?: Invite & { url: string }; error?: CoreError } = {},
): View {
  const { core, person } = ask;
  const invites = listInvites(core, person.caller);
  const make = (
    <Form action={HERE} token={ask.formToken} kind="inline">
      <Button>Make an invite link</Button>
    </Form>
  );
  return {
    title: "Invites",
    error,
    body: (
      <>
        <AdminHead ask={ask} title="Invites" action={invites.length > 0 ? make : ""}>
          <p>
            {core.policy.signup === "closed"
              ? "Nobody may join at the moment, not even with a link."
              : "One link lets one person make an account, within seven days. You answer for who comes in by yours."}
          </p>
        </AdminHead>
        <Fault ask={ask} error={error} />
        {made && (
          <Secret label="Invite link" value={made.url}>
            <p>
              Copy it now: it is not shown again. It works once, until <Time ask={ask} at={made.expiresAt} />{" "}
              UTC.
            </p>
          </Secret>
        )}
        {invites.length === 0 ? (
          <Empty title="No link is open">
            <p>Make one and send it to somebody whom you want here.</p>
            {make}
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
  return (
    <li>
      <div class="row-main">
        <p class="row-title plainly">
          Made <Ago ask={ask} at={invite.createdAt} />{" "}
          <span safe>{invite.invitedBy === null ? "by the operator" : `by @${invite.invitedBy}`}</span>
        </p>
        <p class="row-meta">
          Works until <Time ask={ask} at={invite.expiresAt} /> UTC
        </p>
      </div>
      <Form
        action={`${HERE}/${invite.id}/withdraw`}
        token={ask.formToken}
        kind="inline"
        label={`Withdraw the link made ${new Date(invite.createdAt).toISOString().slice(0, 16)}`}
      >
        <Button kind="quiet">Withdraw</Button>
      </Form>
    </li>
  );
}
