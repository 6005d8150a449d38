/** @jsxImportSource @kitajs/html */
import { type Invite, listInvites, withdrawInvite } from "../../../core/identity/accounts/invites.ts";
import { communitySettingsOf } from "../../../core/identity/community-settings/community-settings.ts";
import { Heading } from "../../parts/layout.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { inviteNewcomer, NewcomerDraft } from "../../../core/identity/mail/invitation.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { showAgainOnError, readDraft } from "../../request/forms.ts";
import { Ago, Button, Fault, Form, Rows, Secret, Time } from "../../parts/parts.tsx";
import { formatMoment } from "../../parts/sentences.ts";
import { QrCode } from "../../parts/qr-code.tsx";
import { adminPage, type PersonContext, type View } from "../../request/route.ts";
import { withReauthentication } from "../entry/reauthentication.tsx";
import { InviteForm, SentTo } from "../../parts/invite-form.tsx";

const HERE = "/admin/invites";

/** The page of invitation links for new members. */
export const adminInvitePages = [
  adminPage("GET", HERE, (ctx) => listView(ctx)),
  adminPage(
    "POST",
    HERE,
    withReauthentication(HERE, (ctx) =>
      showAgainOnError(
        async () => {
          const draft = readDraft(NewcomerDraft, ctx.form);
          return listView(ctx, {
            createdInvite: await ctx.write(() => inviteNewcomer(ctx.core, ctx.person.caller, draft)),
            sentTo: draft.address,
          });
        },
        (error) => listView(ctx, { error }),
      ),
    ),
  ),
  adminPage("POST", `${HERE}/:id/withdraw`, async (ctx) => {
    await ctx.write(() => withdrawInvite(ctx.core, ctx.person.caller, ctx.params["id"] ?? ""));
    return { to: HERE, notice: "link-withdrawn" };
  }),
];

function listView(
  ctx: PersonContext,
  {
    createdInvite,
    sentTo,
    error,
  }: { createdInvite?: Invite & { url: string }; sentTo?: string | undefined; error?: CoreError } = {},
): View {
  const messages = ctx.messages.admin.invites;
  const { core, person } = ctx;
  const invites = listInvites(core, person.caller);
  return {
    title: ctx.messages.admin.places.invites,
    error,
    body: (
      <>
        <Heading title={ctx.messages.admin.places.invites}>
          <p>{messages.lead[communitySettingsOf(core).joining]}</p>
        </Heading>
        <Fault ctx={ctx} error={error} fields={["address", "label", "uses"]} />
        {createdInvite && <NewInvite ctx={ctx} createdInvite={createdInvite} sentTo={sentTo} />}
        <details class="more-fields" open={error !== undefined || (invites.length === 0 && !createdInvite)}>
          <summary>{messages.make}</summary>
          <InviteForm
            ctx={ctx}
            action={HERE}
            error={error}
            fields={<InviteDetails ctx={ctx} error={error} />}
          >
            {messages.make}
          </InviteForm>
        </details>
        <Rows
          nodes={invites}
          empty={messages.empty}
          lead={messages.emptyLead}
          row={(invite) => <InviteRow invite={invite} ctx={ctx} />}
        />
      </>
    ),
  };
}

const HOURS = [1, 24, 168, 720, 2160] as const;
const DEFAULT_HOURS = 168;

/** The fields for the purpose, uses and expiry of an invitation link. */
function InviteDetails({ ctx, error }: { ctx: PersonContext; error: CoreError | undefined }) {
  const messages = ctx.messages.admin.invites;
  const stored = { uses: 1, hours: DEFAULT_HOURS };
  const { Field, Select } = formOf(ctx, NewcomerDraft, { messages, error, stored });
  return (
    <>
      <Field name="label" of="what" />
      <Field name="uses" of="people" />
      <Select
        name="hours"
        of="long"
        values={HOURS.map(String)}
        option={(hours: keyof typeof messages.longs) => messages.longs[hours]}
      />
    </>
  );
}

/** The only page that shows the URL of a new invitation link, as text and as a QR code. */
function NewInvite({
  ctx,
  createdInvite,
  sentTo,
}: {
  ctx: PersonContext;
  createdInvite: Invite & { url: string };
  sentTo: string | undefined;
}) {
  const messages = ctx.messages.admin.invites;
  return (
    <Secret label={messages.label} value={createdInvite.url} id="invite">
      {/* Copying needs a script. Without a script the button stays hidden, and the URL can be selected. */}
      <div class="actions">
        <button class="button quiet" type="button" data-copy="invite" data-done={messages.copied} hidden>
          {messages.copy}
        </button>
      </div>
      <p>
        {messages.shownOnce({
          uses: createdInvite.uses,
          when: <Time ctx={ctx} at={createdInvite.expiresAt} />,
        })}
      </p>
      <SentTo ctx={ctx} address={sentTo} />
      <QrCode text={createdInvite.url} label={messages.code} />
    </Secret>
  );
}

function InviteRow({ invite, ctx }: { invite: Invite; ctx: PersonContext }) {
  const messages = ctx.messages.admin.invites;
  return (
    <li>
      <div class="row-main">
        <p class="row-title plainly" dir="auto">
          {invite.label === "" ? "" : <b safe>{`${invite.label} · `}</b>}
          {(invite.invitedBy === null ? messages.madeByOperator : messages.madeBy)({
            when: <Ago ctx={ctx} at={invite.createdAt} />,
            inviter: <span safe>{`@${invite.invitedBy ?? ""}`}</span>,
          })}
        </p>
        <p class="row-meta">
          <span safe>{messages.used({ used: invite.used, uses: invite.uses })}</span> ·{" "}
          {messages.until({ when: <Time ctx={ctx} at={invite.expiresAt} /> })}
        </p>
      </div>
      <Form
        action={`${HERE}/${invite.id}/withdraw`}
        ctx={ctx}
        kind="inline"
        label={
          invite.label === ""
            ? messages.withdrawOf({ minute: formatMoment(ctx, invite.createdAt) })
            : messages.titled({ label: invite.label })
        }
      >
        <Button kind="quiet">{messages.withdraw}</Button>
      </Form>
    </li>
  );
}
