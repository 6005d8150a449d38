/** @jsxImportSource @kitajs/html */
import { ALL_EVENT_NAMES } from "../../../core/outbox/events/catalogue.ts";
import { isFailingForADay } from "../../../core/outbox/webhooks/health.ts";
import type { Endpoint } from "../../../core/outbox/webhooks/endpoint.ts";
import { Button, Submit, Card, Form, Select, Time } from "../../parts/parts.tsx";
import type { PersonAsk } from "../../request/route.ts";
import { workspaceUrl, type WorkspacePath } from "../../parts/workspace-choice.tsx";

/* What the page of one endpoint is made of. */

const HERE = "/settings/webhooks";

export function idOf({ params }: PersonAsk): string {
  return params["id"] ?? "";
}

/** The problems of an endpoint; nothing for a healthy one. */
export function Health({
  endpoint,
  ask,
  place,
}: {
  endpoint: Endpoint;
  ask: PersonAsk;
  place: WorkspacePath;
}) {
  const words = ask.words.webhooks.endpoint;
  const { disabled, health } = endpoint;
  if (disabled) return <Disabled disabled={disabled} ask={ask} place={place} />;
  if (health.failingSince === null) return "";
  return (
    <Card
      {...(isFailingForADay(health, ask.core.clock.now()) ? { kind: "danger" } : {})}
      title={words.failing}
    >
      <p>
        {words.failingLead({
          when: <Time ask={ask} at={health.failingSince} />,
        })}
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
  place: WorkspacePath;
}) {
  const words = ask.words.webhooks.endpoint;
  return (
    <Card kind="danger" title={words.paused}>
      <p>
        {words.pausedLead({
          reason: ask.words.deliveries.disabled[disabled.code],
          when: <Time ask={ask} at={disabled.at} />,
        })}
      </p>
      <div class="actions">
        <ActionForm ask={ask} place={place} act="enable" words={words.deliver} kind="primary" />
        {disabled.code === "switched_off" ? (
          ""
        ) : (
          <ActionForm ask={ask} place={place} act="disable" words={words.leave} />
        )}
      </div>
    </Card>
  );
}

/** The form that sends a test event. */
export function TestForm({ ask, place }: { ask: PersonAsk; place: WorkspacePath }) {
  const words = ask.words.webhooks.test;
  return (
    <section class="part" id="test">
      <h2>{words.title}</h2>
      <p class="hint">{words.lead}</p>
      <Form action={workspaceUrl(`${HERE}/${idOf(ask)}/test`, place)} ask={ask} kind="stack">
        <Select
          name="type"
          label={words.type}
          options={TESTS.map((type) => ({ value: type, words: type, isOn: type === "webhook.test" }))}
        />
        <Submit kind="quiet">{words.button}</Submit>
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
      {ask.words.webhooks.secret.older({
        count: ends.length,
        ends: ask.words.formats.list(ends.map((end) => (<Time ask={ask} at={end} />) as string)),
      })}
    </p>
  );
}

/** A form with one button. */
export function ActionForm({
  ask,
  place,
  act,
  words,
  kind = "quiet",
}: {
  ask: PersonAsk;
  place: WorkspacePath;
  act: string;
  words: string;
  kind?: "quiet" | "danger" | "primary";
}) {
  return (
    <Form action={workspaceUrl(`${HERE}/${idOf(ask)}/${act}`, place)} ask={ask} kind="inline">
      <Button kind={kind}>{words}</Button>
    </Form>
  );
}
