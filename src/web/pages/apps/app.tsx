/** @jsxImportSource @kitajs/html */
import { Type } from "@sinclair/typebox";
import { type App, AppChange } from "../../../core/delegation/apps/app.ts";
import { changeApp, getApp, removeApp, rotateAppSecret } from "../../../core/delegation/apps/apps.ts";
import { originsOf } from "../../../core/delegation/apps/origins.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { readDraft } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Submit, Card, Form, Secret, Time } from "../../parts/parts.tsx";
import {
  type PageContext,
  type PersonContext,
  signedInPage,
  type View,
  withRepeats,
} from "../../request/route.ts";
import { TryIt } from "./app-example.tsx";
import { withReauthentication, reauthenticatedForm } from "../entry/reauthentication.tsx";
import { AppForm, redirectUrisIn } from "./apps.tsx";

const HERE = "/settings/apps";

/** The form sends every field. Only the homepage may be empty. */
const CompleteApp = Type.Required(AppChange);

/** The page of one of the member's apps. */
export const appPages = [
  signedInPage("GET", `${HERE}/:id`, (ctx) => appView(ctx)),
  withRepeats(
    reauthenticatedForm(signedInPage, `${HERE}/:id`, addressOf, appView, async (ctx) => {
      const change = readDraft(CompleteApp, ctx.form, { redirectUris: redirectUrisIn(ctx) });
      await ctx.write(() => changeApp(ctx.core, ctx.person.caller, idOf(ctx), change));
      return { to: addressOf(ctx), notice: "app-saved" };
    }),
    "scopes",
  ),
  signedInPage(
    "POST",
    `${HERE}/:id/rotate`,
    withReauthentication(addressOf, async (ctx) => {
      const { app, secret } = await ctx.write(() => rotateAppSecret(ctx.core, ctx.person.caller, idOf(ctx)));
      return rotatedView(ctx, app, secret);
    }),
  ),
  signedInPage("GET", `${HERE}/:id/delete`, (ctx) => deleteView(ctx)),
  signedInPage(
    "POST",
    `${HERE}/:id/delete`,
    withReauthentication(
      (ctx) => `${addressOf(ctx)}/delete`,
      async (ctx) => {
        const { workspace } = getApp(ctx.core, ctx.person.caller, idOf(ctx));
        await ctx.write(() => removeApp(ctx.core, ctx.person.caller, idOf(ctx)));
        return { to: listAddress(ctx, workspace.id), notice: "app-deleted" };
      },
    ),
  ),
];

function addressOf(ctx: PersonContext): string {
  return `${HERE}/${idOf(ctx)}`;
}

function idOf({ params }: PersonContext): string {
  return params["id"] ?? "";
}

/** Returns the URL of the list that contains the app. */
function listAddress({ person }: PersonContext, workspaceId: string): string {
  return workspaceId === person.caller.workspaceId ? HERE : `${HERE}?workspace=${workspaceId}`;
}

function appView(ctx: PersonContext, error?: CoreError): View {
  const { core, person } = ctx;
  const app = getApp(core, person.caller, idOf(ctx));
  const messages = ctx.messages.apps.app;
  const origins = app.kind === "public" ? originsOf(app.redirectUris) : [];
  const isOwn = app.workspace.id === person.caller.workspaceId;
  return {
    title: app.name,
    section: "apps",
    error,
    body: (
      <>
        <Heading title={app.name}>
          <p>
            {(isOwn ? messages.leads : messages.leadsOfWorkspace)[app.kind]({
              when: <Ago ctx={ctx} at={app.createdAt} />,
              workspace: <bdi safe>{app.workspace.name}</bdi>,
              address: listAddress(ctx, app.workspace.id),
            })}
          </p>
        </Heading>
        {app.suspended ? <SuspendedNotice ctx={ctx} suspended={app.suspended} /> : ""}
        {app.isOrphaned ? <OrphanedNotice ctx={ctx} /> : ""}
        <dl class="facts">
          <dt>{ctx.messages.apps.clientId}</dt>
          <dd>
            <code safe>{app.id}</code>
          </dd>
          {origins.length > 0 && (
            <>
              <dt>{messages.origins}</dt>
              <dd>
                {origins.map((origin) => (
                  <p>
                    <code safe>{origin}</code>
                  </p>
                ))}
              </dd>
            </>
          )}
          {app.rate && (
            <>
              <dt>{messages.rate}</dt>
              <dd safe>{messages.rateOf({ sustained: app.rate.sustained, burst: app.rate.burst })}</dd>
            </>
          )}
        </dl>
        <TryIt ctx={ctx} app={app} />
        {app.kind === "confidential" ? <ClientSecret ctx={ctx} app={app} /> : ""}
        <section class="part">
          <h2>{messages.changeTitle}</h2>
          <p class="hint">{messages.changeLead}</p>
          <p class="hint">{ctx.messages.apps.form.guide}</p>
          <AppForm ctx={ctx} app={app} action={`${HERE}/${app.id}`} error={error}>
            <Submit>{messages.save}</Submit>
          </AppForm>
        </section>
        <section class="part">
          <h2>{messages.deleteTitle}</h2>
          <p class="hint">{messages.deleteLead}</p>
          <p>
            <a class="button danger" href={`${HERE}/${app.id}/delete`}>
              {messages.delete}
            </a>
          </p>
        </section>
      </>
    ),
  };
}

