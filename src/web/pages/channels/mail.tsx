/** @jsxImportSource @kitajs/html */
import {
  confirmApplicationMail,
  peekApplicationMail,
} from "../../../core/identity/applications/answer-mail.ts";
import {
  chooseMails,
  confirmMailAddress,
  formerAddressMs,
  getMailSettings,
  MailAddressDraft,
  MailChoiceDraft,
  mailRecovery,
  peekConfirmation,
  recoveryWaitMs,
  removeMailAddress,
  sendsMail,
  setMailAddress,
  unsubscribe,
  builderOfUnsubscribe,
} from "../../../core/identity/mail/mail.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { noContent } from "../../../http/answer.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Field, Form, Submit } from "../../parts/parts.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { field, formPage, readDraft } from "../../request/forms.ts";
import { publicPage, type PageAsk, type PersonAsk, signedInPage, type View } from "../../request/route.ts";
import { signInOriginOf } from "../../request/session-cookies.ts";
import { withReauthentication, reauthenticatedForm } from "../entry/reauthentication.tsx";

const HERE = "/settings/mail";
const CONFIRM = "/mail/confirm";
const END = "/mail/unsubscribe";
const RECOVER = "/recover/mail";

/** The mail settings of a member, and the pages of the links in mails (docs/contract.md#12.20). */
export const mailPages = [
  signedInPage(
    "GET",
    HERE,
    withReauthentication(HERE, (ask) => settingsView(ask)),
  ),
  reauthenticatedForm(signedInPage, HERE, HERE, settingsView, async (ask) => {
    const draft = readDraft(MailAddressDraft, ask.form);
    await ask.write(() => setMailAddress(ask.core, ask.person.caller, draft));
    return { to: HERE, notice: "mail-asked" };
  }),
  formPage(signedInPage, `${HERE}/choice`, choiceView, async (ask) => {
    const draft = readDraft(MailChoiceDraft, ask.form);
    await ask.write(() => chooseMails(ask.core, ask.person.caller, draft));
    return { to: HERE, notice: "saved" };
  }),
  signedInPage("POST", `${HERE}/remove`, async (ask) => {
    await ask.write(() => removeMailAddress(ask.core, ask.person.caller));
    return { to: HERE, notice: "mail-removed" };
  }),
  publicPage("GET", CONFIRM, (ask) => confirmView(ask)),
  publicPage("POST", CONFIRM, async (ask) => {
    const address = ask.context.address();
    const token = field(ask.form, "token");
    const words = ask.words.channels.mail;
    const isAnswers = await ask.core.db.write(() => {
      if (peekApplicationMail(ask.core, token)) {
        confirmApplicationMail(ask.core, token);
        return true;
      }
      confirmMailAddress(ask.core, token, address);
      return false;
    });
    return saidView(words.confirmTitle, isAnswers ? words.answerConfirmed : words.confirmed);
  }),
  publicPage("GET", END, (ask) => endView(ask)),
  {
    // A mailbox posts here in its reader's name, and a person from the page above (RFC 8058 §3.1).
    ...publicPage("POST", END, async (ask) => {
      await ask.core.db.write(() => unsubscribe(ask.core, ask.query.get("token") ?? ""));
      const isPage = (ask.context.request.headers.get("accept") ?? "").includes("text/html");
      return isPage
        ? saidView(ask.words.channels.mail.endTitle, ask.words.channels.mail.ended)
        : noContent(ask.context);
    }),
    isForeign: true as const,
  },
  publicPage("GET", RECOVER, (ask) => recoverView(ask)),
  formPage(publicPage, RECOVER, recoverView, async (ask) => {
    await mailRecovery(ask.core, signInOriginOf(ask), field(ask.form, "who"));
    return saidView(ask.words.channels.mail.recoverTitle, ask.words.channels.mail.recovered);
  }),
];

/** The same page after the choice was refused. */
function choiceView(ask: PersonAsk, error?: CoreError): View {
  return settingsView(ask, undefined, error);
}

