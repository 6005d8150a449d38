/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { Type } from "@sinclair/typebox";
import { apply, Why } from "../../../core/identity/applications/applications.ts";
import { NewAccount, peekSetup, setUp, signUp } from "../../../core/identity/accounts/accounts.ts";
import { LANGUAGES } from "../../../core/base/locales.ts";
import { renderMarkdown } from "../../../core/base/markdown.ts";
import { communitySettingsOf } from "../../../core/identity/community-settings/community-settings.ts";
import { peekInvite } from "../../../core/identity/accounts/invites.ts";
import { MailAddress, sendsMail } from "../../../core/identity/mail/mail.ts";
import { peekRecovery, recover } from "../../../core/identity/accounts/passwords.ts";
import { endpointsOfBuilder } from "../../../core/outbox/webhooks/webhooks.ts";
import { CoreError } from "../../../core/base/errors.ts";
import { field, formPage, prose } from "../../request/forms.ts";
import { EndpointList } from "../../parts/endpoint-list.tsx";
import { Heading, messageView } from "../../parts/layout.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { Button, Form, Time } from "../../parts/parts.tsx";
import { sentenceOfField } from "../../parts/sentences.ts";
import { publicPage, type PageAsk, type View } from "../../request/route.ts";
import { redirectSignedIn, redirectApplicant, signInOriginOf } from "../../request/session-cookies.ts";

/** Ways in for those who have no password yet: joining, the first admin, a forgotten password. */
export const joinPages = [
  publicPage("GET", "/sign-up", (ask) => (ask.person ? { to: "/" } : signUpView(ask))),
  formPage(publicPage, "/sign-up", signUpView, async (ask) => {
    const invite = field(ask.form, "invite") || undefined;
    const form = { ...accountOf(ask), agrees: agreesOf(ask) };
    if (isAsking(ask, invite)) {
      const { secret } = await apply(ask.core, signInOriginOf(ask), {
        ...form,
        why: prose(ask.form, "why"),
        mail: field(ask.form, "mail") || undefined,
        language: LANGUAGES.find((language) => language === ask.words.language) ?? "en",
      });
      return redirectApplicant(ask, secret, "application-sent");
    }
    return redirectSignedIn(
      ask,
      await signUp(ask.core, signInOriginOf(ask), { ...form, invite }),
      "/",
      "welcome",
    );
  }),
  publicPage("GET", "/setup", (ask) => setUpView(ask)),
  formPage(publicPage, "/setup", setUpView, async (ask) => {
    const form = { ...accountOf(ask), token: field(ask.form, "token") };
    return redirectSignedIn(ask, await setUp(ask.core, signInOriginOf(ask), form), "/", "welcome");
  }),
  publicPage("GET", "/recover", (ask) => recoverView(ask)),
  formPage(publicPage, "/recover", recoverView, async (ask) => {
    const form = { token: field(ask.form, "token"), password: ask.form.get("password") ?? "" };
    return redirectSignedIn(
      ask,
      await recover(ask.core, signInOriginOf(ask), form),
      "/settings/account/secure",
      "password-changed",
    );
  }),
];

/** Whether the form is an application: joining needs approval, and nobody invited them. */
function isAsking({ core }: PageAsk, invite: string | undefined): boolean {
  return !invite && communitySettingsOf(core).joining === "approval";
}

function accountOf({ form }: PageAsk): { username: string; name?: string; password: string } {
  const name = field(form, "name");
  return {
    username: field(form, "username").toLowerCase(),
    password: form.get("password") ?? "",
    ...(name === "" ? {} : { name }),
  };
}

function signUpView(ask: PageAsk, error?: CoreError): View {
  const invite = ask.form.get("invite") ?? ask.query.get("invite") ?? "";
  const words = ask.words.entry.join;
  const signIn = { href: "/sign-in", words: ask.words.entry.signIn.title };
  const { joining } = communitySettingsOf(ask.core);
  if (joining === "closed") return messageView(words.closed, words.closedLead, signIn, error);
  const asks = isAsking(ask, invite);
  if (joining === "invite" && invite === "")
    return messageView(words.byInvitation, words.byInvitationLead, signIn, error);
  if (error?.code === "link_broken") return deadInviteView(ask, error);
  // A link that does not work is better told before the form is filled in.
  const guest =
    joining === "open" || asks || error ? undefined : orBroken(() => peekInvite(ask.core, invite));
  if (guest instanceof CoreError) return deadInviteView(ask, guest);
  return {
    title: words.title,
    isPlain: true,
    error,
    body: (
      <>
        <Heading title={words.title}>
          {guest ? <Invited ask={ask} {...guest} /> : ""}
          {asks ? <p>{words.askLead}</p> : ""}
        </Heading>
        <AccountForm ask={ask} error={error} action="/sign-up" asks={asks}>
          <input type="hidden" name="invite" value={invite} />
          <Rules ask={ask} error={error} />
          <Button>{asks ? words.ask : words.title}</Button>
        </AccountForm>
        <p class="hint below">{words.before}</p>
      </>
    ),
  };
}

function orBroken<Found>(peek: () => Found): Found | CoreError {
  try {
    return peek();
  } catch (error) {
    if (error instanceof CoreError && error.code === "link_broken") return error;
    throw error;
  }
}

