/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { beginProof, canUsePasskeys, listPasskeys } from "../../../core/identity/accounts/passkeys.ts";
import { hasPassword } from "../../../core/identity/accounts/passwords.ts";
import { type Proof, signInAgain } from "../../../core/identity/accounts/reauthentication.ts";
import { isFresh, type SignedIn } from "../../../core/identity/accounts/sessions.ts";
import { CoreError } from "../../../core/base/errors.ts";
import { field, showAgainOnError, formPage, safePath } from "../../request/forms.ts";
import { TypedText } from "../../parts/typed-text.tsx";
import { Heading } from "../../parts/layout.tsx";
import { Button, Submit, Fault, Field, Form } from "../../parts/parts.tsx";
import {
  type PageAnswer,
  type PageRoute,
  type PersonContext,
  signedInPage,
  type View,
} from "../../request/route.ts";
import { answerInNewSession } from "../../request/new-session.ts";
import { redirectSignedIn } from "../../request/session-cookies.ts";
import { readJsonField } from "./sign-in.tsx";

const HERE = "/settings/confirm";

/**
 * The page on which a signed-in person proves their identity again (`requireFresh`). After that, the page
 * `next` opens.
 */
export const reauthenticationPages = [
  signedInPage("GET", HERE, (ctx) => proofView(ctx, safePath(ctx.query.get("next")))),
  signedInPage("POST", HERE, (ctx) => {
    const next = safePath(ctx.form.get("next"));
    return showAgainOnError(
      async () =>
        redirectSignedIn(
          ctx,
          await signInAgain(ctx.core, ctx.person.caller, proofIn(ctx)),
          next,
          "confirmed",
        ),
      (error) => proofView(ctx, next, error),
    );
  }),
  signedInPage("POST", `${HERE}/options`, (ctx) => proofOptions(ctx)),
];

/** Returns the URL of the reauthentication page. After the proof, the page `next` opens. */
export function proofAddress(next: string): string {
  return `${HERE}?next=${encodeURIComponent(next)}`;
}

/**
 * Wraps a handler that needs a recent sign-in. Without one, the person proves their identity and returns to
 * `next`.
 */
export function withReauthentication(
  next: string | ((ctx: PersonContext) => string),
  handle: (ctx: PersonContext) => PageAnswer | Promise<PageAnswer>,
): (ctx: PersonContext) => PageAnswer | Promise<PageAnswer> {
  return (ctx) =>
    isFresh(ctx.core, ctx.person.caller)
      ? handle(ctx)
      : proofView(ctx, typeof next === "string" ? next : next(ctx));
}

/**
 * Like `withReauthentication`, for a form whose fields must not be lost. The person sends the fields again
 * with the proof. `next` is the page to open if the form can no longer be sent.
 */
export function keepingForm(
  next: string | ((ctx: PersonContext) => string),
  handle: (ctx: PersonContext) => PageAnswer | Promise<PageAnswer>,
): (ctx: PersonContext) => PageAnswer | Promise<PageAnswer> {
  return async (ctx) => {
    if (isFresh(ctx.core, ctx.person.caller)) return handle(ctx);
    const path = typeof next === "string" ? next : next(ctx);
    if (!PROOF_FIELDS.some((name) => field(ctx.form, name) !== ""))
      return proofView(ctx, path, undefined, true);
    let signedIn: SignedIn;
    try {
      signedIn = await signInAgain(ctx.core, ctx.person.caller, proofIn(ctx));
    } catch (error) {
      if (!(error instanceof CoreError) || error.error === "server_error") throw error;
      return proofView(ctx, path, error, true);
    }
    return answerInNewSession(ctx, signedIn, path, handle);
  };
}

/** A `formPage` that needs a recent sign-in. */
export function reauthenticatedForm(
  access: typeof signedInPage,
  path: string,
  next: string | ((ctx: PersonContext) => string),
  showAgain: (ctx: PersonContext, error: CoreError) => PageAnswer,
  work: (ctx: PersonContext) => PageAnswer | Promise<PageAnswer>,
): PageRoute {
  return formPage(access, path, showAgain, (ctx) => withReauthentication(next, work)(ctx));
}

