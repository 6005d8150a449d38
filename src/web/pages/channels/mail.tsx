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
import { NotificationTabs } from "../../parts/notification-tabs.tsx";
import { Ago, Button, Field, Form, Submit } from "../../parts/parts.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { field, formPage, readDraft } from "../../request/forms.ts";
import {
  publicPage,
  type PageContext,
  type PersonContext,
  signedInPage,
  type View,
} from "../../request/route.ts";
import { signInOriginOf } from "../../request/session-cookies.ts";
import { withReauthentication, reauthenticatedForm } from "../entry/reauthentication.tsx";

const HERE = "/settings/mail";
const CONFIRM = "/mail/confirm";
const END = "/mail/unsubscribe";
const RECOVER = "/recover/mail";

/** The mail settings of a member, and the pages of the links in emails (docs/contract.md#12.20). */
export const mailPages = [
  signedInPage(
    "GET",
    HERE,
    withReauthentication(HERE, (ctx) => settingsView(ctx)),
  ),
  reauthenticatedForm(signedInPage, HERE, HERE, settingsView, async (ctx) => {
    const draft = readDraft(MailAddressDraft, ctx.form);
    await ctx.write(() => setMailAddress(ctx.core, ctx.person.caller, draft));
    return { to: HERE, notice: "mail-asked" };
  }),
  formPage(signedInPage, `${HERE}/choice`, choiceView, async (ctx) => {
    const draft = readDraft(MailChoiceDraft, ctx.form);
    await ctx.write(() => chooseMails(ctx.core, ctx.person.caller, draft));
    return { to: HERE, notice: "saved" };
  }),
  signedInPage("POST", `${HERE}/remove`, async (ctx) => {
    await ctx.write(() => removeMailAddress(ctx.core, ctx.person.caller));
    return { to: HERE, notice: "mail-removed" };
  }),
  publicPage("GET", CONFIRM, (ctx) => confirmView(ctx)),
  publicPage("POST", CONFIRM, async (ctx) => {
    const address = ctx.context.address();
    const token = field(ctx.form, "token");
    const messages = ctx.messages.channels.mail;
    const isAnswers = await ctx.core.db.write(() => {
      if (peekApplicationMail(ctx.core, token)) {
        confirmApplicationMail(ctx.core, token);
        return true;
      }
      confirmMailAddress(ctx.core, token, address);
      return false;
    });
    return sentenceView(messages.confirmTitle, isAnswers ? messages.answerConfirmed : messages.confirmed);
  }),
  publicPage("GET", END, (ctx) => endView(ctx)),
  {
    // Mail providers post here for a reader (RFC 8058 §3.1), and people post here from the page above.
    ...publicPage("POST", END, async (ctx) => {
      await ctx.core.db.write(() => unsubscribe(ctx.core, ctx.query.get("token") ?? ""));
      const isPage = (ctx.context.request.headers.get("accept") ?? "").includes("text/html");
      return isPage
        ? sentenceView(ctx.messages.channels.mail.endTitle, ctx.messages.channels.mail.ended)
        : noContent(ctx.context);
    }),
    acceptsForeignPosts: true as const,
  },
  publicPage("GET", RECOVER, (ctx) => recoverView(ctx)),
  formPage(publicPage, RECOVER, recoverView, async (ctx) => {
    await mailRecovery(ctx.core, signInOriginOf(ctx), field(ctx.form, "who"));
    return sentenceView(ctx.messages.channels.mail.recoverTitle, ctx.messages.channels.mail.recovered);
  }),
];

/** Shows the settings page again after the member's choice was rejected. */
function choiceView(ctx: PersonContext, error?: CoreError): View {
  return settingsView(ctx, undefined, error);
}

