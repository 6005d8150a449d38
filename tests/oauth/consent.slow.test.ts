import { expect, test } from "bun:test";
import { createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { listConnectedApps, revokeGrant } from "../../src/core/delegation/grants/grants.ts";
import { graph } from "../graphql/ask.ts";
import { openTestServer } from "../support.ts";
import {
  authorizeUrl,
  connect,
  exchange,
  makeVerifier,
  obtainCode,
  refresh,
  refillRateLimit,
  isTokenAccepted,
} from "./app-client.ts";
import {
  authorize,
  type Browser,
  makeApp,
  createSignedInMember,
  openBrowser,
  signIn,
  signOut,
} from "./browser.ts";

async function uptoConsent(browser: Browser, address: string): Promise<string> {
  const { headers } = await browser.get(address);
  const to = new URL(headers.get("location") ?? "", "https://guild.test");
  expect(to.pathname).toStartWith("/oauth/consent/");
  return to.pathname;
}

test("asks only for scopes that were not granted before", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  const ask = (scope: string, more: Record<string, string> = {}) =>
    authorize(server, browser, authorizeUrl(server, app, makeVerifier(), { scope, ...more }));
  expect((await ask("openid feed:read")).asked).toEqual([["openid", "feed:read"]]);
  expect((await ask("openid feed:read")).asked).toEqual([]);
  expect((await ask("feed:read feed:write")).asked).toEqual([["feed:write"]]);
  expect((await ask("feed:write", { prompt: "none" })).to?.searchParams.has("code")).toBe(true);
  expect((await ask("feed:write", { prompt: "consent" })).asked).toEqual([[]]);
  expect((await ask("jobs:read", { prompt: "none" })).to?.searchParams.get("error")).toBe("consent_required");
  const [connected] = listConnectedApps(server.core, ada.caller);
  expect(connected).toMatchObject({
    app: {
      id: app.app.id,
      name: "Tidewater CI",
      maker: { name: "ada", isWorkspace: false },
      isSuspended: false,
    },
    scopes: ["openid", "feed:read", "feed:write"],
  });
});

test("each scope can be switched off, and the token opens only the others", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  const code = await obtainCode(server, browser, app, {
    scope: "openid profile feed:read jobs:read",
    answer: ["feed:read", "profile"],
  });
  const { body } = await exchange(server, app, code);
  expect(body["scope"]).toBe("profile feed:read");
  expect(body["id_token"]).toBeUndefined();
  expect((await server.request(body["access_token"], "/jobs")).status).toBe(403);
  expect((await server.request(body["access_token"], "/oauth/userinfo")).status).toBe(403);
  refillRateLimit(server);
  for (const answer of ["refuse", []] as const) {
    const url = authorizeUrl(server, app, makeVerifier(), { scope: "jobs:read" });
    const { to } = await authorize(server, browser, url, answer);
    expect(to?.searchParams.get("error")).toBe("access_denied");
    expect(to?.searchParams.get("iss")).toBe(server.core.origin);
  }
});

test("an app with the scopes openid and profile reads only the person's own name in GraphQL", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const bo = createSignedInMember(server, "bo");
  const browser = openBrowser(server, ada);
  const app = makeApp(server, ada, { scopes: [] });
  const ask = async (scope: string, document: string) => {
    const { access } = await connect(server, browser, app, scope);
    return (await graph(server, access, document)).body;
  };
  const own = "{ viewer { builder { username name } } }";

  const named = await ask("openid profile", own);
  const bio = await ask("openid profile", "{ viewer { builder { name bio } } }");
  const other = await ask("openid profile", `{ node(id: "${bo.id}") { ... on Builder { name } } }`);

  expect(named).toEqual({ data: { viewer: { builder: { username: "ada", name: "ada Okafor" } } } });
  expect([bio.data?.viewer.builder, bio.errors?.map(({ path }) => path)]).toEqual([
    { name: "ada Okafor", bio: null },
    [["viewer", "builder", "bio"]],
  ]);
  expect([other.data?.node, other.errors?.[0]?.extensions.reason]).toEqual([null, "scope_missing"]);
  revokeGrant(server.core, ada.caller, listConnectedApps(server.core, ada.caller)[0]?.id ?? "");
  const unnamed = await ask("openid", own);
  expect([unnamed.data?.viewer.builder.name, unnamed.errors?.[0]?.extensions.reason]).toEqual([
    null,
    "scope_missing",
  ]);
});

