/** @jsxImportSource @kitajs/html */
import type { App } from "../../../core/delegation/apps/app.ts";
import type { PageContext } from "../../request/route.ts";

/** The verifier and challenge of RFC 7636, appendix B, so that the commands work unchanged. */
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/** The facts about this site that an app needs, and the two OAuth steps with this app's values. */
export function TryIt({ ctx, app }: { ctx: PageContext; app: App }) {
  const { origin } = ctx.core;
  const messages = ctx.messages.apps.example;
  return (
    <section class="part">
      <h2>{messages.title}</h2>
      <p class="hint">{messages.lead}</p>
      <dl class="facts addresses">
        {[
          [messages.addresses.issuer, origin],
          [messages.addresses.authorize, `${origin}/v1/oauth/authorize`],
          [messages.addresses.token, `${origin}/v1/oauth/token`],
          [messages.addresses.device, `${origin}/v1/oauth/device`],
          [messages.addresses.metadata, `${origin}/.well-known/oauth-authorization-server`],
        ].map(([name = "", address = ""]) => (
          <>
            <dt safe>{name}</dt>
            <dd>
              <code safe>{address}</code>
            </dd>
          </>
        ))}
      </dl>
      <p class="with-gap">{messages.first}</p>
      <pre class="sample" tabindex="0" aria-label={messages.firstLabel} safe>
        {authorizeAddress(origin, app)}
      </pre>
      <p class="with-gap">{messages.second}</p>
      <pre class="sample" tabindex="0" aria-label={messages.secondLabel} safe>
        {tokenRequest(origin, app)}
      </pre>
      <p class="hint with-gap">{messages.challenge}</p>
    </section>
  );
}

function authorizeAddress(origin: string, { id, redirectUris, scopes }: App): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: id,
    redirect_uri: redirectUris[0] ?? "",
    scope: scopes.length === 0 ? "openid profile" : scopes.join(" "),
    state: "a-random-value",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
  });
  return `${origin}/v1/oauth/authorize?${query}`;
}

function tokenRequest(origin: string, { id, kind, redirectUris }: App): string {
  return [
    `curl '${origin}/v1/oauth/token'`,
    kind === "confidential" ? `-u '${id}:CLIENT_SECRET'` : `-d client_id=${id}`,
    "-d grant_type=authorization_code",
    "-d code=CODE",
    `-d code_verifier=${VERIFIER}`,
    `--data-urlencode ${quoted(`redirect_uri=${redirectUris[0] ?? ""}`)}`,
  ].join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
