/** @jsxImportSource @kitajs/html */
import { check } from "../../../core/ground/check.ts";
import { listDeliveries, sendTest, type Delivery } from "../../../core/outbox/deliveries/delivery-log.ts";
import { type EndpointFigures, endpointFigures } from "../../../core/outbox/deliveries/delivery-stats.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { type Endpoint, EndpointChange } from "../../../core/outbox/webhooks/endpoint.ts";
import {
  changeEndpoint,
  checkUrl,
  deleteEndpoint,
  getEndpoint,
  olderSecrets,
  rotateSecret,
} from "../../../core/outbox/webhooks/webhooks.ts";
import { DaysChart, LatencyChart } from "./charts.tsx";
import { field, orAgain } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Submit, Empty, Fault, Field, Form, More } from "../../parts/parts.tsx";
import { type PersonAsk, personal, type View, type PageAsk, type Redirect } from "../../request/route.ts";
import { inPlace, type Place, placeOf } from "../../parts/workspace-choice.tsx";
import { hostOf } from "../../parts/troubles.tsx";
import { afterProof, provedIfAsked } from "../entry/proof.tsx";
import { Act, Health, idOf, OlderSecrets, Test } from "./webhook-parts.tsx";
import { EndpointState, EventChoices, SigningSecret } from "./webhooks.tsx";

const HERE = "/settings/webhooks";
const PAGE = 20;

/** One endpoint: how it does, what was sent to it, and all that can be done with it. */
export const webhookDetailPages = [
  personal("GET", `${HERE}/:id`, (ask) => endpointView(ask)),
  personal("POST", `${HERE}/:id`, (ask) => {
    const place = placeOf(ask);
    return orAgain(
      async () => {
        const change = check(EndpointChange, {
          url: field(ask.form, "url"),
          events: ask.form.getAll("events"),
        });
        const url = await checkUrl(ask.core, place.caller, change.url ?? "");
        return provedIfAsked(ask, addressOf(ask), async () => {
          await ask.write(() =>
            changeEndpoint(ask.core, place.caller, idOf(ask), { url, events: change.events }),
          );
          return { to: addressOf(ask), notice: "endpoint-saved" };
        });
      },
      (error) => endpointView(ask, error),
    );
  }),
  personal(
    "POST",
    `${HERE}/:id/rotate`,
    afterProof(addressOf, async (ask) => {
      const { caller } = placeOf(ask);
      const rotated = await ask.write(() => rotateSecret(ask.core, caller, idOf(ask)));
      return rotatedView(ask, rotated);
    }),
  ),
  personal("POST", `${HERE}/:id/test`, async (ask) => {
    const place = placeOf(ask);
    const type = ask.form.get("type") ?? undefined;
    const delivery = await ask.write(() => sendTest(ask.core, place.caller, idOf(ask), type));
    return { to: inPlace(`/settings/deliveries/${delivery.id}`, place), notice: "test-sent" };
  }),
  personal("POST", `${HERE}/:id/enable`, (ask) => switchTo(ask, true)),
  personal("POST", `${HERE}/:id/disable`, (ask) => switchTo(ask, false)),
  personal("POST", `${HERE}/:id/delete`, async (ask) => {
    const place = placeOf(ask);
    await ask.write(() => deleteEndpoint(ask.core, place.caller, idOf(ask)));
    return { to: inPlace(HERE, place), notice: "endpoint-deleted" };
  }),
];

function addressOf(ask: PersonAsk): string {
  return inPlace(`${HERE}/${idOf(ask)}`, placeOf(ask));
}

async function switchTo(ask: PersonAsk, enabled: boolean): Promise<Redirect> {
  const place = placeOf(ask);
  await ask.write(() => changeEndpoint(ask.core, place.caller, idOf(ask), { enabled }));
  return {
    to: inPlace(`${HERE}/${idOf(ask)}`, place),
    notice: enabled ? "endpoint-enabled" : "endpoint-disabled",
  };
}

function endpointView(ask: PersonAsk, error?: CoreError): View {
  const { core } = ask;
  const place = placeOf(ask);
  const endpoint = getEndpoint(core, place.caller, idOf(ask));
  const health = endpointFigures(core, place.caller, endpoint.id);
  return {
    title: "Webhook endpoint",
    section: "webhooks",
    error,
    body: (
      <>
        <Heading title={hostOf(endpoint.url)} action={<EndpointState endpoint={endpoint} ask={ask} />}>
          <p>
            <code safe>{endpoint.url}</code>
          </p>
          {endpoint.owner.app === null ? (
            ""
          ) : (
            <p>
              The app “<bdi safe>{endpoint.owner.app.name}</bdi>” registered it. It ends when you{" "}
              <a href="/settings/connected">disconnect the app</a>.
            </p>
          )}
          <p>
            <a href={inPlace(HERE, place)}>All webhooks</a>
          </p>
        </Heading>
        <Health endpoint={endpoint} ask={ask} place={place} />
        <Figures health={health} />
        {health.deliveries > 0 && (
          <div class="charts">
            <DaysChart days={health.days} />
            <LatencyChart attempts={health.attempts} />
          </div>
        )}
        <Deliveries ask={ask} place={place} endpoint={endpoint} />
        {endpoint.disabled ? "" : <Test ask={ask} place={place} />}
        <section class="part">
          <h2>Change it</h2>
          <Form action={inPlace(`${HERE}/${endpoint.id}`, place)} token={ask.formToken} kind="stack">
            <Fault ask={ask} error={error} fields={["url"]} />
            <Field
              name="url"
              label="Address"
              type="url"
              value={ask.form.get("url") ?? endpoint.url}
              ask={ask}
              error={error}
              required
            />
            <EventChoices chosen={ask.form.has("url") ? ask.form.getAll("events") : endpoint.events} />
            <Submit>Save</Submit>
          </Form>
        </section>
        <section class="part">
          <h2>Signing secret</h2>
          <p class="hint">
            A new one takes over at once; each one from before signs too for 24 hours more, so that your
            receiver can follow. Five can be valid at a time.
          </p>
          <OlderSecrets ask={ask} ends={olderSecrets(core, place.caller, endpoint.id)} />
          <Act ask={ask} place={place} act="rotate" words="Make a new secret" />
        </section>
        <section class="part">
          <h2>Stop</h2>
          <p class="hint">
            Pausing keeps what waits and goes on where it stopped. Deleting forgets all of it.
          </p>
          <div class="actions">
            {endpoint.disabled ? "" : <Act ask={ask} place={place} act="disable" words="Pause deliveries" />}
            <Act ask={ask} place={place} act="delete" words="Delete the endpoint" kind="danger" />
          </div>
        </section>
      </>
    ),
  };
}

