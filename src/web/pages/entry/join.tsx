/** @jsxImportSource @kitajs/html */
import { peekSetup, setUp, signUp } from "../../../core/identity/accounts/accounts.ts";
import { peekInvite } from "../../../core/identity/accounts/invites.ts";
import { peekRecovery, recover } from "../../../core/identity/accounts/passwords.ts";
import { endpointsOfBuilder } from "../../../core/outbox/webhooks/webhooks.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { field, posted } from "../../request/forms.ts";
import { EndpointList } from "../../parts/endpoint-list.tsx";
import { Heading, wordsView } from "../../parts/layout.tsx";
import { Button, Fault, Field, boundFields, Form } from "../../parts/parts.tsx";
import { open, type PageAsk, type View } from "../../request/route.ts";
import { enter, whence } from "../../request/sign-in-session.ts";

/** Ways in for those who have no password yet: joining, the first admin, a forgotten password. */
export const joinPages = [
  open("GET", "/sign-up", (ask) => (ask.person ? { to: "/" } : signUpView(ask))),
  posted(open, "/sign-up", signUpView, async (ask) => {
    const invite = field(ask.form, "invite") || undefined;
    return enter(ask, await signUp(ask.core, whence(ask), { ...accountOf(ask), invite }), "/", "welcome");
  }),
  open("GET", "/setup", (ask) => setUpView(ask)),
  posted(open, "/setup", setUpView, async (ask) => {
    const form = { ...accountOf(ask), token: field(ask.form, "token") };
    return enter(ask, await setUp(ask.core, whence(ask), form), "/", "welcome");
  }),
  open("GET", "/recover", (ask) => recoverView(ask)),
  posted(open, "/recover", recoverView, async (ask) => {
    const form = { token: field(ask.form, "token"), password: ask.form.get("password") ?? "" };
    return enter(ask, await recover(ask.core, whence(ask), form), "/settings/account", "password-changed");
  }),
];

function accountOf({ form }: PageAsk): { username: string; name?: string; password: string } {
  const name = field(form, "name");
  return {
    username: field(form, "username").toLowerCase(),
    password: form.get("password") ?? "",
    ...(name === "" ? {} : { name }),
  };
}

const SIGN_IN = { href: "/sign-in", words: "Sign in" };

function signUpView(ask: PageAsk, error?: CoreError): View {
  const invite = ask.form.get("invite") ?? ask.query.get("invite") ?? "";
  const policy = ask.core.policy.signup;
  if (policy === "closed")
    return wordsView("Closed at the moment", "This community takes nobody in right now.", SIGN_IN, error);
  if (policy === "invite" && invite === "")
    return wordsView(
      "By invitation",
      "Ask somebody who runs this community for a link. It brings you back here.",
      SIGN_IN,
      error,
    );
  // A link that does not work is better told before the form is filled in.
  if (policy === "invite" && !error) peekInvite(ask.core, invite);
  return {
    title: "Join",
    isPlain: true,
    error,
    body: (
      <>
        <Heading title="Join" />
        <Form action="/sign-up" token={ask.formToken} kind="stack">
          <input type="hidden" name="invite" value={invite} />
          <AccountFields ask={ask} error={error} />
          <Button>Join</Button>
        </Form>
        <p class="hint below">
          Here before? <a href="/sign-in">Sign in</a>
        </p>
      </>
    ),
  };
}

function setUpView(ask: PageAsk, error?: CoreError): View {
  const token = ask.form.get("token") ?? ask.query.get("token") ?? "";
  if (!error) peekSetup(ask.core, token);
  return {
    title: "Set up Guildhall",
    isPlain: true,
    error,
    body: (
      <>
        <Heading title="Set up Guildhall">
          <p>You are the first one here. This account runs the community.</p>
        </Heading>
        <Form action="/setup" token={ask.formToken} kind="stack">
          <input type="hidden" name="token" value={token} />
          <AccountFields ask={ask} error={error} />
          <Button>Open the doors</Button>
        </Form>
      </>
    ),
  };
}

function AccountFields({ ask, error }: { ask: PageAsk; error: CoreError | undefined }) {
  const { Field } = boundFields(ask, error);
  return (
    <>
      <Fault ask={ask} error={error} fields={["username", "name", "password"]} />
      <Field
        name="username"
        label="Username"
        hint="Lower-case letters, digits, - and _. It cannot be changed later."
        autocomplete="username"
        maxlength={32}
        required
        autofocus
      />
      <Field
        name="name"
        label="Name"
        hint="As others see it; left empty, your username."
        autocomplete="name"
        maxlength={100}
      />
      <NewPassword ask={ask} error={error} />
    </>
  );
}

/** A password that is being chosen. */
export function NewPassword({
  ask,
  error,
  label = "Password",
}: {
  ask: PageAsk;
  error: CoreError | undefined;
  label?: string;
}) {
  return (
    <Field
      name="password"
      label={label}
      hint="At least 8 characters; a few words in a row are best."
      type="password"
      autocomplete="new-password"
      minlength={8}
      maxlength={200}
      ask={ask}
      error={error}
      required
    />
  );
}

function recoverView(ask: PageAsk, error?: CoreError): View {
  const token = ask.form.get("token") ?? ask.query.get("token") ?? "";
  const { builderId, username } = peekRecovery(ask.core, token);
  const endpoints = endpointsOfBuilder(ask.core, builderId);
  return {
    title: "A new password",
    isPlain: true,
    error,
    body: (
      <>
        <Heading title="A new password">
          <p safe>{`For @${username}. It signs you out everywhere else.`}</p>
          <p>
            Your passkeys, access tokens, connected apps and webhook endpoints go on working. If somebody else
            was in your account, take away those that you do not know, under your settings, where this leads:
            “Secure this account” ends all of them at once.
          </p>
          <EndpointList ask={ask} endpoints={endpoints} title="What happens here goes on to" />
        </Heading>
        <Form action="/recover" token={ask.formToken} kind="stack">
          <Fault ask={ask} error={error} fields={["password"]} />
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
          <NewPassword ask={ask} error={error} label="New password" />
          <Button>Save and sign in</Button>
        </Form>
      </>
    ),
  };
}
