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
import { Heading } from "../../parts/layout.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { CoreError } from "../../../core/base/errors.ts";
import { field, showAgainOnError, readDraft } from "../../request/forms.ts";
import { Ago, Button, Card, Fault, Form, More, Rows, Submit, Time } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import {
  adminPage,
  type Notice,
  type PersonContext,
  type View,
  type PageContext,
} from "../../request/route.ts";
import { OrphanedNotice } from "../apps/app.tsx";
import { hostOf, MakerName } from "../apps/consent.tsx";
import { withReauthentication } from "../entry/reauthentication.tsx";

const HERE = "/admin/apps";

/** All registered apps: owners, scopes, rates and suspension. */
export const adminAppPages = [
  adminPage("GET", HERE, (ctx) => listView(ctx)),
  adminPage("GET", `${HERE}/:id`, (ctx) => appView(ctx)),
  adminPage(
    "POST",
    `${HERE}/:id/suspend`,
    withReauthentication(addressOf, (ctx) =>
      actOnApp(ctx, "app-suspended", () => {
        suspendApp(ctx.core, ctx.person.caller, idOf(ctx), readDraft(Suspension, ctx.form).reason);
      }),
    ),
  ),
  adminPage(
    "POST",
    `${HERE}/:id/restore`,
    withReauthentication(addressOf, (ctx) =>
      actOnApp(ctx, "app-restored", () => restoreApp(ctx.core, ctx.person.caller, idOf(ctx))),
    ),
  ),
  adminPage(
    "POST",
    `${HERE}/:id/rate`,
    withReauthentication(addressOf, (ctx) =>
      actOnApp(ctx, "saved", () => setAppRate(ctx.core, ctx.person.caller, idOf(ctx), rateOf(ctx))),
    ),
  ),
];

function actOnApp(ctx: PersonContext, notice: Notice, work: () => void) {
  return showAgainOnError(
    async () => {
      await ctx.write(work);
      return { to: addressOf(ctx), notice };
    },
    (error) => appView(ctx, error),
  );
}

function addressOf(ctx: PersonContext): string {
  return `${HERE}/${idOf(ctx)}`;
}

function idOf({ params }: PersonContext): string {
  return params["id"] ?? "";
}

/** Returns null if both fields are empty: the app then has the rate of its tier. */
function rateOf({ form }: PersonContext): { sustained: number; burst: number } | null {
  const isEmpty = field(form, "sustained") === "" && field(form, "burst") === "";
  return isEmpty ? null : readDraft(AppRate, form);
}

function listView(ctx: PersonContext): View {
  const messages = ctx.messages.adminApps;
  const { core, person } = ctx;
  const page = listAllApps(core, person.caller, pageRequest(ctx));
  return {
    title: ctx.messages.admin.places.apps,
    body: (
      <>
        <Heading title={ctx.messages.admin.places.apps}>
          <p>{messages.lead}</p>
        </Heading>
        <Rows
          nodes={page.nodes}
          empty={messages.empty}
          lead={messages.emptyLead}
          row={(app) => <AppRow app={app} ctx={ctx} />}
        />
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}

function AppRow({ app, ctx }: { app: App; ctx: PageContext }) {
  const messages = ctx.messages.adminApps;
  return (
    <li>
      <div class="row-main">
        <p class="row-title app-name">
          <a href={`${HERE}/${app.id}`}>
            <bdi safe>{app.name}</bdi>
          </a>
        </p>
        <p class="row-meta">
          {messages.registered({
            maker: <MakerName ctx={ctx} maker={app.maker} />,
            when: <Ago ctx={ctx} at={app.createdAt} />,
          })}
        </p>
      </div>
      <span>
        {app.rate ? <span class="badge">{messages.ownRate}</span> : ""}{" "}
        {app.suspended ? <span class="badge bad">{messages.suspended}</span> : ""}{" "}
        {app.isOrphaned ? <span class="badge bad">{messages.ownerSuspended}</span> : ""}
      </span>
    </li>
  );
}

function appView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.adminApps;
  const { core, person } = ctx;
  const app = getAnyApp(core, person.caller, idOf(ctx));
  const rate = formOf(ctx, Type.Partial(AppRate), { messages, error, stored: app.rate ?? undefined });
  const suspension = formOf(ctx, Suspension, { messages, error });
  return {
    title: app.name,
    error,
    body: (
      <>
        <Heading title={app.name}>
          <p>
            {messages.registeredAt({
              maker: <MakerName ctx={ctx} maker={app.maker} />,
              when: <Time ctx={ctx} at={app.createdAt} />,
            })}
          </p>
        </Heading>
        <Fault ctx={ctx} error={error} fields={["reason", "sustained", "burst"]} />
        {app.suspended ? <SuspensionNotice ctx={ctx} suspended={app.suspended} /> : ""}
        {app.isOrphaned ? <OrphanedNotice ctx={ctx} /> : ""}
        <AppDetails ctx={ctx} app={app} />
        <section class="part">
          <h2>{messages.rate}</h2>
          <p class="hint">{messages.rateLead}</p>
          <Form action={`${HERE}/${app.id}/rate`} ctx={ctx} kind="stack" label={messages.rate}>
            <div class="pair">
              <rate.Field name="sustained" />
              <rate.Field name="burst" />
            </div>
            <Submit kind="quiet">{messages.setRate}</Submit>
          </Form>
        </section>
        {app.suspended ? (
          ""
        ) : (
          <section class="part">
            <h2>{messages.suspend}</h2>
            <p class="hint">{messages.suspendLead}</p>
            <Form action={`${HERE}/${app.id}/suspend`} ctx={ctx} kind="stack" label={messages.suspend}>
              <suspension.Field name="reason" />
              <Submit kind="danger">{messages.suspendButton}</Submit>
            </Form>
          </section>
        )}
      </>
    ),
  };
}

function SuspensionNotice({
  ctx,
  suspended,
}: {
  ctx: PersonContext;
  suspended: NonNullable<App["suspended"]>;
}) {
  const messages = ctx.messages.adminApps;
  return (
    <Card kind="danger gap" title={messages.suspended}>
      <p>
        <bdi safe>{suspended.reason}</bdi>
      </p>
      <p class="hint">{messages.since({ when: <Time ctx={ctx} at={suspended.at} /> })}</p>
      <p>
        <Form action={`${HERE}/${idOf(ctx)}/restore`} ctx={ctx} kind="inline">
          <Button>{messages.restore}</Button>
        </Form>
      </p>
    </Card>
  );
}

function AppDetails({ ctx, app }: { ctx: PageContext; app: App }) {
  const messages = ctx.messages.adminApps.facts;
  return (
    <dl class="facts">
      <dt>{messages.id}</dt>
      <dd>
        <code safe>{app.id}</code>
      </dd>
      <dt>{messages.kind}</dt>
      <dd>{messages.kinds[app.kind]}</dd>
      {app.homepage === null ? (
        ""
      ) : (
        <>
          <dt>{messages.homepage}</dt>
          <dd>
            <a href={app.homepage} rel="nofollow noopener noreferrer" safe>
              {hostOf(app.homepage)}
            </a>
          </dd>
        </>
      )}
      <dt>{messages.redirects}</dt>
      <dd>
        {app.redirectUris.map((address) => (
          <div>
            <code safe>{address}</code>
          </div>
        ))}
      </dd>
      <dt>{messages.scopes}</dt>
      <dd>
        {app.scopes.length === 0 ? messages.noScope : ""}
        {app.scopes.map((scope) => (
          <div safe>{ctx.messages.scopes[scope]}</div>
        ))}
      </dd>
    </dl>
  );
}
