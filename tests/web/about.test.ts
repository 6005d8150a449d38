// Tests docs/contract.md#12.25: the page about the community.
import { expect, test } from "bun:test";
import { putCommunitySettings } from "../../src/core/identity/community-settings/community-settings.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { attributesOf, openSite, signUpMember, visit, visibleText } from "./support.ts";

const SAID = {
  name: "The Weavers",
  line: "Cloth, and what it is made by",
  welcome: "Come *in*.",
  rules: "## First\n\n1. Be kind",
  contact: "hello@weavers.example",
} as const;

test("the About page shows the description, rules, ways to join, contact and team; every page links to it, and sign-up shows the rules", async () => {
  await using site = openSite({ signup: "open" });
  const { core } = site;
  await signUpMember(site, "root", { role: "owner" });
  const ada = await signUpMember(site, "ada");
  const guest = visit(site);
  expect((await guest.open("/sign-up")).html).not.toContain("Be kind");
  changeCommunitySettings(core, OPERATOR, SAID);
  const { status, html } = await guest.open("/about");
  const text = visibleText(html);
  expect(status).toBe(200);
  for (const part of [
    SAID.name,
    SAID.line,
    "Come in",
    "Be kind",
    SAID.contact,
    "Root @root · Owner",
    "2 members",
  ])
    expect(text).toContain(part);
  expect(text).not.toContain("@ada");
  expect(await attributesOf(html, "section", "id")).toContain("rules");
  expect(await attributesOf(html, `main a[href^="mailto:"]`, "href")).toEqual([
    "mailto:hello@weavers.example",
  ]);
  expect(await attributesOf((await guest.open("/jobs")).html, ".foot a", "href")).toContain("/about");
  expect((await guest.open("/sign-up")).html).toContain("Be kind");
  expect(visibleText((await guest.open("/sign-in")).html)).toContain(SAID.line);

  const ways: Record<string, string> = {};
  for (const joining of ["open", "approval", "invite", "closed"] as const) {
    changeCommunitySettings(core, OPERATOR, { joining });
    ways[joining] = visibleText((await guest.open("/about")).html).match(/How to join (.*?) Team/)?.[1] ?? "";
  }
  expect(new Set(Object.values(ways)).size).toBe(4);
  expect(ways["closed"]).toBe("Nobody can join at the moment.");
  expect(visibleText((await ada.open("/about")).html)).not.toContain("How to join");
});

test("the About page of a members-only community hides names and counts from guests and shows them to members", async () => {
  await using site = openSite();
  const root = await signUpMember(site, "root", { role: "admin" });
  changeCommunitySettings(site.core, OPERATOR, { ...SAID, reading: "members", joining: "invite" });
  const text = visibleText((await visit(site).open("/about")).html);
  for (const part of [SAID.name, SAID.line, "Come in", "Be kind", "This community is invite-only"])
    expect(text).toContain(part);
  expect(text).not.toMatch(/root|\d+ members?|\d+ posts?/i);
  expect(visibleText((await root.open("/about")).html)).toMatch(/1 member .*@root/);
});

test("with the front setting guests see the About page at /, even in a members-only community; members see the feed", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const front = async () => visibleText((await visit(site).open("/")).html);
  expect(await front()).not.toContain("How to join");
  changeCommunitySettings(site.core, OPERATOR, { front: "about" });
  expect(await front()).toContain("How to join");
  expect(visibleText((await ada.open("/")).html)).not.toContain("How to join");
  changeCommunitySettings(site.core, OPERATOR, { reading: "members" });
  expect(await front()).toContain("How to join");
});

test("the number of members is counted again after ten minutes", async () => {
  await using site = openSite();
  await signUpMember(site, "ada");
  const figures = async () => visibleText((await visit(site).open("/about")).html).match(/\d+ members?/)?.[0];
  expect(await figures()).toBe("1 member");
  await signUpMember(site, "bob");
  expect(await figures()).toBe("1 member");
  site.clock.pass(10 * MINUTE);
  expect(await figures()).toBe("2 members");
});

test("community settings never become markup, in any field", async () => {
  await using site = openSite({ signup: "open" });
  const hostile = `"><img src=x onerror=alert(1)><script>alert(1)</script>`;
  changeCommunitySettings(site.core, OPERATOR, {
    name: hostile.slice(0, 40),
    line: hostile,
    welcome: `${hostile}\n\n[x](javascript:alert(1))`,
    rules: hostile,
  });
  // The server refuses this contact today, but an older version or an import may have stored it.
  putCommunitySettings(site.core, { contact: `https://x.example/"><script>alert(1)</script>` });
  for (const path of ["/about", "/", "/sign-in", "/sign-up"]) {
    const { html } = await visit(site).open(path);
    const created = [
      ...(await attributesOf(html, "img", "src")),
      ...(await attributesOf(html, "a", "href")).filter(
        (href) => !/^(?:\/|#|https:\/\/x\.example\/)/.test(href),
      ),
      ...(await attributesOf(html, "script:not([src])", "src")),
      ...(await attributesOf(html, "[onerror]", "onerror")),
    ];
    expect([path, created]).toEqual([path, []]);
  }
});