test("a consent form cannot allow more than the app asks for", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  const path = await uptoConsent(browser, authorizeUrl(server, app, makeVerifier()));
  const uid = path.split("/").at(-1) ?? "";
  for (const scopes of [["feed:read", "feed:write"], ["admin"], ["messages:read"]]) {
    const wider = server.interactions.allow(uid, browser.visitorOf(path), {
      scopes,
      workspaceId: ada.workspaceId,
    });
    await expect(wider).rejects.toThrow("more than the app asks for");
  }
  const strangers = server.interactions.allow(uid, browser.visitorOf(path), {
    scopes: ["feed:read"],
    workspaceId: "ws_01m7wd7tg0e01rrvr1zzzzzzzz",
  });
  await expect(strangers).rejects.toThrow("no workspace");
  expect(listConnectedApps(server.core, ada.caller)).toEqual([]);
});

test("an authorization belongs to the browser and the person that began it", async () => {
  await using server = openTestServer();
  const [ada, eve] = [createSignedInMember(server, "ada"), createSignedInMember(server, "eve")];
  const app = makeApp(server, ada);
  const [hers, eves] = [openBrowser(server, ada), openBrowser(server, eve)];
  const path = await uptoConsent(hers, authorizeUrl(server, app, makeVerifier()));
  const uid = path.split("/").at(-1) ?? "";
  // Eve's browser opens Ada's link without Ada's cookie.
  await expect(server.interactions.find(uid, eves.visitorOf(path))).rejects.toThrow("another browser");
  const name = [...hers.cookies.keys()].find((each) => each.endsWith("guildhall-oauth")) ?? "";
  eves.cookies.set(name, { value: uid, path });
  await expect(server.interactions.find(uid, eves.visitorOf(path))).rejects.toThrow("another browser");
  // Eve signs in on Ada's browser in the middle of the flow.
  signIn(server, hers, eve);
  expect(await server.interactions.find(uid, hers.visitorOf(path))).toMatchObject({ kind: "continue" });
  const allowed = server.interactions.allow(uid, hers.visitorOf(path), {
    scopes: ["feed:read"],
    workspaceId: eve.workspaceId,
  });
  await expect(allowed).rejects.toThrow("Another member");
});

test("signing out of the site ends the OAuth session, and the next person is asked for consent", async () => {
  await using server = openTestServer();
  const [ada, eve] = [createSignedInMember(server, "ada"), createSignedInMember(server, "eve")];
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  const silent = authorizeUrl(server, app, makeVerifier(), { prompt: "none" });
  await connect(server, browser, app);
  expect((await authorize(server, browser, silent)).to?.searchParams.has("code")).toBe(true);
  signOut(browser);
  expect((await authorize(server, browser, silent)).to?.searchParams.get("error")).toBe("login_required");
  signIn(server, browser, eve);
  expect((await authorize(server, browser, silent)).to?.searchParams.get("error")).toBe("consent_required");
  for (const name of browser.cookies.keys()) expect(name).not.toContain("session");
});

test("ignores a forged session cookie of the library, and uses the session of the site", async () => {
  await using server = openTestServer();
  const [ada, eve] = [createSignedInMember(server, "ada"), createSignedInMember(server, "eve")];
  const app = makeApp(server, ada);
  await connect(server, openBrowser(server, ada), app);
  const silent = authorizeUrl(server, app, makeVerifier(), { prompt: "none" });
  for (const [browser, error] of [
    [openBrowser(server), "login_required"],
    [openBrowser(server, eve), "consent_required"],
  ] as const) {
    browser.cookies.set("guildhall-oauth-session", { value: `site-${ada.id}`, path: "/" });
    const { to } = await authorize(server, browser, silent);
    expect([to?.searchParams.get("error"), to?.searchParams.get("code")]).toEqual([error, null]);
  }
});

