import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { makeSetupLink } from "../../src/core/identity/accounts/accounts.ts";
import { makeInvite } from "../../src/core/identity/accounts/invites.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { createMember } from "../support.ts";
import {
  createAccountOf,
  attributesOf,
  openSite,
  PASSWORD,
  signUpMember,
  signedInAs,
  signIn,
  tokenOf,
  type Site,
  type Visitor,
  visit,
  visibleText,
} from "./support.ts";

const PAGE_PATH = "/settings/account";

test("checks few of 200 wrong passwords, and answers the same for an unknown name", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  const answers = new Map<string, string[]>();
  for (const username of ["ada", "nobody"]) {
    const visitor = visit(site);
    const form_token = tokenOf(await visitor.open("/sign-in"));
    const messages: string[] = [];
    for (let i = 0; i < 100; i++) {
      const page = await visitor.post("/sign-in", { username, password: `wrong number ${i}`, form_token });
      messages.push(`${page.status} ${visibleText(page.html).replaceAll(/\d+ seconds?/g, "some seconds")}`);
      expect(page.headers.getSetCookie()).toEqual([]);
    }
    answers.set(username, messages);
  }
  expect(answers.get("ada")).toEqual(answers.get("nobody") ?? []);
  const tried = (answers.get("ada") ?? []).filter((answer) => answer.startsWith("401"));
  // The limit allows ten attempts at once. One or two more become available while the clock advances.
  expect(tried.length).toBeGreaterThanOrEqual(10);
  expect(tried.length).toBeLessThanOrEqual(12);
  expect(new Set(answers.get("ada")).size).toBeLessThanOrEqual(3);
  expect(answers.get("ada")?.at(-1)).toStartWith("429");
});

test("a refusal by the limit names the right time to retry", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  const ada = visit(site);
  const form_token = tokenOf(await ada.open("/sign-in"));
  const type = (password: string) => ada.post("/sign-in", { username: "ada", password, form_token });
  let page = await type("wrong");
  while (page.status === 401) page = await type("wrong");
  expect(page.status).toBe(429);
  const seconds = Number(page.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  // A visitor's request itself advances the clock by a second.
  site.clock.pass((seconds - 1) * 1000);
  expect((await type(PASSWORD)).status).toBe(303);
});

test("guesses at the password in a stolen session meet the same limit", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const form_token = tokenOf(await ada.open(PAGE_PATH));
  const statuses: number[] = [];
  for (let i = 0; i < 20; i++) {
    const fields = { current: `wrong ${i}`, password: "another horse battery", form_token };
    statuses.push((await ada.post(`${PAGE_PATH}/password`, fields)).status);
  }
  expect(statuses[0]).toBe(400);
  expect(statuses.at(-1)).toBe(429);
});

test("during 200 simultaneous sign-ins the API answers every read, and the wait queue is bounded", async () => {
  await using site = openSite({ hasRealHashes: "large" });
  await createAccountOf(site, "ada");
  const { token } = createMember(site.core, "reader", ["feed:read"]);
  const crowd = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const visitor = visit(site);
      return { visitor, form_token: tokenOf(await visitor.open("/sign-in")) };
    }),
  );
  let isFlooded = true;
  const flood = Promise.all(
    crowd.map(({ visitor, form_token }) =>
      visitor
        .post("/sign-in", { username: "ada", password: PASSWORD, form_token })
        .then(({ status }) => status),
    ),
  ).finally(() => {
    isFlooded = false;
  });
  const reads: number[] = [];
  while (isFlooded) {
    reads.push((await site.request(token, "/feed")).status);
    // A pause, because reads without one would only take the cores from the sign-ins.
    await Bun.sleep(10);
  }
  const statuses = await flood;
  expect(new Set(reads)).toEqual(new Set([200]));
  expect(reads.length).toBeGreaterThan(10);
  expect(new Set(statuses)).toEqual(new Set([303, 429]));
  expect(statuses.filter((status) => status === 303).length).toBeGreaterThan(2);
});

