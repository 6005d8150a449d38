import { expect, test } from "bun:test";
import { MINUTE } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { makeRecovery } from "../../src/core/identity/accounts/passwords.ts";
import { cookieJar } from "../../src/web/request/cookies.ts";
import {
  createAccountOf,
  openSite,
  PASSWORD,
  signUpMember,
  signedInAs,
  sessionCookie,
  type ShownPage,
  signIn,
  tokenOf,
  type Site,
  type Visitor,
  visit,
  visibleText,
} from "./support.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";

const PAGE_PATH = "/settings/account";

async function isIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.open(PAGE_PATH)).forms[0]?.action !== "/sign-in";
}

/** Returns a second browser with the visitor's current cookies. */
function copyOf(site: Site, visitor: Visitor): Visitor {
  return visit(site, [...visitor.cookies]);
}

test("signing in creates an unguessable session in a cookie for this host only, hidden from scripts", async () => {
  await using site = openSite({ origin: "https://guild.example" });
  await createAccountOf(site, "ada");
  const ada = visit(site);
  const page = await ada.post("/sign-in", {
    username: "ada",
    password: PASSWORD,
    form_token: tokenOf(await ada.open("/sign-in")),
  });
  expect(page.status).toBe(303);
  const [session = "", device, visitor] = page.headers.getSetCookie();
  expect(session).toMatch(
    /^__Host-guildhall=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=15552000$/,
  );
  expect(device).toMatch(
    /^__Host-guildhall-device=[A-Za-z0-9_-]{46}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=31536000$/,
  );
  expect(visitor).toBe("__Host-guildhall-visitor=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0");
  expect(page.headers.get("cache-control")).toBe("private, no-store");
  const first = ada.cookies.get("__Host-guildhall");
  const again = visit(site);
  await signIn(again, "ada");
  expect(again.cookies.get("__Host-guildhall")).not.toBe(first);
});

test("a site on plain http has the same cookies without the attributes that need https", () => {
  for (const origin of [
    "http://192.168.1.5:8787",
    "http://attic.lan",
    "http://localhost:8787",
    "http://127.0.0.1:8787",
    "http://[::1]:8787",
  ]) {
    expect(cookieJar(origin)).toEqual({
      session: "guildhall",
      visitor: "guildhall-visitor",
      device: "guildhall-device",
      applicant: "guildhall-applicant",
      appeal: "guildhall-appeal",
      notice: "guildhall-notice",
      language: "guildhall-language",
      attributes: "Path=/; HttpOnly; SameSite=Lax",
    });
  }
  for (const origin of ["https://guild.example", "https://192.168.1.5", "https://localhost:8787"]) {
    expect(cookieJar(origin).session).toBe("__Host-guildhall");
    expect(cookieJar(origin).attributes).toContain("; Secure");
  }
});

test("a session planted before the sign-in is not signed in afterwards", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  const name = sessionCookie(site);
  const planted = "A".repeat(43);
  const ada = visit(site, [
    [name, planted],
    ["guildhall-visitor", "B".repeat(43)],
  ]);
  await signIn(ada, "ada");
  expect(ada.cookies.get(name)).not.toBe(planted);
  expect(await isIn(visit(site, [[name, planted]]))).toBe(false);
  const token = tokenOf(await visit(site, [["guildhall-visitor", "B".repeat(43)]]).open("/sign-in"));
  expect((await ada.post("/posts", { text: "Hello", form_token: token })).status).toBe(403);
});

test("signing out ends the session, including copies of its cookie", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const thief = copyOf(site, ada);
  expect(await isIn(thief)).toBe(true);
  const page = await ada.submit(await ada.open("/"), "/sign-out");
  expect(visibleText(page.html)).toContain("You are signed out.");
  expect(ada.cookies.has(sessionCookie(site))).toBe(false);
  expect(await isIn(thief)).toBe(false);
});

test("a password change ends every session, including a stolen copy of the current one", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const [thief, elsewhere] = [copyOf(site, ada), signedInAs(site, "ada")];
  const typed = { current: PASSWORD, password: "another horse battery" };
  const page = await ada.submit(await ada.open("/settings/security"), `${PAGE_PATH}/password`, typed);
  expect(visibleText(page.html)).toContain("Password changed");
  expect(await isIn(ada)).toBe(true);
  expect(await isIn(thief)).toBe(false);
  expect(await isIn(elsewhere)).toBe(false);
  await signIn(visit(site), "ada", "another horse battery");
  await expect(signIn(visit(site), "ada")).rejects.toThrow("401");
});

