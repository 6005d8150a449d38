/** @jsxImportSource @kitajs/html */
import type { App } from "../../../core/delegation/apps/app.ts";

/** RFC 7636, appendix B: a verifier with its challenge, so that the lines work as they stand. */
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/** All that an app needs to know of this site, and the two steps with this very app's values in them. */
export function TryIt({ origin, app }: { origin: string; app: App }) {
  return (
    <section class="part">
      <h2>What it needs to know</h2>
      <p class="hint">Most OAuth libraries find the rest by the first address alone.</p>
      <dl class="facts addresses">
        {[
          ["Issuer", origin],
          ["Authorize", `${origin}/v1/oauth/authorize`],
          ["Token", `${origin}/v1/oauth/token`],
          ["Device", `${origin}/v1/oauth/device`],
          ["Metadata", `${origin}/.well-known/oauth-authorization-server`],
        ].map(([name = "", address = ""]) => (
          <>
            <dt safe>{name}</dt>
            <dd>
              <code safe>{address}</code>
            </dd>
          </>
        ))}
      </dl>
      <p class="with-gap">1. Send a person here; they come back to your redirect address with a code:</p>
      <pre class="sample" tabindex="0" aria-label="The address to send a person to" safe>
        {authorizeAddress(origin, app)}
      </pre>
      <p class="with-gap">2. Within a minute, exchange the code for tokens:</p>
      <pre class="sample" tabindex="0" aria-label="The request for tokens" safe>
        {tokenRequest(origin, app)}
      </pre>
      <p class="hint with-gap">
        The challenge is the example of RFC 7636: in earnest your app makes a new one, and a new state, each
        time.
      </p>
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

/** For a shell: the quote is the only letter that ends it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
