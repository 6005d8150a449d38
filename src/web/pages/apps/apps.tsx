/** @jsxImportSource @kitajs/html */
import { BUILDER_SCOPES, SCOPES } from "../../../core/identity/access/scopes.ts";
import { type App, AppDraft, REDIRECTS_MAX } from "../../../core/delegation/apps/app.ts";
import { listApps, registerApp } from "../../../core/delegation/apps/apps.ts";
import { check } from "../../../core/ground/check.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { SIGNING_ALGS } from "../../../core/delegation/oauth/keys.ts";
import { field } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import {
  Ago,
  Submit,
  Choices,
  Empty,
  Fault,
  Field,
  Form,
  Secret,
  Select,
  TextArea,
} from "../../parts/parts.tsx";
import { type PageAsk, type PersonAsk, personal, type View } from "../../request/route.ts";
import { inPlace, placeOf, WorkspaceChoice } from "../../parts/workspace-choice.tsx";
import { afterProof, provedForm } from "../entry/proof.tsx";
import { TryIt } from "./app-example.tsx";

const HERE = "/settings/apps";

/** The apps of a workspace, and registering one more (RFC 6749 §2). */
export const appsPages = [
  personal("GET", HERE, (ask) => listView(ask)),
  personal(
    "GET",
    `${HERE}/new`,
    afterProof(newAddress, (ask) => newView(ask)),
  ),
  provedForm(personal, HERE, newAddress, newView, async (ask) => {
    const homepage = field(ask.form, "homepage");
    const draft = check(AppDraft, {
      ...typedIn(ask),
      kind: field(ask.form, "kind"),
      ...(homepage === "" ? {} : { homepage }),
    });
    const { workspace } = placeOf(ask);
    const made = await ask.write(() => registerApp(ask.core, ask.person.caller, workspace.id, draft));
    return madeView(ask, made);
  }),
];

function newAddress(ask: PersonAsk): string {
  return inPlace(`${HERE}/new`, placeOf(ask));
}

/** What both forms of an app have in common. */
export function typedIn({ form }: PageAsk): {
  name: string;
  redirectUris: string[];
  scopes: string[];
  idTokenAlg?: string;
} {
  const idTokenAlg = field(form, "idTokenAlg");
  return {
    ...(idTokenAlg === "" ? {} : { idTokenAlg }),
    name: field(form, "name"),
    redirectUris: field(form, "redirectUris").split(/\s+/).filter(Boolean),
    scopes: form.getAll("scopes"),
  };
}

function listView(ask: PersonAsk): View {
  const place = placeOf(ask);
  const apps = listApps(ask.core, ask.person.caller, place.workspace.id);
  const add = (
    <a class="button primary" href={inPlace(`${HERE}/new`, place)}>
      Register an app
    </a>
  );
  return {
    title: "Your apps",
    section: "apps",
    body: (
      <>
        <Heading title="Your apps" action={apps.length > 0 ? add : ""}>
          <p>
            An app acts for other builders, each of whom lets it in and says what it may do.{" "}
            <a href="/docs#authentication">How it works</a>
          </p>
        </Heading>
        <WorkspaceChoice ask={ask} place={place} path={HERE} />
        {apps.length === 0 ? (
          <Empty title="No app yet">
            <p>
              Register one when you build something for others: it gets its own name on the consent page, and
              never sees a password. For your own scripts an <a href="/settings/tokens">access token</a> is
              enough.
            </p>
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
                    {app.kind === "public" ? "Public" : "Confidential"} · registered{" "}
                    <Ago ask={ask} at={app.createdAt} />
                  </p>
                </div>
                {app.suspended ? <span class="badge bad">Suspended</span> : ""}
                {app.isOrphaned ? <span class="badge bad">Owner suspended</span> : ""}
              </li>
            ))}
          </ul>
        )}
      </>
    ),
  };
}

