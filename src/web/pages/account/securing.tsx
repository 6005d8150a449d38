/** @jsxImportSource @kitajs/html */
import {
  previewSecuring,
  secureAccount,
  type SecuringPreview,
  type WaysIn,
} from "../../../core/delegation/securing/securing.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { EndpointList } from "../../parts/endpoint-list.tsx";
import { weave } from "../../parts/weave.ts";
import { Heading } from "../../parts/layout.tsx";
import { agoWords, Submit, type ChoiceOption, Choices, Fault, Form } from "../../parts/parts.tsx";
import { type PersonAsk, personal, type View } from "../../request/route.ts";
import { enter } from "../../request/sign-in-session.ts";
import { provedForm } from "../entry/proof.tsx";

const ACCOUNT = "/settings/account";
export const OWN_SECURING = `${ACCOUNT}/secure`;

/**
 * Ending all that gives access to one's own account. That of somebody else stands with the pages of admins.
 */
export const securingPages = [
  personal("GET", OWN_SECURING, (ask) => ownView(ask)),
  provedForm(personal, OWN_SECURING, OWN_SECURING, ownView, async (ask) => {
    const { core, person } = ask;
    const keep = { passkeys: ask.form.getAll("keep"), password: true };
    const { renewed } = await ask.write(() =>
      secureAccount(core, person.caller, person.caller.username, keep),
    );
    return renewed
      ? enter(ask, renewed, ACCOUNT, "account-secured")
      : { to: ACCOUNT, notice: "account-secured" };
  }),
];

function ownView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.account.secure;
  const preview = previewSecuring(ask.core, ask.person.caller, ask.person.caller.username);
  return {
    title: words.title,
    section: "account",
    error,
    body: (
      <>
        <Heading title={words.title}>
          <p>{weave(words.lead)}</p>
        </Heading>
        <Fault ask={ask} error={error} />
        <WhatEnds ask={ask} preview={preview} />
        <Form action={OWN_SECURING} token={ask.formToken} kind="part stack">
          {preview.passkeys.length > 0 && (
            <Choices
              legend={words.keep}
              hint={words.keepHint}
              name="keep"
              options={passkeyOptions(ask, preview)}
            />
          )}
          <Submit kind="danger">{words.title}</Submit>
        </Form>
        <p class="hint below">{weave(words.afterwards)}</p>
      </>
    ),
  };
}

export function passkeyOptions({ core, words }: PersonAsk, { passkeys }: SecuringPreview): ChoiceOption[] {
  const now = core.clock.now();
  const { neverUsed, used } = words.account.secure;
  const ago = (at: number): string => agoWords(words, at - now);
  return passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
    value: id,
    words: name,
    hint: lastUsedAt === null ? neverUsed(ago(createdAt)) : used(ago(createdAt), ago(lastUsedAt)),
    isOn: true,
  }));
}

export function WhatEnds({
  ask,
  preview: { waysIn, endpoints },
}: {
  ask: PersonAsk;
  preview: SecuringPreview;
}) {
  const words = ask.words.account.secure;
  const there = (
    [
      ["sessions", words.sessions],
      ["tokens", words.tokens],
      ["apps", words.apps],
      ["endpoints", words.webhooks],
      ["links", words.links],
    ] as const satisfies readonly (readonly [keyof WaysIn, (count: number) => string])[]
  ).filter(([kind]) => waysIn[kind] > 0);
  return (
    <section class="part">
      <h2>{words.ends}</h2>
      {there.length === 0 ? (
        <p class="hint">{words.nothing}</p>
      ) : (
        <div class="prose" dir="auto">
          <ul>
            {there.map(([kind, counted]) => (
              <li safe>{counted(waysIn[kind])}</li>
            ))}
          </ul>
          <EndpointList ask={ask} endpoints={endpoints} title={words.endpoints} />
        </div>
      )}
    </section>
  );
}
