/** @jsxImportSource @kitajs/html */
import { signOut } from "../../../core/identity/accounts/sessions.ts";
import type { Maker } from "../../../core/delegation/apps/app.ts";
import { EVENT_SCOPES, typesOfScope } from "../../../core/outbox/events/catalogue.ts";
import { CoreError } from "../../../core/base/errors.ts";
import type {
  ConsentQuestion,
  RequestedScope,
  RequestingApp,
  Consent,
  Interactions,
  InteractionVisitor,
} from "../../../core/delegation/grants/interaction.ts";
import { field } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Choices, Form, Select } from "../../parts/parts.tsx";
import {
  publicPage,
  type PageAnswer,
  type PageContext,
  type PageRoute,
  type PersonContext,
  signedInPage,
  type View,
  withRepeats,
} from "../../request/route.ts";
import { redirectSignedOut } from "../../request/session-cookies.ts";
import { refusalText, describeScope } from "../../parts/sentences.ts";
import { reauthenticateIfRequired } from "../entry/reauthentication.tsx";
import { signInView } from "../entry/sign-in.tsx";

const HERE = "/oauth/consent";

/**
 * The page on which a person authorizes an app (RFC 6749 §3.1; docs/threats.md#E10). The OAuth server
 * redirects to it and continues after it.
 */
export function consentPages(interactions: Interactions): readonly PageRoute[] {
  return [
    publicPage("GET", `${HERE}/:uid`, (ctx) =>
      showEndedOnError(ctx, () => showInteraction(interactions, ctx)),
    ),
    withRepeats(
      publicPage("POST", `${HERE}/:uid`, (ctx) =>
        showEndedOnError(ctx, async () => {
          // The person signed out meanwhile. The page shows the sign-in form.
          const { person } = ctx;
          if (!person) return { to: addressOf(ctx) };
          const visitor = visitorOf(ctx);
          if (!isAllowed(ctx)) return { to: await interactions.deny(uidOf(ctx), visitor) };
          // After a new sign-in, the person returns to this page.
          return reauthenticateIfRequired({ ...ctx, person }, addressOf(ctx), async () => ({
            to: await interactions.allow(uidOf(ctx), visitor, consentOf(ctx)),
          }));
        }),
      ),
      "scopes",
    ),
    signedInPage("POST", `${HERE}/:uid/leave`, async (ctx) => {
      await ctx.core.db.write(() => signOut(ctx.core, ctx.person.caller));
      return redirectSignedOut(ctx, addressOf(ctx), "signed-out");
    }),
  ];
}

async function showInteraction(interactions: Interactions, ctx: PageContext): Promise<PageAnswer> {
  const found = await interactions.find(uidOf(ctx), visitorOf(ctx));
  if (found.kind === "continue") return redirectView(ctx, found.to);
  if (found.kind === "sign-in" || !ctx.person) {
    const view = signInView(ctx, { next: addressOf(ctx) });
    return {
      ...view,
      body: (
        <SignInForApp ctx={ctx} app={found.app}>
          {view.body}
        </SignInForApp>
      ),
    };
  }
  return consentView({ ...ctx, person: ctx.person }, found, addressOf(ctx));
}

/** Shows a page for errors after which the person must start again. */
async function showEndedOnError(ctx: PageContext, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CoreError && (error.error === "not_found" || error.error === "conflict"))
      return endedView(ctx, error);
    throw error;
  }
}

function uidOf({ params }: PageContext): string {
  return params["uid"] ?? "";
}

function addressOf(ctx: PageContext): string {
  return `${HERE}/${encodeURIComponent(uidOf(ctx))}`;
}

export function visitorOf({ context, person }: PageContext): InteractionVisitor {
  return {
    cookies: context.request.headers.get("cookie"),
    person: person && { caller: person.caller, signedInAt: person.signedInAt },
  };
}

/** Any answer but “allow” denies. */
export function isAllowed({ form }: PageContext): boolean {
  return field(form, "answer") === "allow";
}

export function consentOf({ form }: PageContext): Consent {
  return { scopes: form.getAll("scopes"), workspaceId: field(form, "workspace") };
}

/**
 * The consent question. Text of the app never looks like text of the site: the app's name has its own box.
 * Beside the box, the page shows what the app cannot choose: who registered it, when, and the host that gets
 * the answer.
 */