function newView(ask: PersonAsk, error?: CoreError): View {
  const place = placeOf(ask);
  const kind = ask.form.get("kind") ?? "confidential";
  return {
    title: "Register an app",
    section: "apps",
    error,
    body: (
      <>
        <Heading title="Register an app">
          <p>
            <a href={inPlace(HERE, place)}>All apps</a>
          </p>
        </Heading>
        <Form action={HERE} token={ask.formToken} kind="stack">
          <Fault ask={ask} error={error} fields={FIELDS} />
          <AppFields
            ask={ask}
            values={{ ...typedIn(ask), homepage: field(ask.form, "homepage") }}
            error={error}
          >
            <Choices
              legend="Where it runs"
              name="kind"
              type="radio"
              options={[
                {
                  value: "confidential",
                  words: "On a server of mine",
                  hint: "Confidential: it gets a secret and keeps it where nobody else can look.",
                  isOn: kind === "confidential",
                },
                {
                  value: "public",
                  words: "In a browser, on a phone, on a computer",
                  hint: "Public: whoever has it can look into it, so it gets no secret and proves itself by PKCE.",
                  isOn: kind === "public",
                },
              ]}
            />
          </AppFields>
          {place.all.length > 1 && (
            <Select
              name="workspace"
              label="Workspace"
              hint="All its members can change the app; people see who registered it."
              options={place.all.map(({ id, name, isPersonal }) => ({
                value: id,
                words: isPersonal ? "Personal" : name,
                isOn: id === place.workspace.id,
              }))}
            />
          )}
          <Submit>Register it</Submit>
        </Form>
      </>
    ),
  };
}

export const FIELDS = ["name", "homepage", "redirectUris"];

export function AppFields({
  ask,
  values,
  error,
  children,
}: {
  ask: PersonAsk;
  values: {
    name: string;
    homepage: string;
    redirectUris: readonly string[];
    scopes: readonly string[];
    idTokenAlg?: string;
  };
  error: CoreError | undefined;
  children?: JSX.Element;
}) {
  return (
    <>
      <Field
        name="name"
        label="Name"
        hint="People read it before they let the app in."
        value={values.name}
        placeholder="Tidewater CI"
        maxlength={60}
        ask={ask}
        error={error}
        required
      />
      {children ?? ""}
      <Field
        name="homepage"
        label="Home page"
        hint="An https:// address; may stay empty."
        type="url"
        value={values.homepage}
        maxlength={2048}
        ask={ask}
        error={error}
      />
      <TextArea
        name="redirectUris"
        label="Redirect addresses"
        hint={`One a line, up to ${REDIRECTS_MAX}. People come back to exactly one of them: https://, http://127.0.0.1 or a scheme such as com.example.app:`}
        value={values.redirectUris.join("\n")}
        rows={3}
        placeholder="https://ci.tidewater.example/callback"
        ask={ask}
        error={error}
        required
      />
      <Choices
        legend="What it may ask for"
        hint="The most it can ever ask a builder for; each of them may give less."
        name="scopes"
        options={BUILDER_SCOPES.map((scope) => ({
          value: scope,
          words: SCOPES[scope],
          hint: scope,
          isOn: values.scopes.includes(scope),
        }))}
      />
      <Select
        name="idTokenAlg"
        label="How its ID tokens are signed"
        hint="Only for apps that sign people in. Every tool reads RS256; EdDSA is smaller, where yours knows it."
        options={SIGNING_ALGS.toReversed().map((alg) => ({
          value: alg,
          words: alg,
          isOn: alg === (values.idTokenAlg ?? "RS256"),
        }))}
      />
    </>
  );
}

function madeView(ask: PersonAsk, { app, secret }: { app: App; secret: string | null }): View {
  return {
    title: "Your new app",
    section: "apps",
    body: (
      <>
        <Heading title="Your new app">
          <p>
            <bdi safe>{app.name}</bdi>
          </p>
        </Heading>
        {secret === null ? (
          ""
        ) : (
          <Secret label="Client secret" value={secret}>
            <p>Copy it now: it is not shown again. It belongs on your server and nowhere else.</p>
          </Secret>
        )}
        <dl class="facts">
          <dt>Client id</dt>
          <dd>
            <code safe>{app.id}</code>
          </dd>
        </dl>
        <TryIt origin={ask.core.origin} app={app} />
        <p class="part">
          <a href={`${HERE}/${app.id}`}>To the app's page</a>
        </p>
      </>
    ),
  };
}
