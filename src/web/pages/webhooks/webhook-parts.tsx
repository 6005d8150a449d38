/** @jsxImportSource @kitajs/html */
import { ALL_EVENT_NAMES } from "../../../core/outbox/events/catalogue.ts";
import { isFailingForADay } from "../../../core/outbox/webhooks/health.ts";
import type { Endpoint } from "../../../core/outbox/webhooks/endpoint.ts";
import { Button, Submit, Card, Form, Select, Time } from "../../parts/parts.tsx";
import type { PersonContext } from "../../request/route.ts";
import { workspaceUrl, type WorkspacePath } from "../../parts/workspace-choice.tsx";

/* The parts of the page of an endpoint. */

const HERE = "/settings/webhooks";

export function idOf({ params }: PersonContext): string {
  return params["id"] ?? "";
}

/** The problems of an endpoint. Empty for a healthy one. */
export function Health({
  endpoint,
  ctx,
  workspacePath,
}: {
  endpoint: Endpoint;
  ctx: PersonContext;
  workspacePath: WorkspacePath;
}) {
  const messages = ctx.messages.webhooks.endpoint;
  const { disabled, health } = endpoint;
  if (disabled) return <Disabled disabled={disabled} ctx={ctx} workspacePath={workspacePath} />;
  if (health.failingSince === null) return "";
  return (
    <Card
      {...(isFailingForADay(health, ctx.core.clock.now()) ? { kind: "danger" } : {})}
      title={messages.failing}
    >
      <p>
        {messages.failingLead({
          when: <Time ctx={ctx} at={health.failingSince} />,
        })}
      </p>
    </Card>
  );
}

function Disabled({
  disabled,
  ctx,
  workspacePath,
}: {
  disabled: NonNullable<Endpoint["disabled"]>;
  ctx: PersonContext;
  workspacePath: WorkspacePath;
}) {
  const messages = ctx.messages.webhooks.endpoint;
  return (
    <Card kind="danger" title={messages.paused}>
      <p>
        {messages.pausedLead({
          reason: ctx.messages.deliveries.disabled[disabled.code],
          when: <Time ctx={ctx} at={disabled.at} />,
        })}
      </p>
      <div class="actions">
        <ActionForm
          ctx={ctx}
          workspacePath={workspacePath}
          act="enable"
          label={messages.deliver}
          kind="primary"
        />
        {disabled.code === "switched_off" ? (
          ""
        ) : (
          <ActionForm ctx={ctx} workspacePath={workspacePath} act="disable" label={messages.leave} />
        )}
      </div>
    </Card>
  );
}

/** The form that sends a test event. */
export function TestForm({ ctx, workspacePath }: { ctx: PersonContext; workspacePath: WorkspacePath }) {
  const messages = ctx.messages.webhooks.test;
  return (
    <section class="part" id="test">
      <h2>{messages.title}</h2>
      <p class="hint">{messages.lead}</p>
      <Form action={workspaceUrl(`${HERE}/${idOf(ctx)}/test`, workspacePath)} ctx={ctx} kind="stack">
        <Select
          name="type"
          label={messages.type}
          options={TESTS.map((type) => ({ value: type, words: type, isOn: type === "webhook.test" }))}
        />
        <Submit kind="quiet">{messages.button}</Submit>
      </Form>
    </section>
  );
}

/** Event types with `webhook.test` first. */
const TESTS = ALL_EVENT_NAMES.toSorted((a, b) => Number(b === "webhook.test") - Number(a === "webhook.test"));

/** The former secrets that are still valid after a rotation. */
export function OlderSecrets({ ctx, ends }: { ctx: PersonContext; ends: readonly number[] }) {
  if (ends.length === 0) return "";
  return (
    <p class="hint">
      {ctx.messages.webhooks.secret.older({
        count: ends.length,
        ends: ctx.messages.formats.list(ends.map((end) => (<Time ctx={ctx} at={end} />) as string)),
      })}
    </p>
  );
}

/** A form with one button. */
export function ActionForm({
  ctx,
  workspacePath,
  act,
  label,
  kind = "quiet",
}: {
  ctx: PersonContext;
  workspacePath: WorkspacePath;
  act: string;
  label: string;
  kind?: "quiet" | "danger" | "primary";
}) {
  return (
    <Form action={workspaceUrl(`${HERE}/${idOf(ctx)}/${act}`, workspacePath)} ctx={ctx} kind="inline">
      <Button kind={kind}>{label}</Button>
    </Form>
  );
}
