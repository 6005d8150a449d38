// Tests docs/contract.md#12.41: the legal pages, the footer and the contact.
import { readFileSync } from "node:fs";
import { Glob } from "bun";
import { expect, test } from "bun:test";
import { DAY } from "../../src/core/base/clock.ts";
import { LANGUAGES } from "../../src/core/base/locales.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { communitySettingsOf } from "../../src/core/identity/community-settings/community-settings.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { DOCS_PAGES } from "../../src/rest/docs/frame.tsx";
import { PAGES } from "../../src/web/pages/index.ts";
import { addSampleContent } from "./sample-site.ts";
import { messagesOf } from "../../src/locale/messages.ts";
import { DRAFTS_RETENTION_MS, legalTemplate } from "../../src/web/pages/community/legal-templates.ts";
import { COOKIE_SECONDS, cookieJar } from "../../src/web/request/cookies.ts";
import { createTestWorld } from "../support.ts";
import { attributesOf, openSite, signUpMember, visit, visibleText } from "./support.ts";

/** Constants of src/core that name how long data is kept, and why the privacy page leaves some out. */
const RETENTIONS: Readonly<Record<string, "on the page" | (string & {})>> = {
  ANSWERS_RETENTION_MS: "on the page",
  APPLICATION_LIFETIME_MS: "on the page",
  AUDIT_RETENTION_MS: "on the page, through auditRetentionMs",
  COPIES_RETENTION_MS: "on the page",
  DELIVERIES_RETENTION_MS: "on the page",
  HOLDS_RETENTION_MS: "on the page",
  LINKS_RETENTION_MS: "on the page",
  MARKS_RETENTION_MS: "on the page",
  NOTIFICATIONS_RETENTION_MS: "on the page",
  RETENTION_DAYS: "on the page",
  SIGN_UPS_RETENTION_MS: "on the page",
  TEXTS_RETENTION_MS: "on the page",
  CLAIM_LIFETIME_MS: "a link: LINKS_RETENTION_MS says how long links are kept",
  EXPIRED_RETENTION_MS: "an hour after the end of an authorization of an app",
  LIFETIME_MS: "how long a link, an invitation or a job is valid",
  HOLDER_IS_KEPT: "a condition of a query",
  POST_IS_KEPT: "a condition of a query",
  RECOVERY_LIFETIME_MS: "a link: LINKS_RETENTION_MS says how long links are kept",
  RETENTION_WEEKS: "counts without names, kept less long than the daily counts",
  RETIRED_RETENTION_MS: "keys of the server, not of people",
  REVOKED_RETENTION_MS: "a connection to an app, which its member sees in their settings",
  SETUP_LIFETIME_MS: "the link that sets up the community",
  TAKEOVERS_KEPT: "names of nodes, not of people",
  TOKEN_LIFETIMES_DAYS: "how long a token is valid, which its member chooses",
  USED_LIFETIME_MS: "how long a used link still opens its page",
};

test("the privacy page names every retention of the program", async () => {
  const found = new Set<string>();
  for (const file of new Glob("src/core/**/*.ts").scanSync("."))
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(
      /^(?:export )?const (\w*(?:RETENTION|LIFETIME|KEPT|KEEP)\w*)\b/gm,
    ))
      found.add(name);
  expect([...found].sort()).toEqual(Object.keys(RETENTIONS).sort());
  const source = readFileSync("src/web/pages/community/legal-templates.ts", "utf8");
  for (const [name, where] of Object.entries(RETENTIONS))
    if (where === "on the page") expect([name, source.includes(name)]).toEqual([name, true]);
  expect(readFileSync("src/web/assets/scripts/drafts.js", "utf8")).toContain(
    `const KEPT_MS = ${DRAFTS_RETENTION_MS / DAY} * 86_400_000;`,
  );
});

