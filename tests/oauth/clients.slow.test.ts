// Tests docs/contract.md#7.9.
import { expect, test } from "bun:test";
import {
  changeApp,
  findClient,
  getApp,
  rotateAppSecret,
  suspendApp,
} from "../../src/core/delegation/apps/apps.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { grantAccess, listConnectedApps } from "../../src/core/delegation/grants/grants.ts";
import { addMember, createWorkspace, setRole } from "../../src/core/delegation/workspaces/workspaces.ts";
import { openTestServer, signedInNow } from "../support.ts";
import {
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
  isTokenAccepted,
} from "./app-client.ts";
import { makeApp, createSignedInMember, openBrowser } from "./browser.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";

test("an app that fails to authenticate gets no token, by any method", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const other = makeApp(server, ada, { name: "Other" });
  const open = makeApp(server, ada, { name: "Open", kind: "public" });
  const browser = openBrowser(server, ada);
  const id = app.app.id;
  const secret = app.secret ?? "";
  const header = (text: string) => ({ authorization: `Basic ${btoa(text)}` });
  const ways: [string, Record<string, string>, Record<string, string>, string?][] = [
    ["nothing", {}, {}],
    ["its name and a verifier alone", { client_id: id }, {}],
    ["a wrong secret by header", {}, header(`${id}:wrong`)],
    ["a wrong secret in the form", { client_id: id, client_secret: "wrong" }, {}],
    ["an empty secret by header", {}, header(`${id}:`)],
    ["an empty secret in the form", { client_id: id, client_secret: "" }, {}],
    ["the hash's placeholder", { client_id: id, client_secret: "kept as a hash" }, {}],
    ["both ways at once", { client_id: id, client_secret: secret }, basic(app)],
    ["another app's secret", {}, header(`${id}:${other.secret}`)],
    ["another name in the form", { client_id: other.app.id }, basic(app)],
    ["an unknown app", {}, header(`app_01m7wd7tg0e01rrvr1zzzzzzzz:${secret}`)],
    ["the secret in the query", {}, {}, `?client_id=${id}&client_secret=${secret}`],
    ["a public app with a secret", { client_id: open.app.id, client_secret: "any" }, {}],
    ["a bearer header", {}, { authorization: `Bearer ${secret}` }],
  ];
  expect(ways.length).toBe(14);
  for (const [way, form, headers, query = ""] of ways) {
    const { code, verifier, redirect } = await obtainCode(server, browser, app);
    const grant = { grant_type: "authorization_code", code, redirect_uri: redirect, code_verifier: verifier };
    const { status, body } = await post(server, `token${query}`, { ...grant, ...form }, headers);
    expect([way, [400, 401].includes(status), body["access_token"]]).toEqual([way, true, undefined]);
    expect(["invalid_client", "invalid_request"]).toContain(body["error"] ?? "");
    expect(body["message"]).toBe(body["error_description"] ?? "");
    refillRateLimit(server);
  }
  const { code, verifier, redirect } = await obtainCode(server, browser, app);
  const doubled = `grant_type=authorization_code&code=${code}&redirect_uri=${encodeURIComponent(redirect)}&code_verifier=${verifier}`;
  const twice = await post(
    server,
    "token",
    `${doubled}&client_id=${id}&client_secret=${secret}&client_secret=x`,
  );
  expect([twice.status, twice.body["access_token"]]).toEqual([400, undefined]);
});

test("RFC 6749 §5.2 an empty secret in the header returns 401 with a challenge at every endpoint", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const open = makeApp(server, ada, { name: "Open", kind: "public" });
  const ids = [app.app.id, open.app.id, "app_01m7wd7tg0e01rrvr1zzzzzzzz", "nobody", ""];
  for (const shown of [...ids.map((id) => btoa(`${id}:`)), btoa("a"), btoa(":secret"), "!!!"]) {
    const headers = { authorization: `Basic ${shown}` };
    for (const [path, form] of [
      ["token", { grant_type: "refresh_token", refresh_token: "x" }],
      ["revoke", { token: "x" }],
      ["introspect", { token: "x" }],
      ["device", { scope: "feed:read" }],
    ] as const) {
      const answer = await post(server, path, form, headers);
      expect([path, answer.status, answer.body["error"]]).toEqual([path, 401, "invalid_client"]);
      expect(answer.headers.get("www-authenticate")).toMatch(/^Basic realm="/);
    }
    refillRateLimit(server);
  }
});

