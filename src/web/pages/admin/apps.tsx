/** @jsxImportSource @kitajs/html */
import { Type } from "@sinclair/typebox";
import { type App, AppRate, Suspension } from "../../../core/delegation/apps/app.ts";
import {
  getAnyApp,
  listAllApps,
  restoreApp,
  setAppRate,
  suspendApp,
} from "../../../core/delegation/apps/apps.ts";
import { formOf } from "../../parts/draft-form.tsx";
import { CoreError } from "../../../core/base/errors.ts";
import { field, showAgainOnError, readDraft } from "../../request/forms.ts";
import { Ago, Button, Card, Fault, Form, More, Rows, Submit, Time } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { adminPage, type Notice, type PersonAsk, type View, type PageAsk } from "../../request/route.ts";
import { AdminHead } from "./head.tsx";
import { OrphanedNotice } from "../apps/app.tsx";
import { hostOf, MakerName } from "../apps/consent.tsx";
import { withReauthentication } from "../entry/reauthentication.tsx";

const HERE = "/admin/apps";

/** The apps of everybody: who made them, what they may ask for, and locking one out. */
export const adminAppPages = [
  adminPage("GET", HERE, (ask) => listView(ask)),
  adminPage("GET", `${HERE}/:id`, (ask) => appView(ask)),
  adminPage(
    "POST",
    `${HERE}/:id/suspend`,
    withReauthentication(addressOf, (ask) =>
      act(ask, "app-suspended", () => {
        suspendApp(ask.core, ask.person.caller, idOf(ask), readDraft(Suspension, ask.form).reason);
      }),
    ),
  ),
  adminPage(
    "POST",
    `${HERE}/:id/restore`,
    withReauthentication(addressOf, (ask) =>
      act(ask, "app-restored", () => restoreApp(ask.core, ask.person.caller, idOf(ask))),
    ),
  ),
  adminPage(
    "POST",
    `${HERE}/:id/rate`,
    withReauthentication(addressOf, (ask) =>
      act(ask, "saved", () => setAppRate(ask.core, ask.person.caller, idOf(ask), rateOf(ask))),
    ),
  ),
];

function act(ask: PersonAsk, notice: Notice, work: () => void) {
  return showAgainOnError(
    async () => {
      await ask.write(work);
      return { to: addressOf(ask), notice };
    },
    (error) => appView(ask, error),
  );
}

function addressOf(ask: PersonAsk): string {
  return `${HERE}/${idOf(ask)}`;
}

function idOf({ params }: PersonAsk): string {
  return params["id"] ?? "";
}

/** Both empty: the tier's own. */
function rateOf({ form }: PersonAsk): { sustained: number; burst: number } | null {
  const isEmpty = field(form, "sustained") === "" && field(form, "burst") === "";
  return isEmpty ? null : readDraft(AppRate, form);
}

