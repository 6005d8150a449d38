/** @jsxImportSource @kitajs/html */
import {
  addPasskey,
  beginPasskey,
  canUsePasskeys,
  listPasskeys,
  removePasskey,
} from "../../../core/identity/accounts/passkeys.ts";
import { changePassword, hasPassword } from "../../../core/identity/accounts/passwords.ts";
import { changeUsername, RENAME_DAYS, UsernameDraft } from "../../../core/identity/accounts/rename.ts";
import { foldUsername } from "../../../core/identity/builders/username.ts";
import { check } from "../../../core/base/check.ts";
import {
  endOtherSessions,
  endSession,
  isFresh,
  listSessions,
  type Session,
} from "../../../core/identity/accounts/sessions.ts";
import { auditRetentionMs, listAudit } from "../../../core/identity/audit/audit.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { agentName } from "../../request/agent.ts";
import { field, formPage } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Submit, Empty, Field, Form, More } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { type PersonContext, signedInPage, type View } from "../../request/route.ts";
import { AuditRows } from "../../parts/audit-rows.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { redirectSignedIn } from "../../request/session-cookies.ts";
import { NewPassword } from "../entry/join.tsx";
import { CurrentPassword, proofAddress, reauthenticatedForm } from "../entry/reauthentication.tsx";
import { readJsonField } from "../entry/sign-in.tsx";
import { chosenLanguage, LanguageForm } from "./language.tsx";
import { OWN_SECURING } from "./securing.tsx";
import { ownDataAnswer, OwnDataPart } from "./own-data.tsx";

const HERE = "/settings/account";
const SECURITY = "/settings/security";
const SESSIONS = "/settings/sessions";
const LANGUAGE = "/settings/language";

/**
 * The pages of the account: username and data, ways to sign in, sessions, language, and the security log. The
 * forms keep the paths of the former single page.
 */
export const accountPages = [
  signedInPage("GET", "/settings", () => ({ to: HERE })),
  signedInPage("GET", HERE, (ctx) => accountView(ctx)),
  signedInPage("GET", SECURITY, (ctx) => securityView(ctx)),
  signedInPage("GET", SESSIONS, (ctx) => sessionsView(ctx)),
  signedInPage("GET", LANGUAGE, (ctx) => languageView(ctx)),
  formPage(
    signedInPage,
    `${HERE}/password`,
    (ctx, error) => securityView(ctx, { password: error }),
    async (ctx) => {
      const change = { current: ctx.form.get("current") ?? "", password: ctx.form.get("password") ?? "" };
      return redirectSignedIn(
        ctx,
        await changePassword(ctx.core, ctx.person.caller, change),
        OWN_SECURING,
        "password-changed",
      );
    },
  ),
  reauthenticatedForm(
    signedInPage,
    `${HERE}/username`,
    HERE,
    (ctx, error) => accountView(ctx, { username: error }),
    async (ctx) => {
      const typed = foldUsername(field(ctx.form, "username").replace(/^@/, ""));
      const { username } = check(UsernameDraft, { username: typed });
      await ctx.write(() => changeUsername(ctx.core, ctx.person.caller, username));
      return { to: HERE, notice: "username-changed" };
    },
  ),
  signedInPage("POST", `${HERE}/sessions/:id/end`, async (ctx) => {
    await ctx.write(() => endSession(ctx.core, ctx.person.caller, ctx.params["id"] ?? ""));
    return { to: SESSIONS, notice: "session-ended" };
  }),
  signedInPage("POST", `${HERE}/sessions/end-others`, async (ctx) => {
    await ctx.write(() => endOtherSessions(ctx.core, ctx.person.caller));
    return { to: SESSIONS, notice: "sessions-ended" };
  }),
  signedInPage("POST", `${HERE}/passkeys/options`, async (ctx) =>
    Response.json(await beginPasskey(ctx.core, ctx.person.caller), { headers: ctx.context.headers }),
  ),
  reauthenticatedForm(
    signedInPage,
    `${HERE}/passkeys`,
    SECURITY,
    (ctx, error) => securityView(ctx, { passkey: error }),
    async (ctx) => {
      const response = readJsonField(ctx.form, "response");
      await addPasskey(ctx.core, ctx.person.caller, { name: field(ctx.form, "name"), response });
      return { to: SECURITY, notice: "passkey-added" };
    },
  ),
  reauthenticatedForm(
    signedInPage,
    `${HERE}/passkeys/:id/remove`,
    SECURITY,
    (ctx, error) => securityView(ctx, { passkey: error }),
    async (ctx) => {
      await ctx.write(() => removePasskey(ctx.core, ctx.person.caller, ctx.params["id"] ?? ""));
      return { to: SECURITY, notice: "passkey-removed" };
    },
  ),
  reauthenticatedForm(
    signedInPage,
    `${HERE}/download`,
    HERE,
    (ctx, error) => accountView(ctx, { download: error }),
    ownDataAnswer,
  ),
  formPage(signedInPage, `${HERE}/language`, languageView, (ctx) => chosenLanguage(ctx, LANGUAGE)),
  signedInPage("GET", "/settings/activity", (ctx) => activityView(ctx)),
];