test("errors and tokens are not cacheable, and each error has a sentence for people", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const good = await exchange(server, app, await obtainCode(server, openBrowser(server, ada), app));
  const answers = [
    good,
    await post(server, "token", {}),
    await post(server, "token", { grant_type: "password" }, basic(app)),
    await post(server, "token", { grant_type: "refresh_token", refresh_token: "x" }, basic(app)),
    await post(server, "token", "{}", { ...basic(app), "content-type": "application/json" }),
    await post(server, "token", "a=%ff", basic(app)),
    await post(server, "revoke", { token: "x" }, basic(app)),
    await post(server, "introspect", { token: "x" }, basic(app)),
    await post(server, "device", { scope: "feed:read" }, basic(app)),
  ];
  for (const { status, headers, body } of answers) {
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-request-id")).toBeTruthy();
    // A request without a secret counts against the rate limit of its network address.
    expect(headers.get("x-ratelimit-limit")).toBe(headers === answers[1]?.headers ? "120" : "6000");
    if (status !== 200)
      expect(Object.keys(body).slice(0, 3)).toEqual(["error", "error_description", "message"]);
    expect(status).toBeLessThan(500);
  }
  for (const path of ["token", "revoke", "introspect", "device"]) {
    const got = await fetch(`${server.url}/v1/oauth/${path}`);
    expect([path, got.status]).toEqual([path, 404]);
  }
});

test("only its own app can revoke a token, and other clients learn nothing", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const other = makeApp(server, ada, { name: "Other" });
  const open = makeApp(server, ada, { name: "Open", kind: "public" });
  const tokens = await connect(server, openBrowser(server, ada), app);
  const strangers: [string, Record<string, string>, Record<string, string>][] = [
    ["nobody", {}, {}],
    ["a wrong secret", {}, { authorization: `Basic ${btoa(`${app.app.id}:wrong`)}` }],
    ["only its name", { client_id: app.app.id }, {}],
    ["another app", {}, basic(other)],
    ["a public app", { client_id: open.app.id }, {}],
    ["the token itself", {}, { authorization: `Bearer ${tokens.access}` }],
  ];
  for (const [who, form, headers] of strangers) {
    for (const token of [tokens.access, tokens.refresh]) {
      const response = await post(server, "introspect", { token, ...form }, headers);
      if (response.status === 200) expect([who, response.body]).toEqual([who, { active: false } as never]);
      else
        expect([who, [400, 401].includes(response.status), response.body["sub"]]).toEqual([
          who,
          true,
          undefined,
        ]);
      await post(server, "revoke", { token, ...form }, headers);
    }
    refillRateLimit(server);
    expect([who, await isTokenAccepted(server, tokens.access)]).toEqual([who, true]);
  }
  for (const junk of ["", "x", "a.b.c", `${tokens.access}x`, tokens.access.slice(0, -2)]) {
    const response = await post(server, "introspect", { token: junk }, basic(app));
    expect([junk, junk === "" || response.body]).toEqual([junk, junk === "" || ({ active: false } as never)]);
    const revoked = await post(server, "revoke", { token: junk }, basic(app));
    expect([junk, revoked.status]).toEqual([junk, junk === "" ? 400 : 200]);
  }
});

test("introspection describes an app's own tokens, and revocation ends them at once", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const tokens = await connect(server, openBrowser(server, ada), app);
  const access = await post(server, "introspect", { token: tokens.access }, basic(app));
  expect(access.body).toMatchObject({
    active: true,
    sub: ada.id,
    client_id: app.app.id,
    scope: "feed:read",
    iss: server.core.origin,
    aud: `${server.core.origin}/v1`,
    token_type: "Bearer",
  } as never);
  const opaque = await post(
    server,
    "introspect",
    { token: tokens.refresh, token_type_hint: "access_token" },
    basic(app),
  );
  expect(opaque.body).toMatchObject({ active: true, sub: ada.id } as never);

  // Only the access token is revoked (RFC 7009 §2.1 allows this).
  expect((await post(server, "revoke", { token: tokens.access }, basic(app))).status).toBe(200);
  expect(await isTokenAccepted(server, tokens.access)).toBe(false);
  expect((await post(server, "introspect", { token: tokens.access }, basic(app))).body).toEqual({
    active: false,
  } as never);
  const next = await refresh(server, app, tokens.refresh);
  expect(next.status).toBe(200);
  const token = next.body["refresh_token"] ?? "";
  expect((await post(server, "revoke", { token, token_type_hint: "refresh_token" }, basic(app))).status).toBe(
    200,
  );
  expect(await isTokenAccepted(server, next.body["access_token"])).toBe(false);
  expect((await refresh(server, app, token)).body["error"]).toBe("invalid_grant");
});

