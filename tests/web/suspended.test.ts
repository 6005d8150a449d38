// Tests docs/contract.md#12.42 and docs/threats.md#M56: the session of a suspended member.
import { expect, test } from "bun:test";
import { DAY, isoTime, MINUTE } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { secureAccount } from "../../src/core/delegation/securing/securing.ts";
import { type BuilderCaller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { forgetOldAppealSessions } from "../../src/core/identity/accounts/appeal-sessions.ts";
import { findBuilder } from "../../src/core/identity/builders/builders.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { decideAppeal } from "../../src/core/services/moderation/appeals.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { undoDecision } from "../../src/core/services/moderation/undo.ts";
import { PAGES } from "../../src/web/pages/index.ts";
import { png } from "../media/sample-images.ts";
import { call } from "../spec/client.ts";
import { ROUTES } from "../routes.ts";
import { signedInNow } from "../support.ts";
import { authorizePath, makeApp } from "./sample-apps.ts";
import {
  createAccountOf,
  openSite,
  PASSWORD,
  type ShownPage,
  type Site,
  signedInAs,
  contentsOf,
  tokenOf,
  visibleText,
  visit,
  type Visitor,
} from "./support.ts";

const REASON = "Forty copies of <b>one</b> advertisement.";

/** Suspends a member by a decision of molly. Returns its id. */
function suspend(site: Site, username: string, act: "suspend" | "remove_spammer" = "suspend"): string {
  const { core } = site;
  changeCommunitySettings(core, OPERATOR, { rules: "- No spam" });
  const end = act === "suspend" ? { until: isoTime(core.clock.now() + 3 * DAY) } : {};
  return decide(core, mollyOf(site), idOf(core, username), { act, reason: REASON, rule: "No spam", ...end })
    .id;
}

const idOf = (core: Core, username: string): string => findBuilder(core, username)?.id ?? "";
const mollyOf = (site: Site): BuilderCaller =>
  signedInNow(site.core, { builderId: idOf(site.core, "molly") });

async function suspendedSite(): Promise<Site & { decision: string }> {
  const site = openSite({ signup: "open" });
  await createAccountOf(site, "molly", { role: "moderator" });
  await createAccountOf(site, "ada");
  return Object.assign(site, { decision: suspend(site, "ada") });
}

async function signIn(site: Site, password = PASSWORD): Promise<{ ada: Visitor; page: ShownPage }> {
  const ada = visit(site);
  const page = await ada.submit(await ada.open("/sign-in"), "/sign-in", { username: "ada", password });
  return { ada, page };
}

const seatOf = (visitor: Visitor): string =>
  [...visitor.cookies].find(([name]) => name.endsWith("-appeal"))?.[1] ?? "";

test("a suspended member reads the decision after the right password, and appeals once", async () => {
  await using site = await suspendedSite();
  const { ada, page } = await signIn(site);
  expect(page.address).toBe("/suspended");
  const text = visibleText(page.html);
  for (const part of ["Your account is suspended", "@ada", REASON, "No spam", "Ends "])
    expect(text).toContain(part);
  expect(text).not.toContain("molly");

  const sent = await ada.submit(page, "/suspended/appeal", { text: "It was\n<i>not</i> me." });
  expect(visibleText(sent.html)).toContain("Appeal sent.");
  expect(visibleText(sent.html)).toMatch(/You appealed.*It was\s<i>not<\/i> me\./s);
  expect(sent.forms.map(({ action }) => action)).not.toContain("/suspended/appeal");
  const again = await ada.submit(page, "/suspended/appeal", { text: "Once more." });
  expect([again.status, visibleText(again.html).includes("Each decision takes one appeal")]).toEqual([
    409,
    true,
  ]);
  expect(site.core.db.prepare("SELECT decision_id AS id, text FROM appeals").all()).toEqual([
    { id: site.decision, text: "It was\n<i>not</i> me." },
  ]);
});

test("a wrong password says nothing about a suspension, and is the same as for an unknown name", async () => {
  await using site = await suspendedSite();
  const { ada, page } = await signIn(site, "another password");
  expect([page.status, seatOf(ada)]).toEqual([401, ""]);
  const stranger = visit(site);
  const unknown = await stranger.submit(await stranger.open("/sign-in"), "/sign-in", {
    username: "nobody",
    password: "another password",
  });
  const told = ({ html, status }: ShownPage) => [status, visibleText(html)];
  expect(told(unknown)).toEqual(told(page));
});

test("an appeal is 1 to 2,000 characters", async () => {
  await using site = await suspendedSite();
  const { ada, page } = await signIn(site);
  for (const text of [" ", "x".repeat(2001)])
    expect((await ada.submit(page, "/suspended/appeal", { text })).status).toBe(400);
  expect((await ada.submit(page, "/suspended/appeal", { text: "x".repeat(2000) })).status).toBe(200);
});

test("a removed spammer can appeal, too", async () => {
  await using site = openSite({ signup: "open" });
  await createAccountOf(site, "molly", { role: "moderator" });
  await createAccountOf(site, "ada");
  suspend(site, "ada", "remove_spammer");
  const { ada, page } = await signIn(site);
  const sent = await ada.submit(page, "/suspended/appeal", { text: "I sold my own book." });
  expect(visibleText(sent.html)).toContain("I sold my own book.");
});

test("the appeal session opens nothing else: every page, REST, GraphQL and OAuth treat it as a guest", async () => {
  await using site = await suspendedSite();
  const { ada } = await signIn(site);
  const guest = visit(site);
  const tokens = new Map<Visitor, string>();
  const post = async (visitor: Visitor, path: string): Promise<ShownPage> => {
    const form_token = tokens.get(visitor) ?? tokenOf(await visitor.open("/sign-in"));
    tokens.set(visitor, form_token);
    const page = await visitor.post(path, { form_token });
    // Some forms end the browser's cookie, and with it the form token.
    if (page.status === 403) tokens.delete(visitor);
    return page;
  };
  const before = contentsOf(site);
  const bare = (html: string) =>
    html.replace(/value="[\w-]{86}"|"challenge":"[\w-]+"|<code>[^<]*<\/code>/g, "");
  let compared = 0;
  for (const { method, path } of PAGES) {
    if (path.startsWith("/suspended")) continue;
    site.clock.pass(MINUTE / 4);
    const address = path.replaceAll(/:\w+/g, "molly");
    const [theirs, strangers] =
      method === "GET"
        ? [await ada.open(address), await guest.open(address)]
        : [await post(ada, address), await post(guest, address)];
    expect([method, address, theirs.status, theirs.location, bare(theirs.html)]).toEqual([
      ...[method, address, strangers.status, strangers.location, bare(strangers.html)],
    ]);
    compared++;
  }
  expect(compared).toBeGreaterThan(200);
  expect(contentsOf(site)).toBe(before);
  const seat = seatOf(ada);
  expect(seat).toHaveLength(43);
  // The secret is no session, no token and no other cookie, under any name.
  const session = [...visit(site).cookies.keys()];
  expect(session).toEqual([]);
  for (const name of ["guildhall", "guildhall-applicant"]) {
    const planted = visit(site, [[name, seat]]);
    expect((await planted.open("/settings/account")).forms[0]?.action).toBe("/sign-in");
    expect(visibleText((await planted.open("/suspended")).html)).toContain("No suspension to show");
  }
  for (const op of ROUTES) {
    site.clock.pass(MINUTE);
    const path = op.path.replace(/\{\w+\}/, op.param?.example ?? "");
    const theirs = await call(site, seat, `${op.method} ${path}`, op.body ? { body: {} } : {});
    expect([op.id, theirs.status]).toEqual([op.id, 401]);
  }
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  for (const headers of [{ cookie }, { authorization: `Bearer ${seat}` }]) {
    site.clock.pass(MINUTE);
    const answer = await fetch(`${site.url}/graphql`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ query: "{ viewer { username } }" }),
    });
    expect(answer.status).toBe(401);
    for (const path of ["/live", "/v1/oauth/userinfo"])
      expect((await fetch(`${site.url}${path}`, { headers })).status).toBe(401);
    const form = new FormData();
    form.set("file", new File([new Uint8Array(png(1, 1))], "a.png"));
    const upload = await fetch(`${site.url}/v1/media`, { method: "POST", headers, body: form });
    expect(upload.status).toBe(401);
  }
  // An app's request leads to the sign-in form, and not to the consent.
  const app = makeApp(site, "molly");
  const consent = await ada.follow(await ada.open(authorizePath(app, "feed:read")));
  expect(consent.forms.map(({ action }) => action)).toContain("/sign-in");
  expect(consent.forms.filter(({ action }) => action.startsWith("/oauth/consent"))).toEqual([]);
});

