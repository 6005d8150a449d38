import { afterAll, describe, expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { isAppSecret, listApps, suspendApp } from "../../src/core/delegation/apps/apps.ts";
import { grantAccess, listConnectedApps } from "../../src/core/delegation/grants/grants.ts";
import { createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { closeContexts, hasChromium } from "../browser.ts";
import {
  createAccountOf,
  contentsOf,
  openSite,
  signedInAs,
  type Site,
  tokenOf,
  visit,
  visibleText,
} from "./support.ts";
import { makeApp, personOn } from "./sample-apps.ts";
import { checkBothWidths } from "./keyboard.ts";
import { enter, openTab, tabTo } from "./browser-tabs.ts";

const SECRET = /guild_secret_[A-Za-z0-9_-]{43}/;

async function openSiteWithApp(): Promise<Site> {
  const site = openSite();
  for (const username of ["ada", "eve"]) await createAccountOf(site, username);
  return site;
}

function appsOf(site: Site, username: string) {
  const person = personOn(site, username);
  return listApps(site.core, person, person.workspaceId);
}

describe.skipIf(!hasChromium)("in a real browser", () => {
  afterAll(closeContexts);

  for (const scripts of [true, false]) {
    test(`an app is registered by keyboard alone${scripts ? "" : ", without scripts"}, and its secret is shown once`, async () => {
      await using site = await openSiteWithApp();
      const { page, complaints } = await openTab(site, { as: "ada", scripts, width: 360 });
      await page.goto(`${site.core.origin}/settings/apps`);
      await tabTo(page, /^Register app$/);
      await enter(page);
      await tabTo(page, /^Name$/);
      await page.keyboard.type("Tidewater CI");
      await tabTo(page, /^Redirect URLs$/);
      await page.keyboard.type("https://ci.tidewater.example/callback");
      await page.keyboard.press("Enter");
      await page.keyboard.type("http://127.0.0.1/callback");
      await tabTo(page, /^Read the feed/);
      await page.keyboard.press("Space");
      await tabTo(page, /^Register app$/);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Your new app" }).waitFor();
      const secret = (await page.locator(".secret-value").textContent()) ?? "";
      const [app] = appsOf(site, "ada");
      expect(app).toMatchObject({
        name: "Tidewater CI",
        kind: "confidential",
        redirectUris: ["https://ci.tidewater.example/callback", "http://127.0.0.1/callback"],
        scopes: ["feed:read"],
      });
      expect(isAppSecret(site.core, app?.id ?? "", secret.trim())).toBe(true);
      expect(await page.textContent("main")).toContain(app?.id ?? "");
      await page.goto(`${site.core.origin}/settings/apps/${app?.id}`);
      expect(await page.content()).not.toMatch(SECRET);
      expect(complaints).toEqual([]);
    });
  }

  test("axe-core finds no fault on the app pages, on a phone and on a desktop, and no page is wider than the screen", async () => {
    await using site = await openSiteWithApp();
    createWorkspace(site.core, personOn(site, "ada"), "ada", { name: "Tidewater tools" });
    const app = makeApp(site, "ada", { name: "W".repeat(60) });
    const locked = makeApp(site, "ada", { name: "Locked out" });
    suspendApp(site.core, OPERATOR, locked.app.id, "It posted the same advertisement two hundred times.");
    const places = [
      ["ada", "/settings/apps"],
      ["eve", "/settings/apps"],
      ["ada", "/settings/apps/new"],
      ["ada", `/settings/apps/${app.app.id}`],
      ["ada", `/settings/apps/${locked.app.id}`],
      ["ada", `/settings/apps/${app.app.id}/delete`],
    ] as const;
    const tabs = { ada: await openTab(site, { as: "ada" }), eve: await openTab(site, { as: "eve" }) };
    for (const [i, [as, path]] of places.entries()) {
      const { page } = tabs[as];
      await page.goto(site.core.origin + path);
      await checkBothWidths(page, path, i);
      site.clock.pass(60_000);
    }
    for (const { context } of Object.values(tabs)) await context.close();
  });
});

test("an invalid form comes back with the typed values and what to change", async () => {
  await using site = await openSiteWithApp();
  const ada = signedInAs(site, "ada");
  const form = await ada.open("/settings/apps/new");
  const typed = {
    name: "Tidewater <CI>",
    redirectUris: "http://evil.example/cb",
    scopes: ["feed:read", "jobs:read"],
  };
  for (const [change, words] of [
    [{}, "A redirect URL must use https://"],
    [{ redirectUris: " " }, "Add 1 to 10 items."],
    [
      { redirectUris: "https://a.example/cb", name: "x".repeat(61) },
      "Use at most 60 characters. You have 61.",
    ],
    [
      { redirectUris: "https://a.example/cb", homepage: "javascript:alert(1)" },
      "Enter a link that begins with https://",
    ],
    [
      { redirectUris: "https://a.example/cb", scopes: ["admin"] },
      "Apps cannot ask for the permission “admin”",
    ],
  ] as const) {
    const again = await ada.submit(form, "/settings/apps", { ...typed, ...change });
    expect([words, again.status >= 400, visibleText(again.html).includes(words)]).toEqual([
      words,
      true,
      true,
    ]);
    const sent = again.forms.find(({ action }) => action === "/settings/apps")?.fields ?? [];
    expect(sent).toContainEqual(["name", "name" in change ? change.name : typed.name]);
  }
  expect(appsOf(site, "ada")).toEqual([]);
});

test("a public app gets no secret and cannot create one", async () => {
  await using site = await openSiteWithApp();
  const ada = signedInAs(site, "ada");
  const form = await ada.open("/settings/apps/new");
  const created = await ada.submit(form, "/settings/apps", {
    name: "Pocket",
    kind: "public",
    redirectUris: "com.example.pocket:/cb",
  });
  expect(created.html).not.toMatch(SECRET);
  const page = await ada.open(`/settings/apps/${appsOf(site, "ada")[0]?.id}`);
  expect(page.forms.some(({ action }) => action.endsWith("/rotate"))).toBe(false);
});

test("a public app's form and page list the origins allowed to call the API; a confidential app's page lists none", async () => {
  await using site = await openSiteWithApp();
  const ada = signedInAs(site, "ada");
  expect(visibleText((await ada.open("/settings/apps/new")).html)).toContain(
    "Pages on the origins of its redirect URLs can call the API (CORS).",
  );
  const redirectUris = ["https://pocket.example/cb", "http://localhost:5173/cb", "com.example.pocket:/cb"];
  for (const kind of ["public", "confidential"] as const) {
    const { app } = makeApp(site, "ada", { kind, redirectUris });
    const text = visibleText((await ada.open(`/settings/apps/${app.id}`)).html);
    expect([
      kind,
      text.includes("Origins that can call the API https://pocket.example http://localhost "),
    ]).toEqual([kind, kind === "public"]);
  }
});

test("the app list and both forms link to the OAuth guide", async () => {
  await using site = await openSiteWithApp();
  const ada = signedInAs(site, "ada");
  const { app } = makeApp(site, "ada");
  for (const path of ["/settings/apps", "/settings/apps/new", `/settings/apps/${app.id}`])
    expect([path, (await ada.open(path)).html.includes('href="/docs/oauth"')]).toEqual([path, true]);
});

test("a new secret is shown once, and the previous secret works for another day", async () => {
  await using site = await openSiteWithApp();
  const { app, secret } = makeApp(site, "ada");
  const ada = signedInAs(site, "ada");
  const here = `/settings/apps/${app.id}`;
  const rotated = await ada.submit(await ada.open(here), `${here}/rotate`);
  const [fresh = ""] = SECRET.exec(rotated.html) ?? [];
  const works = (text: string | null) => isAppSecret(site.core, app.id, text ?? "");
  expect([works(fresh), works(secret), fresh === secret]).toEqual([true, true, false]);
  expect((await ada.open(here)).html).not.toMatch(SECRET);
  site.clock.pass(24 * 3_600_000);
  expect([works(fresh), works(secret)]).toEqual([true, false]);
});

test("an app can be changed, and is deleted with its grants only after a confirmation", async () => {
  await using site = await openSiteWithApp();
  const { app } = makeApp(site, "ada");
  const eve = personOn(site, "eve");
  grantAccess(site.core, eve, { appId: app.id, scopes: ["feed:read"], workspaceId: eve.workspaceId });
  const ada = signedInAs(site, "ada");
  const here = `/settings/apps/${app.id}`;
  const changed = await ada.submit(await ada.open(here), here, {
    name: "Harbour CI",
    homepage: "https://harbour.example",
  });
  expect(visibleText(changed.html)).toContain("App saved.");
  expect(appsOf(site, "ada")[0]).toMatchObject({
    name: "Harbour CI",
    homepage: "https://harbour.example",
    scopes: app.scopes,
  });
  await ada.submit(await ada.open(here), here, { homepage: "" });
  expect(appsOf(site, "ada")[0]?.homepage).toBeNull();
  expect((await ada.open(here)).forms.some(({ action }) => action.endsWith("/delete"))).toBe(false);
  await ada.submit(await ada.open(`${here}/delete`), `${here}/delete`);
  expect([appsOf(site, "ada"), listConnectedApps(site.core, eve)]).toEqual([[], []]);
});

test("the makers of a suspended app see the reason, as text", async () => {
  await using site = await openSiteWithApp();
  const { app } = makeApp(site, "ada");
  suspendApp(site.core, OPERATOR, app.id, "It sent <b>spam</b>.");
  const { html } = await signedInAs(site, "ada").open(`/settings/apps/${app.id}`);
  expect(visibleText(html)).toContain("It sent <b>spam</b>.");
});

test("an app of another workspace is 404 on every page and form", async () => {
  await using site = await openSiteWithApp();
  const { app } = makeApp(site, "ada");
  const eve = signedInAs(site, "eve");
  const before = contentsOf(site);
  const token = tokenOf(await eve.open("/settings/apps/new"));
  for (const path of ["", "/delete"]) {
    const there = await eve.open(`/settings/apps/${app.id}${path}`);
    expect([there.status, there.html.includes("Tidewater")]).toEqual([404, false]);
  }
  for (const path of ["", "/rotate", "/delete"]) {
    const sent = { form_token: token, name: "Mine", redirectUris: "https://evil.example/cb" };
    expect((await eve.post(`/settings/apps/${app.id}${path}`, sent)).status).toBe(404);
  }
  expect(contentsOf(site)).toBe(before);
});

test("a connected app is listed with its maker, its permissions and its last use until it is disconnected", async () => {
  await using site = await openSiteWithApp();
  const { app } = makeApp(site, "ada", { name: "Tidewater CI" });
  const eve = personOn(site, "eve");
  grantAccess(site.core, eve, {
    appId: app.id,
    scopes: ["openid", "feed:write"],
    workspaceId: eve.workspaceId,
  });
  const visitor = signedInAs(site, "eve");
  const page = await visitor.open("/settings/connected");
  const text = visibleText(page.html);
  for (const part of [
    "Tidewater CI",
    "By @ada",
    "never used",
    "Confirm who you are",
    "Publish posts and replies as you",
  ])
    expect(text).toContain(part);
  const [one] = listConnectedApps(site.core, eve);
  const gone = await visitor.submit(page, `/settings/connected/${one?.id}/revoke`);
  expect(visibleText(gone.html)).toContain("Its tokens no longer work.");
  expect(visibleText(gone.html)).toContain("No connected apps");
  // Another member's app behaves like an app that does not exist.
  grantAccess(site.core, eve, { appId: app.id, scopes: ["openid"], workspaceId: eve.workspaceId });
  const [other] = listConnectedApps(site.core, eve);
  const ada = signedInAs(site, "ada");
  const token = tokenOf(await ada.open("/settings/apps/new"));
  expect((await ada.post(`/settings/connected/${other?.id}/revoke`, { form_token: token })).status).toBe(404);
  expect(listConnectedApps(site.core, eve)).toHaveLength(1);
});

test("the commands on the app's page use its own values and are safe in a shell", async () => {
  await using site = await openSiteWithApp();
  const redirect = "https://ci.tidewater.example/it's?tenant=7";
  const { app } = makeApp(site, "ada", { redirectUris: [redirect] });
  const { html } = await signedInAs(site, "ada").open(`/settings/apps/${app.id}`);
  const text = visibleText(html);
  expect(text).toContain(`${site.core.origin}/v1/oauth/token`);
  const [address = ""] = /http:\/\/localhost:\d+\/v1\/oauth\/authorize\?\S+/.exec(text) ?? [];
  const guest = visit(site);
  const { pathname, search } = new URL(address);
  const confirmation = await guest.follow(await guest.open(pathname + search));
  expect(visibleText(confirmation.html)).toContain("To continue to Tidewater CI");
  const [line = ""] = /--data-urlencode (.+?tenant=7')/.exec(text) ?? [];
  const echo = Bun.spawnSync(["sh", "-c", `printf %s ${line.replace("--data-urlencode ", "")}`]);
  expect(echo.stdout.toString()).toBe(`redirect_uri=${redirect}`);
});