function settingsView(ctx: PersonContext, error?: CoreError, choiceError?: CoreError): View {
  const { core, person } = ctx;
  const messages = ctx.messages.channels.mail;
  const settings = getMailSettings(core, person.caller);
  const { address, pending, bouncedAt } = settings;
  const formerMs = formerAddressMs(core, person.caller);
  const waitMs = address === null ? 0 : recoveryWaitMs(core, person.caller);
  const setting = formOf(ctx, MailAddressDraft, { messages, error });
  const choosing = formOf(ctx, MailChoiceDraft, { messages, error: choiceError, stored: settings });
  return {
    title: messages.title,
    section: "notifications",
    error: error ?? choiceError,
    body: (
      <>
        <NotificationTabs ctx={ctx} />
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        <section class="part">
          <h2>{messages.address}</h2>
          {address === null ? (
            ""
          ) : bouncedAt === null ? (
            <p>{messages.goes({ address: <bdi safe>{address}</bdi> })}</p>
          ) : (
            <Bounced ctx={ctx} address={address} at={bouncedAt} />
          )}
          {waitMs > 0 && (
            <p class="hint">
              {messages.recoversLater({ when: <Ago ctx={ctx} at={core.clock.now() + waitMs} /> })}
            </p>
          )}
          {formerMs > 0 && (
            <p class="hint">
              {messages.former({ when: <Ago ctx={ctx} at={core.clock.now() + formerMs} /> })}
            </p>
          )}
          {pending === null ? "" : <p>{messages.pending({ address: <bdi safe>{pending}</bdi> })}</p>}
          {sendsMail(core) ? (
            <setting.Form action={HERE}>
              <setting.Field name="address" of="new" autocomplete="email" />
              <Submit>{messages.set}</Submit>
            </setting.Form>
          ) : (
            <p class="hint">{messages.none}</p>
          )}
          {address === null ? (
            ""
          ) : (
            <div class="actions with-space">
              <Form action={`${HERE}/remove`} ctx={ctx} kind="inline">
                <Button kind="danger">{messages.remove}</Button>
              </Form>
            </div>
          )}
        </section>
        <section class="part">
          <choosing.Form action={`${HERE}/choice`}>
            <choosing.Choices
              name="mails"
              label={messages.choice}
              type="radio"
              option={(value: keyof typeof messages.choices) => messages.choices[value]}
            />
            <p class="hint">{messages.choiceHint}</p>
            <Submit>{messages.save}</Submit>
          </choosing.Form>
        </section>
      </>
    ),
  };
}

/** The warning that email to an address bounced, and what the owner of the address can do. */
function Bounced({ ctx, address, at }: { ctx: PersonContext; address: string; at: number }) {
  const messages = ctx.messages.channels.mail.bounced;
  return (
    <div class="fault-box">
      <p>{messages.title({ address: <bdi safe>{address}</bdi>, when: <Ago ctx={ctx} at={at} /> })}</p>
      <p>{messages.effect}</p>
      <p>{messages.steps}</p>
      {sendsMail(ctx.core) ? (
        <Form action={HERE} ctx={ctx} kind="inline">
          <input type="hidden" name="address" value={address} />
          <Submit kind="quiet">{messages.again}</Submit>
        </Form>
      ) : (
        ""
      )}
    </div>
  );
}

/** A GET confirms nothing, because mail servers open links to check them. The button confirms. */
function confirmView(ctx: PageContext): View {
  const messages = ctx.messages.channels.mail;
  const token = ctx.query.get("token") ?? "";
  const application = peekApplicationMail(ctx.core, token);
  const { username, address } = application ?? peekConfirmation(ctx.core, token);
  const insertions = { username: <bdi safe>{username}</bdi>, address: <bdi safe>{address}</bdi> };
  return {
    title: messages.confirmTitle,
    isPlain: true,
    body: (
      <>
        <Heading title={messages.confirmTitle}>
          <p>{(application ? messages.answerLead : messages.confirmLead)(insertions)}</p>
        </Heading>
        <Form action={CONFIRM} ctx={ctx} kind="stack">
          <input type="hidden" name="token" value={token} />
          <Submit>{messages.confirm}</Submit>
        </Form>
      </>
    ),
  };
}

function endView(ctx: PageContext): View {
  const messages = ctx.messages.channels.mail;
  const token = ctx.query.get("token") ?? "";
  builderOfUnsubscribe(ctx.core, token);
  return {
    title: messages.endTitle,
    isPlain: true,
    body: (
      <>
        <Heading title={messages.endTitle}>
          <p>{messages.endLead}</p>
        </Heading>
        <Form action={`${END}?token=${encodeURIComponent(token)}`} ctx={ctx} kind="stack">
          <Submit>{messages.end}</Submit>
        </Form>
      </>
    ),
  };
}

function recoverView(ctx: PageContext, error?: CoreError): View {
  const messages = ctx.messages.channels.mail;
  return {
    title: messages.recoverTitle,
    isPlain: true,
    error,
    body: (
      <>
        <Heading title={messages.recoverTitle}>
          <p>{sendsMail(ctx.core) ? messages.recoverLead : messages.recoverByAdmin}</p>
        </Heading>
        {sendsMail(ctx.core) ? (
          <Form action={RECOVER} ctx={ctx} kind="stack" error={error}>
            <Field
              name="who"
              label={messages.who}
              value={field(ctx.form, "who")}
              autocomplete="username"
              maxlength={254}
              required
            />
            <Submit>{messages.recover}</Submit>
          </Form>
        ) : (
          ""
        )}
      </>
    ),
  };
}

function sentenceView(title: string, sentence: string): View {
  return {
    title,
    isPlain: true,
    body: (
      <Heading title={title}>
        <p>{sentence}</p>
      </Heading>
    ),
  };
}
