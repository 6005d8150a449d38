/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { type Static, Type } from "@sinclair/typebox";
import { apply, ReasonDraft } from "../../../core/identity/applications/applications.ts";
import {
  NewAccount,
  checkSetupLink,
  setUp,
  SetUpDraft,
  signUp,
} from "../../../core/identity/accounts/accounts.ts";
import { LANGUAGES } from "../../../core/base/locales.ts";
import { renderMarkdown } from "../../../core/base/markdown.ts";
import { DEFAULT_ACCENT } from "../../../core/identity/community-settings/accent.ts";
import {
  type CommunitySettings,
  communitySettingsOf,
} from "../../../core/identity/community-settings/community-settings.ts";
import { peekInvite } from "../../../core/identity/accounts/invites.ts";
import { MailAddress, sendsMail } from "../../../core/identity/mail/mail.ts";
import { peekRecovery, recover } from "../../../core/identity/accounts/passwords.ts";
import { endpointsOfBuilder } from "../../../core/outbox/webhooks/webhooks.ts";
import { CoreError } from "../../../core/base/errors.ts";
import { field, formPage, previewOrSubmit, prose } from "../../request/forms.ts";
import { EndpointList } from "../../parts/endpoint-list.tsx";
import { Heading, messageView } from "../../parts/layout.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { SubmitOrPreview } from "../../parts/preview.tsx";
import { Button, Form, Time } from "../../parts/parts.tsx";
import { fieldErrorText } from "../../parts/sentences.ts";
import { type LinkPreview, publicPage, type PageContext, type View } from "../../request/route.ts";
import { SETUP_SCRIPT } from "../../assets.ts";
import { FrontPagePreview, type TypedCommunity } from "./front-page-preview.tsx";
import { redirectSignedIn, redirectApplicant, signInOriginOf } from "../../request/session-cookies.ts";

/** Pages that set a password: sign-up, the first admin and recovery. */
export const joinPages = [
  publicPage("GET", "/sign-up", (ctx) => (ctx.person ? { to: "/" } : signUpView(ctx))),
  formPage(publicPage, "/sign-up", signUpView, async (ctx) => {
    const invite = field(ctx.form, "invite") || undefined;
    const form = { ...accountOf(ctx), agrees: hasAgreed(ctx) };
    if (mustApply(ctx, invite)) {
      const { secret } = await apply(ctx.core, signInOriginOf(ctx), {
        ...form,
        why: prose(ctx.form, "why"),
        mail: field(ctx.form, "mail") || undefined,
        language: LANGUAGES.find((language) => language === ctx.messages.language) ?? "en",
      });
      return redirectApplicant(ctx, secret, "application-sent");
    }
    return redirectSignedIn(
      ctx,
      await signUp(ctx.core, signInOriginOf(ctx), { ...form, invite }),
      "/",
      "welcome",
    );
  }),
  publicPage("GET", "/setup", (ctx) => setUpView(ctx)),
  formPage(publicPage, "/setup", setUpView, (ctx) =>
    previewOrSubmit(setUpView, async () => {
      const community = { community: typedCommunity(ctx) } as Pick<Static<typeof SetUpDraft>, "community">;
      const form = { ...accountOf(ctx), ...community, token: field(ctx.form, "token") };
      return redirectSignedIn(ctx, await setUp(ctx.core, signInOriginOf(ctx), form), "/", "welcome");
    })(ctx),
  ),
  publicPage("GET", "/recover", (ctx) => recoverView(ctx)),
  formPage(publicPage, "/recover", recoverView, async (ctx) => {
    const form = { token: field(ctx.form, "token"), password: ctx.form.get("password") ?? "" };
    return redirectSignedIn(
      ctx,
      await recover(ctx.core, signInOriginOf(ctx), form),
      "/settings/account/secure",
      "password-changed",
    );
  }),
];

/** Whether the form is an application: the community requires approval, and there is no invitation. */
function mustApply({ core }: PageContext, invite: string | undefined): boolean {
  return !invite && communitySettingsOf(core).joining === "approval";
}

function accountOf({ form }: PageContext): { username: string; name?: string; password: string } {
  const name = field(form, "name");
  return {
    username: field(form, "username").toLowerCase(),
    password: form.get("password") ?? "",
    ...(name === "" ? {} : { name }),
  };
}

