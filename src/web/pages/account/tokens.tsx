/** @jsxImportSource @kitajs/html */
import {
  createToken,
  listTokens,
  revokeToken,
  type Token,
  TOKEN_LIFETIMES_DAYS,
  TokenDraft,
} from "../../../core/delegation/tokens/tokens.ts";
import { BUILDER_SCOPES, type Scope, SCOPE_NAMES, SCOPES } from "../../../core/identity/access/scopes.ts";
import { check } from "../../../core/ground/check.ts";
import { type CoreError, fault, refuse, refuseFields } from "../../../core/ground/errors.ts";
import { field } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import {
  Ago,
  Button,
  Choices,
  Empty,
  Fault,
  boundFields,
  Form,
  Secret,
  Select,
  Submit,
} from "../../parts/parts.tsx";
import { type PersonAsk, personal, type View } from "../../request/route.ts";
import { placeOf } from "../../parts/workspace-choice.tsx";
import { afterProof, provedForm } from "../entry/proof.tsx";

const HERE = "/settings/tokens";
const NEW = `${HERE}/new`;

/** Developer settings: personal access tokens (docs/contract.md#V5.2). */
export const tokenPages = [
  personal("GET", HERE, (ask) => listView(ask)),
  personal(
    "GET",
    NEW,
    afterProof(NEW, (ask) => newView(ask)),
  ),
  provedForm(personal, HERE, NEW, newView, async (ask) => {
    const days = daysOf(field(ask.form, "days"));
    const draft = check(TokenDraft, {
      name: field(ask.form, "name"),
      scopes: ask.form.getAll("scopes"),
      tier: "personal",
      workspaceId: placeOf(ask).workspace.id,
      ...(days === 0 ? {} : { expiresInDays: days }),
    });
    const { caller } = ask.person;
    const { token } = await ask.write(() => createToken(ask.core, caller, caller.username, draft));
    return madeView(ask, draft.name, token, draft.scopes);
  }),
  personal("GET", `${HERE}/:id/revoke`, (ask) => revokeView(ask)),
  personal("POST", `${HERE}/:id/revoke`, async (ask) => {
    // Whoever was not asked about them, as there were none a moment ago, keeps them.
    const ending = ask.form.getAll("end");
    await ask.write(() => revokeToken(ask.core, ask.person.caller, ask.params["id"] ?? "", ending));
    return { to: HERE, notice: "token-revoked" };
  }),
];

/** Only the word for it, 0, means a token without an end: nothing that was left out or mistyped may. */
function daysOf(text: string): number {
  if (text === "0" || TOKEN_LIFETIMES_DAYS.map(String).includes(text)) return Number(text);
  throw refuseFields([fault("days", "not_of_form")]);
}

function listView(ask: PersonAsk): View {
  const { core, person } = ask;
  const tokens = listTokens(core, person.caller, person.caller.username);
  const add = (
    <a class="button primary" href={NEW}>
      New token
    </a>
  );
  return {
    title: "Access tokens",
    section: "tokens",
    body: (
      <>
        <Heading title="Access tokens" action={tokens.length > 0 ? add : ""}>
          <p>
            For your own scripts and tools: whoever holds one acts as you, within its scopes.{" "}
            <a href="/docs#authentication">How to use one</a>
          </p>
        </Heading>
        {tokens.length === 0 ? (
          <Empty title="No token yet">
            <p>
              A token lets a script post, search jobs or read the feed in your name, and nothing you did not
              allow.
            </p>
            {add}
          </Empty>
        ) : (
          <ul class="rows">
            {tokens.map((token) => (
              <TokenRow token={token} ask={ask} />
            ))}
          </ul>
        )}
      </>
    ),
  };
}

function TokenRow({ token, ask }: { token: Token; ask: PersonAsk }) {
  const now = ask.core.clock.now();
  // A token that was never used says so already.
  const unused = new Set(token.lastUsedAt === null ? [] : token.unusedScopes);
  const isOwn = token.workspace.id === ask.person.caller.workspaceId;
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto" safe>
          {token.name}
        </p>
        <p class="row-meta">
          {isOwn ? "" : <bdi safe>{`In ${token.workspace.name} · `}</bdi>}
          Made <Ago ask={ask} at={token.createdAt} /> ·{" "}
          {token.lastUsedAt === null ? (
            "never used"
          ) : (
            <>
              last used <Ago ask={ask} at={token.lastUsedAt} />
            </>
          )}{" "}
          ·{" "}
          {token.expiresAt === null ? (
            "never expires"
          ) : (
            <>
              {token.expiresAt > now ? "expires" : "expired"} <Ago ask={ask} at={token.expiresAt} />
            </>
          )}
        </p>
        <ul class="tags">
          {token.scopes.map((scope) => (
            <li class={unused.has(scope) ? "tag unused" : "tag"} safe>
              {unused.has(scope) ? `${scope} (never used)` : scope}
            </li>
          ))}
        </ul>
      </div>
      {token.state === "live" && token.endpoints.length > 0 ? (
        <a class="button danger" href={`${HERE}/${token.id}/revoke`} aria-label={`Revoke ${token.name}`}>
          Revoke
        </a>
      ) : token.state === "live" ? (
        <Form
          action={`${HERE}/${token.id}/revoke`}
          token={ask.formToken}
          kind="inline"
          label={`Revoke ${token.name}`}
        >
          <Button kind="danger">Revoke</Button>
        </Form>
      ) : (
        <span class="badge">{token.state === "expired" ? "Expired" : "Revoked"}</span>
      )}
    </li>
  );
}