const HANDLES = [
  "me",
  "admin",
  "ADMIN",
  "Api",
  "v1",
  "settings",
  "sign-in",
  "docs",
  "jobs",
  "аda",
  "adа",
  "ａｄａ",
  "ada\u200b",
  "\u200bada",
  "a\u00adda",
  "ada\u202e",
  "adá",
  "ada\u0301",
  "ﬁona",
  "ſam",
  "İda",
  "ada\u0000",
  "ada lovelace",
  "ada.lovelace",
  "ada@home",
  "-ada",
  "ada-",
  "_ada",
  "a".repeat(33),
  "",
  "../ada",
  "<b>ada</b>",
  "ада",
  "ádá",
  "𝐚𝐝𝐚",
  "ⓐⓓⓐ",
];

test("the form refuses look-alike and reserved handles, with an error at the field", async () => {
  await using site = openSite({ signup: "open" });
  for (const username of HANDLES) {
    const visitor = visit(site);
    const page = await visitor.submit(await visitor.open("/sign-up"), "/sign-up", {
      username,
      password: PASSWORD,
    });
    expect(`${JSON.stringify(username)} ${[400, 422].includes(page.status)}`).toBe(
      `${JSON.stringify(username)} true`,
    );
    expect(page.html).toMatch(/class="fault(?:-box)?"/);
    expect(page.forms[0]?.fields.find(([name]) => name === "password")?.[1]).toBe("");
  }
  expect(site.core.db.prepare("SELECT count(*) AS n FROM builders").get()).toEqual({ n: 0 });
});

test("ignores capitals and surrounding spaces in a handle", async () => {
  await using site = openSite({ signup: "open" });
  await createAccountOf(site, "ada");
  for (const username of ["Ada", " ada ", "ADA"]) {
    const visitor = visit(site);
    const page = await visitor.submit(await visitor.open("/sign-up"), "/sign-up", {
      username,
      password: PASSWORD,
    });
    expect(page.status).toBe(409);
  }
  const ada = visit(site);
  await signIn(ada, " ADA ");
  expect((await ada.open(PAGE_PATH)).forms[0]?.action).not.toBe("/sign-in");
});

/** Redirect targets outside this site, and malformed ones. */
const FOREIGN = [
  "https://evil.example",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/%5cevil.example/..//evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "http:evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/ /evil.example",
  " //evil.example",
  "evil.example",
  "@evil.example",
  "https:/evil.example",
  "/..//evil.example",
  "/.//evil.example",
  "/a\r\nset-cookie: x=y",
  "\u0000/",
  "/é",
];

test("redirects only within this site after signing in", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  const ada = signedInAs(site, "ada");
  for (const [i, next] of FOREIGN.entries()) {
    const visitor = visit(site);
    const form = await visitor.open(`/sign-in?next=${encodeURIComponent(next)}`);
    const [shownNext = ""] = await attributesOf(
      form.html,
      'form[action="/sign-in"] input[name=next]',
      "value",
    );
    expectHome(shownNext, shownNext);
    // A visitor who is already signed in is redirected by the page itself.
    const on = await ada.open(`/sign-in?next=${encodeURIComponent(next)}`);
    expectHome(next, on.location);
    // Sends a forged form without opening the page. Tests only ten targets, because each check of a password
    // is slow.
    if (i < 10) expectHome(next, (await seatOr(site, visitor, { next, form_token: tokenOf(form) })).location);
  }
});

function expectHome(next: string, location: string | null): void {
  const { host } = new URL(location ?? "", "https://guild.example/deep/page");
  expect(`${JSON.stringify(next)} → ${host}`).toBe(`${JSON.stringify(next)} → guild.example`);
  expect(location).not.toMatch(/^\/[/\\]/);
}

test("returns to a path of this site with its query after signing in", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  for (const next of [
    "/settings/tokens",
    "/settings/webhooks?workspace=ws_x",
    "/jobs?q=a%20b&remote=true",
    "/@ada",
  ]) {
    const visitor = visit(site);
    const form_token = tokenOf(await visitor.open("/sign-in"));
    const page = await seatOr(site, visitor, { next, form_token });
    expect(page.location).toBe(`${next}${next.includes("?") ? "&" : "?"}notice=signed-in`);
  }
});

