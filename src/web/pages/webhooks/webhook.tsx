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
  type PersonContext,
  signedInPage,
  type View,
  type PageContext,
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

/** An endpoint: its health, its deliveries and all actions on it. */
export const webhookDetailPages = [
  signedInPage("GET", `${HERE}/:id`, (ctx) => endpointView(ctx)),
  withRepeats(
    signedInPage("POST", `${HERE}/:id`, (ctx) => {
      const workspacePath = workspaceOf(ctx);
      return showAgainOnError(
        async () => {
          const { url: typed, events } = readDraft(EndpointDraft, ctx.form);
          const url = await checkUrl(ctx.core, workspacePath.caller, typed);
          return reauthenticateIfRequired(ctx, addressOf(ctx), async () => {
            await ctx.write(() => changeEndpoint(ctx.core, workspacePath.caller, idOf(ctx), { url, events }));
            return { to: addressOf(ctx), notice: "endpoint-saved" };
          });
        },
        (error) => endpointView(ctx, error),
      );
    }),
    "events",
  ),
  signedInPage(
    "POST",
    `${HERE}/:id/rotate`,
    withReauthentication(addressOf, async (ctx) => {
      const { caller } = workspaceOf(ctx);
      const rotated = await ctx.write(() => rotateSecret(ctx.core, caller, idOf(ctx)));
      return rotatedView(ctx, rotated);
    }),
  ),
  signedInPage("POST", `${HERE}/:id/test`, async (ctx) => {
    const workspacePath = workspaceOf(ctx);
    const type = ctx.form.get("type") ?? undefined;
    const delivery = await ctx.write(() => sendTest(ctx.core, workspacePath.caller, idOf(ctx), type));
    return { to: workspaceUrl(`/settings/deliveries/${delivery.id}`, workspacePath), notice: "test-sent" };
  }),
  signedInPage("POST", `${HERE}/:id/enable`, (ctx) => switchTo(ctx, true)),
  signedInPage("POST", `${HERE}/:id/disable`, (ctx) => switchTo(ctx, false)),
  signedInPage("POST", `${HERE}/:id/delete`, async (ctx) => {
    const workspacePath = workspaceOf(ctx);
    await ctx.write(() => deleteEndpoint(ctx.core, workspacePath.caller, idOf(ctx)));
    return { to: workspaceUrl(HERE, workspacePath), notice: "endpoint-deleted" };
  }),
];

function addressOf(ctx: PersonContext): string {
  return workspaceUrl(`${HERE}/${idOf(ctx)}`, workspaceOf(ctx));
}

async function switchTo(ctx: PersonContext, enabled: boolean): Promise<Redirect> {
  const workspacePath = workspaceOf(ctx);
  await ctx.write(() => changeEndpoint(ctx.core, workspacePath.caller, idOf(ctx), { enabled }));
  return {
    to: workspaceUrl(`${HERE}/${idOf(ctx)}`, workspacePath),
    notice: enabled ? "endpoint-enabled" : "endpoint-disabled",
  };
}

function endpointView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.webhooks.endpoint;
  const { core } = ctx;
  const workspacePath = workspaceOf(ctx);
  const endpoint = getEndpoint(core, workspacePath.caller, idOf(ctx));
  const health = endpointFigures(core, workspacePath.caller, endpoint.id);
  return {
    title: messages.title,
    section: "webhooks",
    error,
    body: (
      <>
        <Heading title={hostOf(endpoint.url)} action={<EndpointState endpoint={endpoint} ctx={ctx} />}>
          <p>
            <code safe>{endpoint.url}</code>
          </p>
          {endpoint.owner.app === null ? (
            ""
          ) : (
            <p>{messages.ofApp({ app: <bdi safe>{endpoint.owner.app.name}</bdi> })}</p>
          )}
          <p>
            <a href={workspaceUrl(HERE, workspacePath)}>{ctx.messages.webhooks.all}</a>
          </p>
        </Heading>
        <Health endpoint={endpoint} ctx={ctx} workspacePath={workspacePath} />
        {health.deliveries > 0 && (
          <>
            <Figures ctx={ctx} health={health} />
            <div class="charts">
              <DaysChart ctx={ctx} days={health.days} />
              <LatencyChart ctx={ctx} attempts={health.attempts} />
            </div>
          </>
        )}
        <Deliveries ctx={ctx} workspacePath={workspacePath} endpoint={endpoint} />
        {endpoint.disabled ? "" : <TestForm ctx={ctx} workspacePath={workspacePath} />}
        <section class="part">
          <h2>{messages.changeTitle}</h2>
          <EndpointForm ctx={ctx} action={addressOf(ctx)} endpoint={endpoint} error={error}>
            <Submit>{messages.save}</Submit>
          </EndpointForm>
        </section>
        <section class="part">
          <h2>{ctx.messages.webhooks.secret.label}</h2>
          <p class="hint">{ctx.messages.webhooks.secret.lead}</p>
          <OlderSecrets ctx={ctx} ends={olderSecrets(core, workspacePath.caller, endpoint.id)} />
          <ActionForm
            ctx={ctx}
            workspacePath={workspacePath}
            act="rotate"
            label={ctx.messages.webhooks.secret.make}
          />
        </section>
        <section class="part">
          <h2>{messages.stop}</h2>
          <p class="hint">{messages.stopLead}</p>
          <div class="actions">
            {endpoint.disabled ? (
              ""
            ) : (
              <ActionForm ctx={ctx} workspacePath={workspacePath} act="disable" label={messages.pause} />
            )}
            <ActionForm
              ctx={ctx}
              workspacePath={workspacePath}
              act="delete"
              label={messages.delete}
              kind="danger"
            />
          </div>
        </section>
      </>
    ),
  };
}

