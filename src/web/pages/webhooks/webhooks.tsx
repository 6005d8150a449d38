/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { formOf } from "../../parts/draft-form.tsx";
import type { CoreError } from "../../../core/base/errors.ts";
import { EVENT_NAMES } from "../../../core/outbox/events/catalogue.ts";
import { type Endpoint, EndpointDraft } from "../../../core/outbox/webhooks/endpoint.ts";
import { checkUrl, listEndpoints, registerEndpoint } from "../../../core/outbox/webhooks/webhooks.ts";
import { showAgainOnError, readDraft } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Card, Empty, Secret, Submit } from "../../parts/parts.tsx";
import { type PersonAsk, signedInPage, type View, type PageAsk, withRepeats } from "../../request/route.ts";
import { isFailingForADay } from "../../../core/outbox/webhooks/health.ts";
import { withReauthentication } from "../entry/reauthentication.tsx";
import {
  workspaceUrl,
  type WorkspacePath,
  workspaceOf,
  WorkspaceChoice,
} from "../../parts/workspace-choice.tsx";

const HERE = "/settings/webhooks";

/** The endpoints of a workspace, and making one more. */
export const webhookPages = [
  signedInPage("GET", HERE, (ask) => listView(ask)),
  signedInPage(
    "GET",
    `${HERE}/new`,
    withReauthentication(newAddress, (ask) => newView(ask)),
  ),
  withRepeats(
    signedInPage(
      "POST",
      HERE,
      withReauthentication(newAddress, (ask) => {
        const place = workspaceOf(ask);
        return showAgainOnError(
          async () => {
            const draft = readDraft(EndpointDraft, ask.form);
            const url = await checkUrl(ask.core, place.caller, draft.url);
            const made = await ask.write(() =>
              registerEndpoint(ask.core, place.caller, { url, events: draft.events }),
            );
            return madeView(ask, made);
          },
          (error) => newView(ask, error),
        );
      }),
    ),
    "events",
  ),
];

function newAddress(ask: PersonAsk): string {
  return workspaceUrl(`${HERE}/new`, workspaceOf(ask));
}

function listView(ask: PersonAsk): View {
  const words = ask.words.webhooks;
  const place = workspaceOf(ask);
  const endpoints = listEndpoints(ask.core, place.caller);
  const add = (
    <a class="button primary" href={workspaceUrl(`${HERE}/new`, place)}>
      {words.add}
    </a>
  );
  return {
    title: words.title,
    section: "webhooks",
    body: (
      <>
        <Heading title={words.title} action={endpoints.length > 0 ? add : ""}>
          <p>{words.lead}</p>
        </Heading>
        <WorkspaceChoice ask={ask} place={place} path={HERE} />
        {endpoints.length === 0 ? (
          <Empty title={words.empty}>
            <p>{words.emptyLead}</p>
            {add}
          </Empty>
        ) : (
          <ul class="rows">
            {endpoints.map((endpoint) => (
              <EndpointRow endpoint={endpoint} place={place} ask={ask} />
            ))}
          </ul>
        )}
      </>
    ),
  };
}

function EndpointRow({ endpoint, place, ask }: { endpoint: Endpoint; place: WorkspacePath; ask: PageAsk }) {
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={workspaceUrl(`${HERE}/${endpoint.id}`, place)} safe>
            {endpoint.url}
          </a>
        </p>
        <ul class="tags">
          {endpoint.events.map((type) => (
            <li class="tag" dir="auto" safe>
              {type}
            </li>
          ))}
        </ul>
      </div>
      <EndpointState endpoint={endpoint} ask={ask} />
    </li>
  );
}

/** The state of an endpoint, in a word. */
export function EndpointState({ endpoint, ask }: { endpoint: Endpoint; ask: PageAsk }) {
  const words = ask.words.webhooks.states;
  const { disabled, health } = endpoint;
  if (disabled)
    return disabled.code === "switched_off" ? (
      <span class="badge">{words.off}</span>
    ) : (
      <span class="badge bad">{words.disabled}</span>
    );
  if (health.state === "ok") return <span class="badge good">{words.on}</span>;
  return isFailingForADay(health, ask.core.clock.now()) ? (
    <span class="badge bad">{words.failingForADay}</span>
  ) : (
    <span class="badge waiting">{words.failing}</span>
  );
}

function newView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.webhooks.form;
  const place = workspaceOf(ask);
  return {
    title: ask.words.webhooks.add,
    section: "webhooks",
    error,
    body: (
      <>
        <Heading title={ask.words.webhooks.add}>
          <p>
            <a href={workspaceUrl(HERE, place)}>{ask.words.webhooks.all}</a>
          </p>
        </Heading>
        <EndpointForm ask={ask} action={HERE} error={error}>
          <input type="hidden" name="workspace" value={place.workspace.id} />
          <Submit>{words.button}</Submit>
        </EndpointForm>
      </>
    ),
  };
}

/** The form that registers an endpoint, or changes one that is there. */
export function EndpointForm({
  ask,
  action,
  endpoint,
  error,
  children,
}: PropsWithChildren<{
  ask: PersonAsk;
  action: string;
  endpoint?: Endpoint;
  error: CoreError | undefined;
}>) {
  const words = ask.words.webhooks.form;
  const { Form, Field, Choices } = formOf(ask, EndpointDraft, { words, error, stored: endpoint });
  return (
    <Form action={action}>
      <Field name="url" />
      <Choices
        name="events"
        values={EVENT_NAMES}
        option={(type: (typeof EVENT_NAMES)[number]) => ({ words: type, hint: ask.words.events[type] })}
      />
      {children}
    </Form>
  );
}

function madeView(ask: PersonAsk, made: Endpoint & { secret: string }): View {
  const words = ask.words.webhooks.made;
  const place = workspaceOf(ask);
  return {
    title: words.title,
    section: "webhooks",
    body: (
      <>
        <Heading title={words.heading} />
        <SigningSecret ask={ask} secret={made.secret} />
        <Card title={words.next}>
          <p>{words.nextLead({ address: workspaceUrl(`${HERE}/${made.id}`, place) })}</p>
        </Card>
      </>
    ),
  };
}

/** Shown once, after it was made. */
export function SigningSecret({ ask, secret }: { ask: PageAsk; secret: string }) {
  const words = ask.words.webhooks.secret;
  return (
    <Secret label={words.label} value={secret}>
      <p>{words.copy}</p>
    </Secret>
  );
}
