/** @jsxImportSource @kitajs/html */
import { signOut } from "../../../core/identity/accounts/sessions.ts";
import type { Maker } from "../../../core/delegation/apps/app.ts";
import { CATALOGUE, EVENT_SCOPES, typesOfScope } from "../../../core/outbox/events/catalogue.ts";
import { CoreError } from "../../../core/ground/errors.ts";
import type {
  Asked,
  AskedScope,
  AskingApp,
  Consent,
  Interactions,
  InteractionVisitor,
} from "../../../core/delegation/grants/interaction.ts";
import { field } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Choices, Fault, Form, Select } from "../../parts/parts.tsx";
import {
  open,
  type PageAnswer,
  type PageAsk,
  type PageRoute,
  type PersonAsk,
  personal,
  type View,
} from "../../request/route.ts";
import { leave } from "../../request/sign-in-session.ts";
import { sentenceOf } from "../../parts/sentences.ts";
import { provedIfAsked } from "../entry/proof.tsx";
import { signInView } from "../entry/sign-in.tsx";

const HERE = "/oauth/consent";

/**
 * Where a person says what an app may do (RFC 6749 §3.1; docs/threats.md#E10). The OAuth server sends them
 * here and takes them back.
 */
export function consentPages(interactions: Interactions): readonly PageRoute[] {
  return [
    open("GET", `${HERE}/:uid`, (ask) => orEnded(ask, () => showInteraction(interactions, ask))),
    open("POST", `${HERE}/:uid`, (ask) =>
      orEnded(ask, async () => {
        // Signed out in the meantime: the page itself asks who they are.
        const { person } = ask;
        if (!person) return { to: addressOf(ask) };
        const visitor = visitorOf(ask);
        if (!isAllowed(ask)) return { to: await interactions.deny(uidOf(ask), visitor) };
        // Who signed in a while ago comes back to this very question.
        return provedIfAsked({ ...ask, person }, addressOf(ask), async () => ({
          to: await interactions.allow(uidOf(ask), visitor, consentOf(ask)),
        }));
      }),
    ),
    personal("POST", `${HERE}/:uid/leave`, async (ask) => {
      await ask.core.db.write(() => signOut(ask.core, ask.person.caller));
      return leave(ask, addressOf(ask), "signed-out");
    }),
  ];
}

async function showInteraction(interactions: Interactions, ask: PageAsk): Promise<PageAnswer> {
  const found = await interactions.find(uidOf(ask), visitorOf(ask));
  if (found.kind === "continue") return onwardView(found.to);
  if (found.kind === "sign-in" || !ask.person) {
    const view = signInView(ask, { next: addressOf(ask) });
    return { ...view, body: <SignInFor app={found.app}>{view.body}</SignInFor> };
  }
  return askedView({ ...ask, person: ask.person }, found, addressOf(ask));
}

/** Refusals that a person can do nothing about but start again. */
async function orEnded(ask: PageAsk, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CoreError && (error.error === "not_found" || error.error === "conflict"))
      return endedView(ask, error);
    throw error;
  }
}

function uidOf({ params }: PageAsk): string {
  return params["uid"] ?? "";
}

function addressOf(ask: PageAsk): string {
  return `${HERE}/${encodeURIComponent(uidOf(ask))}`;
}

export function visitorOf({ context, person }: PageAsk): InteractionVisitor {
  return {
    cookies: context.request.headers.get("cookie"),
    person: person && { caller: person.caller, signedInAt: person.signedInAt },
  };
}

/** Whatever is not the word of that button is no. */
export function isAllowed({ form }: PageAsk): boolean {
  return field(form, "answer") === "allow";
}

export function consentOf({ form }: PageAsk): Consent {
  return { scopes: form.getAll("scopes"), workspaceId: field(form, "workspace") };
}

/**
 * The question itself. Nothing that the app chose stands where the site speaks: its name is in a box of its
 * own, beside what it cannot choose, which is who registered it, when, and the host that gets the answer.
 */
