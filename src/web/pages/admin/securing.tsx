/** @jsxImportSource @kitajs/html */
import { type Keep, previewSecuring, secureAccount } from "../../../core/delegation/securing/securing.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { Submit, type ChoiceOption, Choices, Fault, Form } from "../../parts/parts.tsx";
import { forAdmins, type PersonAsk, type View } from "../../request/route.ts";
import { OWN_SECURING, passkeyOptions, WhatEnds } from "../account/securing.tsx";
import { provedForm } from "../entry/proof.tsx";
import { AdminHead } from "./head.tsx";

const BUILDERS = "/admin/builders";

/** Ending all that gives access to somebody else's account. */
export const adminSecuringPages = [
  forAdmins("GET", `${BUILDERS}/:username/secure`, (ask) =>
    isSelf(ask) ? { to: OWN_SECURING } : adminView(ask, placeOf(ask)),
  ),
  provedForm(
    forAdmins,
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
];

/** What stands for the password among the ids of passkeys. */
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
  const password: ChoiceOption[] = preview.hasPassword
    ? [{ value: PASSWORD, words: "The password", isOn: true }]
    : [];
  const options = [...password, ...passkeyOptions(ask, preview)];
  return {
    title: `Secure @${username}`,
    error,
    body: (
      <>
        <AdminHead ask={ask} title={`Secure @${username}`}>
          <p>
            For when somebody else may be in this account. What stands here ends at once and for good.{" "}
            <a href={`${BUILDERS}/${username}`}>Back to the builder</a>
          </p>
        </AdminHead>
        <Fault ask={ask} error={error} />
        <WhatEnds ask={ask} preview={preview} />
        <Form action={action} token={ask.formToken} kind="part stack">
          {options.length > 0 && (
            <Choices
              legend="What they go on signing in with"
              hint="Take the tick away from what somebody else may have. Who is left with nothing comes in by a recovery link."
              name="keep"
              options={options}
            />
          )}
          <Submit kind="danger">Secure the account</Submit>
        </Form>
      </>
    ),
  };
}