/**
 * Like `withReauthentication`, but for operations that may or may not need a recent sign-in. Only the core
 * knows whether such an operation needs one.
 */
export async function reauthenticateIfRequired(
  ctx: PersonContext,
  next: string,
  work: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    const mustReauthenticate =
      error instanceof CoreError && error.error === "forbidden" && !isFresh(ctx.core, ctx.person.caller);
    if (!mustReauthenticate) throw error;
    return proofView(ctx, next);
  }
}

/** Returns the options of a passkey request for the script. */
export async function proofOptions({ core, person, context }: PersonContext): Promise<Response> {
  return Response.json(await beginProof(core, person.caller), { headers: context.headers });
}

/** Reads the proof from a form with `CurrentPassword` or `PasskeyForm`. */
export function proofIn({ form }: PersonContext): Proof {
  return field(form, "response") === ""
    ? { password: form.get("current") ?? "" }
    : { passkey: readJsonField(form, "response") };
}

/** Returns the proofs that the person has. A person without any needs a link from an admin. */
export function proofsOf({ core, person }: PersonContext): { password: boolean; passkey: boolean } {
  return {
    password: hasPassword(core, person.caller),
    passkey: canUsePasskeys(core) && listPasskeys(core, person.caller).length > 0,
  };
}

export function CurrentPassword({
  ctx,
  error,
  label = ctx.messages.entry.proof.password,
}: {
  ctx: PersonContext;
  error: CoreError | undefined;
  label?: string;
}) {
  return (
    <Field
      name="current"
      label={label}
      type="password"
      autocomplete="current-password"
      ctx={ctx}
      error={error}
      required
    />
  );
}

/** A form that a script sends with the response of a passkey. */
export function PasskeyForm({
  ctx,
  action,
  options,
  error,
  label,
  kind,
  children,
}: PropsWithChildren<{
  ctx: PersonContext;
  action: string;
  /** The path that has the options of the request; defaults to `action`. */
  options?: string;
  error?: CoreError | undefined;
  label: string;
  kind?: "quiet" | "danger";
}>) {
  return (
    <Form
      action={action}
      ctx={ctx}
      error={error}
      kind="stack narrow"
      passkey={{ does: "get", options, messages: ctx.messages.common.passkey }}
    >
      <input type="hidden" name="response" value="" />
      {children}
      <div class="actions">
        <Button kind={kind ?? "quiet"}>{label}</Button>
      </div>
    </Form>
  );
}

/** Fields of a proof, which are never sent back. */
const PROOF_FIELDS = ["current", "response"];

/** `isKept` sends the fields of the form together with the proof. */
function proofView(ctx: PersonContext, next: string, error?: CoreError, isKept = false): View {
  const messages = ctx.messages.entry.proof;
  const proofs = proofsOf(ctx);
  const action = isKept ? ctx.context.path : HERE;
  const nextField = isKept ? (
    [...ctx.form]
      .filter(([name]) => name !== "form_token" && !PROOF_FIELDS.includes(name))
      .map(([name, value]) => <input type="hidden" name={name} value={value} />)
  ) : (
    <input type="hidden" name="next" value={next} />
  );
  return {
    title: messages.title,
    isPlain: true,
    error,
    ...(proofs.passkey ? { policy: { scripts: true } } : {}),
    body: (
      <>
        <Heading title={messages.title}>
          <p safe>{messages.lead({ username: ctx.person.caller.username })}</p>
        </Heading>
        {proofs.password ? (
          <Form action={action} ctx={ctx} kind="stack narrow" error={error}>
            {nextField}
            <CurrentPassword ctx={ctx} error={error} />
            <Submit>{messages.goOn}</Submit>
          </Form>
        ) : (
          <Fault ctx={ctx} error={error} />
        )}
        {proofs.passkey && (
          <PasskeyForm ctx={ctx} action={action} options={HERE} label={messages.byPasskey}>
            {nextField}
          </PasskeyForm>
        )}
        {proofs.password || proofs.passkey ? "" : <p>{messages.neither}</p>}
        <p class="hint below">{messages.back}</p>
        {isKept ? "" : <TypedText ctx={ctx} />}
      </>
    ),
  };
}
