/** @jsxImportSource @kitajs/html */
import {
  type Keep,
  previewSecuring,
  secureAccount,
  type SecuringPreview,
  type WaysIn,
} from "../../../core/delegation/securing/securing.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { orAgain } from "../../request/forms.ts";
import { EndpointList } from "../../parts/endpoint-list.tsx";
import { Heading } from "../../parts/layout.tsx";
import { agoWords, Button, type ChoiceOption, Choices, Fault, Form } from "../../parts/parts.tsx";
import { forAdmins, type PersonAsk, personal, type View } from "../../request/route.ts";
import { enter } from "../../request/sign-in-session.ts";
import { AdminHead } from "../admin/head.tsx";
import { onceProved } from "../entry/proof.tsx";

const ACCOUNT = "/settings/account";
const HERE = `${ACCOUNT}/secure`;
const BUILDERS = "/admin/builders";

/** Ending all that gives access to an account: one's own, and for admins somebody else's. */
export const securingPages = [
  personal("GET", HERE, (ask) => ownView(ask)),
  personal(
    "POST",
    HERE,
    onceProved(HERE, (ask) =>
      orAgain(
        async () => {
          const { core, person } = ask;
          const keep = { passkeys: ask.form.getAll("keep"), password: true };
          const { renewed } = await ask.write(() =>
            secureAccount(core, person.caller, person.caller.username, keep),
          );
          return renewed
            ? enter(ask, renewed, ACCOUNT, "account-secured")
            : { to: ACCOUNT, notice: "account-secured" };
        },
        (error) => ownView(ask, error),
      ),
    ),
  ),
  forAdmins("GET", `${BUILDERS}/:username/secure`, (ask) =>
    isSelf(ask) ? { to: HERE } : adminView(ask, placeOf(ask)),
  ),
  forAdmins(
    "POST",
    `${BUILDERS}/:username/secure`,
    onceProved(placeOf, (ask) =>
      orAgain(
        async () => {
          const kept = ask.form.getAll("keep");
          const keep: Keep = { passkeys: kept, password: kept.includes(PASSWORD) };
          await ask.write(() => secureAccount(ask.core, ask.person.caller, nameOf(ask), keep));
          return { to: `${BUILDERS}/${nameOf(ask)}`, notice: "builder-secured" };
        },
        (error) => adminView(ask, placeOf(ask), error),
      ),
    ),
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
        <Fault error={error} />
        <WhatEnds preview={preview} />
        <Form action={HERE} token={ask.formToken} kind="part stack">
          {preview.passkeys.length > 0 ? (
            <Choices
              legend="Passkeys to keep"
              hint="Take the tick away from each that you do not know, and it is removed."
              name="keep"
              options={passkeyOptions(ask, preview)}
            />
          ) : (
            ""
          )}
          <div class="actions">
            <Button kind="danger">Secure this account</Button>
          </div>
        </Form>
        <p class="hint below">
          Afterwards, change your password if somebody may know it, and look at the{" "}
          <a href="/settings/apps">apps that you made</a>: their secrets and addresses stay as they are.
        </p>
      </>
    ),
  };
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
        <Fault error={error} />
        <WhatEnds preview={preview} />
        <Form action={action} token={ask.formToken} kind="part stack">
          {options.length > 0 ? (
            <Choices
              legend="What they go on signing in with"
              hint="Take the tick away from what somebody else may have. Who is left with nothing comes in by a recovery link."
              name="keep"
              options={options}
            />
          ) : (
            ""
          )}
          <div class="actions">
            <Button kind="danger">Secure the account</Button>
          </div>
        </Form>
      </>
    ),
  };
}

function passkeyOptions({ core }: PersonAsk, { passkeys }: SecuringPreview): ChoiceOption[] {
  const now = core.clock.now();
  return passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
    value: id,
    words: name,
    hint: `added ${agoWords(createdAt - now)}, ${lastUsedAt === null ? "never used" : `last used ${agoWords(lastUsedAt - now)}`}`,
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

function WhatEnds({ preview: { waysIn, endpoints } }: { preview: SecuringPreview }) {
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
