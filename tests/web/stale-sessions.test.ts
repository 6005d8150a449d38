import { expect, test } from "bun:test";
import { MINUTE } from "../../src/core/base/clock.ts";
import { listConnectedApps } from "../../src/core/delegation/grants/grants.ts";
import { findBuilder } from "../../src/core/identity/builders/builders.ts";
import { createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { callerOf, addSampleContent } from "./sample-site.ts";
import {
  createAccountOf,
  contentsOf,
  openSite,
  PASSWORD,
  signUpMember,
  type Site,
  tokenOf,
  type Visitor,
  visibleText,
} from "./support.ts";
import { authorizePath, makeApp } from "./sample-apps.ts";

const CONFIRM = "/settings/confirm";

function grantsOf(site: Site, visitor: Visitor): string[][] {
  return listConnectedApps(site.core, callerOf(site, visitor)).map(({ scopes }) => scopes);
}

test("a stolen session of an hour ago authorizes no app, and its owner confirms and returns to the request", async () => {
  await using site = openSite();
  await createAccountOf(site, "mallory");
  const ada = await signUpMember(site, "ada");
  const app = makeApp(site, "mallory");
  const ask = async (scope: string) => ada.follow(await ada.open(authorizePath(app, scope)));
  const allow = async (confirmation: Awaited<ReturnType<typeof ask>>) => {
    const form = confirmation.forms.find(({ action }) => action === confirmation.address.split("?")[0]);
    const fields = Object.fromEntries(form?.fields ?? []);
    const scopes = form?.fields.flatMap(([name, value]) => (name === "scopes" ? [value] : [])) ?? [];
    return ada.post(form?.action ?? "", { ...fields, scopes, answer: "allow" });
  };
  const redirect = app.app.redirectUris[0] ?? "";
  const isLetIn = async (answer: Awaited<ReturnType<typeof allow>>) => {
    const to = new URL((await goOn(site, ada, answer.location, redirect)) ?? "none:");
    return to.searchParams.has("code");
  };

  site.clock.pass(60 * MINUTE);
  const confirmPage = await ask("feed:read");
  const refused = await allow(confirmPage);
  expect(visibleText(refused.html)).toContain("Confirm it’s you");
  expect(grantsOf(site, ada)).toEqual([]);
  const wrong = await ada.submit(refused, CONFIRM, { current: "a guessed horse" });
  expect(wrong.status).toBe(400);
  expect(grantsOf(site, ada)).toEqual([]);
  const back = await ada.submit(wrong, CONFIRM, { current: PASSWORD });
  expect(back.address).toBe(`${confirmPage.address}?notice=confirmed`);
  expect(await isLetIn(await allow(back))).toBe(true);
  expect(grantsOf(site, ada)).toEqual([["feed:read"]]);

  // A stale session can renew the access that the app already has. More access needs a recent sign-in. The
  // member can always refuse the app.
  site.clock.pass(60 * MINUTE);
  const again = await ada.follow(await ada.open(authorizePath(app, "feed:read", { prompt: "consent" })));
  expect(await isLetIn(await allow(again))).toBe(true);
  const more = await ask("feed:read feed:write");
  expect(visibleText((await allow(more)).html)).toContain("Confirm it’s you");
  expect(grantsOf(site, ada)).toEqual([["feed:read"]]);
  const denied = await ada.post(more.address, { form_token: tokenOf(more), answer: "deny" });
  expect(denied.location).toContain("/v1/oauth/authorize/");
});

/** Follows redirects within the site up to the redirect to the app. */
async function goOn(site: Site, visitor: Visitor, to: string | null, end: string): Promise<string | null> {
  let next = to;
  for (let hop = 0; hop < 5 && next !== null && !next.startsWith(end); hop++) {
    const { pathname, search } = new URL(next, site.core.origin);
    next = (await visitor.open(pathname + search)).location;
  }
  return next;
}

test("a stale session approves no device, and the code is still filled in after the confirmation", async () => {
  await using site = openSite();
  await createAccountOf(site, "mallory");
  const ada = await signUpMember(site, "ada");
  const app = makeApp(site, "mallory", { kind: "public" });
  site.clock.pass(11 * MINUTE);
  const body = new URLSearchParams({ client_id: app.app.id, scope: "feed:read" });
  const answer = await fetch(`${site.url}/v1/oauth/device`, { method: "POST", body });
  const { user_code } = (await answer.json()) as { user_code: string };
  const confirmation = await ada.submit(await ada.open("/oauth/device"), "/oauth/device", { user_code });
  const allow = (page: typeof confirmation) =>
    ada.submit(page, "/oauth/device/answer", { answer: "allow", scopes: "feed:read" });
  const refused = await allow(confirmation);
  expect(visibleText(refused.html)).toContain("Confirm it’s you");
  expect(grantsOf(site, ada)).toEqual([]);
  const back = await ada.submit(refused, CONFIRM, { current: PASSWORD });
  const [, code] = back.forms.find(({ action }) => action === "/oauth/device")?.fields.find(isCode) ?? [];
  expect(code).toBe(user_code);
  const done = await allow(await ada.submit(back, "/oauth/device"));
  expect(visibleText(done.html)).toContain("Your device is connected");
  expect(grantsOf(site, ada)).toEqual([["feed:read"]]);
});

const isCode = ([name]: [string, string]) => name === "user_code";

test("every sensitive form asks a stale session for confirmation, and returns to its page", async () => {
  await using site = openSite();
  const { ada, pathOf } = await addSampleContent(site);
  const root = await signUpMember(site, "warden", { role: "admin" });
  const [app, hook, workspace, admins] = [
    pathOf({ path: "/settings/apps/:id" }),
    pathOf({ path: "/settings/webhooks/:id" }),
    pathOf({ path: "/settings/workspaces/:id" }),
    pathOf({ path: "/admin/apps/:id" }),
  ];
  const bobsCase = `/admin/cases/${findBuilder(site.core, "bob")?.id}`;
  const cases: [who: Visitor, action: string, next: string, fields?: Record<string, string>][] = [
    [ada, "/settings/apps", "/settings/apps/new"],
    [ada, app, app],
    [ada, `${app}/rotate`, app],
    [ada, `${app}/delete`, `${app}/delete`],
    [ada, "/settings/webhooks", "/settings/webhooks/new"],
    [ada, hook, hook, { url: "https://hooks.example.com/other", events: "post.created" }],
    [ada, `${hook}/rotate`, hook],
    [ada, `${workspace}/invitations`, workspace],
    [ada, `${workspace}/members/bob/role`, workspace, { role: "owner" }],
    [ada, `${workspace}/members/bob/remove`, workspace],
    [ada, `${workspace}/delete`, workspace],
    [root, "/admin/invites", "/admin/invites"],
    [root, `${admins}/suspend`, admins, { reason: "spam" }],
    [root, `${admins}/restore`, admins],
    [root, `${admins}/rate`, admins],
  ];
  site.clock.pass(11 * MINUTE);
  const before = contentsOf(site);
  for (const [who, action, next, fields] of cases) {
    const form_token = tokenOf(await who.open("/settings/account"));
    const page = await who.post(action, { form_token, ...fields });
    expect([action, visibleText(page.html).includes("Confirm it’s you")]).toEqual([action, true]);
    const form = page.forms.find((each) => each.action === CONFIRM);
    expect(form?.fields).toContainEqual(["next", next]);
  }
  for (const act of ["limit", "unlimit", "suspend", "unsuspend"]) {
    const form_token = tokenOf(await root.open("/settings/account"));
    const page = await root.post(`${bobsCase}/decide`, { form_token, act, reason: "spam" });
    expect([act, visibleText(page.html).includes("Confirm it’s you")]).toEqual([act, true]);
    const form = page.forms.find((each) => each.action === `${bobsCase}/decide`);
    expect(form?.fields).toContainEqual(["act", act]);
  }
  expect(contentsOf(site)).toBe(before);
});

test("returns to the shared workspace after confirming, and skips confirmation if an endpoint's address is unchanged", async () => {
  await using site = openSite();
  const { ada, pathOf } = await addSampleContent(site);
  const carl = await signUpMember(site, "carl");
  const shared = createWorkspace(site.core, callerOf(site, carl), "carl", { name: "Tools" });
  site.clock.pass(11 * MINUTE);
  for (const location of ["apps", "webhooks"]) {
    const confirmation = await carl.open(`/settings/${location}/new?workspace=${shared}`);
    const back = await carl.submit(confirmation, CONFIRM, { current: PASSWORD });
    expect(back.address).toBe(`/settings/${location}/new?workspace=${shared}&notice=confirmed`);
    site.clock.pass(11 * MINUTE);
  }
  const hook = pathOf({ path: "/settings/webhooks/:id" });
  const saved = await ada.submit(await ada.open(hook), hook, { events: "job.published" });
  expect(visibleText(saved.html)).not.toContain("Confirm it’s you");
  expect(saved.address).toBe(`${hook}?notice=endpoint-saved`);
});