/** An invitation that was used, withdrawn, has expired or never was. */
function deadInviteView(ask: PageAsk, error: CoreError): View {
  const words = ask.words.entry.join;
  return {
    title: words.dead,
    isPlain: true,
    error,
    body: (
      <>
        <Heading title={words.dead}>
          <p>{words.deadLead}</p>
          {communitySettingsOf(ask.core).joining === "approval" ? <p>{words.deadAsk}</p> : ""}
        </Heading>
        <p>{words.deadMember}</p>
        <p class="actions with-space">
          <a class="button primary" href="/sign-in">
            {ask.words.entry.signIn.title}
          </a>
        </p>
      </>
    ),
  };
}

/** Whose guest somebody is, and how long the invitation works. */
function Invited({
  ask,
  invitedBy,
  expiresAt,
}: {
  ask: PageAsk;
  invitedBy: string | null;
  expiresAt: number;
}) {
  const words = ask.words.entry.join;
  return (
    <p>
      {(invitedBy === null ? words.invitedByOperator : words.invited)({
        inviter: <bdi safe>{`@${invitedBy ?? ""}`}</bdi>,
        when: <Time ask={ask} at={expiresAt} />,
      })}
    </p>
  );
}

/** The community's rules, to be read and agreed to, where it has any. */
function Rules({ ask, error }: { ask: PageAsk; error: CoreError | undefined }) {
  const words = ask.words.entry.join;
  const { rules } = communitySettingsOf(ask.core);
  if (rules === "") return "";
  const fault = sentenceOfField(ask, error, "agrees");
  return (
    <>
      <details class="rules" open>
        <summary>{words.rules}</summary>
        <div class="prose" dir="auto" tabindex="0">
          {renderMarkdown(rules, { below: 2, id: "rules" })}
        </div>
      </details>
      <div class={fault ? "field wrong" : "field"}>
        <label class="choice">
          <input
            type="checkbox"
            name="agrees"
            value="on"
            checked={agreesOf(ask)}
            aria-describedby={fault ? "agrees-error" : undefined}
            required
          />
          <span>{words.agrees}</span>
        </label>
        {fault && (
          <p class="fault" id="agrees-error" safe>
            {fault}
          </p>
        )}
      </div>
    </>
  );
}

function agreesOf({ form }: PageAsk): boolean {
  return form.has("agrees");
}

function setUpView(ask: PageAsk, error?: CoreError): View {
  const words = ask.words.entry.setUp;
  const token = ask.form.get("token") ?? ask.query.get("token") ?? "";
  if (!error) peekSetup(ask.core, token);
  return {
    title: words.title,
    isPlain: true,
    error,
    body: (
      <>
        <Heading title={words.title}>
          <p>{words.lead}</p>
        </Heading>
        <AccountForm ask={ask} error={error} action="/setup">
          <input type="hidden" name="token" value={token} />
          <Button>{words.button}</Button>
        </AccountForm>
      </>
    ),
  };
}

/** The fields of an account and of an application. */
const AccountDraft = Type.Object({
  ...NewAccount.properties,
  name: Type.Optional(NewAccount.properties.name),
  why: Why.properties.why,
  mail: Type.Optional(MailAddress),
});

function AccountForm({
  ask,
  action,
  error,
  asks = false,
  children,
}: PropsWithChildren<{
  ask: PageAsk;
  action: string;
  error: CoreError | undefined;
  asks?: boolean;
}>) {
  const { join: words, signIn } = ask.words.entry;
  const { Form, Field, TextArea } = formOf(ask, AccountDraft, { words, error });
  return (
    <Form action={action}>
      <Field
        name="username"
        label={signIn.username}
        hint={words.usernameHint}
        autocomplete="username"
        autofocus
      />
      <Field name="name" autocomplete="name" />
      <NewPassword ask={ask} error={error} />
      {asks ? <TextArea name="why" maxlength={Why.properties.why["maxLength"] as number} /> : ""}
      {asks && sendsMail(ask.core) ? <Field name="mail" autocomplete="email" /> : ""}
      {children}
    </Form>
  );
}

/** A password that is being chosen. */
export function NewPassword({
  ask,
  error,
  label = ask.words.entry.signIn.password,
}: {
  ask: PageAsk;
  error: CoreError | undefined;
  label?: string;
}) {
  const { Field } = formOf(ask, NewAccount, { words: ask.words.entry.join, error });
  return <Field name="password" label={label} type="password" autocomplete="new-password" />;
}

function recoverView(ask: PageAsk, error?: CoreError): View {
  const words = ask.words.entry.recovery;
  const token = ask.form.get("token") ?? ask.query.get("token") ?? "";
  const { builderId, username } = peekRecovery(ask.core, token);
  const endpoints = endpointsOfBuilder(ask.core, builderId);
  return {
    title: words.title,
    isPlain: true,
    error,
    body: (
      <>
        <Heading title={words.title}>
          <p safe>{words.lead({ username })}</p>
          <p>{words.goesOn}</p>
          <EndpointList ask={ask} endpoints={endpoints} title={words.endpoints} />
        </Heading>
        <Form action="/recover" ask={ask} kind="stack" error={error}>
          <input type="hidden" name="token" value={token} />
          <input
            class="unseen"
            name="username"
            value={username}
            autocomplete="username"
            tabindex="-1"
            aria-hidden="true"
            readonly
          />
          <NewPassword ask={ask} error={error} label={words.label} />
          <Button>{words.button}</Button>
        </Form>
      </>
    ),
  };
}
