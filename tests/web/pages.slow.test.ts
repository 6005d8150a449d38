// Tests docs/contract.md#9.10 and docs/contract.md#9.11.
import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { PAGES } from "../../src/web/pages/index.ts";
import { addSampleContent, isStaffPage } from "./sample-site.ts";
import {
  createAccountOf,
  attributesOf,
  openSite,
  PASSWORD,
  signedInAs,
  sessionCookie,
  type ShownPage,
  tokenOf,
  visit,
  visibleText,
} from "./support.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";

const VIEWS = PAGES.filter(({ method, path }) => method === "GET" && !/(?:\.csv|\/complete)$/.test(path));

test("every page has a policy against foreign scripts, content, frames and form targets, for every visitor", async () => {
  await using site = openSite({ signup: "open" });
  const { pathOf } = await addSampleContent(site);
  const visitors = [visit(site), signedInAs(site, "ada"), signedInAs(site, "root")];
  for (const route of VIEWS) {
    for (const visitor of visitors) {
      const page = await visitor.open(pathOf(route));
      if (page.location !== null || page.headers.has("content-disposition")) continue;
      expect(page.status).toBeLessThan(500);
      refuseLoose(route.path, page);
    }
  }
  for (const path of ["/nothing", "/sign-in/x", "/jobs/job_nothing"])
    refuseLoose(path, await visit(site).open(path));
});

function refuseLoose(path: string, { headers, html }: ShownPage): void {
  const policy = new Map(
    (headers.get("content-security-policy") ?? "").split("; ").map((part) => {
      const [name = "", ...values] = part.split(" ");
      return [name, values.join(" ")] as const;
    }),
  );
  const said = {
    path,
    default: policy.get("default-src"),
    scripts: policy.get("script-src") ?? "'self'",
    connects: policy.get("connect-src"),
    styles: policy.get("style-src"),
    images: policy.get("img-src"),
    base: policy.get("base-uri"),
    frames: policy.get("frame-ancestors"),
    sends: policy.get("form-action")?.split(" ")[0],
    frame: headers.get("x-frame-options"),
    sniff: headers.get("x-content-type-options"),
    referrer: headers.get("referrer-policy"),
    cache: headers.get("cache-control"),
    type: headers.get("content-type"),
  };
  expect(said).toEqual({
    path,
    default: "'none'",
    scripts: "'self'",
    connects: "'self'",
    styles: "'self'",
    images: "'self'",
    base: "'none'",
    frames: "'none'",
    sends: "'self'",
    frame: "DENY",
    sniff: "nosniff",
    referrer: "strict-origin-when-cross-origin",
    cache: "private, no-store",
    type: "text/html; charset=utf-8",
  });
  // The CSP would block these elements and attributes, but the pages must not contain them at all.
  // JSON-LD is data, which browsers never run.
  expect(
    html.match(
      /<script(?! src="\/assets\/| type="application\/ld\+json")|<style|<base|<iframe|<object|<embed|\son\w+=|\sstyle=|javascript:/i,
    ),
  ).toBeNull();
}

test("a member's page shows guests the sign-in form, and returns to the page", async () => {
  await using site = openSite();
  const { pathOf } = await addSampleContent(site);
  await createAccountOf(site, "cleo");
  for (const route of VIEWS.filter(({ access }) => access !== "anyone" && access !== "reader")) {
    const path = `${pathOf(route)}${pathOf(route).includes("?") ? "&" : "?"}state=failed`;
    const guest = visit(site);
    const page = await guest.open(path);
    expect(`${path} ${page.status} ${page.forms[0]?.action}`).toBe(`${path} 200 /sign-in`);
    expect(page.forms[0]?.fields).toContainEqual(["next", path]);
    expect(visibleText(page.html)).toStartWith("Skip to the content Guildhall Sign in");
  }
  const cleo = visit(site);
  const path = "/settings/webhooks?workspace=&state=failed";
  const form = await cleo.open(path);
  const page = await cleo.post("/sign-in", {
    ...Object.fromEntries(form.forms[0]?.fields ?? []),
    username: "cleo",
    password: PASSWORD,
  });
  expect(page.location).toBe(`${path}&notice=signed-in`);
});

test("every page has one main heading for a guest, a member and an admin", async () => {
  await using site = openSite({ signup: "open" });
  const { ada, pathOf } = await addSampleContent(site);
  const found: string[] = [];
  let pages = 0;
  for (const [who, visitor] of Object.entries({ stranger: visit(site), ada, root: signedInAs(site, "root") }))
    for (const route of VIEWS) {
      const { html, status } = await visitor.follow(await visitor.open(pathOf(route)));
      if (!html.startsWith("<!doctype html>")) continue;
      pages++;
      const headings = html.match(/<h1[ >]/g)?.length ?? 0;
      if (headings !== 1) found.push(`${who} ${route.path} ${status}: ${headings}`);
    }
  expect(found).toEqual([]);
  expect(pages).toBeGreaterThan(2 * VIEWS.length);
});

test("every page opens for its audience, and shows its title once at the top", async () => {
  await using site = openSite({ signup: "open" });
  const { ada, pathOf } = await addSampleContent(site);
  changeCommunitySettings(site.core, OPERATOR, { imprint: "Ada, 1 Main Street" });
  const root = signedInAs(site, "root");
  const guest = visit(site);
  for (const route of VIEWS) {
    const isForGuests = ["/sign-in", "/sign-up", "/recover"].includes(route.path);
    const visitor = isStaffPage(route) ? root : isForGuests ? guest : ada;
    const page = await visitor.follow(await visitor.open(pathOf(route)));
    const expected = NEEDS_MORE.test(route.path) ? [200, 400, 404] : [200];
    expect(expected.map((status) => `${route.path} ${status}`)).toContain(`${route.path} ${page.status}`);
    if (page.headers.has("content-disposition")) continue;
    expect(page.html.match(/<h1[ >]/g)).toHaveLength(1);
    const ids = await attributesOf(page.html, "[id]", "id");
    expect(ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `${route.path} #${id}`)).toEqual([]);
    const described = (await attributesOf(page.html, "[aria-describedby]", "aria-describedby")).flatMap(
      (value) => value.split(" "),
    );
    expect(described.filter((id) => !ids.includes(id))).toEqual([]);
  }
});