test("an appeal session ends after a day, at sign-out, with the suspension and when the account is secured", async () => {
  await using site = await suspendedSite();
  const { core, clock } = site;
  const isOpen = async (visitor: Visitor): Promise<boolean> =>
    visibleText((await visitor.open("/suspended")).html).includes(REASON);
  const { ada } = await signIn(site);
  expect(await isOpen(ada)).toBe(true);
  clock.pass(DAY - MINUTE);
  expect(await isOpen(ada)).toBe(true);
  clock.pass(MINUTE);
  expect(await isOpen(ada)).toBe(false);
  await forgetOldAppealSessions(core);
  const rows = () => core.db.prepare<{ n: number }>("SELECT count(*) AS n FROM appeal_sessions").get()?.n;
  expect(rows()).toBe(0);

  const second = await signIn(site);
  await second.ada.submit(second.page, "/suspended/sign-out");
  expect([rows(), await isOpen(second.ada), seatOf(second.ada)]).toEqual([0, false, ""]);

  // A session before the last restore does not open the next suspension.
  const third = await signIn(site);
  setSuspended(core, OPERATOR, "ada", false);
  expect(await isOpen(third.ada)).toBe(false);
  clock.pass(MINUTE);
  core.db.prepare("UPDATE builders SET suspended_at = ? WHERE username = 'ada'").run(core.clock.now());
  expect(await isOpen(third.ada)).toBe(false);

  const fourth = await signIn(site);
  expect(await isOpen(fourth.ada)).toBe(true);
  core.db.transact(() => secureAccount(core, OPERATOR, "ada", { passkeys: [], password: true }));
  expect([rows(), await isOpen(fourth.ada)]).toEqual([0, false]);
});

