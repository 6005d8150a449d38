// Tests docs/contract.md#12.24 and docs/threats.md#M06.
import { expect, test } from "bun:test";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { PAGES } from "../../src/web/pages/index.ts";
import type { PageRoute } from "../../src/web/request/route.ts";
import { call } from "../spec/client.ts";
import { ROUTES } from "../routes.ts";
import { BUILDER_SCOPES, createMemberToken } from "../support.ts";
import { type SampleContent, addSampleContent } from "./sample-site.ts";
import { openSite, type ShownPage, type Site, tokenOf, type Visitor, visit } from "./support.ts";

/** Occurs in everything that members wrote, and in no text of the site. */
const WORDS = "Quagmire";

async function forMembers(): Promise<Site & SampleContent & { stranger: Visitor }> {
  const site = openSite();
  const furnished = await addSampleContent(site, WORDS);
  changeCommunitySettings(site.core, OPERATOR, { name: "The Weavers", reading: "members" });
  return Object.assign(site, furnished, { stranger: visit(site) });
}

/** Returns a page without visitor-specific parts: tokens, request ids, and the requested path. */
function bare({ status, html }: ShownPage): string {
  return `${status} ${html
    .replaceAll(/(name="form_token" value=")[^"]*/g, "$1")
    .replaceAll(/(name="next" value=")[^"]*/g, "$1")
    .replaceAll(/[?&]next=[^"&]*/g, "")
    .replaceAll(/<code>[0-9a-f-]{36}<\/code>/g, "")}`;
}

/** A valid id that does not exist. */
const NOBODYS = "01kafzq8e5f2r8v0j3n6s1t4wx";
const elsewhere = (path: string): string =>
  path.replaceAll(/([a-z]+_)[0-9a-z]{26}/g, `$1${NOBODYS}`).replace(/@(?:ada|bob)/, "@nobody");

/** Pages that a private link opens. The recipient of the link sees what the link is for. */
const BY_LINK: readonly string[] = [
  "/sign-up",
  "/recover",
  "/join",
  "/mail/confirm",
  "/mail/not-me",
  "/mail/unsubscribe",
  "/feeds/:file",
];
const asks = (method: PageRoute["method"]) => PAGES.filter((route) => route.method === method);

test("a guest of a members-only community gets the same sign-in form for existing and unknown addresses", async () => {
  await using site = await forMembers();
  const { stranger, pathOf } = site;
  const form = bare(await stranger.open("/"));
  const leaks: string[] = [];
  let guarded = 0;
  for (const route of asks("GET").filter(({ path }) => !BY_LINK.includes(path))) {
    const path = pathOf(route);
    for (const query of [path, `${path}${path.includes("?") ? "&" : "?"}q=${WORDS}&tag=rust&cursor=x`]) {
      const page = await stranger.open(query);
      const isGuarded = route.access !== "anyone";
      if (isGuarded) guarded++;
      if (page.html.replaceAll(`q=${WORDS}`, "").replaceAll(`q%3D${WORDS}`, "").includes(WORDS))
        leaks.push(`${route.path} has words`);
      if (isGuarded && bare(page) !== form) leaks.push(`${route.path} is not the form to sign in`);
      if (isGuarded && bare(await stranger.open(elsewhere(query))) !== form)
        leaks.push(`${route.path} differs`);
    }
  }
  expect(leaks).toEqual([]);
  expect(guarded).toBeGreaterThan(120);
  const about = (await stranger.open("/about")).html;
  for (const location of ["/jobs", "/prompts", "/search"]) expect(about).not.toContain(`href="${location}"`);
  expect(about).toContain('href="/sign-in"');
  // The form keeps the requested path and redirects to it after sign-in.
  const post = pathOf({ path: "/posts/:id" });
  expect((await stranger.open(post)).html).toContain(`value="${post}"`);
  expect((await site.ada.open(post)).html).toContain(WORDS);
});

test("forms of a members-only community do nothing for a guest", async () => {
  await using site = await forMembers();
  const { stranger, pathOf, core } = site;
  const form_token = tokenOf(await stranger.open("/sign-in"));
  const count = (): unknown => core.db.prepare("SELECT count(*) AS n FROM audit_entries").get();
  const before = count();
  for (const route of asks("POST").filter(({ access }) => access !== "anyone")) {
    const page = await stranger.post(pathOf(route), { form_token, text: "x", name: "x" });
    expect([route.path, page.status, page.html.includes(WORDS)]).toEqual([route.path, 200, false]);
    expect(page.forms.map(({ action }) => action)).toContain("/sign-in");
  }
  expect(count()).toEqual(before);
});

