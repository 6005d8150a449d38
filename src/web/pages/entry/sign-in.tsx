/** @jsxImportSource @kitajs/html */
import { openApplication } from "../../../core/identity/applications/applications.ts";
import { openAppealSession } from "../../../core/identity/accounts/appeal-sessions.ts";
import { sendsMail } from "../../../core/identity/mail/mail.ts";
import { communitySettingsOf } from "../../../core/identity/community-settings/community-settings.ts";
import { signIn } from "../../../core/identity/accounts/accounts.ts";
import {
  beginPasskeySignIn,
  canUsePasskeys,
  signInByPasskey,
} from "../../../core/identity/accounts/passkeys.ts";
import { type SignedIn, signOut } from "../../../core/identity/accounts/sessions.ts";
import { CoreError, refuse } from "../../../core/base/errors.ts";
import { field, formPage, safePath } from "../../request/forms.ts";
import { TypedText } from "../../parts/typed-text.tsx";
import { Heading } from "../../parts/layout.tsx";
import { Button, Field, Form } from "../../parts/parts.tsx";
import { publicPage, type PageContext, signedInPage, type Redirect, type View } from "../../request/route.ts";
import {
  redirectSignedIn,
  redirectSignedOut,
  redirectApplicant,
  redirectSuspended,
  signInOriginOf,
} from "../../request/session-cookies.ts";

/** The pages to sign in and out. */
export const signInPages = [
  publicPage("GET", "/sign-in", (ctx) =>
    ctx.person ? { to: safePath(ctx.query.get("next")) } : signInView(ctx, { next: ctx.query.get("next") }),
  ),
  formPage(
    publicPage,
    "/sign-in",
    (ctx, error) => signInView(ctx, { next: ctx.form.get("next"), error, isPassword: true }),
    async (ctx) => {
      const form = { username: field(ctx.form, "username"), password: ctx.form.get("password") ?? "" };
      const opened = await orOtherPage(ctx, form, () => signIn(ctx.core, signInOriginOf(ctx), form));
      if ("to" in opened) return opened;
      return redirectSignedIn(ctx, opened, safePath(ctx.form.get("next")), "signed-in");
    },
  ),
  publicPage("POST", "/sign-in/passkey/options", async (ctx) =>
    Response.json(await beginPasskeySignIn(ctx.core, signInOriginOf(ctx)), { headers: ctx.context.headers }),
  ),
  formPage(
    publicPage,
    "/sign-in/passkey",
    (ctx, error) => signInView(ctx, { next: ctx.form.get("next"), error }),
    async (ctx) => {
      const opened = await signInByPasskey(
        ctx.core,
        signInOriginOf(ctx),
        readJsonField(ctx.form, "response"),
      );
      return redirectSignedIn(ctx, opened, safePath(ctx.form.get("next")), "signed-in");
    },
  ),
  signedInPage("POST", "/sign-out", async (ctx) => {
    await ctx.core.db.write(() => signOut(ctx.core, ctx.person.caller));
    return redirectSignedOut(ctx, "/", "signed-out");
  }),
];

/**
 * An applicant who enters their password sees the state of their application. A suspended member sees the
 * decision.
 */
async function orOtherPage(
  ctx: PageContext,
  form: { username: string; password: string },
  work: () => Promise<SignedIn>,
): Promise<SignedIn | Redirect> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof CoreError ? error.code : undefined;
    if (code === "still_applicant")
      return redirectApplicant(ctx, (await openApplication(ctx.core, signInOriginOf(ctx), form)).secret);
    if (code === "account_suspended")
      return redirectSuspended(ctx, (await openAppealSession(ctx.core, signInOriginOf(ctx), form)).secret);
    throw error;
  }
}

/** Parses a form field with JSON from our script. Throws bad_request. */
export function readJsonField(form: URLSearchParams, name: string): unknown {
  try {
    return JSON.parse(form.get(name) ?? "");
  } catch {
    throw refuse("passkey_unreadable");
  }
}

/**
 * The sign-in form. It also replaces pages that need a signed-in person. After the sign-in, the page `next`
 * opens.
 */
export function signInView(
  ctx: PageContext,
  { next, error, isPassword = false }: { next: string | null; error?: CoreError; isPassword?: boolean },
): View {
  const messages = ctx.messages.entry.signIn;
  const nextPath = safePath(next);
  const hasPasskeys = canUsePasskeys(ctx.core);
  const { line, reading, joining } = communitySettingsOf(ctx.core);
  return {
    title: messages.title,
    isPlain: true,
    error,
    ...(hasPasskeys ? { policy: { scripts: true } } : {}),
    body: (
      <>
        <Heading title={messages.title}>
          {/* Wide screens show the line in the masthead. */}
          {reading === "members" && line !== "" ? (
            <p class="line-on-phone" dir="auto" safe>
              {line}
            </p>
          ) : undefined}
        </Heading>
        <Form action="/sign-in" ctx={ctx} kind="stack" error={error}>
          {isPassword && error?.code === "too_many_tries" && <OtherWays ctx={ctx} />}
          <input type="hidden" name="next" value={nextPath} />
          <Field
            name="username"
            label={messages.username}
            value={field(ctx.form, "username")}
            autocomplete="username webauthn"
            required
            autofocus
          />
          <Field
            name="password"
            label={messages.password}
            type="password"
            autocomplete="current-password"
            required
          />
          <Button>{messages.title}</Button>
        </Form>
        {hasPasskeys && (
          <Form
            action="/sign-in/passkey"
            ctx={ctx}
            kind="passkey"
            passkey={{ does: "get", messages: ctx.messages.common.passkey }}
          >
            <input type="hidden" name="next" value={nextPath} />
            <input type="hidden" name="response" value="" />
            <Button kind="quiet">{messages.byPasskey}</Button>
          </Form>
        )}
        <p class="hint below">{sendsMail(ctx.core) ? messages.forgotByMail : messages.forgot}</p>
        {joining === "closed" ? "" : <p class="hint">{messages.newHere}</p>}
        <TypedText ctx={ctx} />
      </>
    ),
  };
}

/**
 * The ways to sign in that password guesses never block. If other people guessed too often, even a correct
 * password may be refused (docs/contract.md#9.3).
 */
function OtherWays({ ctx }: { ctx: PageContext }) {
  const messages = ctx.messages.entry.signIn.otherWays;
  const ways = [
    ...(canUsePasskeys(ctx.core) ? [messages.passkey] : []),
    ...(sendsMail(ctx.core) ? [messages.mail] : []),
    messages.admin,
  ];
  return (
    <section class="other-ways">
      <p>{messages.lead}</p>
      <ul>
        {ways.map((way) => (
          <li>{way}</li>
        ))}
      </ul>
    </section>
  );
}