function listView(ask: PersonAsk): View {
  const words = ask.words.adminApps;
  const { core, person } = ask;
  const page = listAllApps(core, person.caller, pageRequest(ask));
  return {
    title: ask.words.admin.places.apps,
    body: (
      <>
        <AdminHead ask={ask} title={ask.words.admin.places.apps}>
          <p>{words.lead}</p>
        </AdminHead>
        <Rows
          nodes={page.nodes}
          empty={words.empty}
          lead={words.emptyLead}
          row={(app) => <AppRow app={app} ask={ask} />}
        />
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}

function AppRow({ app, ask }: { app: App; ask: PageAsk }) {
  const words = ask.words.adminApps;
  return (
    <li>
      <div class="row-main">
        <p class="row-title app-name">
          <a href={`${HERE}/${app.id}`}>
            <bdi safe>{app.name}</bdi>
          </a>
        </p>
        <p class="row-meta">
          {words.registered({
            maker: <MakerName ask={ask} maker={app.maker} />,
            when: <Ago ask={ask} at={app.createdAt} />,
          })}
        </p>
      </div>
      <span>
        {app.rate ? <span class="badge">{words.ownRate}</span> : ""}{" "}
        {app.suspended ? <span class="badge bad">{words.suspended}</span> : ""}{" "}
        {app.isOrphaned ? <span class="badge bad">{words.ownerSuspended}</span> : ""}
      </span>
    </li>
  );
}

function appView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.adminApps;
  const { core, person } = ask;
  const app = getAnyApp(core, person.caller, idOf(ask));
  const rate = formOf(ask, Type.Partial(AppRate), { words, error, stored: app.rate ?? undefined });
  const suspension = formOf(ask, Suspension, { words, error });
  return {
    title: app.name,
    error,
    body: (
      <>
        <AdminHead ask={ask} title={app.name}>
          <p>
            {words.registeredAt({
              maker: <MakerName ask={ask} maker={app.maker} />,
              when: <Time ask={ask} at={app.createdAt} />,
            })}
          </p>
        </AdminHead>
        <Fault ask={ask} error={error} fields={["reason", "sustained", "burst"]} />
        {app.suspended ? <Locked ask={ask} suspended={app.suspended} /> : ""}
        {app.isOrphaned ? <OrphanedNotice ask={ask} /> : ""}
        <Facts ask={ask} app={app} />
        <section class="part">
          <h2>{words.rate}</h2>
          <p class="hint">{words.rateLead}</p>
          <Form action={`${HERE}/${app.id}/rate`} ask={ask} kind="stack" label={words.rate}>
            <div class="pair">
              <rate.Field name="sustained" />
              <rate.Field name="burst" />
            </div>
            <Submit kind="quiet">{words.setRate}</Submit>
          </Form>
        </section>
        {app.suspended ? (
          ""
        ) : (
          <section class="part">
            <h2>{words.suspend}</h2>
            <p class="hint">{words.suspendLead}</p>
            <Form action={`${HERE}/${app.id}/suspend`} ask={ask} kind="stack" label={words.suspend}>
              <suspension.Field name="reason" />
              <Submit kind="danger">{words.suspendButton}</Submit>
            </Form>
          </section>
        )}
      </>
    ),
  };
}

function Locked({ ask, suspended }: { ask: PersonAsk; suspended: NonNullable<App["suspended"]> }) {
  const words = ask.words.adminApps;
  return (
    <Card kind="danger gap" title={words.suspended}>
      <p>
        <bdi safe>{suspended.reason}</bdi>
      </p>
      <p class="hint">{words.since({ when: <Time ask={ask} at={suspended.at} /> })}</p>
      <p>
        <Form action={`${HERE}/${idOf(ask)}/restore`} ask={ask} kind="inline">
          <Button>{words.restore}</Button>
        </Form>
      </p>
    </Card>
  );
}

function Facts({ ask, app }: { ask: PageAsk; app: App }) {
  const words = ask.words.adminApps.facts;
  return (
    <dl class="facts">
      <dt>{words.id}</dt>
      <dd>
        <code safe>{app.id}</code>
      </dd>
      <dt>{words.kind}</dt>
      <dd>{words.kinds[app.kind]}</dd>
      {app.homepage === null ? (
        ""
      ) : (
        <>
          <dt>{words.homepage}</dt>
          <dd>
            <a href={app.homepage} rel="nofollow noopener noreferrer" safe>
              {hostOf(app.homepage)}
            </a>
          </dd>
        </>
      )}
      <dt>{words.redirects}</dt>
      <dd>
        {app.redirectUris.map((address) => (
          <div>
            <code safe>{address}</code>
          </div>
        ))}
      </dd>
      <dt>{words.scopes}</dt>
      <dd>
        {app.scopes.length === 0 ? words.noScope : ""}
        {app.scopes.map((scope) => (
          <div safe>{ask.words.scopes[scope]}</div>
        ))}
      </dd>
    </dl>
  );
}
