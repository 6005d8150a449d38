// Tests docs/contract.md#12.40: the report page for people without an account.
import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { suspendBuilder } from "../moderate.ts";
import { createMember } from "../support.ts";
import { addSampleContent } from "./sample-site.ts";
import { attributesOf, openSite, visit, visibleText } from "./support.ts";

test("a guest reports a public post; in a members-only community the page is the sign-in form", async () => {
  await using site = openSite();
  const { core } = site;
  await addSampleContent(site, "A sample text");
  const post = core.db.prepare<{ id: string }>("SELECT id FROM posts WHERE hidden_at IS NULL").get();
  const path = `/report/${post?.id}`;
  const guest = visit(site);
  const form = await guest.open(path);
  expect(visibleText(form.html)).toContain("A sample text");
  const sent = await guest.submit(form, path, { reason: "It breaks the law" });
  expect([sent.status, visibleText(sent.html).includes("Report sent")]).toEqual([200, true]);
  expect(core.db.prepare("SELECT reason FROM stranger_reports").all()).toEqual([
    { reason: "It breaks the law" },
  ]);
  expect((await guest.open("/report/post_01kafzq8e5f2r8v0j3n6s1t4wx")).status).toBe(404);
  changeCommunitySettings(core, OPERATOR, { reading: "members" });
  const page = await guest.open(path);
  expect(page.forms.some(({ action }) => action === "/sign-in")).toBe(true);
  expect(page.forms.some(({ action }) => action === path)).toBe(false);
});

test("a guest finds “Report” beside a post and its replies, and on a profile", async () => {
  await using site = openSite();
  const { core } = site;
  const ada = createMember(core, "ada").caller;
  const post = createPost(core, ada, { text: "A sample text" });
  const reply = replyTo(core, ada, post.id, { text: "One more thing" });
  const linksOn = async (path: string) =>
    await attributesOf((await visit(site).open(path)).html, "a[href^='/report/']", "href");
  expect(await linksOn(`/posts/${post.id}`)).toEqual([`/report/${post.id}`, `/report/${reply.id}`]);
  expect(await linksOn("/@ada")).toContain(`/report/${ada.builderId}`);
  // The lists of posts have no actions besides those of the figures.
  expect(await linksOn("/")).toEqual([]);
  // Nobody needs to report a member who is suspended.
  suspendBuilder(core, OPERATOR, "ada");
  expect(await linksOn("/@ada")).toEqual([]);
});

test("the sixth report of a day from an address gets the page of the limit, in three languages", async () => {
  await using site = openSite();
  const { core } = site;
  const ada = createMember(core, "ada").caller;
  const post = createPost(core, ada, { text: "A sample text" });
  const path = `/report/${post.id}`;
  const guest = visit(site);
  for (let n = 0; n < 5; n++) {
    const { id } = createPost(core, ada, { text: `Another text ${n}` });
    const at = `/report/${id}`;
    expect((await guest.submit(await guest.open(at), at, { reason: "Illegal" })).status).toBe(200);
  }
  for (const [language, words] of [
    ["en", "Too many reports came from your network within a day."],
    ["de", "Aus deinem Netz kamen in den letzten 24 Stunden zu viele Meldungen."],
    ["es", "Desde tu red llegaron demasiadas denuncias en un día."],
  ] as const) {
    const { forms } = await guest.open(path);
    const { fields = [] } = forms.find(({ action }) => action === path) ?? {};
    const typed = { ...Object.fromEntries(fields), reason: "It breaks the law" };
    const page = await guest.post(path, typed, { "accept-language": language });
    expect([language, page.status]).toEqual([language, 429]);
    expect(visibleText(page.html)).toContain(words);
    // The typed text stays.
    expect(page.html).toContain("It breaks the law");
  }
});
