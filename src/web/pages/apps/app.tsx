/** @jsxImportSource @kitajs/html */
import { type App, AppChange } from "../../../core/delegation/apps/app.ts";
import { changeApp, getApp, removeApp, rotateAppSecret } from "../../../core/delegation/apps/apps.ts";
import { check } from "../../../core/ground/check.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { field } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Submit, Card, Fault, Form, Secret, Time } from "../../parts/parts.tsx";
import { type PersonAsk, personal, type View } from "../../request/route.ts";
import { TryIt } from "./app-example.tsx";
import { afterProof, provedForm } from "../entry/proof.tsx";
import { AppFields, FIELDS, typedIn } from "./apps.tsx";

const HERE = "/settings/apps";

/** One app of one's own. */
export const appPages = [
  personal("GET", `${HERE}/:id`, (ask) => appView(ask)),
  provedForm(personal, `${HERE}/:id`, addressOf, appView, async (ask) => {
    const homepage = field(ask.form, "homepage");
    const change = check(AppChange, { ...typedIn(ask), homepage: homepage === "" ? null : homepage });
    await ask.write(() => changeApp(ask.core, ask.person.caller, idOf(ask), change));
    return { to: addressOf(ask), notice: "app-saved" };
  }),
  personal(
    "POST",
    `${HERE}/:id/rotate`,
    afterProof(addressOf, async (ask) => {
      const { app, secret } = await ask.write(() => rotateAppSecret(ask.core, ask.person.caller, idOf(ask)));
      return rotatedView(ask, app, secret);
    }),
  ),
  personal("GET", `${HERE}/:id/delete`, (ask) => deleteView(ask)),
  personal(
    "POST",
    `${HERE}/:id/delete`,
    afterProof(
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
  const { core, person, form, formToken } = ask;
  const app = getApp(core, person.caller, idOf(ask));
  const values = error
    ? { ...typedIn(ask), homepage: field(form, "homepage") }
    : { ...app, homepage: app.homepage ?? "" };
  return {
    title: app.name,
    section: "apps",
    error,
    body: (
      <>
        <Heading title={app.name}>
          <p>
            {app.kind === "public" ? "Public" : "Confidential"}, registered{" "}
            <Ago ask={ask} at={app.createdAt} />
            {app.workspace.id === person.caller.workspaceId ? (
              ""
            ) : (
              <>
                {" "}
                in “<bdi safe>{app.workspace.name}</bdi>”
              </>
            )}
            . <a href={listAddress(ask, app.workspace.id)}>All apps</a>
          </p>
        </Heading>
        {app.suspended ? <Suspended ask={ask} suspended={app.suspended} /> : ""}
        {app.isOrphaned ? <Orphaned /> : ""}
        <dl class="facts">
          <dt>Client id</dt>
          <dd>
            <code safe>{app.id}</code>
          </dd>
          {app.rate && (
            <>
              <dt>Rate</dt>
              <dd safe>
                {`${app.rate.sustained.toLocaleString("en")} requests a minute, ${app.rate.burst.toLocaleString("en")} at once`}
              </dd>
            </>
          )}
        </dl>
        <TryIt origin={core.origin} app={app} />
        {app.kind === "confidential" ? <ClientSecret ask={ask} app={app} /> : ""}
        <section class="part">
          <h2>Change it</h2>
          <p class="hint">A scope that you take away is gone from every token of the app at once.</p>
          <Form action={`${HERE}/${app.id}`} token={formToken} kind="stack">
            <Fault ask={ask} error={error} fields={FIELDS} />
            <AppFields ask={ask} values={values} error={error} />
            <Submit>Save</Submit>
          </Form>
        </section>
        <section class="part">
          <h2>Delete it</h2>
          <p class="hint">Everybody who let it in is disconnected, and its tokens stop working at once.</p>
          <p>
            <a class="button danger" href={`${HERE}/${app.id}/delete`}>
              Delete the app
            </a>
          </p>
        </section>
      </>
    ),
  };
}

export function Suspended({ ask, suspended }: { ask: PersonAsk; suspended: NonNullable<App["suspended"]> }) {
  return (
    <Card kind="danger gap" title="Suspended">
      <p>
        <bdi safe>{suspended.reason}</bdi>
      </p>
      <p class="hint">
        Since <Time ask={ask} at={suspended.at} /> UTC none of its tokens works, and nobody can let it in. Ask
        those who run this community.
      </p>
    </Card>
  );
}

/** What it is waiting for, to admins and to those who share its workspace. */
export function Orphaned() {
  return (
    <Card kind="danger gap" title="Its owner is suspended">
      <p>
        None of its tokens works, and nobody can let it in, until somebody who owns its workspace may come in
        again.
      </p>
    </Card>
  );
}

function ClientSecret({ ask, app }: { ask: PersonAsk; app: App }) {
  return (
    <section class="part">
      <h2>Client secret</h2>
      <p class="hint">
        A new one takes over at once; the old one works for another 24 hours, so that your server can follow.
        If it leaked, make a new one twice.
        {app.previousSecretUntil === null ? (
          ""
        ) : (
          <>
            {" "}
            The one before works until <Time ask={ask} at={app.previousSecretUntil} /> UTC.
          </>
        )}
      </p>
      <Form action={`${HERE}/${app.id}/rotate`} token={ask.formToken} kind="inline">
        <Button kind="quiet">Make a new secret</Button>
      </Form>
    </section>
  );
}

function rotatedView(ask: PersonAsk, app: App, secret: string): View {
  return {
    title: "A new client secret",
    section: "apps",
    body: (
      <>
        <Heading title="A new client secret">
          <p>
            <bdi safe>{app.name}</bdi>
          </p>
        </Heading>
        <Secret label="Client secret" value={secret}>
          <p>
            Copy it now: it is not shown again.
            {app.previousSecretUntil === null ? (
              ""
            ) : (
              <>
                {" "}
                The one before works until <Time ask={ask} at={app.previousSecretUntil} /> UTC.
              </>
            )}
          </p>
        </Secret>
        <p>
          <a href={`${HERE}/${app.id}`}>Back to the app</a>
        </p>
      </>
    ),
  };
}

/** Nothing brings it back, so it is asked once more. */
function deleteView(ask: PersonAsk): View {
  const app = getApp(ask.core, ask.person.caller, idOf(ask));
  return {
    title: "Delete the app",
    section: "apps",
    body: (
      <>
        <Heading title="Delete the app?">
          <p>
            <bdi safe>{app.name}</bdi> and everything builders gave it are gone for good.
          </p>
        </Heading>
        <div class="actions">
          <Form action={`${HERE}/${app.id}/delete`} token={ask.formToken} kind="inline">
            <Button kind="danger">Delete it</Button>
          </Form>
          <a class="button quiet" href={`${HERE}/${app.id}`}>
            Keep it
          </a>
        </div>
      </>
    ),
  };
}
