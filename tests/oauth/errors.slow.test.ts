// Tests docs/contract.md#7.9: an OAuth error names its cause and the next step.
import { expect, test } from "bun:test";
import { removeApp, suspendApp } from "../../src/core/delegation/apps/apps.ts";
import { revokeGrant, listConnectedApps } from "../../src/core/delegation/grants/grants.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { DAY, MINUTE } from "../../src/core/base/clock.ts";
import { type TestServer, openTestServer, signedInNow } from "../support.ts";
import {
  requestToken,
  authorizeUrl,
  basic,
  connect,
  exchange,
  makeVerifier,
  obtainCode,
  post,
  refresh,
  refillRateLimit,
  type TestApp,
} from "./app-client.ts";
import {
  authorize,
  type Browser,
  makeApp,
  type Member,
  createSignedInMember,
  openBrowser,
} from "./browser.ts";

interface Stage {
  server: TestServer;
  ada: Member;
  app: TestApp;
  open: TestApp;
  browser: Browser;
}

/** Yields each case with new apps and a new session in the same community, with a full rate limit. */
async function* stages<Case>(cases: readonly Case[]): AsyncGenerator<[Case, Stage]> {
  await using server = openTestServer();
  const person = createSignedInMember(server, "ada");
  for (const item of cases) {
    const ada = { ...person, caller: signedInNow(server.core, { builderId: person.id }) };
    const [app, open] = [makeApp(server, ada), makeApp(server, ada, { kind: "public", name: "Pocket" })];
    yield [item, { server, ada, app, open, browser: openBrowser(server, ada) }];
    removeApp(server.core, OPERATOR, app.app.id);
    removeApp(server.core, OPERATOR, open.app.id);
    refillRateLimit(server);
  }
}

/** The error as the app or its developer receives it. */
interface ShownError {
  error: string | null;
  output: string;
}

const NOBODY = "app_01kafzq8e5f2r8v0j3n6s1t4wx";
const CODE = { grant_type: "authorization_code", code: "nothing" };

