/** @jsxImportSource @kitajs/html */
import {
  previewSecuring,
  secureAccount,
  type SecuringPreview,
  type WaysIn,
} from "../../../core/delegation/securing/securing.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { EndpointList } from "../../parts/endpoint-list.tsx";
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
  const preview = previewSecuring(ask.core, ask.person.caller, ask.person.caller.username);
  return {
    title: "Secure this account",
    section: "account",
    error,
    body: (
      <>
        <Heading title="Secure this account">
          <p>
            For when somebody else may have been in it, or something of yours leaked. What stands here ends at
            once and for good; you stay signed in here alone. <a href={ACCOUNT}>Back to your account</a>
          </p>
        </Heading>
        <Fault ask={ask} error={error} />
        <WhatEnds preview={preview} />
        <Form action={OWN_SECURING} token={ask.formToken} kind="part stack">
          {preview.passkeys.length > 0 && (
            <Choices
              legend="Passkeys to keep"
              hint="Take the tick away from each that you do not know, and it is removed."
              name="keep"
              options={passkeyOptions(ask, preview)}
            />
          )}
          <Submit kind="danger">Secure this account</Submit>
        </Form>
        <p class="hint below">
          Afterwards, change your password if somebody may know it, and look at the{" "}
          <a href="/settings/apps">apps that you made</a>: their secrets and addresses stay as they are.
        </p>
      </>
    ),
  };
}

export function passkeyOptions({ core, words }: PersonAsk, { passkeys }: SecuringPreview): ChoiceOption[] {
  const now = core.clock.now();
  return passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
    value: id,
    words: name,
    hint: `added ${agoWords(words, createdAt - now)}, ${lastUsedAt === null ? "never used" : `last used ${agoWords(words, lastUsedAt - now)}`}`,
    isOn: true,
  }));
}

const KINDS: readonly (readonly [keyof WaysIn, one: string, many: string])[] = [
  ["sessions", "session: a browser that is signed in", "sessions: browsers that are signed in"],
  ["tokens", "access token", "access tokens"],
  ["apps", "connected app", "connected apps"],
  ["endpoints", "webhook endpoint, with its deliveries", "webhook endpoints, with their deliveries"],
  ["links", "link that nobody has used yet", "links that nobody has used yet"],
];

export function WhatEnds({ preview: { waysIn, endpoints } }: { preview: SecuringPreview }) {
  const there = KINDS.filter(([kind]) => waysIn[kind] > 0);
  return (
    <section class="part">
      <h2>What ends</h2>
      {there.length === 0 ? (
        <p class="hint">There is nothing that gives access to this account now.</p>
      ) : (
        <div class="prose" dir="auto">
          <ul>
            {there.map(([kind, one, many]) => (
              <li safe>{`${waysIn[kind].toLocaleString("en")} ${waysIn[kind] === 1 ? one : many}`}</li>
            ))}
          </ul>
          <EndpointList endpoints={endpoints} title="Those endpoints are" />
        </div>
      )}
    </section>
  );
}