/** Pages that cannot be opened by URL alone, because they continue a flow. */
const NEEDS_MORE = /^\/(?:setup|consent|device|oauth|authorize)/;

test("every link and every form of every page leads to an existing page", async () => {
  await using site = openSite({ signup: "open" });
  const { pathOf } = await addSampleContent(site);
  const forms = new Set(
    PAGES.filter(({ method }) => method === "POST").map(({ path }) => pattern(path).source),
  );
  for (const username of [undefined, "ada", "root"]) {
    const visitor = username === undefined ? visit(site) : signedInAs(site, username);
    const found = new Map<string, string>();
    for (const route of VIEWS) {
      const page = await visitor.open(pathOf(route));
      for (const href of await attributesOf(page.html, "a[href^='/'], link[href^='/']", "href"))
        found.set(href, route.path);
      for (const { action, method } of page.forms.filter(({ method }) => method === "post")) {
        const [path = ""] = action.split("?");
        const exists = [...forms].some((source) => new RegExp(source).test(path));
        expect(`${route.path}: ${method} ${action} ${exists}`).toBe(
          `${route.path}: ${method} ${action} true`,
        );
      }
    }
    const dead: string[] = [];
    for (const [href, page] of found) {
      const { status } = await visitor.open(href.split("#")[0] ?? "");
      if (status >= 400) dead.push(`${username}: ${page} → ${href} ${status}`);
    }
    expect(dead).toEqual([]);
  }
});

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`);
}

test("pages of moderators and admins answer 404 to members", async () => {
  await using site = openSite();
  const { ada, pathOf } = await addSampleContent(site);
  const form_token = tokenOf(await ada.open("/"));
  const nothing = await ada.open("/nothing");
  for (const route of PAGES.filter(isStaffPage)) {
    const page =
      route.method === "GET" ? await ada.open(pathOf(route)) : await ada.post(pathOf(route), { form_token });
    expect(`${route.path} ${page.status}`).toBe(`${route.path} 404`);
    expect(page.html.match(/<h1.*?<\/h1>/)?.[0]).toBe(nothing.html.match(/<h1.*?<\/h1>/)?.[0]);
  }
});

test("pages and forms of another member answer as if they did not exist", async () => {
  await using site = openSite();
  const { pathOf } = await addSampleContent(site);
  createBuilder(site.core, OPERATOR, { username: "eve", name: "Eve", role: "member" });
  const eve = signedInAs(site, "eve");
  const form_token = tokenOf(await eve.open("/"));
  const own = PAGES.filter(({ path }) => path.startsWith("/settings/") && path.includes(":"));
  expect(own.length).toBeGreaterThan(15);
  for (const route of own) {
    const page =
      route.method === "GET"
        ? await eve.open(pathOf(route))
        : await eve.post(pathOf(route), {
            form_token,
            name: "Mine",
            url: "https://mine.example.com/",
            events: "post.created",
          });
    expect(`${route.method} ${route.path} ${page.status}`).toBe(`${route.method} ${route.path} 404`);
  }
});

test("an unknown address answers browsers with a page, and programs with the error body", async () => {
  await using site = openSite();
  const page = await visit(site).open("/nothing", {
    headers: { accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" },
  });
  expect(page.status).toBe(404);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(visibleText(page.html)).toContain("There is no page at this URL.");
  for (const accept of ["*/*", "application/json"]) {
    for (const [method, path] of [
      ["GET", "/nothing"],
      ["GET", "/settings/"],
      ["POST", "/nothing"],
      ["DELETE", "/jobs"],
      ["PUT", "/"],
      ["GET", "/@"],
    ] as const) {
      const answer = await fetch(site.url + path, { method, headers: { accept } });
      expect(`${method} ${path} ${answer.status}`).toBe(`${method} ${path} 404`);
      expect(await answer.json()).toEqual({
        error: "not_found",
        code: expect.any(String),
        message: expect.any(String),
        docs: expect.any(String),
      });
    }
  }
});

test("a HEAD request of a page answers like its GET, without the body", async () => {
  await using site = openSite({ signup: "open" });
  const { ada, pathOf } = await addSampleContent(site);
  for (const route of VIEWS.filter((route) => !isStaffPage(route))) {
    const get = await ada.open(pathOf(route));
    const head = await ada.open(pathOf(route), { method: "HEAD" });
    expect(`${route.path} ${head.status} ${head.html}`).toBe(`${route.path} ${get.status} `);
    for (const name of ["content-type", "content-security-policy", "cache-control", "location"])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
  }
});

test("unknown, duplicate, huge or broken cookies make a guest, and no fault", async () => {
  await using site = openSite();
  await addSampleContent(site);
  const name = sessionCookie(site);
  const secret = signedInAs(site, "ada").cookies.get(name) ?? "";
  const cases: [cookie: string, isIn: boolean][] = [
    [`${name}=${secret}`, true],
    [`theme=dark; ${name}=${secret}; _ga=GA1.2.3`, true],
    [`${name}=${"A".repeat(43)}`, false],
    [`${name}=${secret}; ${name}=${"A".repeat(43)}`, false],
    [`${name}=${"A".repeat(43)}; ${name}=${secret}`, false],
    [`${name}=${secret}; ${name}=${secret}`, false],
    [`${name}="${secret}"`, false],
    [`${name}=${secret}x`, false],
    [`${name}=`, false],
    [`${name}`, false],
    [`=${secret}`, false],
    [`${name.toUpperCase()}=${secret}`, false],
    [`${name}=${"A".repeat(8000)}`, false],
    [`${";".repeat(4000)}${name}=${secret}`, true],
    [`guildhall-visitor=${"é".repeat(20)}`, false],
    [`guildhall-visitor=${"B".repeat(101)}`, false],
  ];
  for (const [cookie, isIn] of cases) {
    const page = await visit(site).open("/settings/account", { headers: { cookie } });
    expect(page.status).toBe(200);
    expect(`${cookie.slice(0, 80)} ${page.forms[0]?.action !== "/sign-in"}`).toBe(
      `${cookie.slice(0, 80)} ${isIn}`,
    );
  }
});

test("invalid filters and cursors show an empty page or a refusal, never a fault", async () => {
  await using site = openSite();
  const { ada } = await addSampleContent(site);
  const odd = [
    "",
    "%00",
    "%ff",
    "%22%3E%3Cb%3E",
    "a".repeat(3000),
    "..%2f",
    "%F0%9F%A6%84",
    "-1",
    "%27%20OR%201=1--",
    "NaN",
  ];
  const requests = [
    ...["tag", "cursor", "notice", "workspace"].map((name) => `/?${name}=`),
    ...["q", "stack", "city", "seniority", "remote", "cursor"].map((name) => `/jobs?${name}=`),
    ...["q", "model", "category", "cursor"].map((name) => `/prompts?${name}=`),
    ...["cursor", "workspace"].map((name) => `/settings/activity?${name}=`),
    "/settings/webhooks?workspace=",
    "/settings/tokens/new?workspace=",
    "/@",
    "/jobs/",
    "/posts/",
    "/@ada?cursor=",
    "/settings/workspaces/",
    "/settings/webhooks/",
    "/settings/deliveries/",
  ];
  for (const path of requests) {
    for (const value of odd) {
      const page = await ada.open(path + value);
      expect(
        `${path}${value.slice(0, 20)} ${[200, 303, 400, 403, 404].includes(page.status)} ${page.status}`,
      ).toBe(`${path}${value.slice(0, 20)} true ${page.status}`);
    }
  }
  expect(site.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});

test("a refresh or a second press of a button repeats nothing", async () => {
  await using site = openSite();
  const { ada } = await addSampleContent(site);
  const count = (table: string) =>
    (site.core.db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
  // The result is shown on its own page, which can be reloaded.
  const form_token = tokenOf(await ada.open("/"));
  const posted = await ada.post("/posts", { text: "Once", form_token });
  expect(posted.status).toBe(303);
  const posts = count("posts");
  for (let i = 0; i < 2; i++) expect((await ada.follow(posted)).status).toBe(200);
  expect(count("posts")).toBe(posts);
  const [revoke = ""] = (await ada.open("/settings/tokens")).forms
    .map(({ action }) => action)
    .filter((action) => action.endsWith("/revoke"));
  expect((await ada.post(revoke, { form_token })).status).toBe(303);
  expect([303, 404]).toContain((await ada.post(revoke, { form_token })).status);
  const entries = site.core.db
    .prepare<{ n: number }>("SELECT count(*) AS n FROM audit_entries WHERE act = 'token.revoked'")
    .get();
  expect(entries).toEqual({ n: 1 });
});

test("a page with a secret is not cacheable, and going back shows no secret", async () => {
  await using site = openSite();
  const { ada } = await addSampleContent(site);
  const created = await ada.submit(await ada.open("/settings/tokens/new"), "/settings/tokens", {
    name: "script",
    scopes: "feed:read",
  });
  const token = /guild_pat_\w+/.exec(created.html)?.[0] ?? "";
  expect(token).not.toBe("");
  expect(created.headers.get("cache-control")).toBe("private, no-store");
  expect((await ada.open("/settings/tokens")).html).not.toContain(token);
  expect((await ada.open("/settings/tokens/new")).html).not.toContain(token);
});

test("the stylesheet and the script are cacheable for as long as a page names them", async () => {
  await using site = openSite();
  const page = await visit(site).open("/sign-in");
  const assets = [
    ...(await attributesOf(page.html, "link[rel=stylesheet]", "href")),
    ...(await attributesOf(page.html, "script", "src")),
  ];
  expect(assets).toHaveLength(2);
  for (const path of assets) {
    const answer = await fetch(site.url + path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-type")).toMatch(/^text\/(?:css|javascript); charset=utf-8$/);
    const old = await fetch(`${site.url}${path.split("?")[0]}?v=other`);
    expect(old.headers.get("cache-control")).toBe("no-cache");
  }
});