/** Invalid requests to the token endpoint and similar endpoints, with the expected error and text. */
const TOKEN_REQUESTS: [
  mistake: string,
  ask: (stage: Stage) => ReturnType<typeof post>,
  error: string,
  cause: string,
  next: string,
][] = [
  [
    "no grant type",
    ({ server, app }) => requestToken(server, app, {}),
    "invalid_request",
    "missing required parameter 'grant_type'",
    "",
  ],
  [
    "a grant type that there is not",
    ({ server, app }) => requestToken(server, app, { grant_type: "password" }),
    "unsupported_grant_type",
    "grant_type is not supported",
    "authorization_code",
  ],
  [
    "no client",
    ({ server }) => post(server, "token", CODE),
    "invalid_request",
    "client_id is missing",
    "Authorization: Basic",
  ],
  [
    "an unknown client",
    ({ server }) => post(server, "token", { ...CODE, client_id: NOBODY }),
    "invalid_client",
    "No active app has this client_id",
    "/settings/apps",
  ],
  [
    "a suspended client",
    ({ server, app }) => {
      suspendApp(server.core, OPERATOR, app.app.id, "spam");
      return requestToken(server, app, CODE);
    },
    "invalid_client",
    "No active app has this client_id",
    "suspended",
  ],
  [
    "a wrong secret",
    ({ server, app }) =>
      post(server, "token", CODE, { authorization: `Basic ${btoa(`${app.app.id}:wrong`)}` }),
    "invalid_client",
    "secret is wrong",
    "create a new one",
  ],
  [
    "a confidential app without its secret",
    ({ server, app }) => post(server, "token", { ...CODE, client_id: app.app.id }),
    "invalid_client",
    "A confidential app sends its secret",
    "/settings/apps",
  ],
  [
    "a public app with a secret",
    ({ server, open }) => post(server, "token", { ...CODE, client_id: open.app.id, client_secret: "s" }),
    "invalid_client",
    "a public app only its client_id",
    "/settings/apps",
  ],
  [
    "an unknown code",
    ({ server, app }) => requestToken(server, app, CODE),
    "invalid_grant",
    "code is unknown",
    "authorization endpoint again",
  ],
  [
    "an expired code",
    async ({ server, app, browser }) => {
      const code = await obtainCode(server, browser, app);
      server.clock.pass(2 * MINUTE);
      return exchange(server, app, code);
    },
    "invalid_grant",
    "older than 60 seconds",
    "authorization endpoint again",
  ],
  [
    "a reused code",
    async ({ server, app, browser }) => {
      const code = await obtainCode(server, browser, app);
      await exchange(server, app, code);
      return exchange(server, app, code);
    },
    "invalid_grant",
    "code was used before",
    "authorization endpoint again",
  ],
  [
    "another app's code",
    async ({ server, app, open, browser }) => exchange(server, open, await obtainCode(server, browser, app)),
    "invalid_grant",
    "belongs to another app",
    "client_id",
  ],
  [
    "another redirect address than before",
    async ({ server, app, browser }) =>
      exchange(server, app, {
        ...(await obtainCode(server, browser, app)),
        redirect: "https://app.example/other",
      }),
    "invalid_grant",
    "redirect_uri differs",
    "exactly the same value",
  ],
  [
    "no verifier",
    async ({ server, app, browser }) => {
      const { code, redirect } = await obtainCode(server, browser, app);
      return requestToken(server, app, { grant_type: "authorization_code", code, redirect_uri: redirect });
    },
    "invalid_grant",
    "code_verifier is missing",
    "code_challenge",
  ],
  [
    "a wrong verifier",
    async ({ server, app, browser }) =>
      exchange(server, app, { ...(await obtainCode(server, browser, app)), verifier: makeVerifier() }),
    "invalid_grant",
    "code_verifier does not match",
    "BASE64URL(SHA256(code_verifier))",
  ],
  [
    "an unknown refresh token",
    ({ server, app }) => refresh(server, app, "nothing"),
    "invalid_grant",
    "refresh token is unknown",
    "authorization endpoint again",
  ],
  [
    "a refresh token of a family that has ended",
    async ({ server, ada, app, browser }) => {
      const tokens = await connect(server, browser, app);
      revokeGrant(server.core, ada.caller, listConnectedApps(server.core, ada.caller)[0]?.id ?? "");
      return refresh(server, app, tokens.refresh);
    },
    "invalid_grant",
    "refresh token",
    "authorization endpoint again",
  ],
  [
    "a refresh token that was replaced",
    async ({ server, app, browser }) => {
      const tokens = await connect(server, browser, app);
      await refresh(server, app, tokens.refresh);
      server.clock.pass(MINUTE);
      return refresh(server, app, tokens.refresh);
    },
    "invalid_grant",
    "refresh token was used before",
    "newest",
  ],
  [
    "an expired refresh token",
    async ({ server, app, browser }) => {
      const tokens = await connect(server, browser, app);
      server.clock.pass(31 * DAY);
      return refresh(server, app, tokens.refresh);
    },
    "invalid_grant",
    "older than 30 days",
    "authorization endpoint again",
  ],
  [
    "a wider scope than was granted",
    async ({ server, app, browser }) =>
      refresh(server, app, (await connect(server, browser, app)).refresh, "feed:read jobs:read"),
    "invalid_scope",
    "scopes that the refresh token does not allow",
    "Leave scope out",
  ],
  [
    "an unknown device code",
    ({ server, app }) =>
      requestToken(server, app, {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        device_code: "nothing",
      }),
    "invalid_grant",
    "device code is unknown",
    "new one",
  ],
  [
    "a revocation without a token",
    ({ server, app }) => post(server, "revoke", {}, basic(app)),
    "invalid_request",
    "missing required parameter 'token'",
    "",
  ],
];

/**
 * Invalid authorization requests. Without a valid redirect URI, the error is shown on a page of the server.
 */
