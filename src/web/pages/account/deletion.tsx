/** @jsxImportSource @kitajs/html */
import { deleteOwnAccount } from "../../../core/across/deletion/deletion.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { auditKeptMs } from "../../../core/identity/audit/audit.ts";
import { field, posted } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Button, Fault, boundFields, Form } from "../../parts/parts.tsx";
import { type PersonAsk, personal, type View } from "../../request/route.ts";
import { leave } from "../../request/sign-in-session.ts";
import { PasskeyForm, PasswordProof, proofIn, proofOptions, proofsOf } from "../entry/proof.tsx";

const ACCOUNT = "/settings/account";
const HERE = `${ACCOUNT}/delete`;

/** The end of one's own account. */
export const deletionPages = [
  personal("GET", HERE, (ask) => deletionView(ask)),
  posted(personal, HERE, deletionView, async (ask) => {
    const username = field(ask.form, "username");
    await deleteOwnAccount(ask.core, ask.person.caller, { username, proof: proofIn(ask) });
    return leave(ask, "/", "account-deleted");
  }),
  personal("POST", `${HERE}/options`, (ask) => proofOptions(ask)),
];

function deletionView(ask: PersonAsk, error?: CoreError): View {
  const { username } = ask.person.caller;
  const proofs = proofsOf(ask);
  // Who has both is asked for the password first: that form works without scripts.
  const isChosen = ask.query.get("with") === "passkey" || field(ask.form, "response") !== "";
  const byPasskey = proofs.passkey && (!proofs.password || isChosen);
  const { Field } = boundFields(ask, error);
  const fields = (
    <>
      <Fault ask={ask} error={error} fields={["username", "current"]} />
      <Field
        name="username"
        label="Your username, as a sign that you mean it"
        hint={username}
        maxlength={40}
        required
      />
    </>
  );
  return {
    title: "Delete your account",
    section: "account",
    error,
    ...(byPasskey ? { policy: { scripts: true } } : {}),
    body: (
      <>
        <Heading title="Delete your account">
          <p>
            This is for good: nobody can bring it back. <a href={ACCOUNT}>Keep it</a>
          </p>
        </Heading>
        <WhatHappens loggedFor={ask.words.forms.span(auditKeptMs(ask.core))} />
        <section class="part">
          {byPasskey && (
            <PasskeyForm ask={ask} action={HERE} words="Delete my account with a passkey" kind="danger">
              {fields}
            </PasskeyForm>
          )}
          {proofs.password && !byPasskey && (
            <Form action={HERE} token={ask.formToken} kind="stack narrow">
              {fields}
              <PasswordProof ask={ask} error={error} />
              <div class="actions">
                <Button kind="danger">Delete my account</Button>
                {proofs.passkey ? <a href={`${HERE}?with=passkey`}>With a passkey instead</a> : ""}
              </div>
            </Form>
          )}
          {proofs.password || proofs.passkey ? (
            ""
          ) : (
            <p>
              <a href={ACCOUNT}>Set a password</a> first: whoever deletes an account shows that it is theirs.
            </p>
          )}
        </section>
      </>
    ),
  };
}

/** In plain words; docs/operating.md says the same to the operator. */
function WhatHappens({ loggedFor }: { loggedFor: string }) {
  return (
    <>
      <section class="part">
        <h2>What goes</h2>
        <div class="prose" dir="auto">
          <ul>
            <li>
              At once: your sessions, passkeys, tokens and connected apps, your name and profile, your
              personal workspace and those that nobody else is in, with their webhooks and their apps, for
              everybody who uses them.
            </li>
            <li>
              Within moments, or minutes where there is much: your posts with the replies and likes under
              them, your replies, likes, prompts, ratings, XP and saved searches; your conversations, for the
              others too; and your jobs.
            </li>
          </ul>
        </div>
      </section>
      <section class="part">
        <h2>What stays</h2>
        <div class="prose" dir="auto">
          <ul>
            <li>What others wrote elsewhere, and the XP that they earned by it.</li>
            <li>
              What belongs to a workspace that you shared: its apps and webhooks, and jobs of its companies.
            </li>
            <li>
              Public events, with what waits to be delivered of them, and others’ private events, such as the
              preview of a message: until the time is over for which the operator keeps events, 30 days unless
              they chose another.
            </li>
            <li>
              What receivers were sent, which is theirs to delete, and backups that the operator has made.
            </li>
            <li>
              A line in the admins’ log that the account was deleted, for {loggedFor}. Your username stays
              taken, and so do the slugs of companies for which you alone published, so that nobody can pass
              for you.
            </li>
          </ul>
        </div>
      </section>
    </>
  );
}
