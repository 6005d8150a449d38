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
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const browser = openBrowser(house, ada);
  const ask = (scope: string, more: Record<string, string> = {}) =>
    authorize(house, browser, authorizeUrl(house, app, makeVerifier(), { scope, ...more }));
  expect((await ask("openid feed:read")).asked).toEqual([["openid", "feed:read"]]);
  expect((await ask("openid feed:read")).asked).toEqual([]);
  expect((await ask("feed:read feed:write")).asked).toEqual([["feed:write"]]);
  expect((await ask("feed:write", { prompt: "none" })).to?.searchParams.has("code")).toBe(true);
  expect((await ask("feed:write", { prompt: "consent" })).asked).toEqual([[]]);
  expect((await ask("jobs:read", { prompt: "none" })).to?.searchParams.get("error")).toBe("consent_required");
  const [connected] = listConnectedApps(house.core, ada.caller);
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
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const browser = openBrowser(house, ada);
  const code = await obtainCode(house, browser, app, {
    scope: "openid profile feed:read jobs:read",
    answer: ["feed:read", "profile"],
  });
  const { body } = await exchange(house, app, code);
  expect(body["scope"]).toBe("profile feed:read");
  expect(body["id_token"]).toBeUndefined();
  expect((await house.request(body["access_token"], "/jobs")).status).toBe(403);
  expect((await house.request(body["access_token"], "/oauth/userinfo")).status).toBe(403);
  refillRateLimit(house);
  for (const answer of ["refuse", []] as const) {
    const url = authorizeUrl(house, app, makeVerifier(), { scope: "jobs:read" });
    const { to } = await authorize(house, browser, url, answer);
    expect(to?.searchParams.get("error")).toBe("access_denied");
    expect(to?.searchParams.get("iss")).toBe(house.core.origin);
  }
});

test("an app with the scopes openid and profile reads only the person's own name in GraphQL", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const bo = createSignedInMember(house, "bo");
  const browser = openBrowser(house, ada);
  const app = makeApp(house, ada, { scopes: [] });
  const ask = async (scope: string, document: string) => {
    const { access } = await connect(house, browser, app, scope);
    return (await graph(house, access, document)).body;
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
  revokeGrant(house.core, ada.caller, listConnectedApps(house.core, ada.caller)[0]?.id ?? "");
  const unnamed = await ask("openid", own);
  expect([unnamed.data?.viewer.builder.name, unnamed.errors?.[0]?.extensions.reason]).toEqual([
    null,
    "scope_missing",
  ]);
});

test("a consent form cannot allow more than the app asks for", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const browser = openBrowser(house, ada);
  const path = await uptoConsent(browser, authorizeUrl(house, app, makeVerifier()));
  const uid = path.split("/").at(-1) ?? "";
  for (const scopes of [["feed:read", "feed:write"], ["admin"], ["messages:read"]]) {
    const wider = house.interactions.allow(uid, browser.visitorOf(path), {
      scopes,
      workspaceId: ada.workspaceId,
    });
    await expect(wider).rejects.toThrow("more than the app asks for");
  }
  const strangers = house.interactions.allow(uid, browser.visitorOf(path), {
    scopes: ["feed:read"],
    workspaceId: "ws_01m7wd7tg0e01rrvr1zzzzzzzz",
  });
  await expect(strangers).rejects.toThrow("no workspace");
  expect(listConnectedApps(house.core, ada.caller)).toEqual([]);
});

test("an authorization belongs to the browser and the person that began it", async () => {
  await using house = openTestServer();
  const [ada, eve] = [createSignedInMember(house, "ada"), createSignedInMember(house, "eve")];
  const app = makeApp(house, ada);
  const [hers, eves] = [openBrowser(house, ada), openBrowser(house, eve)];
  const path = await uptoConsent(hers, authorizeUrl(house, app, makeVerifier()));
  const uid = path.split("/").at(-1) ?? "";
  // Eve's browser opens Ada's link without Ada's cookie.
  await expect(house.interactions.find(uid, eves.visitorOf(path))).rejects.toThrow("another browser");
  const name = [...hers.cookies.keys()].find((each) => each.endsWith("guildhall-oauth")) ?? "";
  eves.cookies.set(name, { value: uid, path });
  await expect(house.interactions.find(uid, eves.visitorOf(path))).rejects.toThrow("another browser");
  // Eve signs in on Ada's browser in the middle of the flow.
  signIn(house, hers, eve);
  expect(await house.interactions.find(uid, hers.visitorOf(path))).toMatchObject({ kind: "continue" });
  const allowed = house.interactions.allow(uid, hers.visitorOf(path), {
    scopes: ["feed:read"],
    workspaceId: eve.workspaceId,
  });
  await expect(allowed).rejects.toThrow("Another member");
});

