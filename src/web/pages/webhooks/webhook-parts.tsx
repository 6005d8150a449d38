/** @jsxImportSource @kitajs/html */
import { ALL_EVENT_NAMES } from "../../../core/outbox/events/catalogue.ts";
import { isFailingForADay } from "../../../core/outbox/webhooks/health.ts";
import type { Endpoint } from "../../../core/outbox/webhooks/endpoint.ts";
import { Button, Submit, Card, Form, Select, Time } from "../../parts/parts.tsx";
import type { PersonAsk } from "../../request/route.ts";
import { inPlace, type Place } from "../../parts/workspace-choice.tsx";

/* What the page of one endpoint is made of. */

const HERE = "/settings/webhooks";

export function idOf({ params }: PersonAsk): string {
  return params["id"] ?? "";
}

/** What its owner should know of how it does; nothing of one that is well. */
export function Health({ endpoint, ask, place }: { endpoint: Endpoint; ask: PersonAsk; place: Place }) {
  const { disabled, health } = endpoint;
  if (disabled) return <Disabled disabled={disabled} ask={ask} place={place} />;
  if (health.failingSince === null) return "";
  return (
    <Card
      {...(isFailingForADay(health, ask.core.clock.now()) ? { kind: "danger" } : {})}
      title="It is failing"
    >
      <p>
        It has acknowledged nothing since <Time ask={ask} at={health.failingSince} /> UTC. What is sent to it
        is tried again for 24 hours; after five days without one acknowledgement it is switched off.
      </p>
    </Card>
  );
}

function Disabled({
  disabled,
  ask,
  place,
}: {
  disabled: NonNullable<Endpoint["disabled"]>;
  ask: PersonAsk;
  place: Place;
}) {
  return (
    <Card kind="danger" title="Deliveries are paused">
      <p>
        <span safe>{disabled.reason}</span> Since <Time ask={ask} at={disabled.at} /> UTC. The newest thousand
        that wait are kept for three days; the others fail, and can be sent again.
      </p>
      <div class="actions">
        <Act ask={ask} place={place} act="enable" words="Deliver again" kind="primary" />
        {disabled.code === "switched_off" ? (
          ""
        ) : (
          <Act ask={ask} place={place} act="disable" words="Leave it off" />
        )}
      </div>
    </Card>
  );
}

/** A test of any type, as of the real thing. */
export function Test({ ask, place }: { ask: PersonAsk; place: Place }) {
  return (
    <section class="part" id="test">
      <h2>Try it</h2>
      <p class="hint">
        A test is signed and sent as any other event, about nothing that exists: each identifier in it ends in
        zeros.
      </p>
      <Form action={inPlace(`${HERE}/${idOf(ask)}/test`, place)} token={ask.formToken} kind="stack">
        <Select
          name="type"
          label="Type"
          options={TESTS.map((type) => ({ value: type, words: type, isOn: type === "webhook.test" }))}
        />
        <Submit kind="quiet">Send a test event</Submit>
      </Form>
    </section>
  );
}

/** The plain one first. */
const TESTS = ALL_EVENT_NAMES.toSorted((a, b) => Number(b === "webhook.test") - Number(a === "webhook.test"));

/** Which secrets from before a rotation are valid still. */
export function OlderSecrets({ ask, ends }: { ask: PersonAsk; ends: readonly number[] }) {
  if (ends.length === 0) return "";
  return (
    <p class="hint">
      {ends.length === 1
        ? "One older secret still signs, until "
        : `${ends.length} older secrets still sign, until `}
      {ends.map((end, index) => (
        <>
          {index === 0 ? "" : index === ends.length - 1 ? " and " : ", "}
          <Time ask={ask} at={end} />
        </>
      ))}{" "}
      UTC.
    </p>
  );
}

/** One thing that can be done with it, by a button. */
export function Act({
  ask,
  place,
  act,
  words,
  kind = "quiet",
}: {
  ask: PersonAsk;
  place: Place;
  act: string;
  words: string;
  kind?: "quiet" | "danger" | "primary";
}) {
  return (
    <Form action={inPlace(`${HERE}/${idOf(ask)}/${act}`, place)} token={ask.formToken} kind="inline">
      <Button kind={kind}>{words}</Button>
    </Form>
  );
}