export function askedView(ask: PersonAsk, asked: Asked, action: string, error?: CoreError): View {
  const { app } = asked;
  const fresh = asked.scopes.filter(({ isGranted }) => !isGranted);
  const granted = asked.scopes.filter(({ isGranted }) => isGranted);
  return {
    title: "Let an app in",
    isPlain: true,
    error,
    // A browser may hold a form to this list through every redirect that follows it (CSP 3 §6.4.2).
    policy: { formAction: app.redirectSource === null ? [] : [app.redirectSource] },
    body: (
      <>
        <Heading title={fresh.length > 0 ? "Let this app in?" : "Go on with this app?"} />
        <AppCard app={app} ask={ask} />
        <div class="asked-as">
          <p>
            It would act as <strong dir="auto" safe>{`@${ask.person.caller.username}`}</strong>, which is you.
          </p>
          <Form action={`${action}/leave`} token={ask.formToken} kind="inline">
            {asked.kind === "device" ? <input type="hidden" name="user_code" value={asked.uid} /> : ""}
            <button class="button link">Not you?</button>
          </Form>
        </div>
        <Form action={action} token={ask.formToken} kind="stack" label="What the app may do">
          <Fault ask={ask} error={error} />
          {asked.kind === "device" ? <input type="hidden" name="user_code" value={asked.uid} /> : ""}
          {fresh.length > 0 && (
            <Choices
              legend="It asks to"
              hint="Switch off what you do not want to give."
              name="scopes"
              options={fresh.map(({ name, words }) => ({ value: name, words, hint: name, isOn: true }))}
            />
          )}
          <Granted scopes={granted} />
          <Heard scopes={asked.scopes} />
          <WorkspaceField asked={asked} ask={ask} />
          {/* The first button is what the Enter key presses. */}
          <div class="answers">
            <Button kind="quiet" name="answer" value="deny">
              Deny
            </Button>
            <Button name="answer" value="allow">
              Allow
            </Button>
          </div>
        </Form>
        <p class="hint below">
          You can take this back at any time under <a href="/settings/connected">Connected apps</a>.
        </p>
      </>
    ),
  };
}

