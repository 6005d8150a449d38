// Tests docs/contract.md#9.21 and docs/contract.md#9.46.
import { BACKGROUNDS, DEFAULT_ACCENT } from "../../src/core/identity/community-settings/accent.ts";
import { expect, test } from "bun:test";
import {
  changeCommunitySettings,
  setLogo,
} from "../../src/core/services/community-settings/community-settings.ts";
import { hide } from "../moderate.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { changeJob, publishJob } from "../../src/core/community/jobs/jobs.ts";
import { makeInvite } from "../../src/core/identity/accounts/invites.ts";
import { renameAccount } from "../../src/core/identity/accounts/rename.ts";
import { addSampleContent, callerOf } from "./sample-site.ts";
import { openSite, signedInAs, visit, PASSWORD, signUpMember } from "./support.ts";

function elementsOf(html: string, name: string): Record<string, string>[] {
  const found: Record<string, string>[] = [];
  new HTMLRewriter()
    .on(name, { element: (element) => void found.push(Object.fromEntries(element.attributes)) })
    .transform(html);
  return found;
}

interface JsonFeed {
  title: string;
  home_page_url: string;
  feed_url: string;
  items: {
    id: string;
    url: string;
    title: string;
    content_html?: string;
    tags?: string[];
    date_modified: string;
  }[];
}

test("feeds of all posts, a tag, a builder and the jobs have the same entries as Atom and as JSON Feed", async () => {
  await using site = openSite();
  const { caller } = await addSampleContent(site);
  const { core, clock } = site;
  clock.pass(DAY);
  const text = "# Quotes & <tags> ]]>\n\nSee [the docs](/docs) — “done” \u{1F9F5}";
  const post = createPost(core, caller, { text, tags: ["rust", "c-plus-plus"] });
  const hidden = createPost(core, caller, { text: "Hidden from all", tags: ["rust"] });
  hide(core, OPERATOR, hidden.id);
  const guest = visit(site);
  for (const [path, page, title] of [
    ["/feed", "/", "Guildhall"],
    ["/tags/rust/feed", "/tags/rust", "#rust · Guildhall"],
    ["/@ada/feed", "/@ada", "Tidewater (@ada) · Guildhall"],
    ["/jobs/feed", "/jobs", "Jobs · Guildhall"],
  ] as const) {
    const [atom, json] = [await guest.open(`${path}.atom`), await guest.open(`${path}.json`)];
    expect([path, atom.headers.get("content-type"), json.headers.get("content-type")]).toEqual([
      path,
      "application/atom+xml; charset=utf-8",
      "application/feed+json; charset=utf-8",
    ]);
    const feed = JSON.parse(json.html) as JsonFeed;
    expect([feed.title, feed.home_page_url, feed.feed_url]).toEqual([
      title,
      core.origin + page,
      `${core.origin}${path}.json`,
    ]);
    const ids = [...atom.html.matchAll(/<entry>\n<id>([^<]+)/g)].map(([, id]) => id);
    expect(ids).toEqual(feed.items.map(({ id }) => id));
    expect(ids.length).toBeGreaterThan(0);
    expect(atom.html + json.html).not.toContain("Hidden from all");
    if (path === "/jobs/feed") continue;
    const [newest] = feed.items;
    expect(newest).toMatchObject({ url: `${core.origin}/posts/${post.id}`, title: "Quotes & ]]>" });
    expect(newest?.content_html).toContain(`href="${core.origin}/docs"`);
    expect(newest?.tags).toEqual(["rust", "c-plus-plus"]);
    expect(atom.html).toContain("<title>Quotes &amp; ]]&gt;</title>");
    expect(atom.html).toContain('<category term="c-plus-plus"/>');
    const answered = await guest.open(`${path}.atom`, {
      headers: { "if-none-match": atom.headers.get("etag") ?? "" },
    });
    expect([path, answered.status]).toEqual([path, 304]);
  }
  clock.pass(60_000);
  const editedAt = clock.now();
  editPost(core, caller, post.id, { text: "Anew" });
  const [edited] = (JSON.parse((await guest.open("/feed.json")).html) as JsonFeed).items;
  expect(edited).toMatchObject({
    title: "Anew",
    date_modified: new Date(editedAt).toISOString(),
  });
  renameAccount(core, OPERATOR, "ada", "ada-o");
  const moved = await guest.open("/@ada/feed.atom");
  expect([moved.status, moved.location]).toEqual([308, "/@ada-o/feed.atom"]);
  expect((await guest.open("/@nobody/feed.atom")).status).toBe(404);
  expect((await guest.open("/tags/no-such-tag/feed.atom")).status).toBe(200);
  expect((await guest.open("/feed.rss")).status).toBe(404);
});

