/** @jsxImportSource @kitajs/html */
import { DAY, HOUR } from "../../core/clock.ts";
import { recoverDeliveries } from "../../core/deliveries/delivery-log.ts";
import { countRecoverable } from "../../core/deliveries/delivery-stats.ts";
import { getEndpoint } from "../../core/webhooks/webhooks.ts";
import { Heading } from "../layout.tsx";
import { Button, Choices, Empty, Form } from "../parts.tsx";
import { type PersonAsk, personal, type View } from "../route.ts";
import { inPlace, placeOf } from "../workspace-choice.tsx";
import { idOf } from "./webhook.tsx";

const HERE = "/settings/webhooks";

/** Sending again what failed for an endpoint. */
export const recoverPages = [
  personal("GET", `${HERE}/:id/recover`, (ask) => recoverView(ask)),
  personal("POST", `${HERE}/:id/recover`, async (ask) => {
    const place = placeOf(ask);
    const since = ask.core.clock.now() - spanOf(ask.form).ms;
    await ask.write(() => recoverDeliveries(ask.core, place.caller, idOf(ask), since));
    return { to: inPlace(`${HERE}/${idOf(ask)}`, place), notice: "recovered" };
  }),
];

const SPANS = [
  { value: "1h", words: "the last hour", ms: HOUR },
  { value: "1d", words: "the last 24 hours", ms: DAY },
  { value: "7d", words: "the last 7 days", ms: 7 * DAY },
  { value: "30d", words: "the last 30 days", ms: 30 * DAY },
] as const;

function spanOf(form: URLSearchParams) {
  return SPANS.find(({ value }) => value === form.get("since")) ?? SPANS[1];
}

/** Says what would be sent before it is sent. */
function recoverView(ask: PersonAsk): View {
  const { core } = ask;
  const place = placeOf(ask);
  const endpoint = getEndpoint(core, place.caller, idOf(ask));
  const counts = SPANS.map((span) => ({
    ...span,
    count: countRecoverable(core, place.caller, endpoint.id, core.clock.now() - span.ms),
  }));
  const isAny = counts.some(({ count }) => count > 0);
  return {
    title: "Recover what failed",
    section: "webhooks",
    body: (
      <>
        <Heading title="Recover what failed">
          <p>
            Sends everything again that failed for <code safe>{endpoint.url}</code>. Your receiver may get an
            event twice: drop those whose id it knows.
          </p>
          <p>
            <a href={inPlace(`${HERE}/${endpoint.id}`, place)}>Back to the endpoint</a>
          </p>
        </Heading>
        {isAny && !endpoint.disabled ? (
          <Form action={inPlace(`${HERE}/${endpoint.id}/recover`, place)} token={ask.formToken} kind="stack">
            <Choices
              legend="From when on"
              name="since"
              type="radio"
              options={counts.map(({ value, words, count }) => ({
                value,
                words: words.replace(/^the l/, "The l"),
                hint: count === 1 ? "1 delivery" : `${count.toLocaleString("en")} deliveries`,
                isOn: value === "1d",
              }))}
            />
            <div class="actions">
              <Button>Send them again</Button>
            </div>
          </Form>
        ) : (
          <Empty title={endpoint.disabled ? "The endpoint is paused" : "Nothing has failed"}>
            <p>
              {endpoint.disabled
                ? "Let deliveries go out again first."
                : "In the last thirty days everything was acknowledged, or still waits."}
            </p>
          </Empty>
        )}
      </>
    ),
  };
}