test("a suspended member reads the answer to the appeal, and the session ends with the decision", async () => {
  await using site = await suspendedSite();
  const { core } = site;
  const { ada, page } = await signIn(site);
  await ada.submit(page, "/suspended/appeal", { text: "It was not me." });
  const answer = { outcome: "denied", answer: "It was your account." } as const;
  decideAppeal(core, OPERATOR, site.decision, answer);
  const shown = await ada.open("/suspended");
  expect(visibleText(shown.html)).toContain("It was your account.");
  expect(shown.forms.map(({ action }) => action)).not.toContain("/suspended/appeal");
  undoDecision(core, OPERATOR, site.decision);
  expect(visibleText((await ada.open("/suspended")).html)).toContain("No suspension to show");
  // The next suspension needs a new session.
  site.clock.pass(MINUTE);
  suspend(site, "ada");
  expect(visibleText((await ada.open("/suspended")).html)).toContain("No suspension to show");
});

test("a member reads their own decisions and appeals, and nobody else’s", async () => {
  await using site = openSite({ signup: "open" });
  await createAccountOf(site, "molly", { role: "moderator" });
  await createAccountOf(site, "ada");
  await createAccountOf(site, "bob");
  const { id } = decide(site.core, mollyOf(site), idOf(site.core, "ada"), { act: "warn", reason: REASON });
  const [ada, bob] = [signedInAs(site, "ada"), signedInAs(site, "bob")];
  const list = await ada.open("/settings/decisions");
  expect(visibleText(list.html)).toContain(REASON);
  expect(visibleText((await bob.open("/settings/decisions")).html)).toContain("No decisions");
  expect((await bob.open(`/settings/decisions/${id}`)).status).toBe(404);
  const page = await ada.open(`/settings/decisions/${id}`);
  expect(visibleText(page.html)).not.toContain("molly");
  const sent = await ada.submit(page, `/settings/decisions/${id}/appeal`, { text: "I disagree." });
  expect(visibleText(sent.html)).toMatch(/You appealed.*I disagree\./s);
  const root = await createAccountOf(site, "root", { role: "admin" }).then(() => signedInAs(site, "root"));
  const desk = await root.open("/admin/appeals");
  for (const part of ["Warning", "@molly", "@ada", REASON, "I disagree."])
    expect(visibleText(desk.html)).toContain(part);
  expect(desk.html).toContain(`href="/admin/cases/${idOf(site.core, "ada")}"`);
  const deny = (answer: string) =>
    root.submit(desk, `/admin/appeals/${id}/grant`, { [`answer-${id}`]: answer });
  expect((await deny(" ")).status).toBe(400);
  expect((await bob.open("/admin/appeals")).status).toBe(404);
  const form_token = /name="form_token" value="([^"]+)"/.exec(desk.html)?.[1] ?? "";
  const refused = await root.post(`/admin/appeals/${id}/deny`, {
    form_token,
    [`answer-${id}`]: "The rule is clear.",
  });
  expect(refused.location).toBe("/admin/appeals?notice=appeal-answered");
  expect(visibleText((await root.open("/admin/appeals")).html)).toContain("No waiting appeals");
  expect(visibleText((await root.open("/admin/appeals?state=decided")).html)).toMatch(
    /Denied by @root.*The rule is clear\./s,
  );
  expect(visibleText((await ada.open(`/settings/decisions/${id}`)).html)).toMatch(
    /Your appeal was denied.*The rule is clear\./s,
  );
});
