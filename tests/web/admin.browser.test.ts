import { afterAll, describe, expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { findClient, setAppRate, suspendApp } from "../../src/core/delegation/apps/apps.ts";
import { findInMemberList, listBuilders } from "../../src/core/identity/builders/member-list.ts";
import { createPost, listFeed } from "../../src/core/community/feed/feed.ts";
import { report } from "../../src/core/services/moderation/reports.ts";
import { PAGES } from "../../src/web/pages/index.ts";
import { closeContexts, hasChromium } from "../browser.ts";
import {
  createAccountOf,
  contentsOf,
  openSite,
  PASSWORD,
  type ShownPage,
  signedInAs,
  type Site,
  tokenOf,
  visit,
  visibleText,
  type Visitor,
} from "./support.ts";
import { makeApp, personOn } from "./sample-apps.ts";
import { checkBothWidths } from "./keyboard.ts";
import { enter, openTab, tabTo } from "./browser-tabs.ts";
import { createBuilder, changeRole } from "../../src/core/identity/accounts/administration.ts";

/** Creates a site with the admin warden and the members ada and bob. */
async function openSiteWithOwner(): Promise<Site> {
  const site = openSite();
  await createAccountOf(site, "warden", { role: "admin" });
  for (const username of ["ada", "bob"]) await createAccountOf(site, username);
  return site;
}

/** Creates two reports: one about bob's post, one about bob. */
function complain(site: Site): string {
  const [ada, bob] = [personOn(site, "ada"), personOn(site, "bob")];
  const post = createPost(site.core, bob, { text: "# Buy my course", tags: [] });
  report(site.core, ada, { kind: "post", id: post.id }, { reason: "For the <b>fifth</b> time." });
  report(site.core, ada, { kind: "builder", id: bob.builderId }, { reason: "Rude." });
  return post.id;
}

describe.skipIf(!hasChromium)("in a real browser", () => {
  afterAll(closeContexts);

  test("axe-core finds no fault on the admin pages, on a phone and on a desktop, and no page is wider than the screen", async () => {
    await using site = await openSiteWithOwner();
    const { app } = makeApp(site, "bob", { name: "W".repeat(60), homepage: "https://tidewater.example" });
    const locked = makeApp(site, "ada");
    suspendApp(site.core, OPERATOR, locked.app.id, "Spam.");
    setAppRate(site.core, OPERATOR, app.id, { sustained: 60, burst: 120 });
    const warden = signedInAs(site, "warden");
    await warden.submit(await warden.open("/admin/invites"), "/admin/invites");
    const locations = [
      "",
      "/cases",
      "/builders",
      "/builders?username=b",
      "/builders?username=zz",
      "/builders/bob",
      "/builders/warden",
      "/invites",
      "/apps",
      `/apps/${app.id}`,
      `/apps/${locked.app.id}`,
      "/audit",
      "/cases?state=closed",
      "/content?state=hidden",
    ];
    const { page, context } = await openTab(site, { as: "warden" });
    for (const [i, place] of locations.entries()) {
      await page.goto(`${site.core.origin}/admin${place}`);
      await checkBothWidths(page, place, i);
      site.clock.pass(60_000);
    }
    await context.close();
  });

  test("an admin finds and suspends a builder by keyboard alone, without scripts", async () => {
    await using site = await openSiteWithOwner();
    const { page, complaints } = await openTab(site, { as: "warden", scripts: false });
    await page.goto(`${site.core.origin}/admin`);
    await tabTo(page, /^All members$/);
    await enter(page);
    await tabTo(page, /^Filter$/);
    await page.keyboard.press("Enter");
    await tabTo(page, /^Username/);
    await page.keyboard.type("@Bo");
    await enter(page);
    await tabTo(page, /^@bob$/);
    await enter(page);
    await tabTo(page, /^Suspend account$/);
    await enter(page);
    expect(await page.locator('input[name="act"]:checked').inputValue()).toBe("suspend");
    await tabTo(page, /^Reason/);
    await page.keyboard.type("Spam.");
    await tabTo(page, /^Decide$/);
    await page.keyboard.press("Enter");
    await page.getByText("Decision made.").waitFor();
    expect(findInMemberList(site.core, OPERATOR, "bob").suspendedAt).not.toBeNull();
    expect(complaints).toEqual([]);
  });
});

test("members who are not admins get 404 for the admin pages, and their forms change nothing", async () => {
  await using site = await openSiteWithOwner();
  const { app } = makeApp(site, "bob");
  const ada = signedInAs(site, "ada");
  const token = tokenOf(await ada.open("/settings/connected"));
  const before = contentsOf(site);
  const routes = PAGES.filter(({ path }) => path.startsWith("/admin"));
  expect(routes.length).toBeGreaterThan(20);
  for (const { method, path } of routes) {
    const address = path
      .replace("apps/:id", `apps/${app.id}`)
      .replace(":username", "bob")
      .replace(":id", "x");
    const page =
      method === "GET"
        ? await ada.open(address)
        : await ada.post(address, { form_token: token, reason: "x" });
    expect([address, page.status]).toEqual([address, 404]);
    expect(visibleText(page.html)).toContain("There is no page at this URL.");
    if (method === "GET") expect((await visit(site).open(address)).forms[0]?.action).toBe("/sign-in");
  }
  expect(contentsOf(site)).toBe(before);
});

test("a suspended builder loses access at the next request and regains it when restored", async () => {
  await using site = await openSiteWithOwner();
  const warden = signedInAs(site, "warden");
  const bob = signedInAs(site, "bob");
  const page = await warden.open("/admin/builders/bob");
  expect(visibleText(page.html)).toContain("Their webhook endpoints and their apps stop");
  const { app } = makeApp(site, "bob");
  const { builderId } = personOn(site, "bob");
  await decide(warden, builderId, "suspend");
  for (const path of ["/admin/apps", `/admin/apps/${app.id}`])
    expect([
      path,
      /owner (?:of this app is )?suspended/i.test(visibleText((await warden.open(path)).html)),
    ]).toEqual([path, true]);
  expect(visibleText((await warden.open("/admin/builders/bob")).html)).toContain("has been suspended since");
  expect((await bob.open("/settings/connected")).forms[0]?.action).toBe("/sign-in");
  await decide(warden, builderId, "unsuspend");
  expect((await bob.open("/settings/connected")).forms[0]?.action).toBe("/sign-in");
  const again = signedInAs(site, "bob");
  expect(visibleText((await again.open("/settings/connected")).html)).toContain("Connected apps");
  expect((await warden.open("/admin/builders/warden")).html).not.toContain("?act=suspend");
  const own = `/admin/cases/${personOn(site, "warden").builderId}`;
  const sent = { form_token: tokenOf(page), act: "suspend", reason: "Spam." };
  expect((await warden.post(`${own}/decide`, sent)).status).toBe(409);
});

test("a recovery link is shown once and sets a new password", async () => {
  await using site = await openSiteWithOwner();
  const warden = signedInAs(site, "warden");
  const created = await warden.submit(
    await warden.open("/admin/builders/bob"),
    "/admin/builders/bob/recovery",
  );
  const [link = ""] = /http:\/\/localhost:\d+\/recover\?token=[A-Za-z0-9_-]{43}/.exec(created.html) ?? [];
  expect((await warden.open("/admin/builders/bob")).html).not.toContain("/recover?token=");
  const { pathname, search } = new URL(link);
  const guest = visit(site);
  await guest.submit(await guest.open(pathname + search), "/recover", { password: `${PASSWORD} anew` });
  expect(visibleText((await guest.open("/settings/account")).html)).toContain("@bob");
});

test("an owner grants roles, hands ownership over, and gives up their role unless they are the last owner", async () => {
  await using site = await openSiteWithOwner();
  changeRole(site.core, OPERATOR, "warden", "owner");
  const warden = signedInAs(site, "warden");
  const bob = signedInAs(site, "bob");
  const give = async (visitor: Visitor, username: string, role: string) =>
    visitor.submit(await visitor.open(`/admin/builders/${username}`), `/admin/builders/${username}/role`, {
      role,
    });
  const alone = await give(warden, "warden", "member");
  expect([alone.status, visibleText(alone.html).includes("warden is the last active owner")]).toEqual([
    409,
    true,
  ]);
  await give(warden, "bob", "moderator");
  const reports = await bob.follow(await bob.open("/admin"));
  expect([reports.status, reports.address]).toEqual([200, "/admin/cases"]);
  expect(visibleText(reports.html)).toContain(
    "Moderation Cases Appeals Content Moderation log People Members Cases",
  );
  expect((await bob.open("/admin/audit")).status).toBe(404);
  const page = await bob.open("/admin/builders/ada");
  expect(page.forms.map(({ action }) => action)).toEqual(["/search", "/sign-out"]);
  expect(page.html).toMatch(/href="\/admin\/cases\/builder_\w+\?act=suspend"/);
  expect(visibleText((await visit(site).open("/@bob")).html)).toContain("@bob Moderator");
  await give(warden, "bob", "admin");
  expect((await bob.open("/admin")).address).toBe("/admin");
  const handOver = async (new_owner: string) =>
    warden.submit(await warden.open("/admin/builders/bob"), "/admin/builders/bob/hand-over", { new_owner });
  const mistyped = await handOver("ada");
  expect([mistyped.status, visibleText(mistyped.html).includes("Enter bob, the member who becomes")]).toEqual(
    [400, true],
  );
  await handOver("bob");
  expect(visibleText((await warden.open("/admin/builders/bob")).html)).toContain(
    "Only this owner or the operator",
  );
  const left = await give(warden, "warden", "member");
  expect(left.address).toStartWith("/?");
  expect((await warden.open("/admin")).status).toBe(404);
});

test("the member list searches by username prefix and pages newest first", async () => {
  await using site = await openSiteWithOwner();
  for (let i = 0; i < 45; i++) {
    // Creates these members without passwords, because hashing many would be slow.
    const username = `kim-${String(i).padStart(2, "0")}`;
    createBuilder(site.core, OPERATOR, { username, name: username, role: "member" });
    site.clock.pass(1);
  }
  const warden = signedInAs(site, "warden");
  const walk = async (address: string): Promise<string[]> => {
    const names: string[] = [];
    for (let at: string | undefined = address; at !== undefined;) {
      const { html } = await warden.open(at);
      names.push(...[...html.matchAll(/href="\/admin\/builders\/([^"]+)"/g)].map(([, name = ""]) => name));
      at = /<a class="button quiet" href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
    }
    return names;
  };
  const all = await walk("/admin/builders");
  expect([all.length, all[0], all.at(-1), new Set(all).size]).toEqual([48, "kim-44", "warden", 48]);
  const kims = await walk("/admin/builders?username=%40KIM-");
  expect(kims).toEqual(Array.from({ length: 45 }, (_, i) => `kim-${String(i).padStart(2, "0")}`));
  expect(await walk("/admin/builders?username=kim-4")).toEqual([
    "kim-40",
    "kim-41",
    "kim-42",
    "kim-43",
    "kim-44",
  ]);
  for (const nothing of ["%25", "_", "k%25", "%C3%A9", "{", "kim-44x"])
    expect(await walk(`/admin/builders?username=${nothing}`)).toEqual([]);
  expect((await warden.open("/admin/builders?cursor=x")).status).toBe(400);
});

test("the member list pages backwards to its start, and needs the scope `moderation`", async () => {
  await using site = await openSiteWithOwner();
  const { core } = site;
  for (const username of [undefined, "b", ""]) {
    const first = listBuilders(core, OPERATOR, { username }, { limit: 1 });
    const [one] = first.nodes;
    if (!one || !first.hasNextPage) continue;
    const next = listBuilders(core, OPERATOR, { username }, { limit: 1, cursor: first.cursorOf(one) });
    const [two] = next.nodes;
    const back =
      two &&
      listBuilders(core, OPERATOR, { username }, { limit: 1, cursor: next.cursorOf(two), backwards: true });
    expect(back?.nodes).toEqual([one]);
  }
  expect(() => listBuilders(core, personOn(site, "ada"), {}, { limit: 1 })).toThrow(
    "Only moderators and admins",
  );
  expect(() => findInMemberList(core, { ...personOn(site, "ada"), means: "token" }, "bob")).toThrow(
    "scope `moderation`",
  );
});

test("an invite link is shown once, admits a member, and can be withdrawn", async () => {
  await using site = await openSiteWithOwner();
  const warden = signedInAs(site, "warden");
  const created = await warden.submit(await warden.open("/admin/invites"), "/admin/invites");
  const [link = ""] = /http:\/\/localhost:\d+\/sign-up\?invite=[A-Za-z0-9_-]{43}/.exec(created.html) ?? [];
  const listed = await warden.open("/admin/invites");
  expect([link === "", listed.html.includes("invite=")]).toEqual([false, false]);
  const { pathname, search } = new URL(link);
  expect((await visit(site).open(pathname + search)).forms.some(({ action }) => action === "/sign-up")).toBe(
    true,
  );
  const gone = await warden.submit(listed, /\/admin\/invites\/lnk_\w+\/withdraw/);
  expect(visibleText(gone.html)).toContain("No open invitation links");
  expect((await visit(site).open(pathname + search)).status).toBe(404);
});

test("an app is suspended with a reason, restored, and given its own rate limit", async () => {
  await using site = await openSiteWithOwner();
  const { app } = makeApp(site, "bob");
  const warden = signedInAs(site, "warden");
  const here = `/admin/apps/${app.id}`;
  expect(visibleText((await warden.open("/admin/apps")).html)).toContain("By @bob");
  const without = await warden.submit(await warden.open(here), `${here}/suspend`, { reason: " " });
  expect([without.status, findClient(site.core, app.id)?.id]).toEqual([400, app.id]);
  const suspended = await warden.submit(await warden.open(here), `${here}/suspend`, { reason: "Spam." });
  expect(visibleText(suspended.html)).toContain("App suspended.");
  expect(findClient(site.core, app.id)).toBeUndefined();
  const restored = await warden.submit(suspended, `${here}/restore`);
  expect(findClient(site.core, app.id)?.id).toBe(app.id);
  for (const [sustained, burst, status] of [
    ["0", "10", 400],
    ["0x10", "10", 400],
    ["1e3", "10", 400],
    ["10", "", 400],
    ["10", "101", 422],
    ["6000", "12000", 200],
    ["", "", 200],
  ] as const) {
    const { status: got } = await warden.submit(restored, `${here}/rate`, { sustained, burst });
    expect([sustained, burst, got]).toEqual([sustained, burst, status]);
  }
});

/** Performs an act on the case of a subject, with a reason. */
async function decide(visitor: Visitor, subject: string, act: string): Promise<ShownPage> {
  const page = await visitor.open(`/admin/cases/${subject}`);
  return visitor.submit(page, /^\/admin\/cases\/\w+\/decide$/, { act, reason: "Spam." });
}

test("a report is settled by hiding, suspending or dismissing, and every decision can be undone", async () => {
  await using site = await openSiteWithOwner();
  const post = complain(site);
  const bob = personOn(site, "bob").builderId;
  const warden = signedInAs(site, "warden");
  const isListed = async (state: "open" | "closed") => {
    const { html } = await warden.open(`/admin/cases?state=${state}`);
    return ["For the <b>fifth</b> time.", "Rude."].map((text) => visibleText(html).includes(text));
  };
  expect(await isListed("open")).toEqual([true, true]);
  expect(visibleText((await warden.open("/admin")).html)).toContain("Open cases 2");
  expect(visibleText((await decide(warden, post, "hide")).html)).toContain("Decision made.");
  expect(listFeed(site.core, personOn(site, "ada"), {}, { limit: 5 }).nodes).toEqual([]);
  await decide(warden, bob, "suspend");
  expect(findInMemberList(site.core, OPERATOR, "bob").suspendedAt).not.toBeNull();
  expect(await isListed("open")).toEqual([false, false]);
  expect(await isListed("closed")).toEqual([true, true]);
  for (const subject of [post, bob]) {
    const undone = await warden.submit(
      await warden.open(`/admin/cases/${subject}`),
      /^\/admin\/log\/\w+\/undo$/,
    );
    expect(visibleText(undone.html)).toContain("Decision undone.");
  }
  expect(listFeed(site.core, personOn(site, "ada"), {}, { limit: 5 }).nodes).toHaveLength(1);
  expect(findInMemberList(site.core, OPERATOR, "bob").suspendedAt).toBeNull();
  expect(await isListed("open")).toEqual([true, true]);
  await decide(warden, post, "dismiss");
  expect(await isListed("open")).toEqual([false, true]);
  await warden.submit(await warden.open(`/admin/cases/${post}`), /^\/admin\/log\/\w+\/undo$/);
  expect(await isListed("open")).toEqual([true, true]);
});

test("the former page of reports leads to the page that replaced each of its lists", async () => {
  await using site = await openSiteWithOwner();
  const warden = signedInAs(site, "warden");
  for (const [query, place] of [
    ["", "/admin/cases"],
    ["?state=open", "/admin/cases"],
    ["?state=settled", "/admin/cases?state=closed"],
    ["?state=hidden", "/admin/content?state=hidden"],
  ] as const) {
    const { status, location } = await warden.open(`/admin/reports${query}`);
    expect([query, status, location]).toEqual([query, 308, place]);
  }
  expect((await signedInAs(site, "ada").open("/admin/reports")).status).toBe(404);
});

test("the audit log of all members shows each operation, its actor and its subject", async () => {
  await using site = await openSiteWithOwner();
  const warden = signedInAs(site, "warden");
  await decide(warden, personOn(site, "bob").builderId, "suspend");
  expect(visibleText((await warden.open("/admin/audit")).html)).toMatch(
    /Suspended the account just now · by @warden · account: @bob/,
  );
});
