// Tests docs/contract.md#7.1.
import { expect, test } from "bun:test";
import { decodeProtectedHeader } from "jose";
import * as oauth from "oauth4webapi";
import { generators, Issuer, Strategy } from "openid-client-5";
import { Passport } from "passport";
import { Strategy as ConnectStrategy } from "passport-openidconnect";
import { changeApp } from "../../src/core/delegation/apps/apps.ts";
import { publicKeys, rotateSigningKeys } from "../../src/core/delegation/oauth/keys.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { type TestServer, createTestWorld, openTestServer, signedInNow } from "../support.ts";
import {
  authorizeUrl,
  challengeOf,
  exchange,
  makeVerifier,
  obtainCode,
  refillRateLimit,
} from "./app-client.ts";
import { authorize, makeApp, type Member, createSignedInMember, openBrowser, REDIRECT } from "./browser.ts";

/** Opens a community whose public origin is reachable by libraries. */
function openLocalServer(): TestServer & AsyncDisposable {
  return openTestServer({ isLocal: true });
}

interface Request {
  query: Record<string, string>;
  url: string;
  method: string;
  headers: Record<string, string>;
  session: Record<string, unknown>;
}

/** Signs a person in through a passport strategy: redirects to this server and back with the response. */
async function signInBy(server: TestServer, ada: Member, strategy: object): Promise<unknown> {
  const passport = new Passport();
  passport.use("guildhall", strategy as never);
  const session = {};
  const at = (url: URL): Promise<{ to?: string; user?: unknown }> =>
    new Promise((done, fail) => {
      const request: Request = {
        query: Object.fromEntries(url.searchParams),
        url: url.pathname + url.search,
        method: "GET",
        headers: { host: url.host },
        session,
      };
      const response = {
        statusCode: 200,
        setHeader: (name: string, value: string) => {
          if (name.toLowerCase() === "location") done({ to: value });
        },
        end: () => {},
      };
      const ended = (error: unknown, user: unknown, info: unknown) =>
        error ? fail(error as Error) : user ? done({ user }) : fail(new Error(JSON.stringify(info)));
      passport.authenticate("guildhall", { session: false }, ended)(request, response, fail);
    });
  const { to = "" } = await at(new URL("https://app.example/sign-in"));
  const back = await authorize(server, openBrowser(server, ada), to);
  return (await at(back.to ?? new URL("https://app.example/nowhere"))).user;
}

test("openid-client 5 discovers, requests and verifies with its defaults, directly and as a passport strategy", async () => {
  await using server = openLocalServer();
  const ada = createSignedInMember(server, "ada");
  const { app, secret } = makeApp(server, ada);
  const issuer = await Issuer.discover(server.core.origin);
  const client = new issuer.Client({
    client_id: app.id,
    client_secret: secret ?? "",
    redirect_uris: [REDIRECT],
    response_types: ["code"],
  });
  const nonce = makeVerifier();
  const url = client.authorizationUrl({ scope: "openid profile", state: "s", nonce });
  const { to } = await authorize(server, openBrowser(server, ada), url);
  const params = client.callbackParams(to?.href ?? "");
  const tokens = await client.callback(REDIRECT, params, { state: "s", nonce });
  expect(tokens.claims()).toMatchObject({ sub: ada.id, preferred_username: "ada", nonce });
  expect(decodeProtectedHeader(tokens.id_token ?? "").alg).toBe("RS256");
  expect(decodeProtectedHeader(tokens.access_token ?? "").alg).toBe("EdDSA");
  expect(await client.userinfo(tokens)).toMatchObject({ sub: ada.id });
  const renewed = await client.refresh(tokens.refresh_token ?? "");
  expect(renewed.claims().sub).toBe(ada.id);

  const strategy = new Strategy({ client }, (_tokens: unknown, user: unknown, done: StrategyOutcome) =>
    done(null, user),
  );
  expect(await signInBy(server, ada, strategy)).toMatchObject({ sub: ada.id });
});