function accountView(ctx: PersonContext, faults: { username?: CoreError; download?: CoreError } = {}): View {
  const { title, deletion } = ctx.messages.account;
  const { person } = ctx;
  return {
    title,
    section: "account",
    error: faults.username ?? faults.download,
    body: (
      <>
        <Heading title={title}>
          <p>
            <bdi safe>{person.name}</bdi>, <span safe>{`@${person.caller.username}`}</span>
          </p>
        </Heading>
        <Username ctx={ctx} error={faults.username} />
        <OwnDataPart ctx={ctx} action={`${HERE}/download`} error={faults.download} />
        <section class="part">
          <h2>{deletion.part}</h2>
          <p class="hint">{deletion.teaser}</p>
          <p>
            <a class="button danger" href={`${HERE}/delete`}>
              {deletion.button}
            </a>
          </p>
        </section>
      </>
    ),
  };
}

function securityView(ctx: PersonContext, faults: { password?: CoreError; passkey?: CoreError } = {}): View {
  const { secure, security } = ctx.messages.account;
  const hasPasskeys = canUsePasskeys(ctx.core);
  return {
    title: security.title,
    section: "security",
    error: faults.password ?? faults.passkey,
    ...(hasPasskeys ? { policy: { scripts: true } } : {}),
    body: (
      <>
        <Heading title={security.title}>
          <p>{security.lead}</p>
        </Heading>
        <Password ctx={ctx} error={faults.password} />
        {hasPasskeys ? <Passkeys ctx={ctx} error={faults.passkey} /> : <NoPasskeys ctx={ctx} />}
        <section class="part">
          <h2>{secure.title}</h2>
          <p class="hint">{secure.teaser}</p>
          <p>
            <a class="button quiet" href={OWN_SECURING}>
              {secure.review}
            </a>
          </p>
        </section>
      </>
    ),
  };
}

function sessionsView(ctx: PersonContext): View {
  const messages = ctx.messages.account.sessions;
  const sessions = listSessions(ctx.core, ctx.person.caller);
  return {
    title: messages.title,
    section: "sessions",
    body: (
      <>
        <Heading
          title={messages.title}
          action={
            sessions.length > 1 ? (
              <Form action={`${HERE}/sessions/end-others`} ctx={ctx} kind="inline">
                <Button kind="quiet">{messages.endOthers}</Button>
              </Form>
            ) : (
              ""
            )
          }
        >
          <p>{messages.lead}</p>
        </Heading>
        <ul class="rows">
          {sessions.map((session) => (
            <SessionRow session={session} ctx={ctx} />
          ))}
        </ul>
      </>
    ),
  };
}

function languageView(ctx: PersonContext, error?: CoreError): View {
  const { title } = ctx.messages.account.language;
  return {
    title,
    section: "language",
    error,
    body: (
      <>
        <Heading title={title} />
        <LanguageForm ctx={ctx} action={`${HERE}/language`} error={error} />
      </>
    ),
  };
}

/** The link to prove the identity again, in place of a form that needs a recent sign-in. */
function ReauthenticationLink({
  text,
  next = SECURITY,
}: {
  text: (params: { address: string }) => JSX.Element;
  next?: string;
}) {
  return <p class="hint">{text({ address: proofAddress(next) })}</p>;
}

function Password({ ctx, error }: { ctx: PersonContext; error: CoreError | undefined }) {
  const messages = ctx.messages.account.password;
  const isSet = hasPassword(ctx.core, ctx.person.caller);
  if (!isSet && !isFresh(ctx.core, ctx.person.caller)) {
    return (
      <section class="part" id="change-password">
        <h2>{messages.title}</h2>
        <ReauthenticationLink text={messages.none} />
      </section>
    );
  }
  return (
    <section class="part" id="change-password">
      <h2>{messages.title}</h2>
      <Form action={`${HERE}/password`} ctx={ctx} kind="stack narrow" error={error}>
        {isSet && <CurrentPassword ctx={ctx} error={error} label={messages.current} />}
        <NewPassword ctx={ctx} error={error} label={messages.chosen} />
        <Submit kind="quiet">{isSet ? messages.change : messages.set}</Submit>
      </Form>
    </section>
  );
}

function Username({ ctx, error }: { ctx: PersonContext; error: CoreError | undefined }) {
  const messages = ctx.messages.account.username;
  const renaming = formOf(ctx, UsernameDraft, { messages, error });
  return (
    <section class="part">
      <h2>{messages.title}</h2>
      <p class="hint">{messages.lead({ days: RENAME_DAYS })}</p>
      {isFresh(ctx.core, ctx.person.caller) ? (
        <renaming.Form action={`${HERE}/username`} kind="stack narrow">
          <renaming.Field name="username" of="chosen" autocomplete="username" />
          <Submit kind="quiet">{messages.change}</Submit>
        </renaming.Form>
      ) : (
        <ReauthenticationLink text={messages.prove} next={HERE} />
      )}
    </section>
  );
}