export function consentView(
  ctx: PersonContext,
  question: ConsentQuestion,
  action: string,
  error?: CoreError,
): View {
  const { app } = question;
  const messages = ctx.messages.consent;
  const fresh = question.scopes.filter(({ isGranted }) => !isGranted);
  const granted = question.scopes.filter(({ isGranted }) => isGranted);
  return {
    title: messages.title,
    isPlain: true,
    error,
    // Browsers may apply `form-action` to every redirect after the form (CSP 3 §6.4.2), so the policy allows
    // the app's redirect URI.
    policy: { formAction: app.redirectSource === null ? [] : [app.redirectSource] },
    body: (
      <>
        <Heading title={fresh.length > 0 ? messages.heading : messages.again} />
        <AppCard app={app} ctx={ctx} />
        <div class="asked-as">
          <p>
            {messages.asWho({
              username: <strong dir="auto" safe>{`@${ctx.person.caller.username}`}</strong>,
            })}
          </p>
          <Form action={`${action}/leave`} ctx={ctx} kind="inline">
            {question.kind === "device" ? <input type="hidden" name="user_code" value={question.uid} /> : ""}
            <button class="button link">{messages.notYou}</button>
          </Form>
        </div>
        <Form action={action} ctx={ctx} kind="stack" label={messages.form} error={error}>
          {question.kind === "device" ? <input type="hidden" name="user_code" value={question.uid} /> : ""}
          {fresh.length > 0 && (
            <Choices
              legend={messages.asks}
              hint={messages.asksHint}
              name="scopes"
              options={fresh.map(({ name }) => ({
                value: name,
                words: describeScope(ctx.messages, name),
                hint: name,
                isOn: true,
              }))}
            />
          )}
          <GrantedScopes ctx={ctx} scopes={granted} />
          <WebhookWarning ctx={ctx} scopes={question.scopes} />
          <WorkspaceField question={question} ctx={ctx} />
          {/* “Deny” is the first button, because Enter presses the first button. */}
          <div class="answers">
            <Button kind="quiet" name="answer" value="deny">
              {messages.deny}
            </Button>
            <Button name="answer" value="allow">
              {messages.allow}
            </Button>
          </div>
        </Form>
        <p class="hint below">{messages.takeBack}</p>
      </>
    ),
  };
}