test("every public page has a canonical address, a description and a preview picture, and is in the sitemap", async () => {
  await using site = openSite();
  const { pathOf, caller } = await addSampleContent(site);
  const { core, clock } = site;
  clock.pass(45 * DAY);
  const later = createPost(core, caller, { text: "Much later" }).id;
  const guest = visit(site);
  const index = (await guest.open("/sitemap.xml")).html;
  const lists = [...index.matchAll(/<loc>([^<]+)/g)].map(([, url = ""]) => url.replace(core.origin, ""));
  const urls: string[] = [];
  for (const list of lists) {
    const page = await guest.open(list);
    expect([list, page.status, page.headers.get("content-type")]).toEqual([
      list,
      200,
      "application/xml; charset=utf-8",
    ]);
    urls.push(
      ...[...page.html.matchAll(/<loc>([^<]+)/g)].map(([, url = ""]) => url.replace(core.origin, "")),
    );
  }
  expect(new Set(urls).size).toBe(urls.length);
  const paths = ["/", "/about", "/jobs", "/prompts", "/@ada", "/tags/rust", `/posts/${later}`];
  paths.push(...["/posts/:id", "/jobs/:id", "/prompts/:id"].map((path) => pathOf({ path })));
  for (const path of paths) {
    if (path !== "/tags/rust" && path !== "/about") expect(urls).toContain(path);
    const { html } = await guest.open(path);
    const canonical = elementsOf(html, "link").filter(({ rel }) => rel === "canonical");
    expect([path, canonical.map(({ href }) => href)]).toEqual([path, [core.origin + path]]);
    const values = new Map(
      elementsOf(html, "meta").map((meta) => [meta["property"] ?? meta["name"], meta["content"]]),
    );
    expect([path, values.get("og:url"), values.get("og:site_name")]).toEqual([
      path,
      core.origin + path,
      "Guildhall",
    ]);
    for (const name of ["description", "og:title", "og:description", "og:image"])
      expect([path, name, (values.get(name) ?? "").length > 0]).toEqual([path, name, true]);
    expect(values.get("og:image")).toStartWith(core.origin);
  }
  // Filtered and later pages have the canonical URL of the first page. A tag page has its own canonical URL.
  for (const [asked, path] of [
    ["/jobs?q=rust", "/jobs"],
    ["/?tag=rust", "/tags/rust"],
    ["/tags/rust", "/tags/rust"],
  ] as const) {
    const canonical = elementsOf((await guest.open(asked)).html, "link").find(
      ({ rel }) => rel === "canonical",
    );
    expect([asked, canonical?.["href"]]).toEqual([asked, core.origin + path]);
  }
  for (const path of ["/sitemaps/posts-2026-13.xml", "/sitemaps/nothing.xml", "/sitemaps/pages"])
    expect([path, (await guest.open(path)).status]).toEqual([path, 404]);
  const { html: own } = await signedInAs(site, "ada").open("/settings/account");
  expect(elementsOf(own, "meta").filter(({ property }) => property !== undefined)).toEqual([]);
});

