/** @jsxImportSource @kitajs/html */
import { DAY, HOUR } from "../../../core/ground/clock.ts";
import { recoverDeliveries } from "../../../core/outbox/deliveries/delivery-log.ts";
import { countRecoverable } from "../../../core/outbox/deliveries/delivery-stats.ts";
import type { RecoverState } from "../../../core/outbox/deliveries/recovery.ts";
import { getEndpoint } from "../../../core/outbox/webhooks/webhooks.ts";
import { Heading } from "../../parts/layout.tsx";
import { Submit, Choices, Empty, Form } from "../../parts/parts.tsx";
import { type PersonAsk, personal, type View } from "../../request/route.ts";
import { inPlace, type Place, placeOf } from "../../parts/workspace-choice.tsx";
import { idOf } from "./webhook-parts.tsx";

const HERE = "/settings/webhooks";

/**
 * Sending a range again: what failed for an endpoint, what it had acknowledged, what it missed while it was
 * off.
 */
export const recoverPages = [
  personal("GET", `${HERE}/:id/recover`, (ask) => recoverView(ask)),
  personal("POST", `${HERE}/:id/recover`, async (ask) => {
    const place = placeOf(ask);
    const { ms } = SPANS.find(({ value }) => value === ask.form.get("since")) ?? SPANS[1];
    const { state } = WHATS.find(({ value }) => value === ask.form.get("what")) ?? WHATS[0];
    const wanted = {
      since: ask.core.clock.now() - ms,
      state,
      missed: ask.form.get("missed") === "yes",
    };
    await ask.write(() => recoverDeliveries(ask.core, place.caller, idOf(ask), wanted));
    return { to: inPlace(`${HERE}/${idOf(ask)}`, place), notice: "recovered" };
  }),
];

const SPANS = [
  { value: "1h", words: "The last hour", ms: HOUR },
  { value: "1d", words: "The last 24 hours", ms: DAY },
  { value: "7d", words: "The last 7 days", ms: 7 * DAY },
  { value: "30d", words: "The last 30 days", ms: 30 * DAY },
] as const;

const WHATS = [
  { value: "failed", state: "failed", words: "What failed", hint: "" },
  {
    value: "acknowledged",
    state: "acknowledged",
    words: "What was acknowledged",
    hint: "For a receiver that has lost what it had.",
  },
  { value: "any", state: "any", words: "Both", hint: "" },
] as const satisfies readonly { value: string; state: RecoverState; words: string; hint: string }[];

/** More are not counted: looking must cost the same however many there are. */
const COUNTED_MAX = 500;

/** Says what would be sent before it is sent. */
function recoverView(ask: PersonAsk): View {
  const place = placeOf(ask);
  const endpoint = getEndpoint(ask.core, place.caller, idOf(ask));
  return {
    title: "Send again",
    section: "webhooks",
    body: (
      <>
        <Heading title="Send again">
          <p>
            To <code safe>{endpoint.url}</code>, the oldest first. Your receiver may get an event twice: drop
            those whose id it knows.
          </p>
          <p>
            <a href={inPlace(`${HERE}/${endpoint.id}`, place)}>Back to the endpoint</a>
          </p>
        </Heading>
        {endpoint.disabled ? (
          <Empty title="The endpoint is paused">
            <p>Let deliveries go out again first.</p>
          </Empty>
        ) : (
          <RangeForm ask={ask} place={place} id={endpoint.id} />
        )}
      </>
    ),
  };
}

function RangeForm({ ask, place, id }: { ask: PersonAsk; place: Place; id: string }) {
  const now = ask.core.clock.now();
  return (
    <Form action={inPlace(`${HERE}/${id}/recover`, place)} token={ask.formToken} kind="stack">
      <Choices
        legend="From when on"
        name="since"
        type="radio"
        options={SPANS.map(({ value, words, ms }) => {
          const count = (state: RecoverState) =>
            countRecoverable(
              ask.core,
              place.caller,
              id,
              { since: now - ms, state, missed: state === "failed" },
              COUNTED_MAX,
            );
          const { recovered: failed, missed } = count("failed");
          return {
            value,
            words,
            hint: `${inWords(failed)} failed · ${inWords(count("acknowledged").recovered)} acknowledged · ${inWords(missed)} missed`,
            isOn: value === "1d",
          };
        })}
      />
      <Choices
        legend="What"
        name="what"
        type="radio"
        options={WHATS.map(({ value, words, hint }) => ({
          value,
          words,
          ...(hint === "" ? {} : { hint }),
          isOn: value === "failed",
        }))}
      />
      <Choices
        legend="Beside it"
        name="missed"
        options={[
          {
            value: "yes",
            words: "What it missed",
            hint: "What fired while it was off, or did not listen to that type yet. Each event once.",
            isOn: false,
          },
        ]}
      />
      <Submit>Send them again</Submit>
    </Form>
  );
}

function inWords(count: number): string {
  return count >= COUNTED_MAX ? `${COUNTED_MAX} or more` : String(count);
}
