/** @jsxImportSource @kitajs/html */
import {
  createToken,
  listTokens,
  revokeToken,
  type Token,
  TOKEN_LIFETIMES_DAYS,
  TokenDraft,
} from "../../core/access/access.ts";
import { BUILDER_SCOPES, type Scope, SCOPE_NAMES, SCOPES } from "../../core/access/scopes.ts";
import { badDetails, check } from "../../core/check.ts";
import type { CoreError } from "../../core/errors.ts";
import { field, orAgain } from "../forms.ts";
import { Heading } from "../layout.tsx";
import { Ago, Button, Choices, Empty, Fault, Field, Form, Secret, Select } from "../parts.tsx";
import { type PersonAsk, personal, type View } from "../route.ts";
import { placeOf } from "../workspace-choice.tsx";
import { onceProved } from "./proof.tsx";

const HERE = "/settings/tokens";
const NEW = `${HERE}/new`;

/** Developer settings: personal access tokens (§5.2). */
export const tokenPages = [
  personal("GET", HERE, (ask) => listView(ask)),
  personal(
    "GET",
    NEW,
    onceProved(NEW, (ask) => newView(ask)),
  ),
  personal(
    "POST",
    HERE,
    onceProved(NEW, (ask) =>
      orAgain(
        async () => {
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
          return madeView(ask, draft.name, token);
        },
        (error) => newView(ask, error),
      ),
    ),
  ),
  personal("POST", `${HERE}/:id/revoke`, async (ask) => {
    await ask.write(() => revokeToken(ask.core, ask.person.caller, ask.params["id"] ?? ""));
    return { to: HERE, notice: "token-revoked" };
  }),
];

/** Only the word for it, 0, means a token without an end: nothing that was left out or mistyped may. */
function daysOf(text: string): number {
  if (text === "0" || TOKEN_LIFETIMES_DAYS.map(String).includes(text)) return Number(text);
  throw badDetails([{ path: "days", message: "must be one of the choices of the form" }]);
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
        <p class="row-title" safe>
          {token.name}
        </p>
        <p class="row-meta">
          {isOwn ? "" : <span safe>{`In ${token.workspace.name} · `}</span>}
          Made <Ago at={token.createdAt} now={now} /> ·{" "}
          {token.lastUsedAt === null ? (
            "never used"
          ) : (
            <>
              last used <Ago at={token.lastUsedAt} now={now} />
            </>
          )}{" "}
          ·{" "}
          {token.expiresAt === null ? (
            "never expires"
          ) : (
            <>
              {token.expiresAt > now ? "expires" : "expired"} <Ago at={token.expiresAt} now={now} />
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
      {token.state === "live" ? (
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

function newView(ask: PersonAsk, error?: CoreError): View {
  const chosen = ask.form.getAll("scopes");
  const days = ask.form.get("days") ?? "90";
  const place = placeOf(ask);
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
          <Fault error={error} fields={["name"]} />
          <Field
            name="name"
            label="What it is for"
            value={field(ask.form, "name")}
            placeholder="Weekly digest script"
            maxlength={100}
            error={error}
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
          {place.all.length > 1 ? (
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
          ) : (
            ""
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
          <div class="actions">
            <Button>Make the token</Button>
          </div>
        </Form>
      </>
    ),
  };
}

function scopesFor(isAdmin: boolean): readonly Scope[] {
  return isAdmin ? SCOPE_NAMES : BUILDER_SCOPES;
}

function madeView(ask: PersonAsk, name: string, token: string): View {
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
          {`curl -H 'Authorization: Bearer ${token}' '${ask.core.origin}/v1/profiles/me'`}
        </pre>
        <p>
          <a href={HERE}>All tokens</a>
        </p>
      </>
    ),
  };
}
