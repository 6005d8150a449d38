// Tests docs/contract.md#1.17: pages at a public app's origins can call the API with a token.
import { expect, test } from "bun:test";
import { changeApp, removeApp, restoreApp, suspendApp } from "../../src/core/delegation/apps/apps.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { restoreBuilder, suspendBuilder } from "../moderate.ts";
import { type TestServer, createMember, openTestServer } from "../support.ts";
import { makeApp, createSignedInMember, openBrowser } from "./browser.ts";
import { connect } from "./app-client.ts";

const PAGE = "https://app.example";
const POCKET = { kind: "public" as const, redirectUris: [`${PAGE}/callback`] };

/** Every endpoint that an app in a browser calls. */
const OPEN = [
  ["GET", "/.well-known/openid-configuration"],
  ["GET", "/.well-known/oauth-authorization-server"],
  ["GET", "/.well-known/oauth-protected-resource"],
  ["GET", "/.well-known/oauth-protected-resource/v1"],
  ["GET", "/.well-known/jwks.json"],
  ["POST", "/v1/oauth/token"],
  ["POST", "/v1/oauth/revoke"],
  ["GET", "/v1/oauth/userinfo"],
  ["GET", "/v1/feed"],
  ["POST", "/v1/feed"],
  ["GET", "/v1/openapi.json"],
  ["GET", "/v1/nothing"],
  ["POST", "/graphql"],
] as const;

/** Endpoints that read cookies, or that no app in a browser calls. */
const CLOSED = [
  ["GET", "/v1/oauth/authorize"],
  ["POST", "/v1/oauth/introspect"],
  ["POST", "/v1/oauth/device"],
  ["GET", "/"],
  ["GET", "/settings/apps"],
  ["GET", "/healthz"],
] as const;

const EXPOSED = [
  "ETag",
  "Idempotency-Replayed",
  "Link",
  "Location",
  "Retry-After",
  "WWW-Authenticate",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
];

async function send(server: TestServer, method: string, path: string, headers: Record<string, string>) {
  const answer = await fetch(server.url + path, { method, headers, redirect: "manual" });
  await answer.arrayBuffer();
  return answer;
}

function preflight(server: TestServer, origin: string, [method, path]: readonly [string, string]) {
  return send(server, "OPTIONS", path, {
    origin,
    "access-control-request-method": method,
    "access-control-request-headers": "authorization, content-type",
  });
}

const allowed = ({ headers }: Response) => headers.get("access-control-allow-origin");

/** Returns whether a page at this origin may read the feed. */
async function isAllowed(server: TestServer, origin: string): Promise<boolean> {
  const responses = [await preflight(server, origin, ["GET", "/v1/feed"])];
  responses.push(await send(server, "GET", "/v1/feed", { origin }));
  const [before, then] = responses.map((answer) => allowed(answer) === origin);
  expect([origin, before]).toEqual([origin, then]);
  return before === true;
}

test("a page of a public app may call discovery, tokens, v1 and GraphQL without the browser's credentials", async () => {
  await using server = openTestServer();
  makeApp(server, createSignedInMember(server, "ada"), POCKET);
  for (const address of OPEN) {
    const response = await preflight(server, PAGE, address);
    expect([address, response.status, allowed(response)]).toEqual([address, 204, PAGE]);
    const [method, path] = address;
    const answer = await send(server, method, path, { origin: PAGE });
    expect([address, allowed(answer)]).toEqual([address, PAGE]);
    const exposed = answer.headers.get("access-control-expose-headers")?.split(", ") ?? [];
    expect(EXPOSED.filter((name) => !exposed.includes(name))).toEqual([]);
    for (const { headers } of [response, answer])
      expect([address, headers.get("access-control-allow-credentials")]).toEqual([address, null]);
  }
});

test("endpoints that read cookies or serve no browser app stay closed to a public app's pages", async () => {
  await using server = openTestServer();
  makeApp(server, createSignedInMember(server, "ada"), POCKET);
  for (const address of CLOSED) {
    const [method, path] = address;
    const answers = [
      await preflight(server, PAGE, address),
      await send(server, method, path, { origin: PAGE }),
    ];
    expect([address, answers.map(allowed)]).toEqual([address, [null, null]]);
  }
});

test("a response that depends on the origin has Vary: Origin, also for a request without an origin", async () => {
  await using server = openTestServer();
  makeApp(server, createSignedInMember(server, "ada"), POCKET);
  for (const [method, path] of OPEN)
    for (const headers of [{}, { origin: PAGE }, { origin: "https://evil.example" }]) {
      const vary = (await send(server, method, path, headers as Record<string, string>)).headers.get("vary");
      expect([path, vary?.toLowerCase().split(/,\s*/)]).toEqual([path, expect.arrayContaining(["origin"])]);
    }
});