test("text of members is escaped in a page's head", async () => {
  await using site = openSite();
  const nasty = `"><script>alert(1)</script><meta property="og:url" content="https://evil.example`;
  const { pathOf } = await addSampleContent(site, nasty);
  for (const path of ["/", "/@ada", pathOf({ path: "/posts/:id" }), pathOf({ path: "/jobs/:id" })]) {
    const { html } = await visit(site).open(path);
    const inline = elementsOf(html, "script").filter(({ src }) => src === undefined);
    expect(inline.every(({ type }) => type === "application/ld+json")).toBeTrue();
    expect(inline.length).toBe(path.startsWith("/jobs/") ? 1 : 0);
    expect(elementsOf(html, "meta").filter(({ property }) => property === "og:url")).toHaveLength(1);
  }
  for (const path of ["/feed.atom", "/@ada/feed.atom", "/jobs/feed.atom"]) {
    const { html } = await visit(site).open(path);
    expect(elementsOf(html, "script")).toEqual([]);
  }
});

test("an open job states the fields of JobPosting that Google requires, and no other job states them", async () => {
  await using site = openSite();
  const text = "Senior </script><script>alert(1)</script> & weaver";
  const { caller } = await addSampleContent(site);
  const { core } = site;
  const draft = {
    title: text,
    company: { name: text, slug: "quay" },
    location: "Ulm, Baden-Württemberg, Germany",
    remote: false,
    seniority: "senior",
    stack: [],
    salary: { min: 50_000, max: 60_000, currency: "EUR" },
    description: `**${text}**`,
    apply_url: "https://jobs.example.com/1",
  } as const;
  const there = publishJob(core, caller, { ...draft, stack: [] });
  const remote = publishJob(core, caller, { ...draft, stack: [], remote: true, location: "Spain" });
  const [guest, member] = [visit(site), signedInAs(site, "ada")];
  const postingOf = async (id: string, who = guest): Promise<Record<string, unknown> | undefined> => {
    const { html } = await who.open(`/jobs/${id}`);
    const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
    return json === undefined ? undefined : (JSON.parse(json) as Record<string, unknown>);
  };
  const common = {
    "@context": "https://schema.org/",
    "@type": "JobPosting",
    title: text,
    datePosted: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    validThrough: new Date(there.expiresAt).toISOString(),
    hiringOrganization: { "@type": "Organization", name: text },
    baseSalary: {
      "@type": "MonetaryAmount",
      currency: "EUR",
      value: { "@type": "QuantitativeValue", minValue: 50_000, maxValue: 60_000, unitText: "YEAR" },
    },
  };
  const posting = await postingOf(there.id);
  expect(posting).toMatchObject({
    ...common,
    jobLocation: {
      "@type": "Place",
      address: {
        "@type": "PostalAddress",
        addressLocality: "Ulm, Baden-Württemberg",
        addressCountry: "Germany",
      },
    },
  });
  expect(posting?.["description"]).toStartWith("<p><strong>Senior ");
  expect(posting?.["description"]).not.toContain("<script");
  const afar = await postingOf(remote.id);
  expect(afar).toMatchObject({
    ...common,
    jobLocationType: "TELECOMMUTE",
    applicantLocationRequirements: { "@type": "AdministrativeArea", name: "Spain" },
  });
  expect(afar).not.toHaveProperty("jobLocation");
  changeCommunitySettings(core, OPERATOR, { reading: "members" });
  expect(await postingOf(there.id)).toBeUndefined();
  expect(await postingOf(there.id, member)).toBeUndefined();
  changeCommunitySettings(core, OPERATOR, { reading: "everybody" });
  hide(core, OPERATOR, there.id);
  expect(await postingOf(there.id, member)).toBeUndefined();
  changeJob(core, caller, remote.id, { open: false });
  expect(await postingOf(remote.id, member)).toBeUndefined();
});

