/** @jsxImportSource @kitajs/html */
import { SCOPES } from "../../../core/identity/access/scopes.ts";
import { type App, AppRate, Suspension } from "../../../core/delegation/apps/app.ts";
import {
  examineApp,
  listAllApps,
  restoreApp,
  setAppRate,
  suspendApp,
} from "../../../core/delegation/apps/apps.ts";
import { check } from "../../../core/ground/check.ts";
import { CoreError } from "../../../core/ground/errors.ts";
import { field, orAgain } from "../../request/forms.ts";
import {
  Ago,
  Button,
  Card,
  Empty,
  Fault,
  boundFields,
  Form,
  More,
  Submit,
  Time,
} from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/reading.ts";
import { forAdmins, type Notice, type PersonAsk, type View, type PageAsk } from "../../request/route.ts";
import { AdminHead } from "./head.tsx";
import { Orphaned } from "../apps/app.tsx";
import { hostOf, MakerName } from "../apps/consent.tsx";
import { afterProof } from "../entry/proof.tsx";

const HERE = "/admin/apps";

/** The apps of everybody: who made them, what they may ask for, and locking one out. */
export const adminAppPages = [
  forAdmins("GET", HERE, (ask) => listView(ask)),
  forAdmins("GET", `${HERE}/:id`, (ask) => appView(ask)),
  forAdmins(
    "POST",
    `${HERE}/:id/suspend`,
    afterProof(addressOf, (ask) =>
      act(ask, "app-suspended", () => {
        suspendApp(ask.core, ask.person.caller, idOf(ask), reasonOf(ask));
      }),
    ),
  ),
  forAdmins(
    "POST",
    `${HERE}/:id/restore`,
    afterProof(addressOf, (ask) =>
      act(ask, "app-restored", () => restoreApp(ask.core, ask.person.caller, idOf(ask))),
    ),
  ),
  forAdmins(
    "POST",
    `${HERE}/:id/rate`,
    afterProof(addressOf, (ask) =>
      act(ask, "saved", () => setAppRate(ask.core, ask.person.caller, idOf(ask), rateOf(ask))),
    ),
  ),
];

