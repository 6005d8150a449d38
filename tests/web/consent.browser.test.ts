import { afterAll, describe, expect, test } from "bun:test";
import { createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { grantAccess, listConnectedApps } from "../../src/core/delegation/grants/grants.ts";
import { closeContexts, hasChromium, WIDTHS } from "../browser.ts";
import {
  createAccountOf,
  openSite,
  PASSWORD,
  signedInAs,
  sessionCookie,
  type ShownPage,
  type Site,
  tokenOf,
  visit,
  type Visitor,
  visibleText,
} from "./support.ts";
import { authorizePath, makeApp, openApp, personOn } from "./sample-apps.ts";
import { checkBothWidths } from "./keyboard.ts";
import { openTab, signInByKeyboard, type Tab, tabTo } from "./browser-tabs.ts";

/** Creates a site with a developer of apps and members who authorize apps. */
async function openSiteWithApp(): Promise<Site> {
  const site = openSite();
  for (const username of ["ada", "mallory", "eve"]) await createAccountOf(site, username);
  return site;
}

async function request(visitor: Visitor, app: ReturnType<typeof makeApp>, scope: string): Promise<ShownPage> {
  const page = await visitor.follow(await visitor.open(authorizePath(app, scope)));
  if (!page.address.startsWith("/oauth/consent/")) throw new Error(`no consent page: ${page.address}`);
  return page;
}

function grantsOf(site: Site, username: string): string[][] {
  return listConnectedApps(site.core, personOn(site, username)).map(({ scopes }) => scopes);
}

describe.skipIf(!hasChromium)("in a real browser", () => {
  afterAll(closeContexts);

  for (const scripts of [true, false]) {
    test(`by keyboard alone${scripts ? "" : ", without scripts"}, a member signs in, grants some of the permissions, and returns to the app`, async () => {
      await using site = await openSiteWithApp();
      using app = openApp();
      const registered = makeApp(site, "mallory", { redirectUris: [app.redirect] });
      const { page, complaints } = await openTab(site, { scripts, width: 360 });
      await page.goto(site.core.origin + authorizePath(registered, "feed:read feed:write"));
      expect(await page.locator("h1").textContent()).toBe("Sign in");
      await signInByKeyboard(page, "ada");
      await page.getByRole("heading", { level: 1, name: "Authorize this app?" }).waitFor();
      await tabTo(page, /^Publish posts/);
      await page.keyboard.press("Space");
      await tabTo(page, /^Allow$/);
      await page.keyboard.press("Enter");
      await page.getByText("Back at the app").waitFor();
      expect(
        app.answers.map(({ searchParams }) => [searchParams.has("code"), searchParams.get("state")]),
      ).toEqual([[true, "s"]]);
      expect(grantsOf(site, "ada")).toEqual([["feed:read"]]);
      expect(complaints).toEqual([]);
    });
  }

  test("a member who allowed the app before returns to it straight after the sign-in", async () => {
    await using site = await openSiteWithApp();
    using app = openApp();
    const registered = makeApp(site, "mallory", { redirectUris: [app.redirect] });
    const ada = personOn(site, "ada");
    grantAccess(site.core, ada, {
      appId: registered.app.id,
      scopes: ["feed:read"],
      workspaceId: ada.workspaceId,
    });
    const { page, complaints } = await openTab(site);
    await page.goto(site.core.origin + authorizePath(registered, "feed:read"));
    await signInByKeyboard(page, "ada");
    await page.getByText("Back at the app").waitFor();
    expect(app.answers[0]?.searchParams.has("code")).toBe(true);
    expect(complaints).toEqual([]);
  });

  test("the Enter key on a checkbox denies, so that no permission is granted by accident", async () => {
    await using site = await openSiteWithApp();
    using app = openApp();
    const registered = makeApp(site, "mallory", { redirectUris: [app.redirect] });
    const { page } = await openTab(site, { as: "ada" });
    await page.goto(site.core.origin + authorizePath(registered, "feed:read"));
    await tabTo(page, /^Read the feed/);
    await page.keyboard.press("Enter");
    await page.getByText("Back at the app").waitFor();
    expect(app.answers[0]?.searchParams.get("error")).toBe("access_denied");
    expect(grantsOf(site, "ada")).toEqual([]);
  });

  test("the app's name is shown as text, in its own box, beside the true host", async () => {
    await using site = await openSiteWithApp();
    const { page, complaints } = await openTab(site, { as: "ada", width: 360 });
    for (const name of HOSTILE_NAMES) {
      const registered = makeApp(site, "mallory", {
        name,
        homepage: "https://guildhall.example/<b>",
        redirectUris: ["https://accounts.bank.example.evil.test/cb"],
      });
      await page.goto(site.core.origin + authorizePath(registered, "openid feed:read"));
      expect(await page.locator(".asking-name bdi").textContent()).toBe(name.trim());
      expect(await page.locator(".asking .host").textContent()).toBe("accounts.bank.example.evil.test");
      expect(await page.locator(".asking .host strong").textContent()).toBe("evil.test");
      expect(await page.locator("h1").allTextContents()).toEqual(["Authorize this app?"]);
      expect(await page.locator("main :is(script, img, iframe, b, svg, style, base)").count()).toBe(0);
      expect(await page.getByRole("button", { name: "Allow" }).count()).toBe(1);
      const [whole, seen] = await page.evaluate<[number, number]>(WIDTHS);
      expect(whole).toBeLessThanOrEqual(seen);
    }
    // Stacked combining marks are clipped at the box of the name.
    expect(
      await page.evaluate<string>("getComputedStyle(document.querySelector('.asking-name')).contain"),
    ).toBe("paint");
    expect(complaints).toEqual([]);
  });

  test("axe-core finds no fault on the consent pages, on a phone and on a desktop", async () => {
    await using site = await openSiteWithApp();
    const registered = makeApp(site, "mallory", { homepage: "https://tidewater.example" });
    const ada = personOn(site, "ada");
    createWorkspace(site.core, ada, "ada", { name: "Tidewater tools" });
    const eve = personOn(site, "eve");
    grantAccess(site.core, eve, {
      appId: registered.app.id,
      scopes: ["openid"],
      workspaceId: eve.workspaceId,
    });
    const asks = authorizePath(registered, "openid feed:read feed:write");
    const tabs = new Map<string | undefined, Tab>();
    for (const [i, [as, path]] of (
      [
        [undefined, asks],
        ["ada", asks],
        ["eve", asks],
        ["eve", "/settings/connected"],
        ["ada", "/settings/connected"],
        ["ada", "/oauth/device"],
        ["ada", "/oauth/device?user_code=WDJBMJHT"],
        ["ada", "/oauth/device/done"],
        ["ada", "/oauth/consent/nothing-of-the-kind"],
      ] as const
    ).entries()) {
      const tab = tabs.get(as) ?? (await openTab(site, as ? { as } : {}));
      tabs.set(as, tab);
      const { page } = tab;
      await page.goto(site.core.origin + path);
      await checkBothWidths(page, `${as} ${path}`, i);
      site.clock.pass(60_000);
    }
    for (const { context } of tabs.values()) await context.close();
  });
});

const HOSTILE_NAMES = [
  "<script>alert(1)</script>",
  "</bdi></p><h1>Guildhall</h1>",
  '"><img src=x onerror=alert(1)>',
  "<b>Guildhall</b> &lt;verified&gt;",
  "Guildhall asks you to sign in again. Press Allow",
  "אפליקציה של Guildhall",
  `Z${"\u0336\u0317\u0322".repeat(18)}`,
  "W".repeat(60),
];

test("an app name with invisible characters is refused at registration", async () => {
  await using site = await openSiteWithApp();
  const mallory = signedInAs(site, "mallory");
  const form_token = tokenOf(await mallory.open("/settings/apps/new"));
  const register = (name: string) =>
    mallory.post("/settings/apps", {
      form_token,
      name,
      kind: "public",
      redirectUris: "https://ci.tidewater.example/callback",
      scopes: "feed:read",
    });
  const invisible = [
    "\u202e",
    "\u200b",
    "\u2066",
    "\ufeff",
    "\u3164",
    "\u115f",
    "\u2800",
    "\uffa0",
    "\u034f",
    "\u{e0041}",
  ];
  for (const letter of invisible) {
    const { status, html } = await register(`Guild${letter}hall`);
    expect([letter, status, visibleText(html).includes("without invisible characters")]).toEqual([
      letter,
      400,
      true,
    ]);
  }
  expect((await register("Tidewater 👩‍💻")).status).toBe(200);
});

test("a workspace named like a builder is shown as a workspace", async () => {
  await using site = await openSiteWithApp();
  const mallory = personOn(site, "mallory");
  const id = createWorkspace(site.core, mallory, "mallory", { name: "@ada" });
  const app = makeApp(site, "mallory");
  site.core.db.prepare("UPDATE apps SET workspace_id = ? WHERE id = ?").run(id, app.app.id);
  const page = await request(signedInAs(site, "eve"), app, "feed:read");
  expect(visibleText(page.html)).toContain("Registered by the workspace “ @ada ”");
});

test("the page's policy allows form submissions only to the app's address, and forbids frames and caching", async () => {
  await using site = await openSiteWithApp();
  for (const [redirect, source] of [
    ["https://ci.tidewater.example/callback", "https://ci.tidewater.example"],
    ["http://127.0.0.1:5123/cb", "http://127.0.0.1:5123"],
    ["com.example.app:/cb", "com.example.app:"],
    // CSP source expressions do not support IPv6 addresses.
    ["http://[::1]:5123/cb", "http:"],
  ] as const) {
    const app = makeApp(site, "mallory", { redirectUris: [redirect] });
    const { headers } = await request(signedInAs(site, "ada"), app, "feed:read");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy.split("; ").find((part) => part.startsWith("form-action"))).toBe(
      `form-action 'self' ${source}`,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cache-control")).toBe("private, no-store");
  }
  for (const host of ["*.example", "a;sandbox.example", "a,b.example"])
    expect(() => makeApp(site, "mallory", { redirectUris: [`https://${host}/cb`] })).toThrow("redirect URL");
});

test("a forged consent is refused and grants nothing", async () => {
  await using site = await openSiteWithApp();
  const app = makeApp(site, "mallory");
  const ada = signedInAs(site, "ada");
  const page = await request(ada, app, "feed:read");
  const workspace = personOn(site, "ada").workspaceId;
  const fields = { form_token: tokenOf(page), answer: "allow", scopes: "feed:read", workspace };
  const forgeries: [string, Parameters<Visitor["post"]>[1], Parameters<Visitor["post"]>[2]][] = [
    ["a foreign origin", fields, { origin: "https://evil.example" }],
    ["no origin", fields, { origin: null }],
    ["a sandboxed frame", fields, { origin: "null" }],
    ["another site, by the browser's word", fields, { "sec-fetch-site": "cross-site" }],
    ["no token", { ...fields, form_token: "" }, {}],
    ["an old token", { ...fields, form_token: tokenOf(await visit(site).open("/sign-in")) }, {}],
    [
      "the token of another session",
      { ...fields, form_token: tokenOf(await signedInAs(site, "ada").open("/settings/connected")) },
      {},
    ],
    [
      "the token of somebody else",
      { ...fields, form_token: tokenOf(await signedInAs(site, "mallory").open("/settings/connected")) },
      {},
    ],
  ];
  for (const [title, sent, headers] of forgeries) {
    const { status, location } = await ada.post(page.address, sent, headers);
    expect([title, status, location, grantsOf(site, "ada")]).toEqual([title, 403, null, []]);
  }
  const { location } = await ada.post(page.address, fields);
  expect(location).toStartWith(`${site.core.origin}/v1/oauth/authorize/`);
  expect(grantsOf(site, "ada")).toEqual([["feed:read"]]);
});

test("a form changed to allow more scopes than requested grants nothing", async () => {
  await using site = await openSiteWithApp();
  const app = makeApp(site, "mallory");
  const ada = signedInAs(site, "ada");
  const page = await request(ada, app, "feed:read");
  const workspace = personOn(site, "ada").workspaceId;
  for (const scopes of [["feed:read", "feed:write"], ["admin"], ["feed:read", "messages:read"]]) {
    const sent = { form_token: tokenOf(page), answer: "allow", scopes, workspace };
    expect([scopes, (await ada.post(page.address, sent)).status]).toEqual([scopes, 400]);
  }
  const elsewhere = {
    form_token: tokenOf(page),
    answer: "allow",
    scopes: "feed:read",
    workspace: personOn(site, "mallory").workspaceId,
  };
  expect((await ada.post(page.address, elsewhere)).status).toBe(404);
  expect(grantsOf(site, "ada")).toEqual([]);
});

test("switching the account signs out, and the next member gets a consent page of their own", async () => {
  await using site = await openSiteWithApp();
  const app = makeApp(site, "mallory");
  const visitor = signedInAs(site, "eve");
  const page = await request(visitor, app, "feed:read");
  expect(visibleText(page.html)).toContain("You are signed in as @eve .");
  const left = await visitor.submit(page, `${page.address}/leave`);
  expect(visitor.cookies.has(sessionCookie(site))).toBe(false);
  expect(visibleText(left.html)).toContain("To continue to Tidewater CI , sign in here first.");
  const between = await visitor.submit(left, "/sign-in", { username: "ada", password: PASSWORD });
  const [, onward = ""] = /^0; url=(.+)$/.exec(between.headers.get("refresh") ?? "") ?? [];
  const confirmation = await visitor.follow(
    await visitor.open(new URL(onward, site.core.origin).pathname + new URL(onward, site.core.origin).search),
  );
  expect(confirmation.address).not.toBe(page.address);
  expect(visibleText(confirmation.html)).toContain("You are signed in as @ada .");
  expect([grantsOf(site, "eve"), grantsOf(site, "ada")]).toEqual([[], []]);
});

test("permissions granted before are listed without a choice, and only new ones can be deselected", async () => {
  await using site = await openSiteWithApp();
  const app = makeApp(site, "mallory");
  const { workspaceId, ...ada } = personOn(site, "ada");
  grantAccess(site.core, { workspaceId, ...ada }, { appId: app.app.id, scopes: ["feed:read"], workspaceId });
  const page = await request(signedInAs(site, "ada"), app, "feed:read jobs:read");
  const form = page.forms.find(({ action }) => action === page.address);
  expect(form?.fields.filter(([name]) => name === "scopes")).toEqual([["scopes", "jobs:read"]]);
  expect(visibleText(page.html)).toContain("You already allow the app to Read the feed");
});

test("a member of several workspaces chooses the workspace of the connection", async () => {
  await using site = await openSiteWithApp();
  const app = makeApp(site, "mallory");
  const ada = personOn(site, "ada");
  const shared = createWorkspace(site.core, ada, "ada", { name: "Tidewater tools" });
  const visitor = signedInAs(site, "ada");
  const page = await request(visitor, app, "feed:read");
  expect(page.html).toContain('<select id="workspace"');
  await visitor.post(page.address, {
    form_token: tokenOf(page),
    answer: "allow",
    scopes: "feed:read",
    workspace: shared,
  });
  expect(listConnectedApps(site.core, ada).map(({ workspace }) => workspace.id)).toEqual([shared]);
});

test("an expired, answered or foreign request shows a page with the next step", async () => {
  await using site = await openSiteWithApp();
  const app = makeApp(site, "mallory");
  const ada = signedInAs(site, "ada");
  const page = await request(ada, app, "feed:read");
  const sent = { form_token: tokenOf(page), answer: "deny" };
  expect((await ada.post(page.address, sent)).status).toBe(303);
  await ada.follow(await ada.open(authorizePath(app, "jobs:read")));
  const over = [
    await ada.open(page.address),
    await ada.post(page.address, sent),
    await ada.open("/oauth/consent/abcdefghijklmnopqrstu"),
    await signedInAs(site, "ada").open((await request(ada, app, "feed:read")).address),
  ];
  const late = await request(ada, app, "feed:read");
  site.clock.pass(2 * 3_600_000);
  for (const { status, html } of [...over, await ada.open(late.address)])
    expect([status, visibleText(html).includes("This request has ended")]).toEqual([404, true]);
});