test("the current session shows as active now, and every other session shows when it was last used", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  await signUpMember(site, "bob");
  signedInAs(site, "ada");
  site.clock.pass(29 * MINUTE);
  const { html } = await ada.open("/settings/sessions");
  const rows = [...html.matchAll(/<li>(?:(?!<\/li>).)*signed in (?:(?!<\/li>).)*<\/li>/gs)].map(([row]) =>
    visibleText(row),
  );
  expect(rows).toHaveLength(2);
  const [current = "", other = ""] = rows.toSorted((a) => (a.includes("This device") ? -1 : 1));
  expect(current).toContain("active now");
  expect(current).not.toContain("last active");
  expect(other).toContain("last active 29 minutes ago");
  expect(other).not.toContain("active now");
});

test("where browsers offer no passkeys, the security page says why, and names the setting for a local server", async () => {
  for (const [origin, setting] of [
    ["http://127.0.0.1:8787", "GUILDHALL_ORIGIN=http://localhost:8787"],
    ["http://[::1]:8787", "GUILDHALL_ORIGIN=http://localhost:8787"],
    ["http://guild.example", undefined],
    ["https://203.0.113.9", undefined],
  ] as const) {
    await using site = openSite({ origin });
    await createAccountOf(site, "ada");
    const text = visibleText((await signedInAs(site, "ada").open("/settings/security")).html);
    expect(text).toContain("only on https URLs with a domain name and on http://localhost");
    expect(text).toContain(`The URL of this community is ${origin} .`);
    expect(text.includes("GUILDHALL_ORIGIN")).toBe(setting !== undefined);
    if (setting) expect(text).toContain(setting);
  }
  await using site = openSite({ origin: "https://guild.example" });
  await createAccountOf(site, "ada");
  expect(visibleText((await signedInAs(site, "ada").open("/settings/security")).html)).not.toContain(
    "http://localhost",
  );
});

test("the sessions page ends one session, or all others", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const [phone, tablet] = [signedInAs(site, "ada"), signedInAs(site, "ada")];
  const page = await ada.open("/settings/sessions");
  const ends = page.forms.filter(({ action }) => action.endsWith("/end"));
  expect(ends).toHaveLength(2);
  await ada.submit(page, ends[0]?.action ?? "");
  expect([await isIn(phone), await isIn(tablet)].filter(Boolean)).toHaveLength(1);
  await ada.submit(await ada.open("/settings/sessions"), `${PAGE_PATH}/sessions/end-others`);
  expect([await isIn(phone), await isIn(tablet)]).toEqual([false, false]);
  expect(await isIn(ada)).toBe(true);
});

test("a recovery link sets a new password once, ends every session and signs in", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const { url } = makeRecovery(site.core, OPERATOR, "ada");
  const path = pathIn(url);
  const home = visit(site);
  const form = await home.open(path);
  expect(visibleText(form.html)).toContain(
    "Your passkeys, access tokens, connected apps, and webhook endpoints keep working.",
  );
  const page = await home.submit(form, "/recover", { password: "a third horse battery" });
  expect(page.status).toBe(200);
  expect(notificationsOf(page)).toEqual(WHAT_STAYS);
  expect(await isIn(home)).toBe(true);
  expect(await isIn(ada)).toBe(false);
  expect((await visit(site).open(path)).status).toBe(404);
  expect(visibleText((await visit(site).open(path)).html)).toContain("This link does not work");
});

test("a password change shows the list of all remaining access, which keeps working", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const change = { current: PASSWORD, password: "a third horse battery" };
  expect(
    notificationsOf(await ada.submit(await ada.open("/settings/security"), `${PAGE_PATH}/password`, change)),
  ).toEqual(WHAT_STAYS);
  expect(visibleText((await ada.open(`${PAGE_PATH}/secure`)).html)).not.toContain("is changed");
});

const WHAT_STAYS = [`${PAGE_PATH}/secure`, "Everything in the list below still has access to your account"];

/** Returns the path of the page, and the sentence in the page's notice that refers to the list below it. */
function notificationsOf({ address, html }: ShownPage): unknown[] {
  const notice = /<p class="notice"[^>]*>(.*?)<\/p>/s.exec(html)?.[1] ?? "";
  return [address.split("?")[0], /Everything in the list below .* your account/.exec(notice)?.[0]];
}

test("a suspended builder is signed out at once, and cannot sign in again", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  setSuspended(site.core, OPERATOR, "ada", true);
  expect(await isIn(ada)).toBe(false);
  const again = visit(site);
  expect((await signIn(again, "ada")).address).toBe("/suspended");
  expect(await isIn(again)).toBe(false);
});

function pathIn(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