function SuspendedNotice({
  ctx,
  suspended,
}: {
  ctx: PersonContext;
  suspended: NonNullable<App["suspended"]>;
}) {
  return (
    <Card kind="danger gap" title={ctx.messages.apps.suspended}>
      <p>
        <bdi safe>{suspended.reason}</bdi>
      </p>
      <p class="hint">
        {ctx.messages.apps.app.suspendedLead({ when: <Time ctx={ctx} at={suspended.at} /> })}
      </p>
    </Card>
  );
}

/** Tells admins and workspace members why the app is inactive. */
export function OrphanedNotice({ ctx }: { ctx: PageContext }) {
  const messages = ctx.messages.apps.app;
  return (
    <Card kind="danger gap" title={messages.orphaned}>
      <p>{messages.orphanedLead}</p>
    </Card>
  );
}

function PreviousSecret({ ctx, app }: { ctx: PersonContext; app: App }) {
  if (app.previousSecretUntil === null) return "";
  return ctx.messages.apps.secret.before({ when: <Time ctx={ctx} at={app.previousSecretUntil} /> });
}

function ClientSecret({ ctx, app }: { ctx: PersonContext; app: App }) {
  const messages = ctx.messages.apps.secret;
  return (
    <section class="part">
      <h2>{messages.title}</h2>
      <p class="hint">
        {messages.lead} <PreviousSecret ctx={ctx} app={app} />
      </p>
      <Form action={`${HERE}/${app.id}/rotate`} ctx={ctx} kind="inline">
        <Button kind="quiet">{messages.make}</Button>
      </Form>
    </section>
  );
}

function rotatedView(ctx: PersonContext, app: App, secret: string): View {
  const messages = ctx.messages.apps.secret;
  return {
    title: messages.newTitle,
    section: "apps",
    body: (
      <>
        <Heading title={messages.newTitle}>
          <p>
            <bdi safe>{app.name}</bdi>
          </p>
        </Heading>
        <Secret label={messages.title} value={secret}>
          <p>
            {messages.copy} <PreviousSecret ctx={ctx} app={app} />
          </p>
        </Secret>
        <p>
          <a href={`${HERE}/${app.id}`}>{messages.back}</a>
        </p>
      </>
    ),
  };
}

/** Asks for confirmation, because an app cannot be restored. */
function deleteView(ctx: PersonContext): View {
  const messages = ctx.messages.apps.deletion;
  const app = getApp(ctx.core, ctx.person.caller, idOf(ctx));
  return {
    title: messages.title,
    section: "apps",
    body: (
      <>
        <Heading title={messages.heading}>
          <p>{messages.lead({ name: <bdi safe>{app.name}</bdi> })}</p>
        </Heading>
        <div class="actions">
          <Form action={`${HERE}/${app.id}/delete`} ctx={ctx} kind="inline">
            <Button kind="danger">{messages.button}</Button>
          </Form>
          <a class="button quiet" href={`${HERE}/${app.id}`}>
            {messages.keep}
          </a>
        </div>
      </>
    ),
  };
}
