/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { beginProof, canUsePasskeys, listPasskeys } from "../../../core/identity/accounts/passkeys.ts";
import { hasPassword } from "../../../core/identity/accounts/passwords.ts";
import { type Proof, signInAgain } from "../../../core/identity/accounts/reauthentication.ts";
import { isFresh } from "../../../core/identity/accounts/sessions.ts";
import { CoreError } from "../../../core/base/errors.ts";
import { field, showAgainOnError, formPage, safePath } from "../../request/forms.ts";
import { TypedText } from "../../parts/typed-text.tsx";
import { Heading } from "../../parts/layout.tsx";
import { Button, Submit, Fault, Field, Form } from "../../parts/parts.tsx";
import {
  type PageAnswer,
  type PageRoute,
  type PersonAsk,
  signedInPage,
  type View,
} from "../../request/route.ts";
import { redirectSignedIn } from "../../request/session-cookies.ts";
import { readJsonField } from "./sign-in.tsx";

const HERE = "/settings/confirm";

/**
 * Where somebody who has signed in shows once more that it is them (`requireFresh`), and goes on to where
 * they came from.
 */
export const reauthenticationPages = [
  signedInPage("GET", HERE, (ask) => proofView(ask, safePath(ask.query.get("next")))),
  signedInPage("POST", HERE, (ask) => {
    const next = safePath(ask.form.get("next"));
    return showAgainOnError(
      async () =>
        redirectSignedIn(
          ask,
          await signInAgain(ask.core, ask.person.caller, proofIn(ask)),
          next,
          "confirmed",
        ),
      (error) => proofView(ask, next, error),
    );
  }),
  signedInPage("POST", `${HERE}/options`, (ask) => proofOptions(ask)),
];

/** The address of that page, for a link on the page `next`. */
export function proofAddress(next: string): string {
  return `${HERE}?next=${encodeURIComponent(next)}`;
}

/**
 * A handler for what wants a recent sign-in: anybody else shows first that it is them, and comes back to
 * `next`.
 */
export function withReauthentication(
  next: string | ((ask: PersonAsk) => string),
  handle: (ask: PersonAsk) => PageAnswer | Promise<PageAnswer>,
): (ask: PersonAsk) => PageAnswer | Promise<PageAnswer> {
  return (ask) =>
    isFresh(ask.core, ask.person.caller)
      ? handle(ask)
      : proofView(ask, typeof next === "string" ? next : next(ask));
}

/** A `formPage` that needs a recent sign-in. */
export function reauthenticatedForm(
  access: typeof signedInPage,
  path: string,
  next: string | ((ask: PersonAsk) => string),
  again: (ask: PersonAsk, error: CoreError) => PageAnswer,
  work: (ask: PersonAsk) => PageAnswer | Promise<PageAnswer>,
): PageRoute {
  return formPage(access, path, again, (ask) => withReauthentication(next, work)(ask));
}

/** The same where only the core knows whether an operation needs it. */
export async function reauthenticateIfRequired(
  ask: PersonAsk,
  next: string,
  work: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    const isAsked =
      error instanceof CoreError && error.error === "forbidden" && !isFresh(ask.core, ask.person.caller);
    if (!isAsked) throw error;
    return proofView(ask, next);
  }
}

/** The options of a passkey request, for the script. */
export async function proofOptions({ core, person, context }: PersonAsk): Promise<Response> {
  return Response.json(await beginProof(core, person.caller), { headers: context.headers });
}

/** Reads the proof from a form with `CurrentPassword` or `PasskeyForm`. */
export function proofIn({ form }: PersonAsk): Proof {
  return field(form, "response") === ""
    ? { password: form.get("current") ?? "" }
    : { passkey: readJsonField(form, "response") };
}

/** The proofs that the person has. Someone without any asks an admin for a link. */
export function proofsOf({ core, person }: PersonAsk): { password: boolean; passkey: boolean } {
  return {
    password: hasPassword(core, person.caller),
    passkey: canUsePasskeys(core) && listPasskeys(core, person.caller).length > 0,
  };
}

export function CurrentPassword({
  ask,
  error,
  label = ask.words.entry.proof.password,
}: {
  ask: PersonAsk;
  error: CoreError | undefined;
  label?: string;
}) {
  return (
    <Field
      name="current"
      label={label}
      type="password"
      autocomplete="current-password"
      ask={ask}
      error={error}
      required
    />
  );
}

/** A form that a script sends with the answer of a passkey. */
export function PasskeyForm({
  ask,
  action,
  error,
  words,
  kind,
  children,
}: PropsWithChildren<{
  ask: PersonAsk;
  action: string;
  error?: CoreError | undefined;
  words: string;
  kind?: "quiet" | "danger";
}>) {
  return (
    <Form
      action={action}
      ask={ask}
      error={error}
      kind="stack narrow"
      passkey={{ does: "get", words: ask.words.common.passkey }}
    >
      <input type="hidden" name="response" value="" />
      {children}
      <div class="actions">
        <Button kind={kind ?? "quiet"}>{words}</Button>
      </div>
    </Form>
  );
}

function proofView(ask: PersonAsk, next: string, error?: CoreError): View {
  const words = ask.words.entry.proof;
  const proofs = proofsOf(ask);
  const goOn = <input type="hidden" name="next" value={next} />;
  return {
    title: words.title,
    isPlain: true,
    error,
    ...(proofs.passkey ? { policy: { scripts: true } } : {}),
    body: (
      <>
        <Heading title={words.title}>
          <p safe>{words.lead({ username: ask.person.caller.username })}</p>
        </Heading>
        {proofs.password ? (
          <Form action={HERE} ask={ask} kind="stack narrow" error={error}>
            {goOn}
            <CurrentPassword ask={ask} error={error} />
            <Submit>{words.goOn}</Submit>
          </Form>
        ) : (
          <Fault ask={ask} error={error} />
        )}
        {proofs.passkey && (
          <PasskeyForm ask={ask} action={HERE} words={words.byPasskey}>
            {goOn}
          </PasskeyForm>
        )}
        {proofs.password || proofs.passkey ? "" : <p>{words.neither}</p>}
        <p class="hint below">{words.back}</p>
        <TypedText ask={ask} />
      </>
    ),
  };
}
