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
import { type PageAsk, type PersonAsk, signedInPage, type View, withRepeats } from "../../request/route.ts";
import { workspaceUrl, workspaceOf, WorkspaceChoice, WorkspaceField } from "../../parts/workspace-choice.tsx";
import { withReauthentication, reauthenticatedForm } from "../entry/reauthentication.tsx";
import { TryIt } from "./app-example.tsx";

const HERE = "/settings/apps";

/** The apps of a workspace, and registering one more (RFC 6749 §2). */
export const appsPages = [
  signedInPage("GET", HERE, (ask) => listView(ask)),
  signedInPage(
    "GET",
    `${HERE}/new`,
    withReauthentication(newAddress, (ask) => newView(ask)),
  ),
  withRepeats(
    reauthenticatedForm(signedInPage, HERE, newAddress, newView, async (ask) => {
      const draft = readDraft(AppDraft, ask.form, { redirectUris: redirectUrisIn(ask) });
      const { workspace } = workspaceOf(ask);
      const made = await ask.write(() => registerApp(ask.core, ask.person.caller, workspace.id, draft));
      return madeView(ask, made);
    }),
    "scopes",
  ),
];

function newAddress(ask: PersonAsk): string {
  return workspaceUrl(`${HERE}/new`, workspaceOf(ask));
}

/** One address a line, or several beside each other. */
export function redirectUrisIn({ form }: PageAsk): string[] {
  return field(form, "redirectUris").split(/\s+/).filter(Boolean);
}

function listView(ask: PersonAsk): View {
  const words = ask.words.apps;
  const place = workspaceOf(ask);
  const apps = listApps(ask.core, ask.person.caller, place.workspace.id);
  const add = (
    <a class="button primary" href={workspaceUrl(`${HERE}/new`, place)}>
      {words.register}
    </a>
  );
  return {
    title: words.title,
    section: "apps",
    body: (
      <>
        <Heading title={words.title} action={apps.length > 0 ? add : ""}>
          <p>{words.lead}</p>
        </Heading>
        <WorkspaceChoice ask={ask} place={place} path={HERE} />
        {apps.length === 0 ? (
          <Empty title={words.empty}>
            <p>{words.emptyLead}</p>
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
                    {words.kinds[app.kind]} ·{" "}
                    {words.registered({ when: <Ago ask={ask} at={app.createdAt} /> })}
                  </p>
                </div>
                {app.suspended ? <span class="badge bad">{words.suspended}</span> : ""}
                {app.isOrphaned ? <span class="badge bad">{words.ownerSuspended}</span> : ""}
              </li>
            ))}
          </ul>
        )}
      </>
    ),
  };
}

function newView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.apps.form;
  const place = workspaceOf(ask);
  return {
    title: ask.words.apps.register,
    section: "apps",
    error,
    body: (
      <>
        <Heading title={ask.words.apps.register}>
          <p>
            <a href={workspaceUrl(HERE, place)}>{ask.words.apps.all}</a>
          </p>
          <p>{words.guide}</p>
        </Heading>
        <AppForm ask={ask} app={undefined} action={HERE} error={error}>
          <WorkspaceField place={place} words={words} />
          <Submit>{words.button}</Submit>
        </AppForm>
      </>
    ),
  };
}

/** The form that registers an app, or changes one that is there. */
export function AppForm({
  ask,
  app = { kind: "confidential", idTokenAlg: "RS256" },
  action,
  error,
  children,
}: PropsWithChildren<{
  ask: PersonAsk;
  app: Partial<App> | undefined;
  action: string;
  error: CoreError | undefined;
}>) {
  const words = ask.words.apps.form;
  const { Form, Field, TextArea, Choices, Select } = formOf(ask, AppDraft, { words, error, stored: app });
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
              ? { words: words.public, hint: words.publicHint }
              : { words: words.confidential, hint: words.confidentialHint }
          }
        />
      )}
      <Field name="homepage" />
      <TextArea
        name="redirectUris"
        label={words.redirects}
        hint={words.redirectsHint({ most: REDIRECTS_MAX })}
        placeholder={words.redirectsExample}
        rows={3}
      />
      <Choices
        name="scopes"
        values={BUILDER_SCOPES}
        option={(scope: Scope) => ({ words: ask.words.scopes[scope], hint: scope })}
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

function madeView(ask: PersonAsk, { app, secret }: { app: App; secret: string | null }): View {
  const words = ask.words.apps.made;
  return {
    title: words.title,
    section: "apps",
    body: (
      <>
        <Heading title={words.title}>
          <p>
            <bdi safe>{app.name}</bdi>
          </p>
        </Heading>
        {secret === null ? (
          ""
        ) : (
          <Secret label={ask.words.apps.secret.title} value={secret}>
            <p>{words.copy}</p>
          </Secret>
        )}
        <dl class="facts">
          <dt>{ask.words.apps.clientId}</dt>
          <dd>
            <code safe>{app.id}</code>
          </dd>
        </dl>
        <TryIt ask={ask} app={app} />
        <p class="part">
          <a href={`${HERE}/${app.id}`}>{words.toApp}</a>
        </p>
      </>
    ),
  };
}