function Figures({ ctx, health }: { ctx: PageContext; health: EndpointFigures }) {
  const { successRate, medianMs, p95Ms, byState } = health;
  const messages = ctx.messages.webhooks.figures;
  const { decimal } = ctx.messages.formats;
  const time = (ms: number | null): string => {
    if (ms === null) return messages.unknown;
    return ms < 1000
      ? messages.milliseconds({ milliseconds: ms })
      : messages.seconds({ seconds: decimal(ms / 1000, 1) });
  };
  const waiting = byState.awaiting_retry + byState.attempting;
  return (
    <dl class="figures">
      <div>
        <dt>{messages.acknowledged}</dt>
        <dd>
          {successRate === null
            ? messages.unknown
            : messages.percent({ percent: Math.floor(successRate * 1000) / 10 })}
        </dd>
      </div>
      <div>
        <dt>{messages.median}</dt>
        <dd>{time(medianMs)}</dd>
      </div>
      <div>
        <dt>{messages.slow}</dt>
        <dd>{time(p95Ms)}</dd>
      </div>
      <div>
        <dt>{messages.waiting}</dt>
        <dd>{ctx.messages.formats.number(waiting)}</dd>
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

function Deliveries({
  ctx,
  workspacePath,
  endpoint,
}: {
  ctx: PersonContext;
  workspacePath: WorkspacePath;
  endpoint: Endpoint;
}) {
  const { core, query } = ctx;
  const messages = ctx.messages.webhooks.deliveries;
  const chosen = STATES.find(({ state }) => state === (query.get("state") ?? undefined)) ?? STATES[0];
  const page = listDeliveries(
    core,
    workspacePath.caller,
    endpoint.id,
    { state: chosen.state },
    { limit: PAGE, cursor: query.get("cursor") ?? undefined },
  );
  const last = page.nodes.at(-1);
  const address = (more: Record<string, string | undefined>): string => {
    const given = {
      workspace: workspacePath.workspace.isPersonal ? undefined : workspacePath.workspace.id,
      ...more,
    };
    const text = new URLSearchParams(
      Object.entries(given).filter((pair): pair is [string, string] => !!pair[1]),
    );
    return `${HERE}/${endpoint.id}${text.size > 0 ? `?${text}` : ""}`;
  };
  const next =
    page.hasNextPage && last ? address({ state: chosen.state, cursor: page.cursorOf(last) }) : null;
  return (
    <section class="part" id="deliveries">
      <h2>{messages.title}</h2>
      <div class="actions with-space">
        <a class="button quiet" href={workspaceUrl(`${HERE}/${endpoint.id}/recover`, workspacePath)}>
          {messages.again}
        </a>
      </div>
      <nav class="choice-row" aria-label={messages.state}>
        {STATES.map(({ state, name }) => (
          <a href={address({ state })} aria-current={state === chosen.state ? "true" : undefined}>
            {messages[name]}
          </a>
        ))}
      </nav>
      <Rows
        nodes={page.nodes}
        empty={messages.empty}
        lead={messages.emptyLead}
        row={(delivery) => <DeliveryRow delivery={delivery} workspacePath={workspacePath} ctx={ctx} />}
      />
      <More ctx={ctx} href={next} />
    </section>
  );
}

function DeliveryRow({
  delivery,
  workspacePath,
  ctx,
}: {
  delivery: Delivery;
  workspacePath: WorkspacePath;
  ctx: PageContext;
}) {
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={workspaceUrl(`/settings/deliveries/${delivery.id}`, workspacePath)} safe>
            {delivery.eventType}
          </a>
        </p>
        <p class="row-meta">
          <Ago ctx={ctx} at={delivery.createdAt} /> ·{" "}
          {ctx.messages.webhooks.deliveries.attempts({ count: delivery.attempts })}
        </p>
      </div>
      <DeliveryBadge ctx={ctx} delivery={delivery} />
    </li>
  );
}

const BADGES = {
  acknowledged: { kind: "good", name: "acknowledged" },
  failed: { kind: "bad", name: "failed" },
  awaiting_retry: { kind: "waiting", name: "waiting" },
  attempting: { kind: "waiting", name: "onItsWay" },
} as const satisfies Readonly<Record<Delivery["state"], { kind: string; name: string }>>;

export function DeliveryBadge({ ctx, delivery }: { ctx: PageContext; delivery: Delivery }) {
  const { kind, name } = BADGES[delivery.state];
  return <span class={`badge ${kind}`}>{ctx.messages.webhooks.delivery[name]}</span>;
}

function rotatedView(ctx: PersonContext, rotated: Endpoint & { secret: string }): View {
  const messages = ctx.messages.webhooks.secret;
  const workspacePath = workspaceOf(ctx);
  return {
    title: messages.newTitle,
    section: "webhooks",
    body: (
      <>
        <Heading title={messages.newTitle}>
          <p>{messages.of({ url: <code safe>{rotated.url}</code> })}</p>
        </Heading>
        <SigningSecret ctx={ctx} secret={rotated.secret} />
        <p>
          <a href={workspaceUrl(`${HERE}/${rotated.id}`, workspacePath)}>{messages.back}</a>
        </p>
      </>
    ),
  };
}
