/** @jsxImportSource @kitajs/html */
import { type Keep, previewSecuring, secureAccount } from "../../../core/delegation/securing/securing.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { Submit, type ChoiceOption, Choices, Fault, Form } from "../../parts/parts.tsx";
import { adminPage, type PersonAsk, type View, withRepeats } from "../../request/route.ts";
import { OWN_SECURING, passkeyOptions, AccessToEnd } from "../account/securing.tsx";
import { reauthenticatedForm } from "../entry/reauthentication.tsx";
import { AdminHead } from "./head.tsx";

const BUILDERS = "/admin/builders";

/** Ending all that gives access to somebody else's account. */
export const adminSecuringPages = [
  adminPage("GET", `${BUILDERS}/:username/secure`, (ask) =>
    isSelf(ask) ? { to: OWN_SECURING } : adminView(ask, placeOf(ask)),
  ),
  withRepeats(
    reauthenticatedForm(
      adminPage,
      `${BUILDERS}/:username/secure`,
      placeOf,
      (ask, error) => adminView(ask, placeOf(ask), error),
      async (ask) => {
        const kept = ask.form.getAll("keep");
        const keep: Keep = { passkeys: kept, password: kept.includes(PASSWORD) };
        await ask.write(() => secureAccount(ask.core, ask.person.caller, nameOf(ask), keep));
        return { to: `${BUILDERS}/${nameOf(ask)}`, notice: "builder-secured" };
      },
    ),
    "keep",
  ),
];

/** The value of the password in a list of passkey ids. */
const PASSWORD = "password";

function nameOf({ params }: PersonAsk): string {
  return params["username"] ?? "";
}

function isSelf(ask: PersonAsk): boolean {
  return nameOf(ask) === ask.person.caller.username;
}

function placeOf(ask: PersonAsk): string {
  return `${BUILDERS}/${nameOf(ask)}/secure`;
}

function adminView(ask: PersonAsk, action: string, error?: CoreError): View {
  const preview = previewSecuring(ask.core, ask.person.caller, nameOf(ask));
  const { username } = preview;
  const words = ask.words.adminMembers.securing;
  const password: ChoiceOption[] = preview.hasPassword
    ? [{ value: PASSWORD, words: words.password, isOn: true }]
    : [];
  const options = [...password, ...passkeyOptions(ask, preview, { isOn: true })];
  return {
    title: words.title({ username }),
    error,
    body: (
      <>
        <AdminHead ask={ask} title={words.title({ username })}>
          <p>{words.lead({ address: `${BUILDERS}/${username}` })}</p>
        </AdminHead>
        <Fault ask={ask} error={error} />
        <AccessToEnd ask={ask} preview={preview} />
        <Form action={action} ask={ask} kind="part stack">
          {options.length > 0 && (
            <Choices legend={words.keep} hint={words.keepHint} name="keep" options={options} />
          )}
          <Submit kind="danger">{words.button}</Submit>
        </Form>
      </>
    ),
  };
}
