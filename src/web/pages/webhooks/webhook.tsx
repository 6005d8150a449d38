/** @jsxImportSource @kitajs/html */
import { listDeliveries, sendTest, type Delivery } from "../../../core/outbox/deliveries/delivery-log.ts";
import { type EndpointFigures, endpointFigures } from "../../../core/outbox/deliveries/delivery-stats.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { type Endpoint, EndpointDraft } from "../../../core/outbox/webhooks/endpoint.ts";
import {
  changeEndpoint,
  checkUrl,
  deleteEndpoint,
  getEndpoint,
  olderSecrets,
  rotateSecret,
} from "../../../core/outbox/webhooks/webhooks.ts";
import { DaysChart, LatencyChart } from "./charts.tsx";
import { showAgainOnError, readDraft } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, More, Rows, Submit } from "../../parts/parts.tsx";
import {
  type PersonAsk,
  signedInPage,
  type View,
  type PageAsk,
  type Redirect,
  withRepeats,
} from "../../request/route.ts";
import { workspaceUrl, type WorkspacePath, workspaceOf } from "../../parts/workspace-choice.tsx";
import { hostOf } from "../../parts/failing-endpoints.tsx";
import { withReauthentication, reauthenticateIfRequired } from "../entry/reauthentication.tsx";
import { ActionForm, Health, idOf, OlderSecrets, TestForm } from "./webhook-parts.tsx";
import { EndpointForm, EndpointState, SigningSecret } from "./webhooks.tsx";

const HERE = "/settings/webhooks";
const PAGE = 20;

/** One endpoint: how it does, what was sent to it, and all that can be done with it. */
export const webhookDetailPages = [
  signedInPage("GET", `${HERE}/:id`, (ask) => endpointView(ask)),
  withRepeats(
    signedInPage("POST", `${HERE}/:id`, (ask) => {
      const place = workspaceOf(ask);
      return showAgainOnError(
        async () => {
          const { url: typed, events } = readDraft(EndpointDraft, ask.form);
          const url = await checkUrl(ask.core, place.caller, typed);
          return reauthenticateIfRequired(ask, addressOf(ask), async () => {
            await ask.write(() => changeEndpoint(ask.core, place.caller, idOf(ask), { url, events }));
            return { to: addressOf(ask), notice: "endpoint-saved" };
          });
        },
        (error) => endpointView(ask, error),
      );
    }),
    "events",
  ),
  signedInPage(
    "POST",
    `${HERE}/:id/rotate`,
    withReauthentication(addressOf, async (ask) => {
      const { caller } = workspaceOf(ask);
      const rotated = await ask.write(() => rotateSecret(ask.core, caller, idOf(ask)));
      return rotatedView(ask, rotated);
    }),
  ),
  signedInPage("POST", `${HERE}/:id/test`, async (ask) => {
    const place = workspaceOf(ask);
    const type = ask.form.get("type") ?? undefined;
    const delivery = await ask.write(() => sendTest(ask.core, place.caller, idOf(ask), type));
    return { to: workspaceUrl(`/settings/deliveries/${delivery.id}`, place), notice: "test-sent" };
  }),
  signedInPage("POST", `${HERE}/:id/enable`, (ask) => switchTo(ask, true)),
  signedInPage("POST", `${HERE}/:id/disable`, (ask) => switchTo(ask, false)),
  signedInPage("POST", `${HERE}/:id/delete`, async (ask) => {
    const place = workspaceOf(ask);
    await ask.write(() => deleteEndpoint(ask.core, place.caller, idOf(ask)));
    return { to: workspaceUrl(HERE, place), notice: "endpoint-deleted" };
  }),
];

function addressOf(ask: PersonAsk): string {
  return workspaceUrl(`${HERE}/${idOf(ask)}`, workspaceOf(ask));
}

async function switchTo(ask: PersonAsk, enabled: boolean): Promise<Redirect> {
  const place = workspaceOf(ask);
  await ask.write(() => changeEndpoint(ask.core, place.caller, idOf(ask), { enabled }));
  return {
    to: workspaceUrl(`${HERE}/${idOf(ask)}`, place),
    notice: enabled ? "endpoint-enabled" : "endpoint-disabled",
  };
}

function endpointView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.webhooks.endpoint;
  const { core } = ask;
  const place = workspaceOf(ask);
  const endpoint = getEndpoint(core, place.caller, idOf(ask));
  const health = endpointFigures(core, place.caller, endpoint.id);
  return {
    title: words.title,
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
            <p>{words.ofApp({ app: <bdi safe>{endpoint.owner.app.name}</bdi> })}</p>
          )}
          <p>
            <a href={workspaceUrl(HERE, place)}>{ask.words.webhooks.all}</a>
          </p>
        </Heading>
        <Health endpoint={endpoint} ask={ask} place={place} />
        <Figures ask={ask} health={health} />
        {health.deliveries > 0 && (
          <div class="charts">
            <DaysChart ask={ask} days={health.days} />
            <LatencyChart ask={ask} attempts={health.attempts} />
          </div>
        )}
        <Deliveries ask={ask} place={place} endpoint={endpoint} />
        {endpoint.disabled ? "" : <TestForm ask={ask} place={place} />}
        <section class="part">
          <h2>{words.changeTitle}</h2>
          <EndpointForm ask={ask} action={addressOf(ask)} endpoint={endpoint} error={error}>
            <Submit>{words.save}</Submit>
          </EndpointForm>
        </section>
        <section class="part">
          <h2>{ask.words.webhooks.secret.label}</h2>
          <p class="hint">{ask.words.webhooks.secret.lead}</p>
          <OlderSecrets ask={ask} ends={olderSecrets(core, place.caller, endpoint.id)} />
          <ActionForm ask={ask} place={place} act="rotate" words={ask.words.webhooks.secret.make} />
        </section>
        <section class="part">
          <h2>{words.stop}</h2>
          <p class="hint">{words.stopLead}</p>
          <div class="actions">
            {endpoint.disabled ? (
              ""
            ) : (
              <ActionForm ask={ask} place={place} act="disable" words={words.pause} />
            )}
            <ActionForm ask={ask} place={place} act="delete" words={words.delete} kind="danger" />
          </div>
        </section>
      </>
    ),
  };
}

