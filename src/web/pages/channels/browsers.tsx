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
import { agentText } from "../../request/agent.ts";
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
  const words = ctx.words.channels.browsers;
  const browsers = listPushSubscriptions(core, person.caller);
  return {
    title: words.title,
    section: "notifications",
    policy: { scripts: true },
    error,
    body: (
      <>
        <Heading title={words.title}>
          <p>{words.lead}</p>
        </Heading>
        <section class="part">
          <h2>{words.this}</h2>
          <Fault ctx={ctx} error={error} />
          {browsers.some(({ isCurrent }) => isCurrent) ? (
            <p>{words.already}</p>
          ) : (
            <div data-push={await pushKey(core)} data-denied={words.denied} data-failed={words.failed}>
              <p class="hint" role="status" data-push-hint>
                {words.needsScript}
              </p>
              <form method="post" action={HERE} class="inline" hidden>
                <input type="hidden" name="form_token" value={ctx.formToken} />
                {["endpoint", "p256dh", "auth"].map((name) => (
                  <input type="hidden" name={name} value="" />
                ))}
                <Button>{words.button}</Button>
              </form>
            </div>
          )}
        </section>
        {/* Loaded before the content below, so that showing the form moves nothing. */}
        <script src={PUSH_SCRIPT.address} />
        <section class="part">
          <h2>{words.list}</h2>
          <Rows
            nodes={browsers}
            empty={words.none}
            lead={words.noneHint}
            row={(browser) => <BrowserRow browser={browser} ctx={ctx} />}
          />
        </section>
      </>
    ),
  };
}

function BrowserRow({ browser, ctx }: { browser: PushSubscription; ctx: PersonContext }) {
  const words = ctx.words.channels.browsers;
  const { id, agent, createdAt, succeededAt, isCurrent } = browser;
  return (
    <li>
      <div class="row-main">
        <p class="row-title" safe>
          {agentText(ctx.words, agent)}
        </p>
        <p class="row-meta">
          {isCurrent ? <span class="badge">{words.current}</span> : ""}{" "}
          {words.added({ when: <Ago ctx={ctx} at={createdAt} /> })} ·{" "}
          {succeededAt === null
            ? words.neverReached
            : words.reached({ when: <Ago ctx={ctx} at={succeededAt} /> })}
        </p>
      </div>
      <Form
        action={`${HERE}/${id}/end`}
        ctx={ctx}
        kind="inline"
        label={words.stopOf({ agent: agentText(ctx.words, agent) })}
      >
        <Button kind="danger">{words.stop}</Button>
      </Form>
    </li>
  );
}