test("the template of the privacy policy follows the operator's settings", () => {
  const policy = {
    signup: "open" as const,
    retentionAuditMs: 91 * DAY,
    retentionSessionsMs: 9 * DAY,
    retentionNotificationsMs: 17 * DAY,
    retentionMs: 23 * DAY,
    mailFrom: "guild@example.org",
    smtpUrl: "smtps://guild:hush@mail.example:465",
    backup: "s3://vault/guild",
    s3Endpoint: "https://store.example",
    backupKeep: { hourly: 0, daily: 3, weekly: 5, monthly: 0 },
    replica: "s3://copy/guild?endpoint=https://copies.example&region=x",
    logAddress: "whole" as const,
    peers: ["https://two.example", "https://three.example"],
  };
  using world = createTestWorld({ policy });
  using bare = createTestWorld();
  const text = legalTemplate(world.core, "privacy", "en");
  for (const part of [
    "network addresses: 91 days",
    "after 9 days without use",
    "Notifications: 17 days",
    "webhooks: 23 days",
    "`mail.example` receives",
    "deleted data for up to 35 days",
    "storage `vault` (`store.example`)",
    "storage `copy` (`copies.example`)",
    "log has the full network address",
    "copy of the database: `two.example`, `three.example`",
    "`__Host-guildhall-version`: ",
  ])
    expect(text).toContain(part);
  expect(text).not.toContain("hush");
  const plain = legalTemplate(bare.core, "privacy", "en");
  for (const part of [
    "sends no emails",
    "no scheduled backups",
    "network addresses: 1 year",
    "only the network",
  ])
    expect(plain).toContain(part);
  for (const part of ["object storage", "copy of the database", "guildhall-version"])
    expect(plain).not.toContain(part);
});

test("the terms name the brakes that are on, in every language", () => {
  using world = createTestWorld();
  const { core } = world;
  const named = LANGUAGES.map((language) => messagesOf(language).legal.terms.held);
  const all = () => LANGUAGES.map((language) => legalTemplate(core, "terms", language));
  changeCommunitySettings(core, OPERATOR, { heldWords: "casino", equalTexts: 7, reportsToHide: 9 });
  for (const [i, text] of all().entries()) {
    const { links, hosts, words, equal, reports } = named[i] as (typeof named)[number];
    for (const part of [links, hosts, words, equal({ count: 7 }), reports({ count: 9 })])
      expect(text).toContain(part);
  }
  const off = { holdNewcomerLinks: false, heldWords: "", equalTexts: 0, reportsToHide: 0 };
  changeCommunitySettings(core, OPERATOR, off);
  for (const [i, text] of all().entries()) {
    const { links, hosts, words, equal, reports } = named[i] as (typeof named)[number];
    expect(text).toContain(hosts);
    for (const part of [links, words, equal({ count: 0 }), reports({ count: 0 })])
      expect(text).not.toContain(part);
  }
});

test("the privacy page lists every cookie with its lifetime, in every language", () => {
  using world = createTestWorld();
  const { core } = world;
  const jar = cookieJar(core.origin);
  for (const language of LANGUAGES) {
    const text = legalTemplate(core, "privacy", language);
    const { retention } = messagesOf(language).formats;
    for (const name of Object.keys(COOKIE_SECONDS) as (keyof typeof COOKIE_SECONDS)[])
      expect(text).toContain(`\`${jar[name]}\``);
    expect(text).toContain(`(${retention(COOKIE_SECONDS.session * 1000)})`);
    expect(text).toContain("guildhall-oauth");
  }
});

test("legal pages show the template until the admins write a text; guests of a members-only community read them", async () => {
  await using site = openSite();
  const { core } = site;
  changeCommunitySettings(core, OPERATOR, { reading: "members", name: "A*b* [c](https://evil.example)" });
  const guest = visit(site);
  const privacy = await guest.open("/privacy");
  expect(privacy.status).toBe(200);
  expect(visibleText(privacy.html)).toContain("made from the settings of this server");
  expect(visibleText(privacy.html)).toContain("A*b* [c](https://evil.example)");
  expect(visibleText((await guest.open("/terms")).html)).toContain("show it to its members");
  changeCommunitySettings(core, OPERATOR, { privacy: "## Our own\n\n<b>text</b>", terms: "Our terms" });
  const own = await guest.open("/privacy");
  expect(visibleText(own.html)).toContain("Our own");
  expect(own.html).not.toContain("<b>text</b>");
  expect(visibleText(own.html)).not.toContain("made from the settings");
  expect(visibleText((await guest.open("/terms")).html)).toContain("Our terms");
});