function Figures({ ask, health }: { ask: PageAsk; health: EndpointFigures }) {
  const { successRate, medianMs, p95Ms, byState } = health;
  const words = ask.words.webhooks.figures;
  const { decimal } = ask.words.formats;
  const time = (ms: number | null): string => {
    if (ms === null) return words.unknown;
    return ms < 1000
      ? words.milliseconds({ milliseconds: ms })
      : words.seconds({ seconds: decimal(ms / 1000, 1) });
  };
  const waiting = byState.awaiting_retry + byState.attempting;
  return (
    <dl class="figures">
      <div>
        <dt>{words.acknowledged}</dt>
        <dd>
          {successRate === null
            ? words.unknown
            : words.percent({ percent: Math.floor(successRate * 1000) / 10 })}
        </dd>
      </div>
      <div>
        <dt>{words.median}</dt>
        <dd>{time(medianMs)}</dd>
      </div>
      <div>
        <dt>{words.slow}</dt>
        <dd>{time(p95Ms)}</dd>
      </div>
      <div>
        <dt>{words.waiting}</dt>
        <dd>{ask.words.formats.number(waiting)}</dd>
      </div>
    </dl>
  );
}

const STATES = [
  { state: undefined, name: "all" },
  { state: "awaiting_retry", name: "waiting" },
  { state: "acknowledged", name: "acknowledged" },
  { state: "failed", name: "failed" },
] as const;

function Deliveries({ ask, place, endpoint }: { ask: PersonAsk; place: WorkspacePath; endpoint: Endpoint }) {
  const { core, query } = ask;
  const words = ask.words.webhooks.deliveries;
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
      <h2>{words.title}</h2>
      <div class="actions with-space">
        <a class="button quiet" href={workspaceUrl(`${HERE}/${endpoint.id}/recover`, place)}>
          {words.again}
        </a>
      </div>
      <nav class="choice-row" aria-label={words.state}>
        {STATES.map(({ state, name }) => (
          <a href={address({ state })} aria-current={state === chosen.state ? "true" : undefined}>
            {words[name]}
          </a>
        ))}
      </nav>
      <Rows
        nodes={page.nodes}
        empty={words.empty}
        lead={words.emptyLead}
        row={(delivery) => <DeliveryRow delivery={delivery} place={place} ask={ask} />}
      />
      <More ask={ask} href={next} />
    </section>
  );
}

function DeliveryRow({ delivery, place, ask }: { delivery: Delivery; place: WorkspacePath; ask: PageAsk }) {
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={workspaceUrl(`/settings/deliveries/${delivery.id}`, place)} safe>
            {delivery.eventType}
          </a>
        </p>
        <p class="row-meta">
          <Ago ask={ask} at={delivery.createdAt} /> ·{" "}
          {ask.words.webhooks.deliveries.attempts({ count: delivery.attempts })}
        </p>
      </div>
      <DeliveryBadge ask={ask} delivery={delivery} />
    </li>
  );
}

const BADGES = {
  acknowledged: { kind: "good", name: "acknowledged" },
  failed: { kind: "bad", name: "failed" },
  awaiting_retry: { kind: "waiting", name: "waiting" },
  attempting: { kind: "waiting", name: "onItsWay" },
} as const satisfies Readonly<Record<Delivery["state"], { kind: string; name: string }>>;

export function DeliveryBadge({ ask, delivery }: { ask: PageAsk; delivery: Delivery }) {
  const { kind, name } = BADGES[delivery.state];
  return <span class={`badge ${kind}`}>{ask.words.webhooks.deliveries[name]}</span>;
}

function rotatedView(ask: PersonAsk, rotated: Endpoint & { secret: string }): View {
  const words = ask.words.webhooks.secret;
  const place = workspaceOf(ask);
  return {
    title: words.newTitle,
    section: "webhooks",
    body: (
      <>
        <Heading title={words.newTitle}>
          <p>{words.of({ url: <code safe>{rotated.url}</code> })}</p>
        </Heading>
        <SigningSecret ask={ask} secret={rotated.secret} />
        <p>
          <a href={workspaceUrl(`${HERE}/${rotated.id}`, place)}>{words.back}</a>
        </p>
      </>
    ),
  };
}
