/** @jsxImportSource @kitajs/html */
import { deleteOwnAccount } from "../../../core/services/deletion/deletion.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { auditRetentionMs } from "../../../core/identity/audit/audit.ts";
import { field, formPage } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { ConfirmUsername } from "../../parts/confirm-username.tsx";
import { Button, Form } from "../../parts/parts.tsx";
import { type PersonContext, signedInPage, type View } from "../../request/route.ts";
import { redirectSignedOut } from "../../request/session-cookies.ts";
import { PasskeyForm, CurrentPassword, proofIn, proofOptions, proofsOf } from "../entry/reauthentication.tsx";

const ACCOUNT = "/settings/account";
const HERE = `${ACCOUNT}/delete`;

/** The page on which members delete their account. */
export const deletionPages = [
  signedInPage("GET", HERE, (ctx) => deletionView(ctx)),
  formPage(signedInPage, HERE, deletionView, async (ctx) => {
    const username = field(ctx.form, "username");
    await deleteOwnAccount(ctx.core, ctx.person.caller, { username, proof: proofIn(ctx) });
    return redirectSignedOut(ctx, "/", "account-deleted");
  }),
  signedInPage("POST", `${HERE}/options`, (ctx) => proofOptions(ctx)),
];

function deletionView(ctx: PersonContext, error?: CoreError): View {
  const { username } = ctx.person.caller;
  const messages = ctx.messages.account.deletion;
  const proofs = proofsOf(ctx);
  // A member with a password and a passkey gets the password form first, because it works without scripts.
  const isChosen = ctx.query.get("with") === "passkey" || field(ctx.form, "response") !== "";
  const byPasskey = proofs.passkey && (!proofs.password || isChosen);
  const confirmation = (
    <ConfirmUsername ctx={ctx} username={username} label={messages.username} error={error} />
  );
  return {
    title: messages.title,
    section: "account",
    error,
    ...(byPasskey ? { policy: { scripts: true } } : {}),
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        <DeletionEffects ctx={ctx} />
        <section class="part">
          {byPasskey && (
            <PasskeyForm ctx={ctx} error={error} action={HERE} label={messages.byPasskey} kind="danger">
              {confirmation}
            </PasskeyForm>
          )}
          {proofs.password && !byPasskey && (
            <Form action={HERE} ctx={ctx} error={error} kind="stack narrow">
              {confirmation}
              <CurrentPassword ctx={ctx} error={error} />
              <div class="actions">
                <Button kind="danger">{messages.button}</Button>
                {proofs.passkey ? <a href={`${HERE}?with=passkey`}>{messages.passkeyInstead}</a> : ""}
              </div>
            </Form>
          )}
          {proofs.password || proofs.passkey ? "" : <p>{messages.passwordFirst}</p>}
        </section>
      </>
    ),
  };
}

/** Explains what a deletion does. docs/operating.md has the same list for the operator. */
function DeletionEffects({ ctx }: { ctx: PersonContext }) {
  const messages = ctx.messages.account.deletion;
  return (
    <>
      <section class="part">
        <h2>{messages.goes}</h2>
        <div class="prose" dir="auto">
          <ul>
            <li>{messages.atOnce}</li>
            <li>{messages.soon}</li>
          </ul>
        </div>
      </section>
      <section class="part">
        <h2>{messages.stays}</h2>
        <div class="prose" dir="auto">
          <ul>
            <li>{messages.others}</li>
            <li>{messages.shared}</li>
            <li>{messages.events}</li>
            <li>{messages.reported}</li>
            <li>{messages.sent}</li>
            <li>{messages.log({ kept: ctx.messages.formats.retention(auditRetentionMs(ctx.core)) })}</li>
          </ul>
        </div>
      </section>
    </>
  );
}