function act(ask: PersonAsk, notice: Notice, work: () => void) {
  return orAgain(
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

function reasonOf({ form }: PersonAsk): string {
  return check(Suspension, { reason: field(form, "reason") }).reason;
}

/** Both empty: the tier's own. */
function rateOf({ form }: PersonAsk): { sustained: number; burst: number } | null {
  const [sustained, burst] = [field(form, "sustained"), field(form, "burst")];
  if (sustained === "" && burst === "") return null;
  return check(AppRate, { sustained: wholeOf(sustained), burst: wholeOf(burst) });
}

/** Only digits: `Number` would also take `0x10`, `1e3` and nothing at all. */
function wholeOf(text: string): number | string {
  return /^\d{1,12}$/.test(text) ? Number(text) : text;
}

function listView(ask: PersonAsk): View {
  const { core, person } = ask;
  const page = listAllApps(core, person.caller, pageRequest(ask));
  return {
    title: "Apps",
    body: (
      <>
        <AdminHead ask={ask} title="Apps">
          <p>Everything that builders have registered, newest first.</p>
        </AdminHead>
        {page.nodes.length === 0 ? (
          <Empty title="No app yet">
            <p>Builders register them under Your apps.</p>
          </Empty>
        ) : (
          <ul class="rows">
            {page.nodes.map((app) => (
              <AppRow app={app} ask={ask} />
            ))}
          </ul>
        )}
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}

function AppRow({ app, ask }: { app: App; ask: PageAsk }) {
  return (
    <li>
      <div class="row-main">
        <p class="row-title app-name">
          <a href={`${HERE}/${app.id}`}>
            <bdi safe>{app.name}</bdi>
          </a>
        </p>
        <p class="row-meta">
          By <MakerName maker={app.maker} /> · registered <Ago ask={ask} at={app.createdAt} />
        </p>
      </div>
      <span>
        {app.rate ? <span class="badge">Own rate</span> : ""}
        {app.suspended ? <span class="badge bad">Suspended</span> : ""}
        {app.isOrphaned ? <span class="badge bad">Owner suspended</span> : ""}
      </span>
    </li>
  );
}

function appView(ask: PersonAsk, error?: CoreError): View {
  const { core, person } = ask;
  const app = examineApp(core, person.caller, idOf(ask));
  const { Field } = boundFields(ask, error, {
    sustained: String(app.rate?.sustained ?? ""),
    burst: String(app.rate?.burst ?? ""),
  });
  return {
    title: app.name,
    error,
    body: (
      <>
        <AdminHead ask={ask} title={app.name}>
          <p>
            By <MakerName maker={app.maker} />, registered <Time ask={ask} at={app.createdAt} /> UTC
          </p>
        </AdminHead>
        <Fault ask={ask} error={error} fields={["reason", "sustained", "burst"]} />
        {app.suspended ? <Locked ask={ask} suspended={app.suspended} /> : ""}
        {app.isOrphaned ? <Orphaned /> : ""}
        <Facts app={app} />
        <section class="part">
          <h2>Rate</h2>
          <p class="hint">
            For each of its callers, in place of the OAuth tier's. Leave both empty to take it back.
          </p>
          <Form action={`${HERE}/${app.id}/rate`} token={ask.formToken} kind="stack" label="Rate">
            <div class="pair">
              <Field name="sustained" label="Requests a minute" />
              <Field name="burst" label="At once" />
            </div>
            <Submit kind="quiet">Set the rate</Submit>
          </Form>
        </section>
        {app.suspended ? (
          ""
        ) : (
          <section class="part">
            <h2>Suspend</h2>
            <p class="hint">All its tokens stop working at once, and nobody can let it in.</p>
            <Form action={`${HERE}/${app.id}/suspend`} token={ask.formToken} kind="stack" label="Suspend">
              <Field name="reason" label="Why" hint="Its makers read it." maxlength={200} required />
              <Submit kind="danger">Suspend the app</Submit>
            </Form>
          </section>
        )}
      </>
    ),
  };
}

function Locked({ ask, suspended }: { ask: PersonAsk; suspended: NonNullable<App["suspended"]> }) {
  return (
    <Card kind="danger gap" title="Suspended">
      <p>
        <bdi safe>{suspended.reason}</bdi>
      </p>
      <p class="hint">
        Since <Time ask={ask} at={suspended.at} /> UTC
      </p>
      <p>
        <Form action={`${HERE}/${idOf(ask)}/restore`} token={ask.formToken} kind="inline">
          <Button>Let it work again</Button>
        </Form>
      </p>
    </Card>
  );
}

function Facts({ app }: { app: App }) {
  return (
    <dl class="facts">
      <dt>Client id</dt>
      <dd>
        <code safe>{app.id}</code>
      </dd>
      <dt>Kind</dt>
      <dd>{app.kind === "public" ? "Public: it has no secret" : "Confidential"}</dd>
      {app.homepage === null ? (
        ""
      ) : (
        <>
          <dt>Home page</dt>
          <dd>
            <a href={app.homepage} rel="nofollow noopener noreferrer" safe>
              {hostOf(app.homepage)}
            </a>
          </dd>
        </>
      )}
      <dt>Redirect addresses</dt>
      <dd>
        {app.redirectUris.map((address) => (
          <div>
            <code safe>{address}</code>
          </div>
        ))}
      </dd>
      <dt>May ask to</dt>
      <dd>
        {app.scopes.length === 0 ? "know who signs in, nothing else" : ""}
        {app.scopes.map((scope) => (
          <div safe>{SCOPES[scope]}</div>
        ))}
      </dd>
    </dl>
  );
}