function AppCard({ app, ctx }: { app: RequestingApp; ctx: PageContext }) {
  const messages = ctx.messages.consent.card;
  return (
    <section class="card asking" aria-label={messages.label}>
      <p class="asking-name">
        <bdi safe>{app.name}</bdi>
      </p>
      <dl class="facts">
        <dt>{messages.goesTo}</dt>
        <dd>
          <RedirectTarget ctx={ctx} app={app} />
        </dd>
        <dt>{messages.registeredBy}</dt>
        <dd>
          <MakerName ctx={ctx} maker={app.maker} />, <Ago ctx={ctx} at={app.registeredAt} />
        </dd>
        {app.homepage === null ? (
          ""
        ) : (
          <>
            <dt>{messages.home}</dt>
            <dd>
              <bdi safe>{hostOf(app.homepage)}</bdi>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

/**
 * The host that gets the answer. An app cannot choose just any host, because the app must receive the answer
 * there.
 */
function RedirectTarget({
  ctx,
  app: { redirectHost, redirectSource },
}: {
  ctx: PageContext;
  app: RequestingApp;
}) {
  const messages = ctx.messages.consent.card;
  if (redirectHost === null || redirectSource === null) return messages.device;
  if (redirectSource.startsWith("https:")) return <Host host={redirectHost} />;
  return (redirectSource.startsWith("http:") ? messages.program : messages.app)({
    address: (
      <strong dir="auto" safe>
        {redirectHost}
      </strong>
    ),
  });
}

/** Highlights the registrable part of a host: `accounts.bank.example.evil.test` belongs to evil.test. */
function Host({ host }: { host: string }) {
  const labels = host.split(".");
  const isName = labels.length > 2 && /[a-z]/.test(labels.at(-1) ?? "");
  // Under suffixes such as co.uk, the registrable part has three labels.
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

/** A shared workspace can have any name, even `@ada`, so its name is always marked as a workspace. */
export function MakerName({ ctx, maker }: { ctx: PageContext; maker: Maker }) {
  return maker.isWorkspace ? (
    ctx.messages.consent.workspaceMaker({ name: <bdi safe>{maker.name}</bdi> })
  ) : (
    <span safe>{`@${maker.name}`}</span>
  );
}

export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

function GrantedScopes({ ctx, scopes }: { ctx: PageContext; scopes: readonly RequestedScope[] }) {
  if (scopes.length === 0) return "";
  return (
    <div>
      <h2 class="asked-before">{ctx.messages.consent.granted}</h2>
      <ul class="ticked">
        {scopes.map(({ name }) => (
          <li safe>{describeScope(ctx.messages, name)}</li>
        ))}
      </ul>
    </div>
  );
}

/**
 * Warns that an app with webhooks receives everything that it may read, at any time (docs/contract.md#5.1).
 */
function WebhookWarning({ ctx, scopes }: { ctx: PageContext; scopes: readonly RequestedScope[] }) {
  const messages = ctx.messages.consent;
  const names = new Set(scopes.map(({ name }) => name));
  if (!names.has("webhooks:read") && !names.has("webhooks:write")) return "";
  const eventScopes = EVENT_SCOPES.filter((scope) => names.has(scope));
  return (
    <div>
      <h2 class="asked-before">{messages.hears}</h2>
      {eventScopes.length === 0 ? (
        <p class="hint">{messages.hearsNothing}</p>
      ) : (
        <ul class="ticked">
          {eventScopes.flatMap((scope) =>
            typesOfScope(scope).map((type) => (
              <li>
                <span safe>{ctx.messages.events[type]}</span>{" "}
                <span class="hint" safe>
                  {messages.withScope({ scope })}
                </span>
              </li>
            )),
          )}
        </ul>
      )}
    </div>
  );
}

function WorkspaceField({
  question: { workspaces },
  ctx,
}: {
  question: ConsentQuestion;
  ctx: PersonContext;
}) {
  const messages = ctx.messages.consent;
  const ownId = ctx.person.caller.workspaceId;
  const called = (workspace: { id: string; name: string }): string =>
    workspace.id === ownId ? messages.personal : workspace.name;
  const [only, ...others] = workspaces;
  if (only && others.length === 0) {
    return (
      <>
        <input type="hidden" name="workspace" value={only.id} />
        {only.id === ownId ? (
          ""
        ) : (
          <p class="hint">{messages.inWorkspace({ workspace: <bdi safe>{only.name}</bdi> })}</p>
        )}
      </>
    );
  }
  return (
    <Select
      name="workspace"
      label={messages.workspace}
      hint={messages.workspaceHint}
      options={workspaces.map((workspace) => ({
        value: workspace.id,
        words: called(workspace),
        isOn: workspace.id === ownId,
      }))}
    />
  );
}

function SignInForApp({
  ctx,
  app,
  children,
}: {
  ctx: PageContext;
  app: RequestingApp;
  children: JSX.Element;
}) {
  return (
    <>
      <p class="asked-for">
        {ctx.messages.consent.signIn({
          app: (
            <strong>
              <bdi safe>{app.name}</bdi>
            </strong>
          ),
        })}
      </p>
      {children}
    </>
  );
}

/**
 * Forwards the browser to the app through a page. A browser that limits the sign-in form to its own site
 * would block a direct redirect to the app.
 */
function redirectView(ctx: PageContext, to: string): View {
  const messages = ctx.messages.consent.onward;
  return {
    title: messages.title,
    isPlain: true,
    policy: { headers: [["refresh", `0; url=${to}`]] },
    body: (
      <>
        <Heading title={messages.heading} />
        <p>
          <a class="button primary" href={to}>
            {messages.goOn}
          </a>
        </p>
      </>
    ),
  };
}

function endedView(ctx: PageContext, error: CoreError): View {
  const messages = ctx.messages.consent.ended;
  return {
    title: messages.title,
    isPlain: true,
    error,
    body: (
      <>
        <Heading title={messages.title}>
          <p safe>{refusalText(ctx, error)}</p>
        </Heading>
        <p>{messages.lead}</p>
        <p class="hint below">{messages.letIn}</p>
      </>
    ),
  };
}