/** A webhook outlives the token that it was made with, unless its person says otherwise. */
function revokeView(ask: PersonAsk): View {
  const { core, person, params } = ask;
  const token = listTokens(core, person.caller, person.caller.username).find(({ id }) => id === params["id"]);
  if (!token || token.state === "revoked") throw refuse("token_not_yours");
  return {
    title: "Revoke a token",
    section: "tokens",
    body: (
      <>
        <Heading title="Revoke a token">
          <p>
            The next request with “<bdi safe>{token.name}</bdi>” is refused. <a href={HERE}>Keep it</a>
          </p>
        </Heading>
        <Form action={`${HERE}/${token.id}/revoke`} token={ask.formToken} kind="stack">
          {token.endpoints.length === 0 ? (
            ""
          ) : (
            <Choices
              legend="Webhook endpoints that were made with it"
              hint="They are yours and go on receiving. Tick those that end with the token."
              name="end"
              options={token.endpoints.map(({ id, url, events }) => ({
                value: id,
                words: url,
                hint: events.join(", "),
                isOn: false,
              }))}
            />
          )}
          <Submit kind="danger">Revoke the token</Submit>
        </Form>
      </>
    ),
  };
}

function newView(ask: PersonAsk, error?: CoreError): View {
  const chosen = ask.form.getAll("scopes");
  const days = ask.form.get("days") ?? "90";
  const place = placeOf(ask);
  const { Field } = boundFields(ask, error);
  return {
    title: "New access token",
    section: "tokens",
    error,
    body: (
      <>
        <Heading title="New access token">
          <p>
            <a href={HERE}>All tokens</a>
          </p>
        </Heading>
        <Form action={HERE} token={ask.formToken} kind="stack">
          <Fault ask={ask} error={error} fields={["name"]} />
          <Field
            name="name"
            label="What it is for"
            placeholder="Weekly digest script"
            maxlength={100}
            required
            autofocus
          />
          <Choices
            legend="What it may do"
            hint="Give it as little as it needs; the list of tokens shows what was never used."
            name="scopes"
            options={scopesFor(ask.person.isAdmin).map((scope) => ({
              value: scope,
              words: SCOPES[scope],
              hint: scope,
              isOn: chosen.includes(scope),
            }))}
          />
          {place.all.length > 1 && (
            <Select
              name="workspace"
              label="Workspace"
              hint="Its webhooks are what the token sees."
              options={place.all.map(({ id, name, isPersonal }) => ({
                value: id,
                words: isPersonal ? "Personal" : name,
                isOn: id === place.workspace.id,
              }))}
            />
          )}
          <Select
            name="days"
            label="Good for"
            options={[
              ...TOKEN_LIFETIMES_DAYS.map((count) => ({
                value: String(count),
                words: `${count} days`,
                isOn: days === String(count),
              })),
              { value: "0", words: "Until I revoke it", isOn: days === "0" },
            ]}
          />
          <Submit>Make the token</Submit>
        </Form>
      </>
    ),
  };
}

function scopesFor(isAdmin: boolean): readonly Scope[] {
  return isAdmin ? SCOPE_NAMES : BUILDER_SCOPES;
}

/** What a token that has a scope may read first. */
const READS: readonly (readonly [scope: Scope, address: string])[] = [
  ["profile:read", "/v1/profiles/me"],
  ["feed:read", "/v1/feed?limit=3"],
  ["jobs:read", "/v1/jobs?limit=3"],
  ["prompts:read", "/v1/prompts?limit=3"],
  ["messages:read", "/v1/messages?limit=3"],
  ["webhooks:read", "/v1/webhooks"],
  ["admin", "/v1/reports?limit=3"],
];

/**
 * A request that this very token may make. One that only writes is shown what is left of its rate: that asks
 * no scope and changes nothing.
 */
function tryIt(origin: string, token: string, scopes: readonly string[]): string {
  const bearer = `curl -H 'Authorization: Bearer ${token}'`;
  const read = READS.find(([scope]) => scopes.includes(scope));
  if (read) return `${bearer} '${origin}${read[1]}'`;
  const query = JSON.stringify({ query: "{ rateLimit { remaining resetAt } }" });
  return `${bearer} -H 'Content-Type: application/json' '${origin}/graphql' -d '${query}'`;
}

function madeView(ask: PersonAsk, name: string, token: string, scopes: readonly string[]): View {
  return {
    title: "Your new token",
    section: "tokens",
    body: (
      <>
        <Heading title="Your new token">
          <p safe>{name}</p>
        </Heading>
        <Secret label="Access token" value={token}>
          <p>Copy it now: it is not shown again. Keep it like a password.</p>
        </Secret>
        <p>Try it:</p>
        <pre class="sample" tabindex="0" aria-label="A request with the token" safe>
          {tryIt(ask.core.origin, token, scopes)}
        </pre>
        <p>
          <a href={HERE}>All tokens</a>
        </p>
      </>
    ),
  };
}