function Figures({ health }: { health: EndpointFigures }) {
  const { successRate, medianMs, p95Ms, byState } = health;
  const waiting = byState.awaiting_retry + byState.attempting;
  return (
    <dl class="figures">
      <div>
        <dt>Acknowledged</dt>
        <dd>{successRate === null ? "–" : `${(Math.floor(successRate * 1000) / 10).toString()} %`}</dd>
      </div>
      <div>
        <dt>Median answer</dt>
        <dd>{inWords(medianMs)}</dd>
      </div>
      <div>
        <dt>95th percentile</dt>
        <dd>{inWords(p95Ms)}</dd>
      </div>
      <div>
        <dt>Waiting</dt>
        <dd>{String(waiting)}</dd>
      </div>
    </dl>
  );
}

function inWords(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

const STATES = [
  { state: undefined, words: "All" },
  { state: "awaiting_retry", words: "Waiting" },
  { state: "acknowledged", words: "Acknowledged" },
  { state: "failed", words: "Failed" },
] as const;

function Deliveries({ ask, place, endpoint }: { ask: PersonAsk; place: Place; endpoint: Endpoint }) {
  const { core, query } = ask;
  const chosen = STATES.find(({ state }) => state === (query.get("state") ?? undefined)) ?? STATES[0];
  const page = listDeliveries(
    core,
    place.caller,
    endpoint.id,
    { state: chosen.state },
    { limit: PAGE, cursor: query.get("cursor") ?? undefined },
  );
  const last = page.nodes.at(-1);
  const address = (more: Record<string, string | undefined>): string => {
    const given = { workspace: place.workspace.isPersonal ? undefined : place.workspace.id, ...more };
    const text = new URLSearchParams(
      Object.entries(given).filter((pair): pair is [string, string] => !!pair[1]),
    );
    return `${HERE}/${endpoint.id}${text.size > 0 ? `?${text}` : ""}`;
  };
  const next =
    page.hasNextPage && last ? address({ state: chosen.state, cursor: page.cursorOf(last) }) : null;
  return (
    <section class="part" id="deliveries">
      <h2>Deliveries</h2>
      <div class="actions with-space">
        <a class="button quiet" href={inPlace(`${HERE}/${endpoint.id}/recover`, place)}>
          Send again…
        </a>
      </div>
      <nav class="choice-row" aria-label="State">
        {STATES.map(({ state, words }) => (
          <a href={address({ state })} aria-current={state === chosen.state ? "true" : undefined}>
            {words}
          </a>
        ))}
      </nav>
      {page.nodes.length === 0 ? (
        <Empty title="Nothing here">
          <p>What is sent to this endpoint stands here for thirty days.</p>
        </Empty>
      ) : (
        <ul class="rows">
          {page.nodes.map((delivery) => (
            <DeliveryRow delivery={delivery} place={place} ask={ask} />
          ))}
        </ul>
      )}
      <More ask={ask} href={next} />
    </section>
  );
}

function DeliveryRow({ delivery, place, ask }: { delivery: Delivery; place: Place; ask: PageAsk }) {
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={inPlace(`/settings/deliveries/${delivery.id}`, place)} safe>
            {delivery.eventType}
          </a>
        </p>
        <p class="row-meta">
          <Ago ask={ask} at={delivery.createdAt} /> ·{" "}
          {delivery.attempts === 1 ? "1 attempt" : `${delivery.attempts} attempts`}
        </p>
      </div>
      <DeliveryBadge delivery={delivery} />
    </li>
  );
}

const BADGES: Readonly<Record<Delivery["state"], { kind: string; words: string }>> = {
  acknowledged: { kind: "good", words: "Acknowledged" },
  failed: { kind: "bad", words: "Failed" },
  awaiting_retry: { kind: "waiting", words: "Waiting" },
  attempting: { kind: "waiting", words: "On its way" },
};

export function DeliveryBadge({ delivery }: { delivery: Delivery }) {
  const { kind, words } = BADGES[delivery.state];
  return <span class={`badge ${kind}`}>{words}</span>;
}

function rotatedView(ask: PersonAsk, rotated: Endpoint & { secret: string }): View {
  const place = placeOf(ask);
  return {
    title: "A new signing secret",
    section: "webhooks",
    body: (
      <>
        <Heading title="A new signing secret">
          <p>
            For <code safe>{rotated.url}</code>
          </p>
        </Heading>
        <SigningSecret secret={rotated.secret} />
        <p>
          <a href={inPlace(`${HERE}/${rotated.id}`, place)}>Back to the endpoint</a>
        </p>
      </>
    ),
  };
}