test("a sign-in during the request leads on to consent, while prompt=login and max_age require a fresh sign-in", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server);
  const path = await uptoConsent(browser, authorizeUrl(server, app, makeVerifier()));
  const uid = path.split("/").at(-1) ?? "";
  expect(await server.interactions.find(uid, browser.visitorOf(path))).toMatchObject({
    kind: "sign-in",
    isReauthentication: false,
  });
  signIn(server, browser, ada);
  const found = await server.interactions.find(uid, browser.visitorOf(path));
  if (found.kind !== "continue") throw new Error(found.kind);
  const done = await authorize(server, browser, found.to);
  expect([done.asked, done.to?.searchParams.has("code")]).toEqual([[["feed:read"]], true]);

  server.clock.pass(3_600_000);
  for (const changes of [{ prompt: "login" }, { scope: "openid feed:read", max_age: "60" }]) {
    const again = await uptoConsent(browser, authorizeUrl(server, app, makeVerifier(), changes));
    const id = again.split("/").at(-1) ?? "";
    expect(await server.interactions.find(id, browser.visitorOf(again))).toMatchObject({
      kind: "sign-in",
      isReauthentication: true,
    });
    server.clock.pass(5_000);
    signIn(server, browser, ada);
    const next = await server.interactions.find(id, browser.visitorOf(again));
    if (next.kind !== "continue") throw new Error(next.kind);
    const { to } = await authorize(server, browser, next.to);
    expect([changes, to?.searchParams.has("code")]).toEqual([changes, true]);
    server.clock.pass(120_000);
  }
});

test("switching account with “Not you?” takes one sign-in, also if the app requires a fresh one", async () => {
  for (const criteria of [
    { prompt: "login" },
    { prompt: "login consent" },
    { scope: "openid feed:read", max_age: "60" },
    {},
  ]) {
    await using server = openTestServer();
    const [ada, eve] = [createSignedInMember(server, "ada"), createSignedInMember(server, "eve")];
    const app = makeApp(server, ada);
    const browser = openBrowser(server);
    const walkTo = async (path: string) => {
      const uid = path.split("/").at(-1) ?? "";
      return server.interactions.find(uid, browser.visitorOf(path));
    };
    const onward = async (path: string) => {
      const found = await walkTo(path);
      if (found.kind !== "continue") throw new Error(found.kind);
      return uptoConsent(browser, found.to);
    };
    const first = await uptoConsent(browser, authorizeUrl(server, app, makeVerifier(), criteria));
    server.clock.pass(1000);
    signIn(server, browser, ada);
    const path = await onward(first);
    expect(await walkTo(path)).toMatchObject({ kind: "consent" });

    signOut(browser);
    expect(await walkTo(path)).toMatchObject({ kind: "sign-in" });
    server.clock.pass(1000);
    signIn(server, browser, eve);
    const own = await onward(path);
    const consentPage = await walkTo(own);
    expect([criteria, consentPage.kind]).toEqual([criteria, "consent"]);
    const uid = own.split("/").at(-1) ?? "";
    const workspaceId = eve.workspaceId;
    const allowed = await server.interactions.allow(uid, browser.visitorOf(own), {
      scopes: ["feed:read"],
      workspaceId,
    });
    const done = await authorize(server, browser, allowed);
    expect([criteria, done.to?.searchParams.has("code")]).toEqual([criteria, true]);
    expect([
      listConnectedApps(server.core, ada.caller).length,
      listConnectedApps(server.core, eve.caller).length,
    ]).toEqual([0, 1]);
  }
});