test("no API, feed, picture, stream or document of a members-only community reveals anything to a guest", async () => {
  await using site = await forMembers();
  const { core, stranger, ada, pathOf } = site;
  const page = await ada.open(pathOf({ path: "/posts/:id" }));
  const [picture = ""] = /\/media\/[0-9a-f]{40}-\d+\.webp/.exec(page.html) ?? [];
  expect(picture).not.toBe("");
  const own = await ada.open(picture);
  expect([own.status, own.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
  const etag = own.headers.get("etag") ?? "";
  const gone = picture.replace(/[0-9a-f]{40}/, "0".repeat(40));
  const statusOf = async (path: string, init?: RequestInit) => (await stranger.open(path, init)).status;
  expect(await statusOf(picture)).toBe(await statusOf(gone));
  expect(await statusOf(picture, { headers: { "if-none-match": etag } })).toBe(404);
  expect(await statusOf("/live")).toBe(401);
  for (const username of ["ada", "nobody"]) expect(await statusOf(`/crests/${username}.svg`)).toBe(200);

  for (const op of ROUTES) {
    site.clock.pass(MINUTE);
    const path = op.path.replace(/\{\w+\}/, op.param?.example ?? "");
    const answer = await call(site, undefined, `${op.method} ${path}`, op.body ? { body: {} } : {});
    expect([op.id, answer.status]).toEqual([op.id, 401]);
  }
  site.clock.pass(MINUTE);
  const graph = await fetch(`${site.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      query: "{ feed(first: 1) { edges { node { text } } } __schema { types { name } } }",
    }),
  });
  expect(graph.status).toBe(401);

  const others = [
    ...[
      "/robots.txt",
      "/favicon.svg",
      "/docs",
      "/v1/openapi.json",
      "/graphql",
      "/healthz",
      "/readyz",
      "/metrics",
    ],
    ...[
      "/.well-known/oauth-authorization-server",
      "/.well-known/openid-configuration",
      "/.well-known/jwks.json",
    ],
    ...[
      "/.well-known/oauth-protected-resource",
      "/nothing",
      "/@ada/nothing",
      "/feeds/nothing.atom",
      "/oauth/consent/nothing",
    ],
  ];
  for (const path of others)
    expect([path, (await stranger.open(path)).html.includes(WORDS)]).toEqual([path, false]);
  expect((await stranger.open("/robots.txt")).html).toContain("Disallow: /\n");

  changeCommunitySettings(core, OPERATOR, { reading: null });
  const open = await stranger.open(picture);
  expect([open.status, open.headers.get("cache-control")]).toEqual([
    200,
    "public, max-age=31536000, immutable",
  ]);
  expect((await stranger.open("/robots.txt")).html).toContain("Disallow: /settings\n");
});

test("each picture on each page opens for a token with `feed:read` as for a session, and for no other token", async () => {
  await using site = await forMembers();
  const { core, stranger, ada, pathOf } = site;
  const pictures = new Set<string>();
  for (const route of asks("GET"))
    for (const [address] of (await ada.open(pathOf(route))).html.matchAll(/\/media\/[0-9a-f]{40}-\d+\.webp/g))
      pictures.add(address);
  expect(pictures.size).toBeGreaterThan(1);

  const bearer = (scopes = BUILDER_SCOPES) => ({
    headers: { authorization: `Bearer ${createMemberToken(core, "bob", scopes).token}` },
  });
  const reading = bearer(["feed:read"]);
  const other = bearer(BUILDER_SCOPES.filter((scope) => scope !== "feed:read"));
  for (const picture of pictures) {
    const given = async (init?: RequestInit) => {
      const { status, headers } = await stranger.open(picture, init);
      return [status, headers.get("cache-control")];
    };
    expect([picture, await given(reading)]).toEqual([picture, [200, "private, no-cache"]]);
    for (const method of ["GET", "HEAD"]) {
      expect([picture, await given({ method })]).toEqual([picture, [404, "private, no-store"]]);
      expect([picture, await given({ ...other, method })]).toEqual([picture, [404, "private, no-store"]]);
    }
  }
});