function signUpView(ctx: PageContext, error?: CoreError): View {
  const invite = ctx.form.get("invite") ?? ctx.query.get("invite") ?? "";
  const messages = ctx.messages.entry.join;
  const signIn = { href: "/sign-in", label: ctx.messages.entry.signIn.title };
  const { joining } = communitySettingsOf(ctx.core);
  if (joining === "closed") return messageView(messages.closed, messages.closedLead, signIn, error);
  const isApplication = mustApply(ctx, invite);
  if (joining === "invite" && invite === "")
    return messageView(messages.byInvitation, messages.byInvitationLead, signIn, error);
  if (error?.code === "link_broken") return deadInviteView(ctx, error);
  const invitation = invite === "" ? undefined : valueOrError(() => peekInvite(ctx.core, invite));
  const isBroken = invitation instanceof CoreError;
  // An invalid invitation is reported before the person fills in the form.
  if (isBroken && joining !== "open" && !error) return deadInviteView(ctx, invitation);
  const valid = isBroken ? undefined : invitation;
  return {
    title: messages.title,
    ...(valid ? { linkPreview: invitationCard(ctx, valid) } : {}),
    isPlain: true,
    error,
    body: (
      <>
        <Heading title={messages.title}>
          {valid ? <Invited ctx={ctx} {...valid} /> : ""}
          {isApplication ? <p>{messages.askLead}</p> : ""}
        </Heading>
        <AccountForm ctx={ctx} error={error} action="/sign-up" isApplication={isApplication}>
          <input type="hidden" name="invite" value={invite} />
          <Rules ctx={ctx} error={error} />
          <Button>{isApplication ? messages.ask : messages.title}</Button>
        </AccountForm>
        <p class="hint below">{messages.before}</p>
      </>
    ),
  };
}

/** The card of an invitation: the community and the inviter. The URL is left out, because it is a secret. */
function invitationCard(
  { core, messages }: PageContext,
  { invitedBy }: { invitedBy: string | null },
): LinkPreview {
  const { cards } = messages.community;
  const { name: community } = communitySettingsOf(core);
  return {
    title: community,
    description:
      invitedBy === null
        ? cards.invitedByOperator({ community })
        : cards.invited({ inviter: `@${invitedBy}`, community }),
    path: null,
  };
}

function valueOrError<Found>(peek: () => Found): Found | CoreError {
  try {
    return peek();
  } catch (error) {
    if (error instanceof CoreError && error.code === "link_broken") return error;
    throw error;
  }
}

/** The page of an invitation that was used, withdrawn, has expired or never existed. */
function deadInviteView(ctx: PageContext, error: CoreError): View {
  const messages = ctx.messages.entry.join;
  return {
    title: messages.dead,
    isPlain: true,
    error,
    body: (
      <>
        <Heading title={messages.dead}>
          <p>{messages.deadLead}</p>
          {communitySettingsOf(ctx.core).joining === "approval" ? <p>{messages.deadAsk}</p> : ""}
        </Heading>
        <p>{messages.deadMember}</p>
        <p class="actions with-space">
          <a class="button primary" href="/sign-in">
            {ctx.messages.entry.signIn.title}
          </a>
        </p>
      </>
    ),
  };
}

/** The member who sent the invitation, and how long it is valid. */
function Invited({
  ctx,
  invitedBy,
  expiresAt,
}: {
  ctx: PageContext;
  invitedBy: string | null;
  expiresAt: number;
}) {
  const messages = ctx.messages.entry.join;
  return (
    <p>
      {(invitedBy === null ? messages.invitedByOperator : messages.invited)({
        inviter: <bdi safe>{`@${invitedBy ?? ""}`}</bdi>,
        when: <Time ctx={ctx} at={expiresAt} />,
      })}
    </p>
  );
}

