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
import { agentInWords } from "../../request/agent.ts";
import { Ago, Button, Fault, Form, Rows } from "../../parts/parts.tsx";
import { field } from "../../request/forms.ts";
import { type PersonAsk, signedInPage, type View } from "../../request/route.ts";

const HERE = "/settings/browsers";

/** Which browsers are told of notifications by Web Push (docs/contract.md#12.19). */
export const browserPages = [
  signedInPage("GET", HERE, (ask) => view(ask)),
  signedInPage("POST", HERE, async (ask) => {
    const draft = check(
      PushDraft,
      Object.fromEntries(["endpoint", "p256dh", "auth"].map((name) => [name, field(ask.form, name)])),
    );
    await subscribeToPush(ask.core, ask.person.caller, draft);
    return { to: HERE, notice: "push-begun" };
  }),
  signedInPage("POST", `${HERE}/:id/end`, async (ask) => {
    await ask.write(() => endPushSubscription(ask.core, ask.person.caller, ask.params["id"] ?? ""));
    return { to: HERE, notice: "push-ended" };
  }),
];

async function view(ask: PersonAsk, error?: CoreError): Promise<View> {
  const { core, person } = ask;
  const words = ask.words.channels.browsers;
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
          <Fault ask={ask} error={error} />
          {browsers.some(({ isCurrent }) => isCurrent) ? (
            <p>{words.already}</p>
          ) : (
            <div data-push={await pushKey(core)} data-denied={words.denied} data-failed={words.failed}>
              <p class="hint" role="status" data-push-hint>
                {words.needsScript}
              </p>
              <form method="post" action={HERE} class="inline" hidden>
                <input type="hidden" name="form_token" value={ask.formToken} />
                {["endpoint", "p256dh", "auth"].map((name) => (
                  <input type="hidden" name={name} value="" />
                ))}
                <Button>{words.button}</Button>
              </form>
            </div>
          )}
        </section>
        {/* Before what follows is there: nothing below it moves when it shows the form. */}
        <script src={PUSH_SCRIPT.address} />
        <section class="part">
          <h2>{words.list}</h2>
          <Rows
            nodes={browsers}
            empty={words.none}
            lead={words.noneHint}
            row={(browser) => <BrowserRow browser={browser} ask={ask} />}
          />
        </section>
      </>
    ),
  };
}

function BrowserRow({ browser, ask }: { browser: PushSubscription; ask: PersonAsk }) {
  const words = ask.words.channels.browsers;
  const { id, agent, createdAt, succeededAt, isCurrent } = browser;
  return (
    <li>
      <div class="row-main">
        <p class="row-title" safe>
          {agentInWords(ask.words, agent)}
        </p>
        <p class="row-meta">
          {isCurrent ? <span class="badge">{words.current}</span> : ""}{" "}
          {words.added({ when: <Ago ask={ask} at={createdAt} /> })} ·{" "}
          {succeededAt === null
            ? words.neverReached
            : words.reached({ when: <Ago ask={ask} at={succeededAt} /> })}
        </p>
      </div>
      <Form
        action={`${HERE}/${id}/end`}
        ask={ask}
        kind="inline"
        label={words.stopOf({ agent: agentInWords(ask.words, agent) })}
      >
        <Button kind="danger">{words.stop}</Button>
      </Form>
    </li>
  );
}