function AppCard({ app, ask }: { app: AskingApp; ask: PageAsk }) {
  return (
    <section class="card asking" aria-label="The app that asks">
      <p class="asking-name">
        <bdi safe>{app.name}</bdi>
      </p>
      <dl class="facts">
        <dt>Access goes to</dt>
        <dd>
          <RedirectTarget app={app} />
        </dd>
        <dt>Registered by</dt>
        <dd>
          <MakerName maker={app.maker} />, <Ago ask={ask} at={app.registeredAt} />
        </dd>
        {app.homepage === null ? (
          ""
        ) : (
          <>
            <dt>Says its home is</dt>
            <dd>
              <bdi safe>{hostOf(app.homepage)}</bdi>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** The one thing an app cannot choose freely: it has to be there to get the answer. */
function RedirectTarget({ app: { redirectHost, redirectSource } }: { app: AskingApp }) {
  if (redirectHost === null || redirectSource === null) return "the device that showed you the code";
  if (redirectSource.startsWith("https:")) return <Host host={redirectHost} />;
  const words = redirectSource.startsWith("http:") ? "a program on this computer" : "an app on this device";
  return (
    <>
      {words} (
      <strong dir="auto" safe>
        {redirectHost}
      </strong>
      )
    </>
  );
}

/**
 * A host is owned from its end: `accounts.bank.example.evil.test` is evil.test, so that is what stands out.
 */
function Host({ host }: { host: string }) {
  const labels = host.split(".");
  const isName = labels.length > 2 && /[a-z]/.test(labels.at(-1) ?? "");
  // Under the likes of co.uk a name has one part more.
  const owned = !isName ? labels.length : (labels.at(-2)?.length ?? 0) <= 3 ? 3 : 2;
  const before = labels.slice(0, -owned).map((label) => `${label}.`);
  return (
    <span class="host">
      <span safe>{before.join("")}</span>
      <strong dir="auto" safe>
        {labels.slice(-owned).join(".")}
      </strong>
    </span>
  );
}

/** A shared workspace can be called anything, also `@ada`; so it always says what it is. */
export function MakerName({ maker }: { maker: Maker }) {
  return maker.isWorkspace ? (
    <>
      the workspace “<bdi safe>{maker.name}</bdi>”
    </>
  ) : (
    <span safe>{`@${maker.name}`}</span>
  );
}

export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

function Granted({ scopes }: { scopes: readonly AskedScope[] }) {
  if (scopes.length === 0) return "";
  return (
    <div>
      <h2 class="asked-before">You allowed it before</h2>
      <ul class="ticked">
        {scopes.map(({ words }) => (
          <li safe>{words}</li>
        ))}
      </ul>
    </div>
  );
}

/**
 * An app with webhooks hears of whatever else it may read, also while nobody looks (docs/contract.md#5.1).
 */
function Heard({ scopes }: { scopes: readonly AskedScope[] }) {
  const names = new Set(scopes.map(({ name }) => name));
  if (!names.has("webhooks:read") && !names.has("webhooks:write")) return "";
  const heard = EVENT_SCOPES.filter((scope) => names.has(scope));
  return (
    <div>
      <h2 class="asked-before">By webhooks it hears when</h2>
      {heard.length === 0 ? (
        <p class="hint">Nothing happens that it may read: it asks for no scope that opens an event.</p>
      ) : (
        <ul class="ticked">
          {heard.flatMap((scope) =>
            typesOfScope(scope).map((type) => (
              <li>
                <span safe>{CATALOGUE[type].words}</span> <span class="hint" safe>{`with ${scope}`}</span>
              </li>
            )),
          )}
        </ul>
      )}
    </div>
  );
}

function WorkspaceField({ asked: { workspaces }, ask }: { asked: Asked; ask: PersonAsk }) {
  const ownId = ask.person.caller.workspaceId;
  const words = (workspace: { id: string; name: string }): string =>
    workspace.id === ownId ? "Personal" : workspace.name;
  const [only, ...others] = workspaces;
  if (only && others.length === 0) {
    return (
      <>
        <input type="hidden" name="workspace" value={only.id} />
        {only.id === ownId ? (
          ""
        ) : (
          <p class="hint">
            In the workspace “<bdi safe>{only.name}</bdi>”.
          </p>
        )}
      </>
    );
  }
  return (
    <Select
      name="workspace"
      label="Workspace"
      hint="Its webhooks are what the app sees."
      options={workspaces.map((workspace) => ({
        value: workspace.id,
        words: words(workspace),
        isOn: workspace.id === ownId,
      }))}
    />
  );
}

function SignInFor({ app, children }: { app: AskingApp; children: JSX.Element }) {
  return (
    <>
      <p class="asked-for">
        To go on to{" "}
        <strong>
          <bdi safe>{app.name}</bdi>
        </strong>
        , sign in here first. Your password stays here.
      </p>
      {children}
    </>
  );
}

/**
 * Goes on by itself. It is a page and no redirect, because a browser that holds the sign-in form to its own
 * site would stop the way to the app after it.
 */
function onwardView(to: string): View {
  return {
    title: "Going on",
    isPlain: true,
    policy: { headers: [["refresh", `0; url=${to}`]] },
    body: (
      <>
        <Heading title="You are signed in" />
        <p>
          <a class="button primary" href={to}>
            Go on
          </a>
        </p>
      </>
    ),
  };
}

function endedView({ words }: PageAsk, error: CoreError): View {
  return {
    title: "This request is over",
    isPlain: true,
    error,
    body: (
      <>
        <Heading title="This request is over">
          <p safe>{sentenceOf(words, error)}</p>
        </Heading>
        <p>A request can be answered once, within an hour. Opening this page gave nothing to anybody.</p>
        <p class="hint below">
          What you have let in stands under <a href="/settings/connected">Connected apps</a>.
        </p>
      </>
    ),
  };
}