test("docs/oauth.md: the code for a plain library signs a person in unchanged, and every named address exists", async () => {
  await using server = openLocalServer();
  const ada = createSignedInMember(server, "ada");
  const { app, secret } = makeApp(server, ada);
  const text = await Bun.file(`${import.meta.dir}/../../docs/oauth.md`).text();
  const section = text.split("\n## ").find((part) => part.startsWith("Sign people in to other tools")) ?? "";
  const [, lines = ""] = /```js\nimport [^\n]*\n([\s\S]*?)```/.exec(section) ?? [];
  const [first = "", second = ""] = lines
    .replace("https://guild.example", server.core.origin)
    .split("// The page that they");
  const body = `${first} const request = await send(to); // they${second} return { sub, preferred_username, name };`;
  const send = async (to: string) => (await authorize(server, openBrowser(server, ada), to)).to?.href;
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const names = ["Issuer", "generators", "client_id", "client_secret", "redirect", "send"];
  const run = new AsyncFunction(...names, body) as (...given: unknown[]) => Promise<unknown>;
  expect(await run(Issuer, generators, app.id, secret, REDIRECT, send)).toEqual({
    sub: ada.id,
    preferred_username: "ada",
    name: "ada Okafor",
  });

  const named = new Set(section.match(/https:\/\/guild\.example\/[^\s`]+/g));
  const { metadata } = await Issuer.discover(server.core.origin);
  const ours = Object.values(metadata).map((value) =>
    String(value).replace(server.core.origin, "https://guild.example"),
  );
  expect(named.size).toBe(4);
  for (const address of named)
    expect([...ours, "https://guild.example/.well-known/openid-configuration"]).toContain(address);
});

type StrategyOutcome = (error: unknown, user: unknown) => void;

test("passport-openidconnect signs people in with its defaults, without PKCE and without a nonce", async () => {
  await using server = openLocalServer();
  const ada = createSignedInMember(server, "ada");
  const { app, secret } = makeApp(server, ada);
  const { origin } = server.core;
  const strategy = new ConnectStrategy(
    {
      issuer: origin,
      authorizationURL: `${origin}/v1/oauth/authorize`,
      tokenURL: `${origin}/v1/oauth/token`,
      userInfoURL: `${origin}/v1/oauth/userinfo`,
      clientID: app.id,
      clientSecret: secret ?? "",
      callbackURL: REDIRECT,
      scope: ["profile"],
      skipUserProfile: false,
    },
    (issuer: string, profile: object, done: StrategyOutcome) => done(null, { issuer, ...profile }),
  );
  expect(await signInBy(server, ada, strategy)).toMatchObject({
    issuer: origin,
    id: ada.id,
    displayName: "ada Okafor",
    username: "ada",
  });
});

test("requires PKCE, except from a confidential app that asks for an ID token", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const verifier = makeVerifier();
  const without = { code_challenge: null, code_challenge_method: null };
  const codes: unknown[] = [];
  for (const kind of ["confidential", "public"] as const) {
    const app = makeApp(server, ada, { kind, name: kind });
    const browser = openBrowser(server, ada);
    for (const changes of [
      { scope: "openid feed:read" },
      { scope: "openid", nonce: "n-0S6_WzA2Mj" },
      { scope: "feed:read", nonce: "n-0S6_WzA2Mj" },
      { scope: "openid", code_challenge_method: "plain", code_challenge: verifier },
    ]) {
      const url = authorizeUrl(server, app, verifier, { ...without, ...changes });
      const { to } = await authorize(server, browser, url);
      codes.push([kind, changes.scope, to?.searchParams.get("error") ?? "a code"]);
    }
    refillRateLimit(server);
  }
  expect(codes).toEqual([
    ["confidential", "openid feed:read", "a code"],
    ["confidential", "openid", "a code"],
    ["confidential", "feed:read", "invalid_request"],
    ["confidential", "openid", "invalid_request"],
    ["public", "openid feed:read", "invalid_request"],
    ["public", "openid", "invalid_request"],
    ["public", "feed:read", "invalid_request"],
    ["public", "openid", "invalid_request"],
  ]);
});

test("RFC 9700 §4.8.2 refuses a verifier for a code without PKCE, and requires one for a code with PKCE", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  const verifier = makeVerifier();
  const url = authorizeUrl(server, app, verifier, {
    scope: "openid",
    code_challenge: null,
    code_challenge_method: null,
  });
  const { to } = await authorize(server, browser, url);
  const code = to?.searchParams.get("code") ?? "";
  expect((await exchange(server, app, { code, verifier, redirect: REDIRECT })).body["error"]).toBe(
    "invalid_grant",
  );
  const bound = await obtainCode(server, browser, app, { scope: "openid" });
  const stolen = { ...bound, verifier: "" };
  expect((await exchange(server, app, stolen)).status).toBe(400);
  expect(challengeOf(verifier)).not.toBe(verifier);
});

test("an app chooses the algorithm of its ID tokens, and clients that support only EdDSA verify them", async () => {
  await using testServer = openLocalServer();
  const ada = createSignedInMember(testServer, "ada");
  const app = makeApp(testServer, ada);
  const idToken = async () => {
    const { body } = await exchange(
      testServer,
      app,
      await obtainCode(testServer, openBrowser(testServer, ada), app, { scope: "openid" }),
    );
    return body["id_token"] ?? "";
  };
  expect(decodeProtectedHeader(await idToken()).alg).toBe("RS256");
  changeApp(testServer.core, signedInNow(testServer.core, ada.caller), app.app.id, { idTokenAlg: "EdDSA" });
  const token = await idToken();
  expect(decodeProtectedHeader(token)).toMatchObject({ alg: "EdDSA" });
  const issuer = new URL(testServer.core.origin);
  const insecure = { [oauth.allowInsecureRequests]: true };
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
  expect(server.id_token_signing_alg_values_supported).toEqual(["RS256", "EdDSA"]);
});

test("simultaneous first requests create one key of each kind, and key generation does not block the event loop", async () => {
  using world = createTestWorld({ hasOwnKeys: true });
  const { core, clock } = world;
  let turns = 0;
  let isOver = false;
  const turn = (): void => void (turns++, isOver || setImmediate(turn));
  turn();
  const all = await Promise.all(Array.from({ length: 50 }, () => publicKeys(core)));
  isOver = true;
  expect(new Set(all.map((keys) => keys.map(({ kid }) => kid).join())).size).toBe(1);
  expect(all[0]?.map(({ alg }) => alg)).toEqual(["EdDSA", "RS256"]);
  // The event loop was not blocked: key generation on the main thread would allow two or three turns.
  expect(turns).toBeGreaterThan(20);
  clock.pass(90 * DAY);
  await Promise.all([rotateSigningKeys(core), rotateSigningKeys(core)]);
  const kinds = core.db
    .prepare("SELECT alg, retired_at IS NULL AS signs, count(*) AS keys FROM signing_keys GROUP BY 1, 2")
    .all();
  expect(kinds).toEqual([
    { alg: "EdDSA", signs: 0, keys: 1 },
    { alg: "EdDSA", signs: 1, keys: 1 },
    { alg: "RS256", signs: 0, keys: 1 },
    { alg: "RS256", signs: 1, keys: 1 },
  ]);
});
