/** @jsxImportSource @kitajs/html */
import {
  createToken,
  listTokens,
  revokeToken,
  type Token,
  TOKEN_LIFETIMES_DAYS,
  TokenDraft,
} from "../../../core/delegation/tokens/tokens.ts";
import { type Scope, scopesOfRole } from "../../../core/identity/access/scopes.ts";
import { type CoreError, fault, refuse, refuseFields } from "../../../core/base/errors.ts";
import { field, readDraft } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { Ago, Button, Choices, Empty, Form, Secret, Submit } from "../../parts/parts.tsx";
import { type PersonContext, signedInPage, type View, withRepeats } from "../../request/route.ts";
import { workspaceOf, WorkspaceField } from "../../parts/workspace-choice.tsx";
import { withReauthentication, reauthenticatedForm } from "../entry/reauthentication.tsx";

const HERE = "/settings/tokens";
const NEW = `${HERE}/new`;

/** Developer settings: personal access tokens (docs/contract.md#V5.2). */
export const tokenPages = [
  signedInPage("GET", HERE, (ctx) => listView(ctx)),
  signedInPage(
    "GET",
    NEW,
    withReauthentication(NEW, (ctx) => newView(ctx)),
  ),
  withRepeats(
    reauthenticatedForm(signedInPage, HERE, NEW, newView, async (ctx) => {
      const days = daysOf(field(ctx.form, "days"));
      const draft = readDraft(TokenDraft, ctx.form, {
        tier: "personal",
        workspaceId: workspaceOf(ctx).workspace.id,
        expiresInDays: days === 0 ? undefined : days,
      });
      const { caller } = ctx.person;
      const { token } = await ctx.write(() => createToken(ctx.core, caller, caller.username, draft));
      return createdView(ctx, draft.name, token, draft.scopes);
    }),
    "scopes",
  ),
  signedInPage("GET", `${HERE}/:id/revoke`, (ctx) => revokeView(ctx)),
  withRepeats(
    signedInPage("POST", `${HERE}/:id/revoke`, async (ctx) => {
      // Ends only the webhooks that the form names. Webhooks created after the form was opened are kept.
      const ending = ctx.form.getAll("end");
      await ctx.write(() => revokeToken(ctx.core, ctx.person.caller, ctx.params["id"] ?? "", ending));
      return { to: HERE, notice: "token-revoked" };
    }),
    "end",
  ),
];

/** Only the explicit value 0 creates a token without an expiry. A missing or mistyped value is rejected. */
function daysOf(text: string): number {
  if (text === "0" || TOKEN_LIFETIMES_DAYS.map(String).includes(text)) return Number(text);
  throw refuseFields([fault("days", "not_of_form")]);
}

function listView(ctx: PersonContext): View {
  const messages = ctx.messages.tokens;
  const { core, person } = ctx;
  const tokens = listTokens(core, person.caller, person.caller.username);
  const add = (
    <a class="button primary" href={NEW}>
      {messages.newOne}
    </a>
  );
  return {
    title: messages.title,
    section: "tokens",
    body: (
      <>
        <Heading title={messages.title} action={tokens.length > 0 ? add : ""}>
          <p>{messages.lead}</p>
        </Heading>
        {tokens.length === 0 ? (
          <Empty title={messages.empty}>
            <p>{messages.emptyLead}</p>
            {add}
          </Empty>
        ) : (
          <ul class="rows">
            {tokens.map((token) => (
              <TokenRow token={token} ctx={ctx} />
            ))}
          </ul>
        )}
      </>
    ),
  };
}

function TokenRow({ token, ctx }: { token: Token; ctx: PersonContext }) {
  const messages = ctx.messages.tokens.row;
  const now = ctx.core.clock.now();
  // For a token that was never used, the page says “never used” and does not mark the scopes as unused.
  const unused = new Set(token.lastUsedAt === null ? [] : token.unusedScopes);
  const isOwn = token.workspace.id === ctx.person.caller.workspaceId;
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto" safe>
          {token.name}
        </p>
        <p class="row-meta">
          {isOwn ? "" : <bdi safe>{`${messages.in({ workspace: token.workspace.name })} · `}</bdi>}
          {messages.made({ when: <Ago ctx={ctx} at={token.createdAt} /> })} ·{" "}
          {token.lastUsedAt === null
            ? messages.neverUsed
            : messages.used({ when: <Ago ctx={ctx} at={token.lastUsedAt} /> })}{" "}
          ·{" "}
          {token.expiresAt === null
            ? messages.neverExpires
            : (token.expiresAt > now ? messages.expires : messages.expiredAt)({
                when: <Ago ctx={ctx} at={token.expiresAt} />,
              })}
        </p>
        <ul class="tags">
          {token.scopes.map((scope) => (
            <li class={unused.has(scope) ? "tag unused" : "tag"} safe>
              {unused.has(scope) ? messages.unusedScope({ scope }) : scope}
            </li>
          ))}
        </ul>
      </div>
      {token.state === "live" && token.endpoints.length > 0 ? (
        <a
          class="button danger"
          href={`${HERE}/${token.id}/revoke`}
          aria-label={messages.revokeOf({ name: token.name })}
        >
          {messages.revoke}
        </a>
      ) : token.state === "live" ? (
        <Form
          action={`${HERE}/${token.id}/revoke`}
          ctx={ctx}
          kind="inline"
          label={messages.revokeOf({ name: token.name })}
        >
          <Button kind="danger">{messages.revoke}</Button>
        </Form>
      ) : (
        <span class="badge">{token.state === "expired" ? messages.expired : messages.revoked}</span>
      )}
    </li>
  );
}

