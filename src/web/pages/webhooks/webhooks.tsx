/** @jsxImportSource @kitajs/html */
import { check } from "../../../core/ground/check.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { CATALOGUE, EVENT_NAMES } from "../../../core/outbox/events/catalogue.ts";
import { type Endpoint, EndpointDraft } from "../../../core/outbox/webhooks/endpoint.ts";
import { checkUrl, listEndpoints, registerEndpoint } from "../../../core/outbox/webhooks/webhooks.ts";
import { field, orAgain } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Card, Choices, Empty, Fault, boundFields, Form, Secret, Submit } from "../../parts/parts.tsx";
import { type PersonAsk, personal, type View, type PageAsk } from "../../request/route.ts";
import { isFailingForADay } from "../../../core/outbox/webhooks/health.ts";
import { afterProof } from "../entry/proof.tsx";
import { inPlace, type Place, placeOf, WorkspaceChoice } from "../../parts/workspace-choice.tsx";

const HERE = "/settings/webhooks";

/** The endpoints of a workspace, and making one more. */
export const webhookPages = [
  personal("GET", HERE, (ask) => listView(ask)),
  personal(
    "GET",
    `${HERE}/new`,
    afterProof(newAddress, (ask) => newView(ask)),
  ),
  personal(
    "POST",
    HERE,
    afterProof(newAddress, (ask) => {
      const place = placeOf(ask);
      return orAgain(
        async () => {
          const draft = check(EndpointDraft, {
            url: field(ask.form, "url"),
            events: ask.form.getAll("events"),
          });
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
];

function newAddress(ask: PersonAsk): string {
  return inPlace(`${HERE}/new`, placeOf(ask));
}

function listView(ask: PersonAsk): View {
  const place = placeOf(ask);
  const endpoints = listEndpoints(ask.core, place.caller);
  const add = (
    <a class="button primary" href={inPlace(`${HERE}/new`, place)}>
      Add an endpoint
    </a>
  );
  return {
    title: "Webhooks",
    section: "webhooks",
    body: (
      <>
        <Heading title="Webhooks" action={endpoints.length > 0 ? add : ""}>
          <p>
            An endpoint of yours gets a signed request within milliseconds of what happens here, again and
            again for 24 hours until it answers. <a href="/docs#deliveries">How to check a signature</a>
          </p>
        </Heading>
        <WorkspaceChoice ask={ask} place={place} path={HERE} />
        {endpoints.length === 0 ? (
          <Empty title="No endpoint yet">
            <p>
              Tell your chat, your build or your own script when somebody posts, when a job matches you, or
              when you get a message.
            </p>
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

function EndpointRow({ endpoint, place, ask }: { endpoint: Endpoint; place: Place; ask: PageAsk }) {
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={inPlace(`${HERE}/${endpoint.id}`, place)} safe>
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

/** How it does, in a word. */
export function EndpointState({ endpoint, ask }: { endpoint: Endpoint; ask: PageAsk }) {
  const { disabled, health } = endpoint;
  if (disabled)
    return disabled.code === "switched_off" ? (
      <span class="badge">Off</span>
    ) : (
      <span class="badge bad">Disabled</span>
    );
  if (health.state === "ok") return <span class="badge good">On</span>;
  return isFailingForADay(health, ask.core.clock.now()) ? (
    <span class="badge bad">Failing for a day</span>
  ) : (
    <span class="badge waiting">Failing</span>
  );
}

function newView(ask: PersonAsk, error?: CoreError): View {
  const place = placeOf(ask);
  const { Field } = boundFields(ask, error);
  return {
    title: "Add an endpoint",
    section: "webhooks",
    error,
    body: (
      <>
        <Heading title="Add an endpoint">
          <p>
            <a href={inPlace(HERE, place)}>All webhooks</a>
          </p>
        </Heading>
        <Form action={HERE} token={ask.formToken} kind="stack">
          <Fault ask={ask} error={error} fields={["url"]} />
          <input type="hidden" name="workspace" value={place.workspace.id} />
          <Field
            name="url"
            label="Address"
            hint="An https:// address that anybody on the internet could reach."
            type="url"
            placeholder="https://hooks.example.com/guildhall"
            required
          />
          <EventChoices chosen={ask.form.getAll("events")} />
          <Submit>Add the endpoint</Submit>
        </Form>
      </>
    ),
  };
}

export function EventChoices({ chosen }: { chosen: readonly string[] }) {
  return (
    <Choices
      legend="What it hears of"
      name="events"
      options={EVENT_NAMES.map((type) => ({
        value: type,
        words: type,
        hint: CATALOGUE[type].words,
        isOn: chosen.includes(type),
      }))}
    />
  );
}

function madeView(ask: PersonAsk, made: Endpoint & { secret: string }): View {
  const place = placeOf(ask);
  return {
    title: "Your endpoint",
    section: "webhooks",
    body: (
      <>
        <Heading title="Your endpoint is ready" />
        <SigningSecret secret={made.secret} />
        <Card title="Next">
          <p>
            Put the secret where your receiver can read it, then{" "}
            <a href={inPlace(`${HERE}/${made.id}`, place)}>send a test event</a>.
          </p>
        </Card>
      </>
    ),
  };
}

/** Shown once, after it was made. */
export function SigningSecret({ secret }: { secret: string }) {
  return (
    <Secret label="Signing secret" value={secret}>
      <p>Copy it now: it is not shown again. Whoever has it can send requests that look like ours.</p>
    </Secret>
  );
}