test("an invitation's card names only the community and the inviter", async () => {
  await using site = openSite();
  const { core } = site;
  await addSampleContent(site, "Quagmire");
  const invite = makeInvite(core, callerOf(site, signedInAs(site, "root")), { label: "Quagmire", uses: 20 });
  const cardOf = async (path: string) =>
    new Map(
      elementsOf((await visit(site).open(path)).html, "meta").map((meta) => [
        meta["property"] ?? meta["name"],
        meta["content"],
      ]),
    );
  const path = invite.url.replace(core.origin, "");
  changeCommunitySettings(core, OPERATOR, { name: "The Hall", joining: "invite" });
  const card = await cardOf(path);
  expect([card.get("og:title"), card.get("og:description"), card.get("robots")]).toEqual([
    "The Hall",
    "@root invites you to join The Hall.",
    "noindex",
  ]);
  expect(card.get("og:image")).toBe(`${core.origin}/icon-512.png`);
  expect(card.has("og:url")).toBeFalse();
  changeCommunitySettings(core, OPERATOR, { reading: "members" });
  expect((await cardOf(path)).get("og:description")).toBe("@root invites you to join The Hall.");
  // A page that asks a guest to sign in has no card.
  for (const closed of ["/", "/@ada", "/jobs", "/prompts", "/tags/rust", "/sign-in", `${path}x`]) {
    const { html } = await visit(site).open(closed);
    expect([
      closed,
      (await cardOf(closed)).has("og:title"),
      /<head>.*Quagmire.*<\/head>/s.test(html),
    ]).toEqual([closed, false, false]);
  }
});