/** The webhooks of a revoked token are kept unless its owner chooses to end them. */
function revokeView(ctx: PersonContext): View {
  const messages = ctx.messages.tokens.revocation;
  const { core, person, params } = ctx;
  const token = listTokens(core, person.caller, person.caller.username).find(({ id }) => id === params["id"]);
  if (!token || token.state === "revoked") throw refuse("token_not_yours");
  return {
    title: messages.title,
    section: "tokens",
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead({ name: <bdi safe>{token.name}</bdi> })}</p>
        </Heading>
        <Form action={`${HERE}/${token.id}/revoke`} ctx={ctx} kind="stack">
          {token.endpoints.length === 0 ? (
            ""
          ) : (
            <Choices
              legend={messages.endpoints}
              hint={messages.endpointsHint}
              name="end"
              options={token.endpoints.map(({ id, url, events }) => ({
                value: id,
                words: url,
                hint: events.join(", "),
                isOn: false,
              }))}
            />
          )}
          <Submit kind="danger">{messages.button}</Submit>
        </Form>
      </>
    ),
  };
}

function newView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.tokens.form;
  const place = workspaceOf(ctx);
  const stored = { days: "90" };
  const { Form, Field, Choices, Select } = formOf(ctx, TokenDraft, { messages, error, stored });
  return {
    title: messages.title,
    section: "tokens",
    error,
    body: (
      <>
        <Heading title={messages.title}>
          <p>
            <a href={HERE}>{ctx.messages.tokens.all}</a>
          </p>
        </Heading>
        <Form action={HERE}>
          <Field name="name" autofocus />
          <Choices
            name="scopes"
            values={scopesOfRole(ctx.person.role)}
            option={(scope: Scope) => ({ words: ctx.messages.scopes[scope], hint: scope })}
          />
          <WorkspaceField workspacePath={place} messages={messages} />
          <Select
            name="days"
            values={[...TOKEN_LIFETIMES_DAYS.map(String), "0"]}
            option={(days: string) =>
              days === "0" ? messages.forGood : messages.daysOf({ count: Number(days) })
            }
          />
          <Submit>{messages.make}</Submit>
        </Form>
      </>
    ),
  };
}

/** An example request for each scope. The page shows the first one that the token may make. */
const EXAMPLE_REQUESTS: readonly (readonly [scope: Scope, address: string])[] = [
  ["profile:read", "/v1/profiles/me"],
  ["feed:read", "/v1/feed?limit=3"],
  ["jobs:read", "/v1/jobs?limit=3"],
  ["prompts:read", "/v1/prompts?limit=3"],
  ["messages:read", "/v1/messages?limit=3"],
  ["webhooks:read", "/v1/webhooks"],
  ["moderation", "/v1/reports?limit=3"],
  ["admin", "/v1/reports?limit=3"],
];

/**
 * Returns a request that this token may make. A token that can only write gets the request for its remaining
 * rate limit, which needs no scope and changes nothing.
 */
function tryIt(origin: string, token: string, scopes: readonly string[]): string {
  const bearer = `curl -H 'Authorization: Bearer ${token}'`;
  const read = EXAMPLE_REQUESTS.find(([scope]) => scopes.includes(scope));
  if (read) return `${bearer} '${origin}${read[1]}'`;
  const query = JSON.stringify({ query: "{ rateLimit { remaining, resetAt } }" });
  return `${bearer} -H 'Content-Type: application/json' '${origin}/graphql' -d '${query}'`;
}

function createdView(ctx: PersonContext, name: string, token: string, scopes: readonly string[]): View {
  const messages = ctx.messages.tokens.made;
  return {
    title: messages.title,
    section: "tokens",
    body: (
      <>
        <Heading title={messages.title}>
          <p safe>{name}</p>
        </Heading>
        <Secret label={messages.label} value={token}>
          <p>{messages.copy}</p>
        </Secret>
        <p>{messages.try}</p>
        <pre class="sample" tabindex="0" aria-label={messages.request} safe>
          {tryIt(ctx.core.origin, token, scopes)}
        </pre>
        <p>
          <a href={HERE}>{ctx.messages.tokens.all}</a>
        </p>
      </>
    ),
  };
}