test("requires a fresh sign-in from a session older than the request, also after a switch of account", async () => {
  await using server = openTestServer();
  const [ada, eve] = [createSignedInMember(server, "ada"), createSignedInMember(server, "eve")];
  const app = makeApp(server, ada);
  const [browser, eves] = [openBrowser(server), openBrowser(server, eve)];
  server.clock.pass(1000);
  const first = await uptoConsent(browser, authorizeUrl(server, app, makeVerifier(), { prompt: "login" }));
  server.clock.pass(1000);
  signIn(server, browser, ada);
  const fresh = await server.interactions.find(first.split("/").at(-1) ?? "", browser.visitorOf(first));
  if (fresh.kind !== "continue") throw new Error(fresh.kind);
  const path = await uptoConsent(browser, fresh.to);
  const session = eves.cookies.get("__Host-guildhall");
  if (!session) throw new Error("no session");
  browser.cookies.set("__Host-guildhall", session);
  browser.person = eves.person;
  const found = await server.interactions.find(path.split("/").at(-1) ?? "", browser.visitorOf(path));
  if (found.kind !== "continue") throw new Error(found.kind);
  const again = await uptoConsent(browser, found.to);
  expect(
    await server.interactions.find(again.split("/").at(-1) ?? "", browser.visitorOf(again)),
  ).toMatchObject({ kind: "sign-in", isReauthentication: true });
});

test("asks for consent each time for a public app on the device, as any program could imitate the app", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada, { kind: "public", redirectUris: ["http://127.0.0.1/cb"] });
  const browser = openBrowser(server, ada);
  await connect(server, browser, app);
  const again = await authorize(server, browser, authorizeUrl(server, app, makeVerifier()));
  expect([again.asked, again.to?.searchParams.has("code")]).toEqual([[[]], true]);
  const silent = authorizeUrl(server, app, makeVerifier(), { prompt: "none" });
  expect((await authorize(server, browser, silent)).to?.searchParams.get("error")).toBe(
    "interaction_required",
  );
});

test("stores a connection in the workspace that the person chose", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const shared = createWorkspace(server.core, ada.caller, "ada", { name: "Tools" });
  const browser = openBrowser(server, ada);
  const path = await uptoConsent(browser, authorizeUrl(server, app, makeVerifier()));
  const uid = path.split("/").at(-1) ?? "";
  const visitor = browser.visitorOf(path);
  const found = await server.interactions.find(uid, visitor);
  if (found.kind !== "consent") throw new Error(found.kind);
  expect(found.workspaces.map(({ id }) => id)).toEqual([ada.workspaceId, shared]);
  expect(found.app).toMatchObject({
    name: "Tidewater CI",
    redirectHost: "app.example",
    maker: { name: "ada" },
  });
  const to = await server.interactions.allow(uid, visitor, { scopes: ["feed:read"], workspaceId: shared });
  expect((await authorize(server, browser, to)).to?.searchParams.has("code")).toBe(true);
  expect(listConnectedApps(server.core, ada.caller)[0]?.workspace.id).toBe(shared);
});

test("disconnecting an app ends all its tokens at once, and the app has to ask again", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  const tokens = await connect(server, browser, app);
  const unused = await obtainCode(server, browser, app);
  expect(await isTokenAccepted(server, tokens.access)).toBe(true);
  const [connected] = listConnectedApps(server.core, ada.caller);
  expect(connected?.lastUsedAt).toBe(server.clock.now());
  revokeGrant(server.core, ada.caller, connected?.id ?? "");
  expect(await isTokenAccepted(server, tokens.access)).toBe(false);
  expect((await refresh(server, app, tokens.refresh)).body["error"]).toBe("invalid_grant");
  expect((await exchange(server, app, unused)).body["error"]).toBe("invalid_grant");
  const again = await authorize(server, browser, authorizeUrl(server, app, makeVerifier()));
  expect(again.asked).toEqual([["feed:read"]]);
});
