import { createHash, randomBytes } from "node:crypto";
import type { TestServer } from "../support.ts";
import { type Answer, authorize, type Browser, type makeApp, REDIRECT } from "./browser.ts";

export type TestApp = ReturnType<typeof makeApp>;

export interface TokenAnswer {
  status: number;
  headers: Headers;
  body: Record<string, string>;
}

export function makeVerifier(): string {
  return randomBytes(32).toString("base64url");
}

export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/**
 * Returns the URL to which an app sends the browser. `changes` replaces parameters, or removes those set to
 * null.
 */
export function authorizeUrl(
  server: TestServer,
  { app }: TestApp,
  verifier: string,
  changes: Record<string, string | null> = {},
): string {
  const params = new URLSearchParams({
    response_type: "code",
    client_id: app.id,
    redirect_uri: app.redirectUris[0] ?? REDIRECT,
    scope: "feed:read",
    state: "a state & more",
    code_challenge: challengeOf(verifier),
    code_challenge_method: "S256",
  });
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) params.delete(name);
    else params.set(name, value);
  }
  return `${server.core.origin}/v1/oauth/authorize?${params}`;
}

/** Returns an authorization code for the scopes that the person allows. */
export async function obtainCode(
  server: TestServer,
  browser: Browser,
  app: TestApp,
  {
    scope = "feed:read",
    verifier = makeVerifier(),
    answer = "all" as Answer,
    redirect = app.app.redirectUris[0] ?? "",
  } = {},
): Promise<{ code: string; verifier: string; redirect: string }> {
  const address = authorizeUrl(server, app, verifier, { scope, redirect_uri: redirect });
  const { to, page } = await authorize(server, browser, address, answer);
  const code = to?.searchParams.get("code");
  if (!code) throw new Error(`no code: ${to?.href ?? ""} ${await page?.text()}`);
  return { code, verifier, redirect };
}

export function basic({ app, secret }: TestApp): Record<string, string> {
  return { authorization: `Basic ${btoa(`${app.id}:${secret}`)}` };
}

export async function post(
  server: TestServer,
  path: string,
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<TokenAnswer> {
  const answer = await fetch(`${server.url}/v1/oauth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: typeof form === "string" ? form : new URLSearchParams(form).toString(),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === "" ? {} : JSON.parse(text) };
}

/** Requests a token. A confidential app authenticates with its secret, a public app sends its `client_id`. */
export function requestToken(
  server: TestServer,
  app: TestApp,
  form: Record<string, string>,
): Promise<TokenAnswer> {
  return app.secret === null
    ? post(server, "token", { ...form, client_id: app.app.id })
    : post(server, "token", form, basic(app));
}

export function exchange(
  server: TestServer,
  app: TestApp,
  { code, verifier, redirect }: { code: string; verifier: string; redirect: string },
): Promise<TokenAnswer> {
  return requestToken(server, app, {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirect,
    code_verifier: verifier,
  });
}

export function refresh(
  server: TestServer,
  app: TestApp,
  token: string,
  scope?: string,
): Promise<TokenAnswer> {
  return requestToken(server, app, {
    grant_type: "refresh_token",
    refresh_token: token,
    ...(scope === undefined ? {} : { scope }),
  });
}

/** Returns tokens for the scopes that the person allows. */
export async function connect(
  server: TestServer,
  browser: Browser,
  app: TestApp,
  scope = "feed:read",
): Promise<{ access: string; refresh: string }> {
  const { status, body } = await exchange(server, app, await obtainCode(server, browser, app, { scope }));
  if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`);
  return { access: body["access_token"] ?? "", refresh: body["refresh_token"] ?? "" };
}

/** Returns whether the API accepts the token. */
export async function isTokenAccepted(server: TestServer, token: string | undefined): Promise<boolean> {
  const { status } = await server.request(token ?? "none", "/feed");
  return status === 200;
}

/** Refills the rate limit of the network address, so that the limit does not affect other tests. */
export function refillRateLimit(server: TestServer): void {
  server.clock.pass(3 * 60_000);
}