test("the imprint is linked once it is written; before, the page shows the contact or does not exist", async () => {
  await using site = openSite();
  const { core } = site;
  const guest = visit(site);
  const linked = async () =>
    (await attributesOf((await guest.open("/about")).html, ".foot a", "href")).includes("/imprint");
  expect([(await guest.open("/imprint")).status, await linked()]).toEqual([404, false]);
  changeCommunitySettings(core, OPERATOR, { contact: "hello@guild.example" });
  const page = await guest.open("/imprint");
  expect([page.status, await linked()]).toEqual([200, false]);
  expect(visibleText(page.html)).toContain("hello@guild.example");
  changeCommunitySettings(core, OPERATOR, { imprint: "Ada, 1 Main Street" });
  expect(visibleText((await guest.open("/imprint")).html)).toContain("1 Main Street");
  expect(await linked()).toBe(true);
});

test("the footer shows up to five links of the community, and the setting accepts nothing else", async () => {
  await using site = openSite();
  const { core } = site;
  const links = "Our chat https://chat.example/@guild\nWiki https://wiki.example";
  changeCommunitySettings(core, OPERATOR, { links });
  const { html } = await visit(site).open("/sign-in");
  expect(await attributesOf(html, '.foot a[rel="noopener nofollow"]', "href")).toEqual([
    "https://chat.example/@guild",
    "https://wiki.example",
  ]);
  expect(visibleText(html)).toContain("Our chat");
  for (const wrong of [
    "http://plain.example",
    "Plain http://plain.example",
    "https://alone.example",
    "Chat javascript:alert(1)",
    "Chat https://user@evil.example/",
    "Chat https://chat.example\u202e",
    "Chat https://a.example https://b.example x",
    `${"x".repeat(41)} https://chat.example`,
    Array.from({ length: 6 }, (_, i) => `Link https://link${i}.example`).join("\n"),
  ])
    expect(() => changeCommunitySettings(core, OPERATOR, { links: wrong })).toThrow();
  expect(communitySettingsOf(core).links).toBe(links);
});

test("an admin starts from a template in the community's language, and saves what they change", async () => {
  await using site = openSite();
  const { core } = site;
  changeCommunitySettings(core, OPERATOR, { language: "de" });
  const root = await signUpMember(site, "root", { role: "admin" });
  const page = await root.open("/admin/community");
  expect(await attributesOf(page.html, "a[href*=template]", "href")).toEqual([
    "/admin/community?template=privacy#legal",
    "/admin/community?template=terms#legal",
  ]);
  const filled = await root.open("/admin/community?template=privacy");
  expect(filled.html).toContain("Wer Daten erhält");
  expect(communitySettingsOf(core).privacy).toBe("");
  await root.submit(filled, "/admin/community/legal", { terms: "Be fair." });
  expect(communitySettingsOf(core)).toMatchObject({
    privacy: legalTemplate(core, "privacy", "de"),
    terms: "Be fair.",
    imprint: "",
  });
});

test("every page and error page for visitors shows the contact", async () => {
  await using site = openSite({ signup: "open", env: { GUILDHALL_GRAPHQL_INTROSPECTION: "on" } });
  const { core } = site;
  const { pathOf } = await addSampleContent(site, "A sample text");
  changeCommunitySettings(core, OPERATOR, { contact: "help@guild.example" });
  const paths = [
    ...PAGES.filter(({ method }) => method === "GET").map(pathOf),
    ...DOCS_PAGES.map(({ path }) => path),
    "/nothing-here",
    "/posts/post_01kafzq8e5f2r8v0j3n6s1t4wx",
    "/v1/oauth/authorize",
  ];
  let count = 0;
  for (const reading of ["everybody", "members"] as const) {
    changeCommunitySettings(core, OPERATOR, { reading });
    const guest = visit(site);
    for (const path of paths) {
      const { html, headers, location } = await guest.open(path);
      if (location !== null || !headers.get("content-type")?.startsWith("text/html")) continue;
      count++;
      expect([reading, path, html.includes("mailto:help@guild.example")]).toEqual([reading, path, true]);
    }
  }
  expect(count).toBeGreaterThan(150);
});