test("security.txt, the manifest and the icons use the community's own name and contact", async () => {
  await using site = openSite();
  const { core, clock } = site;
  const guest = visit(site);
  const security = await guest.open("/.well-known/security.txt");
  expect(security.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(security.html).toContain(`Contact: ${core.origin}/about\n`);
  const [, end = ""] = /^Expires: (.+)$/m.exec(security.html) ?? [];
  expect(Date.parse(end) - clock.now()).toBeGreaterThan(170 * DAY);
  expect(Date.parse(end) - clock.now()).toBeLessThan(365 * DAY);
  changeCommunitySettings(core, OPERATOR, {
    name: "The Beekeepers of Kent",
    line: "Bees, and what they build",
    contact: "hall@bees.example",
  });
  expect((await guest.open("/.well-known/security.txt")).html).toContain(
    "Contact: mailto:hall@bees.example\n",
  );
  changeCommunitySettings(core, OPERATOR, { contact: "https://bees.example/contact" });
  expect((await guest.open("/.well-known/security.txt")).html).toContain(
    "Contact: https://bees.example/contact\n",
  );
  const page = await guest.open("/manifest.webmanifest");
  expect(page.headers.get("content-type")).toBe("application/manifest+json; charset=utf-8");
  const manifest = JSON.parse(page.html) as {
    name: string;
    short_name: string;
    id: string;
    theme_color: string;
    background_color: string;
    icons: { src: string; type: string; sizes: string }[];
  };
  expect([manifest.name, manifest.short_name]).toEqual(["The Beekeepers of Kent", "The Beekeepers of Kent"]);
  const { id, theme_color, background_color } = manifest;
  expect([id, theme_color, background_color]).toEqual(["/", DEFAULT_ACCENT, BACKGROUNDS.day.paper]);
  for (const { src, type, sizes } of manifest.icons) {
    const icon = await fetch(site.url + src);
    expect([src, icon.status, icon.headers.get("content-type")]).toEqual([src, 200, type]);
    if (type !== "image/png") continue;
    const { width, height } = await new Bun.Image(await icon.arrayBuffer()).metadata();
    expect(`${width}x${height}`).toBe(sizes);
  }
  expect((await fetch(`${site.url}/apple-touch-icon.png`)).status).toBe(200);
  setLogo(core, OPERATOR, { hash: "a".repeat(40), width: 600, height: 300 });
  const [logo] = (JSON.parse((await guest.open("/manifest.webmanifest")).html) as typeof manifest).icons;
  expect(logo).toEqual({ src: `/media/${"a".repeat(40)}-600.webp`, type: "image/webp", sizes: "600x300" });
  const picture = elementsOf((await guest.open("/")).html, "meta").find(
    ({ property }) => property === "og:image",
  );
  expect(picture?.["content"]).toBe(`${core.origin}/media/${"a".repeat(40)}-480.webp`);
  expect((await guest.open("/robots.txt")).html).toContain(`Sitemap: ${core.origin}/sitemap.xml\n`);
});

test("any origin may read a public feed, and none a members-only feed", async () => {
  await using site = openSite();
  await addSampleContent(site);
  const origin = "https://widget.example";
  const read = async (path: string, more: Record<string, string> = {}) => {
    const { status, headers } = await fetch(site.url + path, { headers: { origin, ...more } });
    return [
      status,
      headers.get("access-control-allow-origin"),
      headers.get("access-control-allow-credentials"),
      headers.get("etag") ?? "",
    ] as const;
  };
  const paths = ["/feed", "/tags/rust/feed", "/@ada/feed", "/jobs/feed"].flatMap((path) => [
    `${path}.atom`,
    `${path}.json`,
  ]);
  for (const path of paths) {
    const [status, allowed, credentials, etag] = await read(path);
    expect([path, status, allowed, credentials]).toEqual([path, 200, "*", null]);
    expect((await read(path, { "if-none-match": etag })).slice(0, 3)).toEqual([304, "*", null]);
  }
  changeCommunitySettings(site.core, OPERATOR, { reading: "members" });
  const cookie = [...signedInAs(site, "ada").cookies].map((pair) => pair.join("=")).join("; ");
  for (const path of paths) {
    expect([path, (await read(path))[1]]).toEqual([path, null]);
    expect([path, ...(await read(path, { cookie })).slice(0, 3)]).toEqual([path, 200, null, null]);
  }
});

test("in a members-only community only members get feeds, sitemaps and redirects of former usernames", async () => {
  await using site = openSite();
  await addSampleContent(site, "Quagmire");
  changeCommunitySettings(site.core, OPERATOR, { reading: "members" });
  const [stranger, ada] = [visit(site), signedInAs(site, "ada")];
  for (const path of [
    "/feed.atom",
    "/feed.json",
    "/tags/rust/feed.atom",
    "/@ada/feed.json",
    "/jobs/feed.atom",
    "/sitemap.xml",
    "/sitemaps/builders.xml",
  ]) {
    const page = await stranger.open(path);
    expect([path, page.html.includes("Quagmire"), page.html.includes("<loc>")]).toEqual([path, false, false]);
    const own = await ada.open(path);
    expect([path, own.status, own.headers.get("cache-control")]).toEqual([path, 200, "private, no-cache"]);
  }
  // The redirect of a former username is private too, so no shared cache stores it.
  renameAccount(site.core, OPERATOR, "ada", "lovelace");
  const moved = await ada.open("/@ada");
  expect([moved.location, moved.headers.get("cache-control")]).toEqual(["/@lovelace", "private, no-store"]);
  expect(moved.headers.get("x-request-id")).not.toBeNull();
  expect((await stranger.open("/@ada")).location).toBeNull();
});

test("/.well-known/change-password leads to the password form, and unknown well-known addresses are 404", async () => {
  await using site = openSite();
  for (const visitor of [visit(site), await signUpMember(site, "ada")]) {
    const { status, location } = await visitor.open("/.well-known/change-password");
    expect([status, location]).toEqual([303, "/settings/security#change-password"]);
    // The W3C draft “A Well-Known URL for Changing Passwords” requires this 404.
    const unknown = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200";
    expect((await visitor.open(unknown)).status).toBe(404);
  }
  const ada = visit(site);
  const form = await ada.open("/settings/security");
  const page = await ada.submit(form, "/sign-in", { username: "ada", password: PASSWORD });
  expect(page.html).toMatch(
    /<section class="part" id="change-password">(?:(?!<\/section>).)*name="password"/s,
  );
});
