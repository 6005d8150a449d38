/** @jsxImportSource @kitajs/html */
import { signOut } from "../../../core/identity/accounts/sessions.ts";
import { CoreError } from "../../../core/base/errors.ts";
import type { Interactions } from "../../../core/delegation/grants/interaction.ts";
import { showAgainOnError } from "../../request/forms.ts";
import { Heading, messageView } from "../../parts/layout.tsx";
import { Button, Field, Form } from "../../parts/parts.tsx";
import {
  type PageContext,
  type PageRoute,
  type PersonContext,
  signedInPage,
  type View,
  withRepeats,
} from "../../request/route.ts";
import type { LocaleMessages } from "../../../locale/messages.ts";
import { redirectSignedOut } from "../../request/session-cookies.ts";
import { reauthenticateIfRequired } from "../entry/reauthentication.tsx";
import { consentView, consentOf, isAllowed, visitorOf } from "./consent.tsx";

const HERE = "/oauth/device";
const ANSWER = `${HERE}/answer`;

/**
 * The page on which a person enters the code of a device (RFC 8628 §3.3). A code in the URL only fills the
 * field and is not looked up. The person compares the code with the device (RFC 8628 §5.4), and each guess
 * costs a form (RFC 8628 §5.1).
 */
export function devicePages(interactions: Interactions): readonly PageRoute[] {
  return [
    signedInPage("GET", HERE, (ctx) => codeView(ctx)),
    signedInPage("POST", HERE, (ctx) =>
      showAgainOnError(
        async () => consentView(ctx, await interactions.findDevice(codeOf(ctx), visitorOf(ctx)), ANSWER),
        (error) => codeView(ctx, error),
      ),
    ),
    signedInPage("GET", ANSWER, () => ({ to: HERE })),
    withRepeats(
      signedInPage("POST", ANSWER, async (ctx) => {
        try {
          const visitor = visitorOf(ctx);
          if (!isAllowed(ctx)) {
            await interactions.denyDevice(codeOf(ctx), visitor);
            return { to: `${HERE}/refused` };
          }
          return await reauthenticateIfRequired(ctx, codeAddress(ctx), async () => {
            await interactions.allowDevice(codeOf(ctx), visitor, consentOf(ctx));
            return { to: `${HERE}/done` };
          });
        } catch (error) {
          if (!(error instanceof CoreError) || error.error === "server_error") throw error;
          // `bad_request` means that no scope was selected, so the same question is shown again. Any other
          // error means that the code is no longer valid.
          if (error.error !== "bad_request") return codeView(ctx, error);
          return consentView(ctx, await interactions.findDevice(codeOf(ctx), visitorOf(ctx)), ANSWER, error);
        }
      }),
      "scopes",
    ),
    signedInPage("POST", `${ANSWER}/leave`, async (ctx) => {
      await ctx.core.db.write(() => signOut(ctx.core, ctx.person.caller));
      return redirectSignedOut(ctx, codeAddress(ctx), "signed-out");
    }),
    signedInPage("GET", `${HERE}/done`, ({ messages: { consent } }) =>
      messageView(consent.device.done, consent.device.doneLead, continueLink(consent)),
    ),
    signedInPage("GET", `${HERE}/refused`, ({ messages: { consent } }) =>
      messageView(consent.device.refused, consent.device.refusedLead, continueLink(consent)),
    ),
  ];
}

function continueLink({ device }: LocaleMessages["consent"]) {
  return { href: "/settings/connected", label: device.connected };
}

const CODE_MAX = 40;

/** Normalizes a typed code: case, spaces, dashes and full-width letters do not matter. */
function codeOf({ form, query }: PageContext): string {
  return (form.get("user_code") ?? query.get("user_code") ?? "")
    .slice(0, CODE_MAX)
    .normalize("NFKC")
    .replace(/[\s\p{Dash}]+/gu, "")
    .toUpperCase();
}

/** Returns the URL of the page with the code filled in. */
function codeAddress(ctx: PageContext): string {
  return `${HERE}?${new URLSearchParams({ user_code: codeOf(ctx) })}`;
}

/** Returns the code in two halves, as devices show it. */
function formatCode(code: string): string {
  return /^[A-Z]{8}$/.test(code) ? `${code.slice(0, 4)}-${code.slice(4)}` : code;
}

function codeView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.consent.device;
  const code = formatCode(codeOf(ctx));
  return {
    title: messages.title,
    isPlain: true,
    error,
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        <Form action={HERE} ctx={ctx} kind="stack device" error={error}>
          <Field
            name="user_code"
            label={messages.code}
            hint={code === "" || error ? messages.codeHint : messages.compare}
            value={code}
            placeholder={messages.codeExample}
            maxlength={CODE_MAX}
            required
            autofocus
          />
          <Button>{messages.goOn}</Button>
        </Form>
        <p class="hint below">{messages.warning}</p>
      </>
    ),
  };
}