async function seatOr(site: Site, visitor: Visitor, fields: Record<string, string>) {
  site.clock.pass(MINUTE);
  const cookies = [...visitor.cookies];
  const page = await visitor.post("/sign-in", { username: "ada", password: PASSWORD, ...fields });
  expect(page.status).toBe(303);
  visitor.cookies.clear();
  for (const [name, value] of cookies) visitor.cookies.set(name, value);
  return page;
}

test("two simultaneous sign-ups with one name or invitation create one account and report the conflict", async () => {
  await using site = openSite();
  const signUp = async (path: string, username: string) => {
    const visitor = visit(site);
    return visitor.post("/sign-up", {
      invite: new URL(path, "http://x").searchParams.get("invite") ?? "",
      username,
      password: PASSWORD,
      form_token: tokenOf(await visitor.open(path)),
    });
  };
  for (let round = 0; round < 5; round++) {
    const [one, two, shared] = [0, 1, 2].map(() => pathIn(makeInvite(site.core, OPERATOR).url)) as [
      string,
      string,
      string,
    ];
    const sameName = await Promise.all([signUp(one, `twin${round}`), signUp(two, `twin${round}`)]);
    expect(sameName.map(({ status }) => status).sort()).toEqual([303, 409]);
    const sameLink = await Promise.all([signUp(shared, `left${round}`), signUp(shared, `right${round}`)]);
    expect(sameLink.map(({ status }) => status).sort()).toEqual([303, 404]);
  }
  expect(site.core.db.prepare("SELECT count(*) AS n FROM builders").get()).toEqual({ n: 10 });
});

test("an outdated set-up link says that the log has the newest link", async () => {
  await using site = openSite();
  const path = pathIn(makeSetupLink(site.core, OPERATOR)?.url ?? "");
  for (let start = 0; start < 2; start++) makeSetupLink(site.core, OPERATOR);

  const page = await visit(site).open(path);

  expect(page.status).toBe(404);
  expect(page.html).toContain("Open the newest setup link in the log of the server.");
});

test("the set-up refuses an unknown way to join, and shows its form again", async () => {
  await using site = openSite();
  const path = pathIn(makeSetupLink(site.core, OPERATOR)?.url ?? "");
  const visitor = visit(site);
  const page = await visitor.open(path);
  const typed = { username: "ada", password: PASSWORD, "community.joining": "constructor" };
  const again = await visitor.submit(page, "/setup", typed);
  expect([again.status, again.forms[0]?.action]).toEqual([400, "/setup"]);
});

test("of two people who open the set-up link at the same moment, one becomes the owner", async () => {
  await using site = openSite();
  const path = pathIn(makeSetupLink(site.core, OPERATOR)?.url ?? "");
  const pages = await Promise.all(
    ["ada", "eve"].map(async (username) => {
      const visitor = visit(site);
      const page = await visitor.open(path);
      return { visitor, page, username };
    }),
  );
  const shown = await Promise.all(
    pages.map(({ visitor, page, username }) =>
      visitor.submit(page, "/setup", { username, password: PASSWORD }),
    ),
  );
  expect(shown.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect(site.core.db.prepare("SELECT count(*) AS n FROM builders WHERE role = 'owner'").get()).toEqual({
    n: 1,
  });
  expect((await visit(site).open(path)).status).toBe(404);
});

test("a form sent twice at once creates two tokens of a name, but only one endpoint of an address", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const form_token = tokenOf(await ada.open("/"));
  for (let round = 0; round < 10; round++) {
    const fields = { name: "script", scopes: "feed:read", days: "7", form_token };
    const tokens = await Promise.all([
      ada.post("/settings/tokens", fields),
      ada.post("/settings/tokens", fields),
    ]);
    expect(tokens.map(({ status }) => status)).toEqual([200, 200]);
    const [one, two] = tokens.map(({ html }) => /guild_pat_\w+/.exec(html)?.[0]);
    expect(one).not.toBe(two ?? "");
    const endpoint = { url: `https://hooks.example.com/${round}`, events: "post.created", form_token };
    const created = await Promise.all([
      ada.post("/settings/webhooks", endpoint),
      ada.post("/settings/webhooks", endpoint),
    ]);
    expect(created.map(({ status }) => status).sort()).toEqual([200, 409]);
  }
});

function pathIn(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
