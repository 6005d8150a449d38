/** @jsxImportSource @kitajs/html */
import { Type } from "@sinclair/typebox";
import { type App, AppChange } from "../../../core/delegation/apps/app.ts";
import { changeApp, getApp, removeApp, rotateAppSecret } from "../../../core/delegation/apps/apps.ts";
import { originsOf } from "../../../core/delegation/apps/origins.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { readDraft } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Submit, Card, Form, Secret, Time } from "../../parts/parts.tsx";
import { type PageAsk, type PersonAsk, signedInPage, type View, withRepeats } from "../../request/route.ts";
import { TryIt } from "./app-example.tsx";
import { withReauthentication, reauthenticatedForm } from "../entry/reauthentication.tsx";
import { AppForm, redirectUrisIn } from "./apps.tsx";

const HERE = "/settings/apps";

/** The form sends every field, and none may be empty but the homepage. */
const WholeApp = Type.Required(AppChange);

/** One app of one's own. */
export const appPages = [
  signedInPage("GET", `${HERE}/:id`, (ask) => appView(ask)),
  withRepeats(
    reauthenticatedForm(signedInPage, `${HERE}/:id`, addressOf, appView, async (ask) => {
      const change = readDraft(WholeApp, ask.form, { redirectUris: redirectUrisIn(ask) });
      await ask.write(() => changeApp(ask.core, ask.person.caller, idOf(ask), change));
      return { to: addressOf(ask), notice: "app-saved" };
    }),
    "scopes",
  ),
  signedInPage(
    "POST",
    `${HERE}/:id/rotate`,
    withReauthentication(addressOf, async (ask) => {
      const { app, secret } = await ask.write(() => rotateAppSecret(ask.core, ask.person.caller, idOf(ask)));
      return rotatedView(ask, app, secret);
    }),
  ),
  signedInPage("GET", `${HERE}/:id/delete`, (ask) => deleteView(ask)),
  signedInPage(
    "POST",
    `${HERE}/:id/delete`,
    withReauthentication(
      (ask) => `${addressOf(ask)}/delete`,
      async (ask) => {
        const { workspace } = getApp(ask.core, ask.person.caller, idOf(ask));
        await ask.write(() => removeApp(ask.core, ask.person.caller, idOf(ask)));
        return { to: listAddress(ask, workspace.id), notice: "app-deleted" };
      },
    ),
  ),
];

function addressOf(ask: PersonAsk): string {
  return `${HERE}/${idOf(ask)}`;
}

function idOf({ params }: PersonAsk): string {
  return params["id"] ?? "";
}

/** Back to the list that the app stands in. */
function listAddress({ person }: PersonAsk, workspaceId: string): string {
  return workspaceId === person.caller.workspaceId ? HERE : `${HERE}?workspace=${workspaceId}`;
}

function appView(ask: PersonAsk, error?: CoreError): View {
  const { core, person } = ask;
  const app = getApp(core, person.caller, idOf(ask));
  const words = ask.words.apps.app;
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
            {(isOwn ? words.leads : words.leadsOfWorkspace)[app.kind]({
              when: <Ago ask={ask} at={app.createdAt} />,
              workspace: <bdi safe>{app.workspace.name}</bdi>,
              address: listAddress(ask, app.workspace.id),
            })}
          </p>
        </Heading>
        {app.suspended ? <SuspendedNotice ask={ask} suspended={app.suspended} /> : ""}
        {app.isOrphaned ? <OrphanedNotice ask={ask} /> : ""}
        <dl class="facts">
          <dt>{ask.words.apps.clientId}</dt>
          <dd>
            <code safe>{app.id}</code>
          </dd>
          {origins.length > 0 && (
            <>
              <dt>{words.origins}</dt>
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
              <dt>{words.rate}</dt>
              <dd safe>{words.rateOf({ sustained: app.rate.sustained, burst: app.rate.burst })}</dd>
            </>
          )}
        </dl>
        <TryIt ask={ask} app={app} />
        {app.kind === "confidential" ? <ClientSecret ask={ask} app={app} /> : ""}
        <section class="part">
          <h2>{words.changeTitle}</h2>
          <p class="hint">{words.changeLead}</p>
          <p class="hint">{ask.words.apps.form.guide}</p>
          <AppForm ask={ask} app={app} action={`${HERE}/${app.id}`} error={error}>
            <Submit>{words.save}</Submit>
          </AppForm>
        </section>
        <section class="part">
          <h2>{words.deleteTitle}</h2>
          <p class="hint">{words.deleteLead}</p>
          <p>
            <a class="button danger" href={`${HERE}/${app.id}/delete`}>
              {words.delete}
            </a>
          </p>
        </section>
      </>
    ),
  };
}

function SuspendedNotice({ ask, suspended }: { ask: PersonAsk; suspended: NonNullable<App["suspended"]> }) {
  return (
    <Card kind="danger gap" title={ask.words.apps.suspended}>
      <p>
        <bdi safe>{suspended.reason}</bdi>
      </p>
      <p class="hint">{ask.words.apps.app.suspendedLead({ when: <Time ask={ask} at={suspended.at} /> })}</p>
    </Card>
  );
}

/** Tells admins and workspace members why the app is inactive. */
export function OrphanedNotice({ ask }: { ask: PageAsk }) {
  const words = ask.words.apps.app;
  return (
    <Card kind="danger gap" title={words.orphaned}>
      <p>{words.orphanedLead}</p>
    </Card>
  );
}

function SecretBefore({ ask, app }: { ask: PersonAsk; app: App }) {
  if (app.previousSecretUntil === null) return "";
  return ask.words.apps.secret.before({ when: <Time ask={ask} at={app.previousSecretUntil} /> });
}

function ClientSecret({ ask, app }: { ask: PersonAsk; app: App }) {
  const words = ask.words.apps.secret;
  return (
    <section class="part">
      <h2>{words.title}</h2>
      <p class="hint">
        {words.lead} <SecretBefore ask={ask} app={app} />
      </p>
      <Form action={`${HERE}/${app.id}/rotate`} ask={ask} kind="inline">
        <Button kind="quiet">{words.make}</Button>
      </Form>
    </section>
  );
}

function rotatedView(ask: PersonAsk, app: App, secret: string): View {
  const words = ask.words.apps.secret;
  return {
    title: words.newTitle,
    section: "apps",
    body: (
      <>
        <Heading title={words.newTitle}>
          <p>
            <bdi safe>{app.name}</bdi>
          </p>
        </Heading>
        <Secret label={words.title} value={secret}>
          <p>
            {words.copy} <SecretBefore ask={ask} app={app} />
          </p>
        </Secret>
        <p>
          <a href={`${HERE}/${app.id}`}>{words.back}</a>
        </p>
      </>
    ),
  };
}

/** Nothing brings it back, so it is asked once more. */
function deleteView(ask: PersonAsk): View {
  const words = ask.words.apps.deletion;
  const app = getApp(ask.core, ask.person.caller, idOf(ask));
  return {
    title: words.title,
    section: "apps",
    body: (
      <>
        <Heading title={words.heading}>
          <p>{words.lead({ name: <bdi safe>{app.name}</bdi> })}</p>
        </Heading>
        <div class="actions">
          <Form action={`${HERE}/${app.id}/delete`} ask={ask} kind="inline">
            <Button kind="danger">{words.button}</Button>
          </Form>
          <a class="button quiet" href={`${HERE}/${app.id}`}>
            {words.keep}
          </a>
        </div>
      </>
    ),
  };
}
