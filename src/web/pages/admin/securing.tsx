/** @jsxImportSource @kitajs/html */
import {
  type KeptCredentials,
  previewSecuring,
  secureAccount,
} from "../../../core/delegation/securing/securing.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { Heading } from "../../parts/layout.tsx";
import { Submit, type ChoiceOption, Choices, Fault, Form } from "../../parts/parts.tsx";
import { adminPage, type PersonContext, type View, withRepeats } from "../../request/route.ts";
import { OWN_SECURING, passkeyOptions, AccessToEnd } from "../account/securing.tsx";
import { reauthenticatedForm } from "../entry/reauthentication.tsx";

const BUILDERS = "/admin/builders";

/** The page on which an admin ends all access to another member's account, such as sessions and tokens. */
export const adminSecuringPages = [
  adminPage("GET", `${BUILDERS}/:username/secure`, (ctx) =>
    isSelf(ctx) ? { to: OWN_SECURING } : adminView(ctx, placeOf(ctx)),
  ),
  withRepeats(
    reauthenticatedForm(
      adminPage,
      `${BUILDERS}/:username/secure`,
      placeOf,
      (ctx, error) => adminView(ctx, placeOf(ctx), error),
      async (ctx) => {
        const kept = ctx.form.getAll("keep");
        const keep: KeptCredentials = { passkeys: kept, password: kept.includes(PASSWORD) };
        await ctx.write(() => secureAccount(ctx.core, ctx.person.caller, nameOf(ctx), keep));
        return { to: `${BUILDERS}/${nameOf(ctx)}`, notice: "builder-secured" };
      },
    ),
    "keep",
  ),
];

/** The value that means the password in a list that otherwise contains passkey ids. */
const PASSWORD = "password";

function nameOf({ params }: PersonContext): string {
  return params["username"] ?? "";
}

function isSelf(ctx: PersonContext): boolean {
  return nameOf(ctx) === ctx.person.caller.username;
}

function placeOf(ctx: PersonContext): string {
  return `${BUILDERS}/${nameOf(ctx)}/secure`;
}

function adminView(ctx: PersonContext, action: string, error?: CoreError): View {
  const preview = previewSecuring(ctx.core, ctx.person.caller, nameOf(ctx));
  const { username } = preview;
  const messages = ctx.messages.adminMembers.securing;
  const password: ChoiceOption[] = preview.hasPassword
    ? [{ value: PASSWORD, words: messages.password, isOn: true }]
    : [];
  const options = [...password, ...passkeyOptions(ctx, preview, { isOn: true })];
  return {
    title: messages.title({ username }),
    error,
    body: (
      <>
        <Heading title={messages.title({ username })}>
          <p>{messages.lead({ address: `${BUILDERS}/${username}` })}</p>
        </Heading>
        <Fault ctx={ctx} error={error} />
        <AccessToEnd ctx={ctx} preview={preview} />
        <Form action={action} ctx={ctx} kind="part stack">
          {options.length > 0 && (
            <Choices legend={messages.keep} hint={messages.keepHint} name="keep" options={options} />
          )}
          <Submit kind="danger">{messages.button}</Submit>
        </Form>
      </>
    ),
  };
}
