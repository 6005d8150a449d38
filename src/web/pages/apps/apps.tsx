/** @jsxImportSource @kitajs/html */
import { BUILDER_SCOPES } from "../../../core/identity/access/scopes.ts";
import { type App, AppDraft, REDIRECTS_MAX } from "../../../core/delegation/apps/app.ts";
import { listApps, registerApp } from "../../../core/delegation/apps/apps.ts";
import { check } from "../../../core/base/check.ts";
import type { CoreError } from "../../../core/base/errors.ts";
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
import { type PageAsk, type PersonAsk, personal, type View, withRepeats } from "../../request/route.ts";
import { inPlace, placeOf, WorkspaceChoice } from "../../parts/workspace-choice.tsx";
import { afterProof, provedForm } from "../entry/proof.tsx";
import { weave } from "../../parts/weave.ts";
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
  withRepeats(
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
    "scopes",
  ),
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
  const words = ask.words.apps;
  const place = placeOf(ask);
  const apps = listApps(ask.core, ask.person.caller, place.workspace.id);
  const add = (
    <a class="button primary" href={inPlace(`${HERE}/new`, place)}>
      {words.register}
    </a>
  );
  return {
    title: words.title,
    section: "apps",
    body: (
      <>
        <Heading title={words.title} action={apps.length > 0 ? add : ""}>
          <p>{weave(words.lead)}</p>
        </Heading>
        <WorkspaceChoice ask={ask} place={place} path={HERE} />
        {apps.length === 0 ? (
          <Empty title={words.empty}>
            <p>{weave(words.emptyLead)}</p>
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
                    {weave(words.registered, { when: <Ago ask={ask} at={app.createdAt} /> })}
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
  const place = placeOf(ask);
  const kind = ask.form.get("kind") ?? "confidential";
  return {
    title: ask.words.apps.register,
    section: "apps",
    error,
    body: (
      <>
        <Heading title={ask.words.apps.register}>
          <p>
            <a href={inPlace(HERE, place)}>{ask.words.apps.all}</a>
          </p>
          <p>{weave(words.guide)}</p>
        </Heading>
        <Form action={HERE} token={ask.formToken} kind="stack">
          <Fault ask={ask} error={error} fields={FIELDS} />
          <AppFields
            ask={ask}
            values={{ ...typedIn(ask), homepage: field(ask.form, "homepage") }}
            error={error}
          >
            <Choices
              legend={words.runs}
              name="kind"
              type="radio"
              options={[
                {
                  value: "confidential",
                  words: words.confidential,
                  hint: words.confidentialHint,
                  isOn: kind === "confidential",
                },
                {
                  value: "public",
                  words: words.public,
                  hint: words.publicHint,
                  isOn: kind === "public",
                },
              ]}
            />
          </AppFields>
          {place.all.length > 1 && (
            <Select
              name="workspace"
              label={words.workspace}
              hint={words.workspaceHint}
              options={place.all.map(({ id, name, isPersonal }) => ({
                value: id,
                words: isPersonal ? words.personal : name,
                isOn: id === place.workspace.id,
              }))}
            />
          )}
          <Submit>{words.button}</Submit>
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
  const words = ask.words.apps.form;
  return (
    <>
      <Field
        name="name"
        label={words.name}
        hint={words.nameHint}
        value={values.name}
        placeholder={words.nameExample}
        maxlength={60}
        ask={ask}
        error={error}
        required
      />
      {children ?? ""}
      <Field
        name="homepage"
        label={words.homepage}
        hint={words.homepageHint}
        type="url"
        value={values.homepage}
        maxlength={2048}
        ask={ask}
        error={error}
      />
      <TextArea
        name="redirectUris"
        label={words.redirects}
        hint={words.redirectsHint(REDIRECTS_MAX)}
        value={values.redirectUris.join("\n")}
        rows={3}
        placeholder={words.redirectsExample}
        ask={ask}
        error={error}
        required
      />
      <Choices
        legend={words.scopes}
        hint={words.scopesHint}
        name="scopes"
        options={BUILDER_SCOPES.map((scope) => ({
          value: scope,
          words: ask.words.codes.scopes[scope],
          hint: scope,
          isOn: values.scopes.includes(scope),
        }))}
      />
      <Select
        name="idTokenAlg"
        label={words.signing}
        hint={words.signingHint}
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
