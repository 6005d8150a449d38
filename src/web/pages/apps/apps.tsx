/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { BUILDER_SCOPES, type Scope } from "../../../core/identity/access/scopes.ts";
import { type App, AppDraft, REDIRECTS_MAX } from "../../../core/delegation/apps/app.ts";
import { listApps, registerApp } from "../../../core/delegation/apps/apps.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { SIGNING_ALGS } from "../../../core/delegation/oauth/keys.ts";
import { field, readDraft } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { Ago, Empty, Secret, Submit } from "../../parts/parts.tsx";
import {
  type PageContext,
  type PersonContext,
  signedInPage,
  type View,
  withRepeats,
} from "../../request/route.ts";
import { workspaceUrl, workspaceOf, WorkspaceChoice, WorkspaceField } from "../../parts/workspace-choice.tsx";
import { withReauthentication, reauthenticatedForm } from "../entry/reauthentication.tsx";
import { TryIt } from "./app-example.tsx";

const HERE = "/settings/apps";

/** The apps of a workspace, and the form that registers an app (RFC 6749 §2). */
export const appsPages = [
  signedInPage("GET", HERE, (ctx) => listView(ctx)),
  signedInPage(
    "GET",
    `${HERE}/new`,
    withReauthentication(newAddress, (ctx) => newView(ctx)),
  ),
  withRepeats(
    reauthenticatedForm(signedInPage, HERE, newAddress, newView, async (ctx) => {
      const draft = readDraft(AppDraft, ctx.form, { redirectUris: redirectUrisIn(ctx) });
      const { workspace } = workspaceOf(ctx);
      const created = await ctx.write(() => registerApp(ctx.core, ctx.person.caller, workspace.id, draft));
      return createdView(ctx, created);
    }),
    "scopes",
  ),
];

function newAddress(ctx: PersonContext): string {
  return workspaceUrl(`${HERE}/new`, workspaceOf(ctx));
}

/** Reads redirect URIs that are separated by white space. */
export function redirectUrisIn({ form }: PageContext): string[] {
  return field(form, "redirectUris").split(/\s+/).filter(Boolean);
}

function listView(ctx: PersonContext): View {
  const messages = ctx.messages.apps;
  const workspacePath = workspaceOf(ctx);
  const apps = listApps(ctx.core, ctx.person.caller, workspacePath.workspace.id);
  const add = (
    <a class="button primary" href={workspaceUrl(`${HERE}/new`, workspacePath)}>
      {messages.register}
    </a>
  );
  return {
    title: messages.title,
    section: "apps",
    body: (
      <>
        <Heading title={messages.title} action={apps.length > 0 ? add : ""}>
          <p>{messages.lead}</p>
        </Heading>
        <WorkspaceChoice ctx={ctx} workspacePath={workspacePath} path={HERE} />
        {apps.length === 0 ? (
          <Empty title={messages.empty}>
            <p>{messages.emptyLead}</p>
            {add}
          </Empty>
        ) : (
          <ul class="rows">
            {apps.map((app) => (
              <li>
                <div class="row-main">
                  <p class="row-title app-name">
                    <a href={`${HERE}/${app.id}`}>
                      <bdi safe>{app.name}</bdi>
                    </a>
                  </p>
                  <p class="row-meta">
                    {messages.kinds[app.kind]} ·{" "}
                    {messages.registered({ when: <Ago ctx={ctx} at={app.createdAt} /> })}
                  </p>
                </div>
                {app.suspended ? <span class="badge bad">{messages.suspended}</span> : ""}
                {app.isOrphaned ? <span class="badge bad">{messages.ownerSuspended}</span> : ""}
              </li>
            ))}
          </ul>
        )}
      </>
    ),
  };
}

function newView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.apps.form;
  const workspacePath = workspaceOf(ctx);
  return {
    title: ctx.messages.apps.register,
    section: "apps",
    error,
    body: (
      <>
        <Heading title={ctx.messages.apps.register}>
          <p>
            <a href={workspaceUrl(HERE, workspacePath)}>{ctx.messages.apps.all}</a>
          </p>
          <p>{messages.guide}</p>
        </Heading>
        <AppForm ctx={ctx} app={undefined} action={HERE} error={error}>
          <WorkspaceField workspacePath={workspacePath} messages={messages} />
          <Submit>{messages.button}</Submit>
        </AppForm>
      </>
    ),
  };
}

/** The form that registers or changes an app. */
export function AppForm({
  ctx,
  app = { kind: "confidential", idTokenAlg: "RS256" },
  action,
  error,
  children,
}: PropsWithChildren<{
  ctx: PersonContext;
  app: Partial<App> | undefined;
  action: string;
  error: CoreError | undefined;
}>) {
  const messages = ctx.messages.apps.form;
  const { Form, Field, TextArea, Choices, Select } = formOf(ctx, AppDraft, { messages, error, stored: app });
  return (
    <Form action={action}>
      <Field name="name" />
      {app.id === undefined && (
        <Choices
          name="kind"
          of="runs"
          type="radio"
          option={(kind: App["kind"]) =>
            kind === "public"
              ? { words: messages.public, hint: messages.publicHint }
              : { words: messages.confidential, hint: messages.confidentialHint }
          }
        />
      )}
      <Field name="homepage" />
      <TextArea
        name="redirectUris"
        label={messages.redirects}
        hint={messages.redirectsHint({ most: REDIRECTS_MAX })}
        placeholder={messages.redirectsExample}
        rows={3}
      />
      <Choices
        name="scopes"
        values={BUILDER_SCOPES}
        option={(scope: Scope) => ({ words: ctx.messages.scopes[scope], hint: scope })}
      />
      <Select
        name="idTokenAlg"
        of="signing"
        values={SIGNING_ALGS.toReversed()}
        option={(algorithm: string) => algorithm}
      />
      {children}
    </Form>
  );
}

function createdView(ctx: PersonContext, { app, secret }: { app: App; secret: string | null }): View {
  const messages = ctx.messages.apps.made;
  return {
    title: messages.title,
    section: "apps",
    body: (
      <>
        <Heading title={messages.title}>
          <p>
            <bdi safe>{app.name}</bdi>
          </p>
        </Heading>
        {secret === null ? (
          ""
        ) : (
          <Secret label={ctx.messages.apps.secret.title} value={secret}>
            <p>{messages.copy}</p>
          </Secret>
        )}
        <dl class="facts">
          <dt>{ctx.messages.apps.clientId}</dt>
          <dd>
            <code safe>{app.id}</code>
          </dd>
        </dl>
        <TryIt ctx={ctx} app={app} />
        <p class="part">
          <a href={`${HERE}/${app.id}`}>{messages.toApp}</a>
        </p>
      </>
    ),
  };
}