const AUTHORIZE_REQUESTS: [
  mistake: string,
  changes: Record<string, string | null>,
  error: string,
  cause: string,
  next: string,
][] = [
  [
    "a redirect address that is not registered",
    { redirect_uri: "https://app.example/other" },
    "page",
    "redirect_uri is not registered",
    "/settings/apps",
  ],
  ["no client", { client_id: null }, "page", "missing required parameter 'client_id'", ""],
  ["an unknown client", { client_id: NOBODY }, "page", "No active app has this client_id", "/settings/apps"],
  [
    "no PKCE",
    { code_challenge: null, code_challenge_method: null },
    "invalid_request",
    "code_challenge is missing",
    "code_challenge_method=S256",
  ],
  [
    "plain PKCE",
    { code_challenge_method: "plain" },
    "invalid_request",
    "code_challenge_method is not supported",
    "S256",
  ],
  [
    "PKCE without a method",
    { code_challenge_method: null },
    "invalid_request",
    "code_challenge_method is missing",
    "S256",
  ],
  [
    "a scope that there is not",
    { scope: "everything" },
    "invalid_scope",
    "None of the requested scopes is both supported by this server and registered",
    "scopes_supported",
  ],
  [
    "no scope",
    { scope: null },
    "invalid_scope",
    "None of the requested scopes is both supported by this server and registered",
    "scopes_supported",
  ],
  [
    "a scope that the app has not registered",
    { scope: "messages:read" },
    "invalid_scope",
    "scopes that the app has not registered",
    "/settings/apps",
  ],
  [
    "another response type",
    { response_type: "token" },
    "unsupported_response_type",
    "response_type is not supported",
    "response_type=code",
  ],
  [
    "another response mode",
    { response_mode: "form_post" },
    "unsupported_response_mode",
    "response_mode is not supported",
    "Leave it out",
  ],
  [
    "silence where the person has to answer",
    { prompt: "none" },
    "consent_required",
    "has not allowed",
    "without prompt=none",
  ],
  [
    "another resource",
    { resource: "https://elsewhere.example/" },
    "invalid_target",
    "resource is not",
    "Leave it out",
  ],
  ["a request object", { request: "e30.e30." }, "request_not_supported", "Request objects", "in the query"],
];

/** The characters that an error text may contain (RFC 6749 §4.1.2.1, §5.2). */
const LEGAL = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/;

function expectRefusal(
  mistake: string,
  received: ShownError,
  [error, cause, next]: [string, string, string],
): void {
  expect([mistake, received.error, received.output]).toEqual([
    mistake,
    error,
    expect.stringContaining(cause),
  ]);
  expect([mistake, received.output]).toEqual([mistake, expect.stringContaining(next)]);
  expect(received.output).toMatch(LEGAL);
}

test("the token endpoints name the cause of an error and the next step", async () => {
  for await (const [[mistake, ask, ...expected], stage] of stages(TOKEN_REQUESTS)) {
    const { body } = await ask(stage);
    expect(body["message"]).toBe(body["error_description"] ?? "");
    expectRefusal(
      mistake,
      { error: body["error"] ?? null, output: body["error_description"] ?? "" },
      expected,
    );
  }
});

test("the error redirect, or the error page, names the cause of an error and the next step", async () => {
  for await (const [[mistake, changes, ...expected], { server, app, browser }] of stages(
    AUTHORIZE_REQUESTS,
  )) {
    const address = authorizeUrl(server, app, makeVerifier(), changes);
    const { to, page } = await authorize(server, browser, address);
    const params = new URLSearchParams(to && (to.search.includes("error=") ? to.search : to.hash.slice(1)));
    const received = page
      ? { error: "page", output: textOf(await page.text()) }
      : { error: params.get("error"), output: params.get("error_description") ?? "" };
    expectRefusal(mistake, received, expected);
    if (to) expect([params.get("state"), params.get("iss")]).toEqual(["a state & more", server.core.origin]);
  }
});

function textOf(html: string): string {
  const message = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "";
  return message
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ")
    .trim();
}