test("derives origins from the redirect addresses: https unchanged, any port on loopback, no private scheme", async () => {
  await using server = openTestServer();
  makeApp(server, createSignedInMember(server, "ada"), {
    kind: "public",
    redirectUris: [
      "https://one.example/callback",
      "https://two.example:8443/callback?a=b",
      "http://localhost:5173/callback",
      "http://[::1]/callback",
      "com.example.pocket:/callback",
      "com.example.wallet://callback",
    ],
  });
  const open = [
    "https://one.example",
    "https://two.example:8443",
    "http://localhost",
    "http://localhost:5173",
    "http://localhost:3000",
    "http://[::1]:4000",
  ];
  const closed = [
    "null",
    "*",
    "https://two.example",
    "http://one.example",
    "https://ONE.example",
    "https://one.example.evil.example",
    "https://one.example:444",
    "https://localhost:5173",
    "http://127.0.0.1:5173",
    "http://localhost.evil.example",
    "http://localhost:5173/",
    "com.example.pocket",
    "com.example.pocket:",
    "com.example.wallet://callback",
  ];
  for (const origin of open) expect([origin, await isAllowed(server, origin)]).toEqual([origin, true]);
  for (const origin of closed) expect([origin, await isAllowed(server, origin)]).toEqual([origin, false]);
});

test("an app's origins apply from registration until its address is removed, or it is suspended or deleted", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const { core } = server;
  expect(await isAllowed(server, PAGE)).toBe(false);
  const { app } = makeApp(server, ada, POCKET);
  expect(await isAllowed(server, PAGE)).toBe(true);
  changeApp(core, ada.caller, app.id, { redirectUris: ["https://moved.example/callback"] });
  expect([await isAllowed(server, PAGE), await isAllowed(server, "https://moved.example")]).toEqual([
    false,
    true,
  ]);
  changeApp(core, ada.caller, app.id, { redirectUris: [`${PAGE}/callback`] });
  suspendApp(core, OPERATOR, app.id, "spam");
  expect(await isAllowed(server, PAGE)).toBe(false);
  restoreApp(core, OPERATOR, app.id);
  expect(await isAllowed(server, PAGE)).toBe(true);
  suspendBuilder(core, OPERATOR, "ada");
  expect(await isAllowed(server, PAGE)).toBe(false);
  restoreBuilder(core, OPERATOR, "ada");
  expect(await isAllowed(server, PAGE)).toBe(true);
  removeApp(core, OPERATOR, app.id);
  expect(await isAllowed(server, PAGE)).toBe(false);
});

test("a confidential app allows no origin, and a shared origin is allowed while either app has it", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  makeApp(server, ada);
  expect(await isAllowed(server, PAGE)).toBe(false);
  const [one, two] = [makeApp(server, ada, POCKET), makeApp(server, ada, { ...POCKET, name: "Two" })];
  removeApp(server.core, OPERATOR, one.app.id);
  expect(await isAllowed(server, PAGE)).toBe(true);
  removeApp(server.core, OPERATOR, two.app.id);
  expect(await isAllowed(server, PAGE)).toBe(false);
});

test("allows pages to read refusals for a missing token and for the rate limit", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada, POCKET);
  const headers = { origin: PAGE };
  const { access } = await connect(server, openBrowser(server, ada), app);
  const read = await send(server, "GET", "/v1/feed", { ...headers, authorization: `Bearer ${access}` });
  expect([read.status, allowed(read)]).toEqual([200, PAGE]);
  let refused = await send(server, "GET", "/v1/feed", headers);
  expect([refused.status, allowed(refused)]).toEqual([401, PAGE]);
  while (refused.status === 401) refused = await send(server, "GET", "/v1/feed", headers);
  expect([refused.status, allowed(refused), refused.headers.get("retry-after")]).toEqual([429, PAGE, "1"]);
  expect((await preflight(server, PAGE, ["GET", "/v1/feed"])).status).toBe(204);
});

test("a database that does not answer allows no origin, and the response keeps its rate headers", async () => {
  await using server = openTestServer();
  makeApp(server, createSignedInMember(server, "ada"), POCKET);
  const { token } = createMember(server.core, "bo");
  server.core.db.close();
  const answer = await send(server, "GET", "/v1/feed", { origin: PAGE, authorization: `Bearer ${token}` });
  expect([answer.status, allowed(answer), answer.headers.has("x-ratelimit-limit")]).toEqual([
    500,
    null,
    true,
  ]);
});

test("many requests query the origins once while nothing changes", async () => {
  await using server = openTestServer();
  makeApp(server, createSignedInMember(server, "ada"), POCKET);
  const core = server.core as { db: TestServer["core"]["db"] };
  const whole = core.db;
  let requestCount = 0;
  const prepare = (sql: string) => (
    (requestCount += sql.includes("redirect_uris") ? 1 : 0),
    whole.prepare(sql)
  );
  core.db = { ...whole, prepare: prepare as typeof whole.prepare };
  for (let n = 0; n < 20; n++) {
    await send(server, "GET", "/v1/feed", { origin: PAGE });
    await send(server, "GET", "/v1/feed", { origin: `https://n${n}.example` });
    await send(server, "GET", "/v1/feed", {});
  }
  core.db = whole;
  expect(requestCount).toBe(1);
});