test("signing out of the site ends the OAuth session, and the next person is asked for consent", async () => {
  await using house = openTestServer();
  const [ada, eve] = [createSignedInMember(house, "ada"), createSignedInMember(house, "eve")];
  const app = makeApp(house, ada);
  const browser = openBrowser(house, ada);
  const silent = authorizeUrl(house, app, makeVerifier(), { prompt: "none" });
  await connect(house, browser, app);
  expect((await authorize(house, browser, silent)).to?.searchParams.has("code")).toBe(true);
  signOut(browser);
  expect((await authorize(house, browser, silent)).to?.searchParams.get("error")).toBe("login_required");
  signIn(house, browser, eve);
  expect((await authorize(house, browser, silent)).to?.searchParams.get("error")).toBe("consent_required");
  for (const name of browser.cookies.keys()) expect(name).not.toContain("session");
});

test("ignores a forged session cookie of the library, and uses the session of the site", async () => {
  await using house = openTestServer();
  const [ada, eve] = [createSignedInMember(house, "ada"), createSignedInMember(house, "eve")];
  const app = makeApp(house, ada);
  await connect(house, openBrowser(house, ada), app);
  const silent = authorizeUrl(house, app, makeVerifier(), { prompt: "none" });
  for (const [browser, error] of [
    [openBrowser(house), "login_required"],
    [openBrowser(house, eve), "consent_required"],
  ] as const) {
    browser.cookies.set("guildhall-oauth-session", { value: `site-${ada.id}`, path: "/" });
    const { to } = await authorize(house, browser, silent);
    expect([to?.searchParams.get("error"), to?.searchParams.get("code")]).toEqual([error, null]);
  }
});

test("a sign-in during the request leads on to consent, while prompt=login and max_age require a fresh sign-in", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const browser = openBrowser(house);
  const path = await uptoConsent(browser, authorizeUrl(house, app, makeVerifier()));
  const uid = path.split("/").at(-1) ?? "";
  expect(await house.interactions.find(uid, browser.visitorOf(path))).toMatchObject({
    kind: "sign-in",
    again: false,
  });
  signIn(house, browser, ada);
  const found = await house.interactions.find(uid, browser.visitorOf(path));
  if (found.kind !== "continue") throw new Error(found.kind);
  const done = await authorize(house, browser, found.to);
  expect([done.asked, done.to?.searchParams.has("code")]).toEqual([[["feed:read"]], true]);

  house.clock.pass(3_600_000);
  for (const changes of [{ prompt: "login" }, { scope: "openid feed:read", max_age: "60" }]) {
    const again = await uptoConsent(browser, authorizeUrl(house, app, makeVerifier(), changes));
    const id = again.split("/").at(-1) ?? "";
    expect(await house.interactions.find(id, browser.visitorOf(again))).toMatchObject({
      kind: "sign-in",
      again: true,
    });
    house.clock.pass(5_000);
    signIn(house, browser, ada);
    const next = await house.interactions.find(id, browser.visitorOf(again));
    if (next.kind !== "continue") throw new Error(next.kind);
    const { to } = await authorize(house, browser, next.to);
    expect([changes, to?.searchParams.has("code")]).toEqual([changes, true]);
    house.clock.pass(120_000);
  }
});

test("switching account with “Not you?” takes one sign-in, also if the app requires a fresh one", async () => {
  for (const wish of [
    { prompt: "login" },
    { prompt: "login consent" },
    { scope: "openid feed:read", max_age: "60" },
    {},
  ]) {
    await using house = openTestServer();
    const [ada, eve] = [createSignedInMember(house, "ada"), createSignedInMember(house, "eve")];
    const app = makeApp(house, ada);
    const browser = openBrowser(house);
    const walkTo = async (path: string) => {
      const uid = path.split("/").at(-1) ?? "";
      return house.interactions.find(uid, browser.visitorOf(path));
    };
    const onward = async (path: string) => {
      const found = await walkTo(path);
      if (found.kind !== "continue") throw new Error(found.kind);
      return uptoConsent(browser, found.to);
    };
    const first = await uptoConsent(browser, authorizeUrl(house, app, makeVerifier(), wish));
    house.clock.pass(1000);
    signIn(house, browser, ada);
    const path = await onward(first);
    expect(await walkTo(path)).toMatchObject({ kind: "consent" });

    signOut(browser);
    expect(await walkTo(path)).toMatchObject({ kind: "sign-in" });
    house.clock.pass(1000);
    signIn(house, browser, eve);
    const own = await onward(path);
    const asked = await walkTo(own);
    expect([wish, asked.kind]).toEqual([wish, "consent"]);
    const uid = own.split("/").at(-1) ?? "";
    const workspaceId = eve.workspaceId;
    const allowed = await house.interactions.allow(uid, browser.visitorOf(own), {
      scopes: ["feed:read"],
      workspaceId,
    });
    const done = await authorize(house, browser, allowed);
    expect([wish, done.to?.searchParams.has("code")]).toEqual([wish, true]);
    expect([
      listConnectedApps(house.core, ada.caller).length,
      listConnectedApps(house.core, eve.caller).length,
    ]).toEqual([0, 1]);
  }
});

