/** @jsxImportSource @kitajs/html */
import { openApplication } from "../../../core/identity/applications/applications.ts";
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
import { publicPage, type PageAsk, signedInPage, type Redirect, type View } from "../../request/route.ts";
import {
  redirectSignedIn,
  redirectSignedOut,
  redirectApplicant,
  signInOriginOf,
} from "../../request/session-cookies.ts";

/** The pages to sign in and out. */
export const signInPages = [
  publicPage("GET", "/sign-in", (ask) =>
    ask.person ? { to: safePath(ask.query.get("next")) } : signInView(ask, { next: ask.query.get("next") }),
  ),
  formPage(
    publicPage,
    "/sign-in",
    (ask, error) => signInView(ask, { next: ask.form.get("next"), error, isPassword: true }),
    async (ask) => {
      const form = { username: field(ask.form, "username"), password: ask.form.get("password") ?? "" };
      const opened = await orSeat(ask, form, () => signIn(ask.core, signInOriginOf(ask), form));
      if ("to" in opened) return opened;
      return redirectSignedIn(ask, opened, safePath(ask.form.get("next")), "signed-in");
    },
  ),
  publicPage("POST", "/sign-in/passkey/options", async (ask) =>
    Response.json(await beginPasskeySignIn(ask.core, signInOriginOf(ask)), { headers: ask.context.headers }),
  ),
  formPage(
    publicPage,
    "/sign-in/passkey",
    (ask, error) => signInView(ask, { next: ask.form.get("next"), error }),
    async (ask) => {
      const opened = await signInByPasskey(
        ask.core,
        signInOriginOf(ask),
        readJsonField(ask.form, "response"),
      );
      return redirectSignedIn(ask, opened, safePath(ask.form.get("next")), "signed-in");
    },
  ),
  signedInPage("POST", "/sign-out", async (ask) => {
    await ask.core.db.write(() => signOut(ask.core, ask.person.caller));
    return redirectSignedOut(ask, "/", "signed-out");
  }),
];

/** An applicant who enters their password sees the state of their application. */
async function orSeat(
  ask: PageAsk,
  form: { username: string; password: string },
  work: () => Promise<SignedIn>,
): Promise<SignedIn | Redirect> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CoreError) || error.code !== "still_applicant") throw error;
    const { secret } = await openApplication(ask.core, signInOriginOf(ask), form);
    return redirectApplicant(ask, secret);
  }
}

/** A form field with JSON from our script. Throws bad_request. */
export function readJsonField(form: URLSearchParams, name: string): unknown {
  try {
    return JSON.parse(form.get(name) ?? "");
  } catch {
    throw refuse("passkey_unreadable");
  }
}

/**
 * The sign-in form, which stands wherever a page is only for somebody signed in; `next` is where it goes on.
 */
export function signInView(
  ask: PageAsk,
  { next, error, isPassword = false }: { next: string | null; error?: CoreError; isPassword?: boolean },
): View {
  const words = ask.words.entry.signIn;
  const goOn = safePath(next);
  const hasPasskeys = canUsePasskeys(ask.core);
  return {
    title: words.title,
    isPlain: true,
    error,
    ...(hasPasskeys ? { policy: { scripts: true } } : {}),
    body: (
      <>
        <Heading title={words.title} />
        <Form action="/sign-in" ask={ask} kind="stack" error={error}>
          {isPassword && error?.code === "too_many_tries" && <OtherWays ask={ask} />}
          <input type="hidden" name="next" value={goOn} />
          <Field
            name="username"
            label={words.username}
            value={field(ask.form, "username")}
            autocomplete="username webauthn"
            required
            autofocus
          />
          <Field
            name="password"
            label={words.password}
            type="password"
            autocomplete="current-password"
            required
          />
          <Button>{words.title}</Button>
        </Form>
        {hasPasskeys && (
          <Form
            action="/sign-in/passkey"
            ask={ask}
            kind="passkey"
            passkey={{ does: "get", words: ask.words.common.passkey }}
          >
            <input type="hidden" name="next" value={goOn} />
            <input type="hidden" name="response" value="" />
            <Button kind="quiet">{words.byPasskey}</Button>
          </Form>
        )}
        {sendsMail(ask.core) ? <p class="hint">{ask.words.channels.mail.forgot}</p> : ""}
        <p class="hint below">
          {communitySettingsOf(ask.core).joining === "closed" ? words.forgot : words.forgotOrNew}
        </p>
        <TypedText ask={ask} />
      </>
    ),
  };
}

/**
 * The ways in that guesses at passwords never close. Others' guesses may be why the password is refused
 * (docs/contract.md#9.3).
 */
function OtherWays({ ask }: { ask: PageAsk }) {
  const words = ask.words.entry.signIn.otherWays;
  const ways = [
    ...(canUsePasskeys(ask.core) ? [words.passkey] : []),
    ...(sendsMail(ask.core) ? [words.mail] : []),
    words.admin,
  ];
  return (
    <section class="other-ways">
      <p>{words.lead}</p>
      <ul>
        {ways.map((way) => (
          <li>{way}</li>
        ))}
      </ul>
    </section>
  );
}
