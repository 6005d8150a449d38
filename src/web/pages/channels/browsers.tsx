/** @jsxImportSource @kitajs/html */
import {
  endPushSubscription,
  listPushSubscriptions,
  PushDraft,
  pushKey,
  type PushSubscription,
  subscribeToPush,
} from "../../../core/outbox/push/push.ts";
import { check } from "../../../core/base/check.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { PUSH_SCRIPT } from "../../assets.ts";
import { Heading } from "../../parts/layout.tsx";
import { NotificationTabs } from "../../parts/notification-tabs.tsx";
import { agentName } from "../../request/agent.ts";
import { Ago, Button, Fault, Form, Rows } from "../../parts/parts.tsx";
import { field } from "../../request/forms.ts";
import { type PersonContext, signedInPage, type View } from "../../request/route.ts";

const HERE = "/settings/browsers";

/** The browsers that receive notifications by Web Push (docs/contract.md#12.19). */
export const browserPages = [
  signedInPage("GET", HERE, (ctx) => view(ctx)),
  signedInPage("POST", HERE, async (ctx) => {
    const draft = check(
      PushDraft,
      Object.fromEntries(["endpoint", "p256dh", "auth"].map((name) => [name, field(ctx.form, name)])),
    );
    await subscribeToPush(ctx.core, ctx.person.caller, draft);
    return { to: HERE, notice: "push-begun" };
  }),
  signedInPage("POST", `${HERE}/:id/end`, async (ctx) => {
    await ctx.write(() => endPushSubscription(ctx.core, ctx.person.caller, ctx.params["id"] ?? ""));
    return { to: HERE, notice: "push-ended" };
  }),
];

async function view(ctx: PersonContext, error?: CoreError): Promise<View> {
  const { core, person } = ctx;
  const messages = ctx.messages.channels.browsers;
  const browsers = listPushSubscriptions(core, person.caller);
  return {
    title: messages.title,
    section: "notifications",
    policy: { scripts: true },
    error,
    body: (
      <>
        <NotificationTabs ctx={ctx} />
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        <section class="part">
          <h2>{messages.this}</h2>
          <Fault ctx={ctx} error={error} />
          {browsers.some(({ isCurrent }) => isCurrent) ? (
            <p>{messages.already}</p>
          ) : (
            <div data-push={await pushKey(core)} data-denied={messages.denied} data-failed={messages.failed}>
              <p class="hint" role="status" data-push-hint>
                {messages.needsScript}
              </p>
              <form method="post" action={HERE} class="inline" hidden>
                <input type="hidden" name="form_token" value={ctx.formToken} />
                {["endpoint", "p256dh", "auth"].map((name) => (
                  <input type="hidden" name={name} value="" />
                ))}
                <Button>{messages.button}</Button>
              </form>
            </div>
          )}
        </section>
        {/* Loaded before the content below, so that nothing moves when the script shows the form. */}
        <script src={PUSH_SCRIPT.address} />
        <section class="part">
          <h2>{messages.list}</h2>
          <Rows
            nodes={browsers}
            empty={messages.none}
            lead={messages.noneHint}
            row={(browser) => <BrowserRow browser={browser} ctx={ctx} />}
          />
        </section>
      </>
    ),
  };
}

function BrowserRow({ browser, ctx }: { browser: PushSubscription; ctx: PersonContext }) {
  const messages = ctx.messages.channels.browsers;
  const { id, agent, createdAt, succeededAt, isCurrent } = browser;
  return (
    <li>
      <div class="row-main">
        <p class="row-title" safe>
          {agentName(ctx.messages, agent)}
        </p>
        <p class="row-meta">
          {isCurrent ? <span class="badge">{messages.current}</span> : ""}{" "}
          {messages.added({ when: <Ago ctx={ctx} at={createdAt} /> })} ·{" "}
          {succeededAt === null
            ? messages.neverReached
            : messages.reached({ when: <Ago ctx={ctx} at={succeededAt} /> })}
        </p>
      </div>
      <Form
        action={`${HERE}/${id}/end`}
        ctx={ctx}
        kind="inline"
        label={messages.stopOf({ agent: agentName(ctx.messages, agent) })}
      >
        <Button kind="danger">{messages.stop}</Button>
      </Form>
    </li>
  );
}