function Passkeys({ ctx, error }: { ctx: PersonContext; error: CoreError | undefined }) {
  const { core, person } = ctx;
  const messages = ctx.messages.account.passkeys;
  const passkeys = listPasskeys(core, person.caller);
  const mayChange = isFresh(core, person.caller);
  return (
    <section class="part" id="passkeys">
      <h2>{messages.title}</h2>
      <p class="hint">{messages.lead}</p>
      {passkeys.length > 0 && (
        <ul class="rows with-space">
          {passkeys.map((passkey) => (
            <li>
              <div class="row-main">
                <p class="row-title" dir="auto" safe>
                  {passkey.name}
                </p>
                <p class="row-meta">
                  {passkey.lastUsedAt === null
                    ? messages.addedNeverUsed({ added: <Ago ctx={ctx} at={passkey.createdAt} /> })
                    : messages.addedAndUsed({
                        added: <Ago ctx={ctx} at={passkey.createdAt} />,
                        used: <Ago ctx={ctx} at={passkey.lastUsedAt} />,
                      })}
                </p>
              </div>
              {mayChange && (
                <Form
                  action={`${HERE}/passkeys/${passkey.id}/remove`}
                  ctx={ctx}
                  kind="inline"
                  label={messages.removeOf({ name: passkey.name })}
                >
                  <Button kind="danger">{messages.remove}</Button>
                </Form>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange ? <NewPasskey ctx={ctx} error={error} /> : <ReauthenticationLink text={messages.prove} />}
    </section>
  );
}

/** Explains why browsers offer no passkeys here (W3C Web Authentication, “Relying Party Identifier”). */
function NoPasskeys({ ctx }: { ctx: PersonContext }) {
  const messages = ctx.messages.account.passkeys;
  const { origin } = ctx.core;
  const { hostname, port } = new URL(origin);
  const isOwnMachine = hostname.startsWith("127.") || hostname === "[::1]";
  const setting = `GUILDHALL_ORIGIN=http://localhost${port === "" ? "" : `:${port}`}`;
  return (
    <section class="part" id="passkeys">
      <h2>{messages.title}</h2>
      <p class="hint">{messages.missing({ origin: <code safe>{origin}</code> })}</p>
      {isOwnMachine ? (
        <p class="hint">{messages.missingHere({ setting: <code safe>{setting}</code> })}</p>
      ) : (
        ""
      )}
    </section>
  );
}

function NewPasskey({ ctx, error }: { ctx: PersonContext; error: CoreError | undefined }) {
  const messages = ctx.messages.account.passkeys;
  return (
    <Form
      action={`${HERE}/passkeys`}
      ctx={ctx}
      kind="stack narrow"
      passkey={{ does: "create", messages: ctx.messages.common.passkey }}
      error={error}
    >
      <input type="hidden" name="response" value="" />
      <Field
        name="name"
        label={messages.name}
        value={error ? field(ctx.form, "name") : ""}
        placeholder={messages.nameExample}
        maxlength={100}
        ctx={ctx}
        error={error}
        required
      />
      <Submit kind="quiet">{messages.add}</Submit>
      <noscript>
        <p class="hint">{messages.noScripts}</p>
      </noscript>
    </Form>
  );
}

function SessionRow({ session, ctx }: { session: Session; ctx: PersonContext }) {
  const messages = ctx.messages.account.sessions;
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto" safe>
          {agentName(ctx.messages, session.agent)}
        </p>
        <p class="row-meta">
          <span safe>{session.address}</span> ·{" "}
          {messages.since({ when: <Ago ctx={ctx} at={session.createdAt} /> })} ·{" "}
          {session.isCurrent
            ? messages.now
            : messages.seen({ when: <Ago ctx={ctx} at={session.lastSeenAt} /> })}
        </p>
      </div>
      {session.isCurrent ? (
        <span class="badge good">{messages.current}</span>
      ) : (
        <Form action={`${HERE}/sessions/${session.id}/end`} ctx={ctx} kind="inline">
          <Button kind="quiet">{messages.end}</Button>
        </Form>
      )}
    </li>
  );
}

function activityView(ctx: PersonContext): View {
  const page = listAudit(ctx.core, ctx.person.caller, { of: "mine" }, pageRequest(ctx));
  const messages = ctx.messages.account.activity;
  return {
    title: messages.title,
    section: "activity",
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead({ kept: ctx.messages.formats.retention(auditRetentionMs(ctx.core)) })}</p>
        </Heading>
        {page.nodes.length === 0 ? (
          <Empty title={messages.empty}>
            <p>{messages.emptyLead}</p>
          </Empty>
        ) : (
          <AuditRows entries={page.nodes} ctx={ctx} />
        )}
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}