function settingsView(ask: PersonAsk, error?: CoreError, choiceError?: CoreError): View {
  const { core, person } = ask;
  const words = ask.words.channels.mail;
  const settings = getMailSettings(core, person.caller);
  const { address, pending, bouncedAt } = settings;
  const formerMs = formerAddressMs(core, person.caller);
  const waitMs = address === null ? 0 : recoveryWaitMs(core, person.caller);
  const setting = formOf(ask, MailAddressDraft, { words, error });
  const choosing = formOf(ask, MailChoiceDraft, { words, error: choiceError, stored: settings });
  return {
    title: words.title,
    section: "notifications",
    error: error ?? choiceError,
    body: (
      <>
        <Heading title={words.title}>
          <p>{words.lead}</p>
        </Heading>
        <section class="part">
          <h2>{words.address}</h2>
          {address === null ? (
            ""
          ) : bouncedAt === null ? (
            <p>{words.goes({ address: <bdi safe>{address}</bdi> })}</p>
          ) : (
            <Bounced ask={ask} address={address} at={bouncedAt} />
          )}
          {waitMs > 0 && (
            <p class="hint">
              {words.recoversLater({ when: <Ago ask={ask} at={core.clock.now() + waitMs} /> })}
            </p>
          )}
          {formerMs > 0 && (
            <p class="hint">{words.former({ when: <Ago ask={ask} at={core.clock.now() + formerMs} /> })}</p>
          )}
          {pending === null ? "" : <p>{words.pending({ address: <bdi safe>{pending}</bdi> })}</p>}
          {sendsMail(core) ? (
            <setting.Form action={HERE}>
              <setting.Field name="address" of="new" autocomplete="email" />
              <Submit>{words.set}</Submit>
            </setting.Form>
          ) : (
            <p class="hint">{words.none}</p>
          )}
          {address === null ? (
            ""
          ) : (
            <div class="actions with-space">
              <Form action={`${HERE}/remove`} ask={ask} kind="inline">
                <Button kind="danger">{words.remove}</Button>
              </Form>
            </div>
          )}
        </section>
        <section class="part">
          <choosing.Form action={`${HERE}/choice`}>
            <choosing.Choices
              name="mails"
              label={words.choice}
              type="radio"
              option={(value: keyof typeof words.choices) => words.choices[value]}
            />
            <p class="hint">{words.choiceHint}</p>
            <Submit>{words.save}</Submit>
          </choosing.Form>
        </section>
      </>
    ),
  };
}

/** The notice after an address bounced, with what its owner can do. */
function Bounced({ ask, address, at }: { ask: PersonAsk; address: string; at: number }) {
  const words = ask.words.channels.mail.bounced;
  return (
    <div class="fault-box">
      <p>{words.title({ address: <bdi safe>{address}</bdi>, when: <Ago ask={ask} at={at} /> })}</p>
      <p>{words.effect}</p>
      <p>{words.steps}</p>
      {sendsMail(ask.core) ? (
        <Form action={HERE} ask={ask} kind="inline">
          <input type="hidden" name="address" value={address} />
          <Submit kind="quiet">{words.again}</Submit>
        </Form>
      ) : (
        ""
      )}
    </div>
  );
}

/** A mailbox that opens links to look at them confirms nothing: that takes a press of the button. */
function confirmView(ask: PageAsk): View {
  const words = ask.words.channels.mail;
  const token = ask.query.get("token") ?? "";
  const asked = peekApplicationMail(ask.core, token);
  const { username, address } = asked ?? peekConfirmation(ask.core, token);
  const places = { username: <bdi safe>{username}</bdi>, address: <bdi safe>{address}</bdi> };
  return {
    title: words.confirmTitle,
    isPlain: true,
    body: (
      <>
        <Heading title={words.confirmTitle}>
          <p>{(asked ? words.answerLead : words.confirmLead)(places)}</p>
        </Heading>
        <Form action={CONFIRM} ask={ask} kind="stack">
          <input type="hidden" name="token" value={token} />
          <Submit>{words.confirm}</Submit>
        </Form>
      </>
    ),
  };
}

function endView(ask: PageAsk): View {
  const words = ask.words.channels.mail;
  const token = ask.query.get("token") ?? "";
  builderOfUnsubscribe(ask.core, token);
  return {
    title: words.endTitle,
    isPlain: true,
    body: (
      <>
        <Heading title={words.endTitle}>
          <p>{words.endLead}</p>
        </Heading>
        <Form action={`${END}?token=${encodeURIComponent(token)}`} ask={ask} kind="stack">
          <Submit>{words.end}</Submit>
        </Form>
      </>
    ),
  };
}

function recoverView(ask: PageAsk, error?: CoreError): View {
  const words = ask.words.channels.mail;
  return {
    title: words.recoverTitle,
    isPlain: true,
    error,
    body: (
      <>
        <Heading title={words.recoverTitle}>
          <p>{sendsMail(ask.core) ? words.recoverLead : words.none}</p>
        </Heading>
        {sendsMail(ask.core) ? (
          <Form action={RECOVER} ask={ask} kind="stack" error={error}>
            <Field
              name="who"
              label={words.who}
              value={field(ask.form, "who")}
              autocomplete="username"
              maxlength={254}
              required
            />
            <Submit>{words.recover}</Submit>
          </Form>
        ) : (
          ""
        )}
      </>
    ),
  };
}

function saidView(title: string, said: string): View {
  return {
    title,
    isPlain: true,
    body: (
      <Heading title={title}>
        <p>{said}</p>
      </Heading>
    ),
  };
}
