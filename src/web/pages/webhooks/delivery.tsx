/** @jsxImportSource @kitajs/html */
import {
  type AttemptRecord,
  type Delivery,
  getDelivery,
  retryDelivery,
} from "../../../core/outbox/deliveries/delivery-log.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Form, Time } from "../../parts/parts.tsx";
import { type PersonContext, signedInPage, type View, type PageContext } from "../../request/route.ts";
import { describeFailure } from "../../parts/sentences.ts";
import { workspaceUrl, workspaceOf } from "../../parts/workspace-choice.tsx";
import { DeliveryBadge } from "./webhook.tsx";

const HERE = "/settings/deliveries";

/** A delivery and the timeline of its attempts. */
export const deliveryPages = [
  signedInPage("GET", `${HERE}/:id`, (ctx) => deliveryView(ctx)),
  signedInPage("POST", `${HERE}/:id/retry`, async (ctx) => {
    const workspacePath = workspaceOf(ctx);
    const id = ctx.params["id"] ?? "";
    await ctx.write(() => retryDelivery(ctx.core, workspacePath.caller, id));
    return { to: workspaceUrl(`${HERE}/${id}`, workspacePath), notice: "delivery-retried" };
  }),
];

function deliveryView(ctx: PersonContext): View {
  const { core } = ctx;
  const workspacePath = workspaceOf(ctx);
  const delivery = getDelivery(core, workspacePath.caller, ctx.params["id"] ?? "");
  const messages = ctx.messages.webhooks.delivery;
  const isOver = delivery.state === "failed" || delivery.state === "acknowledged";
  return {
    title: messages.title({ type: delivery.eventType }),
    section: "webhooks",
    body: (
      <>
        <Heading title={delivery.eventType} action={<DeliveryBadge ctx={ctx} delivery={delivery} />}>
          <p>
            <a href={workspaceUrl(`/settings/webhooks/${delivery.endpointId}`, workspacePath)}>
              {ctx.messages.webhooks.secret.back}
            </a>
          </p>
        </Heading>
        <dl class="facts">
          <dt>{messages.event}</dt>
          <dd>
            <code safe>{delivery.eventId}</code>
          </dd>
          <dt>{messages.delivery}</dt>
          <dd>
            <code safe>{delivery.id}</code>
          </dd>
          <dt>{messages.fired}</dt>
          <dd>
            <Time ctx={ctx} at={delivery.createdAt} />
          </dd>
        </dl>
        <section class="part">
          <h2>{messages.attempts}</h2>
          <ol class="timeline">
            {delivery.log.map((attempt, index) => (
              <Attempt ctx={ctx} attempt={attempt} number={index + 1} />
            ))}
            <Next delivery={delivery} ctx={ctx} />
          </ol>
        </section>
        {delivery.state !== "attempting" && (
          <section class="part">
            <Form
              action={workspaceUrl(`${HERE}/${delivery.id}/retry`, workspacePath)}
              ctx={ctx}
              kind="inline"
            >
              <Button kind="quiet">{isOver ? messages.again : messages.now}</Button>
            </Form>
          </section>
        )}
      </>
    ),
  };
}

function Attempt({ ctx, attempt, number }: { ctx: PersonContext; attempt: AttemptRecord; number: number }) {
  const messages = ctx.messages.webhooks.delivery;
  return (
    <li class={attempt.error === null ? "good" : "bad"}>
      <p class="row-title" dir="auto" safe>
        {attempt.status === null
          ? messages.attempt({ index: number })
          : messages.attemptWith({ index: number, status: attempt.status })}
      </p>
      <p class="row-meta">
        {messages.attemptAt({ ms: attempt.durationMs, when: <Time ctx={ctx} at={attempt.startedAt} /> })}
        {attempt.code === null ? (
          ""
        ) : (
          <>
            {" · "}
            <code safe>{attempt.code}</code>
          </>
        )}
      </p>
      {attempt.error === null ? (
        ""
      ) : (
        <p dir="auto" lang={attempt.code === null ? "en" : undefined} safe>
          {attempt.code === null
            ? attempt.error
            : describeFailure(ctx.messages, { code: attempt.code, params: attempt.params })}
        </p>
      )}
      {attempt.answer && (
        <pre class="sample" dir="auto" tabindex="0" aria-label={messages.answer} safe>
          {attempt.answer}
        </pre>
      )}
    </li>
  );
}

/** The time of the next attempt, or “none”. */
function Next({ delivery, ctx }: { delivery: Delivery; ctx: PageContext }) {
  const messages = ctx.messages.webhooks.delivery;
  if (delivery.state === "acknowledged" || delivery.state === "failed") {
    return (
      <li class={delivery.state === "failed" ? "bad" : "good"}>
        <p class="row-title" dir="auto">
          {delivery.state === "failed" ? messages.givenUp : messages.acknowledged}
        </p>
        {delivery.givenUp ? <p>{ctx.messages.deliveries.givenUp[delivery.givenUp.code]}</p> : ""}
        {delivery.settledAt === null ? (
          ""
        ) : (
          <p class="row-meta">
            <Time ctx={ctx} at={delivery.settledAt} />
          </p>
        )}
      </li>
    );
  }
  return (
    <li class="waiting">
      <p class="row-title" dir="auto">
        {delivery.state === "attempting"
          ? messages.onItsWay
          : delivery.nextAttemptAt === null
            ? messages.paused
            : delivery.nextAttemptAt <= ctx.core.clock.now()
              ? messages.due
              : messages.next({ when: <Ago ctx={ctx} at={delivery.nextAttemptAt} /> })}
      </p>
    </li>
  );
}