test("a rotated secret and the previous secret both work for a day", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const ask = async (secret: string | null) =>
    (await post(server, "introspect", { token: "x" }, basic({ ...app, secret }))).status;
  const { secret } = rotateAppSecret(server.core, ada.caller, app.app.id);
  expect([await ask(app.secret), await ask(secret)]).toEqual([200, 200]);
  server.clock.pass(24 * 3600 * 1000);
  expect([await ask(app.secret), await ask(secret)]).toEqual([401, 200]);
  const today = signedInNow(server.core, ada.caller);
  rotateAppSecret(server.core, today, app.app.id);
  const { secret: last } = rotateAppSecret(server.core, today, app.app.id);
  expect([await ask(secret), await ask(last)]).toEqual([401, 200]);
});

test("a suspended app cannot authenticate, and changes to an app apply at once", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app: TestApp = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  const tokens = await connect(server, browser, app, "feed:read jobs:read");
  expect((await server.request(tokens.access, "/jobs")).status).toBe(200);
  changeApp(server.core, ada.caller, app.app.id, { scopes: ["feed:read"] });
  expect((await server.request(tokens.access, "/jobs")).status).toBe(403);
  suspendApp(server.core, OPERATOR, app.app.id, "spam");
  expect(await isTokenAccepted(server, tokens.access)).toBe(false);
  expect((await refresh(server, app, tokens.refresh)).body["error"]).toBe("invalid_client");
  const page = await browser.get(`/v1/oauth/authorize?client_id=${app.app.id}&response_type=code`);
  expect([page.status, page.headers.get("location")]).toEqual([400, null]);
});

test("an app stops working when all owners of its workspace are suspended, until one is restored", async () => {
  await using server = openTestServer();
  const { core } = server;
  const [ada, , bo] = [
    createSignedInMember(server, "ada"),
    createSignedInMember(server, "eve"),
    createSignedInMember(server, "bo"),
  ];
  const shared = createWorkspace(core, ada.caller, "ada", { name: "Tools" });
  for (const username of ["eve", "bo"]) addMember(core, OPERATOR, shared, username);
  const apps = [makeApp(server, ada), makeApp(server, { ...ada, workspaceId: shared })];
  const browser = openBrowser(server, bo);
  const tokens: Awaited<ReturnType<typeof connect>>[] = [];
  for (const app of apps) {
    tokens.push(await connect(server, browser, app));
    refillRateLimit(server);
  }
  const asking = authorizeUrl(server, apps[0] as TestApp, makeVerifier(), { scope: "jobs:read" });
  const path = new URL((await browser.get(asking)).headers.get("location") ?? "", core.origin).pathname;
  const uid = path.split("/").at(-1) ?? "";
  const consent = { scopes: ["jobs:read"], workspaceId: bo.workspaceId };
  const working = async () => {
    refillRateLimit(server);
    return Promise.all(tokens.map(({ access }) => isTokenAccepted(server, access)));
  };
  const known = () => apps.map(({ app }) => findClient(core, app.id) !== undefined);
  const locked = () => listConnectedApps(core, bo.caller).map(({ app }) => app.isSuspended);
  expect([await working(), known(), locked()]).toEqual([
    [true, true],
    [true, true],
    [false, false],
  ]);

  // Only an owner is responsible for an app. The remaining member is not an owner until `setRole`.
  setSuspended(core, OPERATOR, "ada", true);
  expect([await working(), known()]).toEqual([
    [false, false],
    [false, false],
  ]);
  setRole(core, OPERATOR, shared, "eve", "owner");
  expect([await working(), known(), locked()]).toEqual([
    [false, true],
    [false, true],
    [false, true],
  ]);
  const [own] = apps as [TestApp, TestApp];
  const secret = tokens[0]?.refresh ?? "";
  expect((await refresh(server, own, secret)).body["error"]).toBe("invalid_client");
  expect((await post(server, "introspect", { token: tokens[0]?.access ?? "" }, basic(own))).status).toBe(401);
  const page = await browser.get(asking);
  expect([page.status, page.headers.get("location")]).toEqual([400, null]);
  const visitor = browser.visitorOf(path);
  await expect(server.interactions.find(uid, visitor)).rejects.toThrow("was deleted or suspended");
  await expect(server.interactions.allow(uid, visitor, consent)).rejects.toThrow("was deleted or suspended");
  expect(() => grantAccess(core, bo.caller, { appId: own.app.id, ...consent })).toThrow(
    "was deleted or suspended",
  );
  expect(getApp(core, OPERATOR, own.app.id)).toMatchObject({ suspended: null, isOrphaned: true });
  setSuspended(core, OPERATOR, "eve", true);
  expect(await working()).toEqual([false, false]);

  setSuspended(core, OPERATOR, "ada", false);
  expect([await working(), known(), locked()]).toEqual([
    [true, true],
    [true, true],
    [false, false],
  ]);
  expect((await refresh(server, own, secret)).status).toBe(200);
  expect(await server.interactions.find(uid, visitor)).toMatchObject({ kind: "consent" });
  expect(getApp(core, OPERATOR, own.app.id).isOrphaned).toBe(false);
});
