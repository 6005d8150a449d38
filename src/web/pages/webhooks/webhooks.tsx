/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { formOf } from "../../parts/draft-form.tsx";
import type { CoreError } from "../../../core/base/errors.ts";
import { EVENT_NAMES } from "../../../core/outbox/events/catalogue.ts";
import { type Endpoint, EndpointDraft } from "../../../core/outbox/webhooks/endpoint.ts";
import { checkUrl, listEndpoints, registerEndpoint } from "../../../core/outbox/webhooks/webhooks.ts";
import { showAgainOnError, readDraft } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Card, Empty, Secret, Submit } from "../../parts/parts.tsx";
import {
  type PersonContext,
  signedInPage,
  type View,
  type PageContext,
  withRepeats,
} from "../../request/route.ts";
import { isFailingForADay } from "../../../core/outbox/webhooks/health.ts";
import { withReauthentication } from "../entry/reauthentication.tsx";
import {
  workspaceUrl,
  type WorkspacePath,
  workspaceOf,
  WorkspaceChoice,
} from "../../parts/workspace-choice.tsx";

const HERE = "/settings/webhooks";

/** The endpoints of a workspace, and the form to register an endpoint. */
export const webhookPages = [
  signedInPage("GET", HERE, (ctx) => listView(ctx)),
  signedInPage(
    "GET",
    `${HERE}/new`,
    withReauthentication(newAddress, (ctx) => newView(ctx)),
  ),
  withRepeats(
    signedInPage(
      "POST",
      HERE,
      withReauthentication(newAddress, (ctx) => {
        const workspacePath = workspaceOf(ctx);
        return showAgainOnError(
          async () => {
            const draft = readDraft(EndpointDraft, ctx.form);
            const url = await checkUrl(ctx.core, workspacePath.caller, draft.url);
            const created = await ctx.write(() =>
              registerEndpoint(ctx.core, workspacePath.caller, { url, events: draft.events }),
            );
            return createdView(ctx, created);
          },
          (error) => newView(ctx, error),
        );
      }),
    ),
    "events",
  ),
];

function newAddress(ctx: PersonContext): string {
  return workspaceUrl(`${HERE}/new`, workspaceOf(ctx));
}

function listView(ctx: PersonContext): View {
  const messages = ctx.messages.webhooks;
  const workspacePath = workspaceOf(ctx);
  const endpoints = listEndpoints(ctx.core, workspacePath.caller);
  const add = (
    <a class="button primary" href={workspaceUrl(`${HERE}/new`, workspacePath)}>
      {messages.add}
    </a>
  );
  return {
    title: messages.title,
    section: "webhooks",
    body: (
      <>
        <Heading title={messages.title} action={endpoints.length > 0 ? add : ""}>
          <p>{messages.lead}</p>
        </Heading>
        <WorkspaceChoice ctx={ctx} workspacePath={workspacePath} path={HERE} />
        {endpoints.length === 0 ? (
          <Empty title={messages.empty}>
            <p>{messages.emptyLead}</p>
            {add}
          </Empty>
        ) : (
          <ul class="rows">
            {endpoints.map((endpoint) => (
              <EndpointRow endpoint={endpoint} workspacePath={workspacePath} ctx={ctx} />
            ))}
          </ul>
        )}
      </>
    ),
  };
}

function EndpointRow({
  endpoint,
  workspacePath,
  ctx,
}: {
  endpoint: Endpoint;
  workspacePath: WorkspacePath;
  ctx: PageContext;
}) {
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={workspaceUrl(`${HERE}/${endpoint.id}`, workspacePath)} safe>
            {endpoint.url}
          </a>
        </p>
        <ul class="tags">
          {endpoint.events.map((type) => (
            <li class="tag" dir="auto" safe>
              {type}
            </li>
          ))}
        </ul>
      </div>
      <EndpointState endpoint={endpoint} ctx={ctx} />
    </li>
  );
}

/** The state of an endpoint as a label. */
export function EndpointState({ endpoint, ctx }: { endpoint: Endpoint; ctx: PageContext }) {
  const messages = ctx.messages.webhooks.states;
  const { disabled, health } = endpoint;
  if (disabled)
    return disabled.code === "switched_off" ? (
      <span class="badge">{messages.off}</span>
    ) : (
      <span class="badge bad">{messages.disabled}</span>
    );
  if (health.state === "ok") return <span class="badge good">{messages.on}</span>;
  return isFailingForADay(health, ctx.core.clock.now()) ? (
    <span class="badge bad">{messages.failingForADay}</span>
  ) : (
    <span class="badge waiting">{messages.failing}</span>
  );
}

function newView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.webhooks.form;
  const workspacePath = workspaceOf(ctx);
  return {
    title: ctx.messages.webhooks.add,
    section: "webhooks",
    error,
    body: (
      <>
        <Heading title={ctx.messages.webhooks.add}>
          <p>
            <a href={workspaceUrl(HERE, workspacePath)}>{ctx.messages.webhooks.all}</a>
          </p>
        </Heading>
        <EndpointForm ctx={ctx} action={HERE} error={error}>
          <input type="hidden" name="workspace" value={workspacePath.workspace.id} />
          <Submit>{messages.button}</Submit>
        </EndpointForm>
      </>
    ),
  };
}

/** The form that registers or changes an endpoint. */
export function EndpointForm({
  ctx,
  action,
  endpoint,
  error,
  children,
}: PropsWithChildren<{
  ctx: PersonContext;
  action: string;
  endpoint?: Endpoint;
  error: CoreError | undefined;
}>) {
  const messages = ctx.messages.webhooks.form;
  const { Form, Field, Choices } = formOf(ctx, EndpointDraft, { messages, error, stored: endpoint });
  return (
    <Form action={action}>
      <Field name="url" />
      <Choices
        name="events"
        values={EVENT_NAMES}
        option={(type: (typeof EVENT_NAMES)[number]) => ({ words: type, hint: ctx.messages.events[type] })}
      />
      {children}
    </Form>
  );
}

function createdView(ctx: PersonContext, created: Endpoint & { secret: string }): View {
  const messages = ctx.messages.webhooks.made;
  const workspacePath = workspaceOf(ctx);
  return {
    title: messages.title,
    section: "webhooks",
    body: (
      <>
        <Heading title={messages.heading} />
        <SigningSecret ctx={ctx} secret={created.secret} />
        <Card title={messages.next}>
          <p>{messages.nextLead({ address: workspaceUrl(`${HERE}/${created.id}`, workspacePath) })}</p>
        </Card>
      </>
    ),
  };
}

/** The signing secret, which is only shown after it was created. */
export function SigningSecret({ ctx, secret }: { ctx: PageContext; secret: string }) {
  const messages = ctx.messages.webhooks.secret;
  return (
    <Secret label={messages.label} value={secret}>
      <p>{messages.copy}</p>
    </Secret>
  );
}