test("requires a fresh sign-in from a session older than the request, also after a switch of account", async () => {
  await using house = openTestServer();
  const [ada, eve] = [createSignedInMember(house, "ada"), createSignedInMember(house, "eve")];
  const app = makeApp(house, ada);
  const [browser, eves] = [openBrowser(house), openBrowser(house, eve)];
  house.clock.pass(1000);
  const first = await uptoConsent(browser, authorizeUrl(house, app, makeVerifier(), { prompt: "login" }));
  house.clock.pass(1000);
  signIn(house, browser, ada);
  const fresh = await house.interactions.find(first.split("/").at(-1) ?? "", browser.visitorOf(first));
  if (fresh.kind !== "continue") throw new Error(fresh.kind);
  const path = await uptoConsent(browser, fresh.to);
  const session = eves.cookies.get("__Host-guildhall");
  if (!session) throw new Error("no session");
  browser.cookies.set("__Host-guildhall", session);
  browser.person = eves.person;
  const found = await house.interactions.find(path.split("/").at(-1) ?? "", browser.visitorOf(path));
  if (found.kind !== "continue") throw new Error(found.kind);
  const again = await uptoConsent(browser, found.to);
  expect(
    await house.interactions.find(again.split("/").at(-1) ?? "", browser.visitorOf(again)),
  ).toMatchObject({ kind: "sign-in", again: true });
});

test("asks for consent each time for a public app on the device, as any program could imitate the app", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada, { kind: "public", redirectUris: ["http://127.0.0.1/cb"] });
  const browser = openBrowser(house, ada);
  await connect(house, browser, app);
  const again = await authorize(house, browser, authorizeUrl(house, app, makeVerifier()));
  expect([again.asked, again.to?.searchParams.has("code")]).toEqual([[[]], true]);
  const silent = authorizeUrl(house, app, makeVerifier(), { prompt: "none" });
  expect((await authorize(house, browser, silent)).to?.searchParams.get("error")).toBe(
    "interaction_required",
  );
});

test("stores a connection in the workspace that the person chose", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const shared = createWorkspace(house.core, ada.caller, "ada", { name: "Tools" });
  const browser = openBrowser(house, ada);
  const path = await uptoConsent(browser, authorizeUrl(house, app, makeVerifier()));
  const uid = path.split("/").at(-1) ?? "";
  const visitor = browser.visitorOf(path);
  const found = await house.interactions.find(uid, visitor);
  if (found.kind !== "consent") throw new Error(found.kind);
  expect(found.workspaces.map(({ id }) => id)).toEqual([ada.workspaceId, shared]);
  expect(found.app).toMatchObject({
    name: "Tidewater CI",
    redirectHost: "app.example",
    maker: { name: "ada" },
  });
  const to = await house.interactions.allow(uid, visitor, { scopes: ["feed:read"], workspaceId: shared });
  expect((await authorize(house, browser, to)).to?.searchParams.has("code")).toBe(true);
  expect(listConnectedApps(house.core, ada.caller)[0]?.workspace.id).toBe(shared);
});

test("disconnecting an app ends all its tokens at once, and the app has to ask again", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const browser = openBrowser(house, ada);
  const tokens = await connect(house, browser, app);
  const unused = await obtainCode(house, browser, app);
  expect(await isTokenAccepted(house, tokens.access)).toBe(true);
  const [connected] = listConnectedApps(house.core, ada.caller);
  expect(connected?.lastUsedAt).toBe(house.clock.now());
  revokeGrant(house.core, ada.caller, connected?.id ?? "");
  expect(await isTokenAccepted(house, tokens.access)).toBe(false);
  expect((await refresh(house, app, tokens.refresh)).body["error"]).toBe("invalid_grant");
  expect((await exchange(house, app, unused)).body["error"]).toBe("invalid_grant");
  const again = await authorize(house, browser, authorizeUrl(house, app, makeVerifier()));
  expect(again.asked).toEqual([["feed:read"]]);
});