/** The community rules to agree to, if there are any. */
function Rules({ ctx, error }: { ctx: PageContext; error: CoreError | undefined }) {
  const messages = ctx.messages.entry.join;
  const { rules } = communitySettingsOf(ctx.core);
  if (rules === "") return "";
  const fault = fieldErrorText(ctx, error, "agrees");
  return (
    <>
      <details class="rules" open>
        <summary>{messages.rules}</summary>
        <div class="prose" dir="auto" tabindex="0">
          {renderMarkdown(rules, { below: 1, id: "rules" })}
        </div>
      </details>
      <div class={fault ? "field wrong" : "field"}>
        <label class="choice">
          <input
            type="checkbox"
            name="agrees"
            value="on"
            checked={hasAgreed(ctx)}
            aria-describedby={fault ? "agrees-error" : undefined}
            required
          />
          <span>{messages.agrees}</span>
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

function hasAgreed({ form }: PageContext): boolean {
  return form.has("agrees");
}

function setUpView(ctx: PageContext, error?: CoreError): View {
  const messages = ctx.messages.entry.setUp;
  const token = ctx.form.get("token") ?? ctx.query.get("token") ?? "";
  const broken =
    error?.code === "link_broken"
      ? error
      : error
        ? undefined
        : valueOrError(() => checkSetupLink(ctx.core, token));
  if (broken)
    return messageView(
      messages.dead,
      messages.deadLead,
      { href: "/sign-in", label: ctx.messages.entry.signIn.title },
      broken,
    );
  const texts = { ...ctx.messages.entry.join, ...messages };
  const stored = { community: storedCommunity(ctx) };
  const { Form, Field, Choices } = formOf(ctx, SetUpDraft, { messages: texts, error, stored });
  const { joinings } = ctx.messages.community.admin;
  return {
    title: messages.title,
    isPlain: true,
    error,
    policy: { scripts: true },
    script: SETUP_SCRIPT.address,
    body: (
      <div class="set-up">
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        <Form action="/setup">
          <input type="hidden" name="token" value={token} />
          <div class="stack">
            <h2>{messages.communityTitle}</h2>
            <Field name="community.name" of="communityName" autofocus={ctx.form.size === 0} />
            <Field name="community.line" of="communityLine" />
            <Field name="community.accent" of="accent" type="color" />
            <Choices
              name="community.joining"
              label={ctx.messages.community.admin.joining}
              type="radio"
              option={(value: CommunitySettings["joining"]) => joinings[value]}
            />
          </div>
          <FrontPagePreview ctx={ctx} typed={ctx.form.size > 0 ? typedCommunity(ctx) : stored.community} />
          <div class="stack">
            <h2>{messages.accountTitle}</h2>
            <Field
              name="username"
              label={ctx.messages.entry.signIn.username}
              hint={texts.usernameHint}
              autocomplete="username"
            />
            <Field name="name" autocomplete="name" />
            <NewPassword ctx={ctx} error={error} />
            <SubmitOrPreview ctx={ctx}>{messages.button}</SubmitOrPreview>
          </div>
        </Form>
      </div>
    ),
  };
}

/** The typed settings of the community. A field that was not sent has its default. */
function typedCommunity({ core, form }: PageContext): TypedCommunity {
  const { accent, ...stored } = storedCommunity({ core });
  const typed = (part: keyof TypedCommunity, otherwise: string): string =>
    form.has(`community.${part}`) ? field(form, `community.${part}`) : otherwise;
  return {
    name: typed("name", stored.name),
    line: typed("line", stored.line),
    accent: typed("accent", accent).toLowerCase(),
    joining: typed("joining", stored.joining),
  };
}

function storedCommunity({ core }: Pick<PageContext, "core">): TypedCommunity {
  const { name, line, accent, joining } = communitySettingsOf(core);
  return { name, line, accent: accent || DEFAULT_ACCENT, joining };
}

/** The fields of an account and an application. */
const AccountDraft = Type.Object({
  ...NewAccount.properties,
  name: Type.Optional(NewAccount.properties.name),
  why: ReasonDraft.properties.why,
  mail: Type.Optional(MailAddress),
});

function AccountForm({
  ctx,
  action,
  error,
  isApplication = false,
  children,
}: PropsWithChildren<{
  ctx: PageContext;
  action: string;
  error: CoreError | undefined;
  isApplication?: boolean;
}>) {
  const { join: messages, signIn } = ctx.messages.entry;
  const { Form, Field, TextArea } = formOf(ctx, AccountDraft, { messages, error });
  return (
    <Form action={action}>
      <Field
        name="username"
        label={signIn.username}
        hint={messages.usernameHint}
        autocomplete="username"
        autofocus
      />
      <Field name="name" autocomplete="name" />
      <NewPassword ctx={ctx} error={error} />
      {isApplication ? (
        <TextArea name="why" maxlength={ReasonDraft.properties.why["maxLength"] as number} />
      ) : (
        ""
      )}
      {isApplication && sendsMail(ctx.core) ? <Field name="mail" autocomplete="email" /> : ""}
      {children}
    </Form>
  );
}

/** The field for a new password. */
export function NewPassword({
  ctx,
  error,
  label = ctx.messages.entry.signIn.password,
}: {
  ctx: PageContext;
  error: CoreError | undefined;
  label?: string;
}) {
  const { Field } = formOf(ctx, NewAccount, { messages: ctx.messages.entry.join, error });
  return <Field name="password" label={label} type="password" autocomplete="new-password" />;
}

function recoverView(ctx: PageContext, error?: CoreError): View {
  const messages = ctx.messages.entry.recovery;
  const token = ctx.form.get("token") ?? ctx.query.get("token") ?? "";
  const { builderId, username } = peekRecovery(ctx.core, token);
  const endpoints = endpointsOfBuilder(ctx.core, builderId);
  return {
    title: messages.title,
    isPlain: true,
    error,
    body: (
      <>
        <Heading title={messages.title}>
          <p safe>{messages.lead({ username })}</p>
          <p>{messages.goesOn}</p>
          <EndpointList ctx={ctx} endpoints={endpoints} title={messages.endpoints} />
        </Heading>
        <Form action="/recover" ctx={ctx} kind="stack" error={error}>
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
          <NewPassword ctx={ctx} error={error} label={messages.label} />
          <Button>{messages.button}</Button>
        </Form>
      </>
    ),
  };
}
