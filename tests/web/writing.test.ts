// Tests docs/contract.md#4.17 and docs/contract.md#4.18 on pages.
import { expect, test } from "bun:test";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { callerOf } from "./sample-site.ts";
import { attributesOf, visibleText } from "./support.ts";
import { openSiteWithMembers, pathOf, postWithText, publishPost } from "./site-with-members.ts";

test("a conflicting edit shows both texts and saves on confirmation, and the history shows the changes", async () => {
  await using site = await openSiteWithMembers();
  const { ada, bob, guest } = site;
  const post = pathOf(await publishPost(ada, "I like small trees"));
  expect(visibleText((await guest.open(post)).html)).not.toContain("edited");
  const [one, two] = [await ada.open(`${post}/edit`), await ada.open(`${post}/edit`)];
  await ada.submit(one, `${post}/edit`, { text: "I like old trees", tags: "oak, C++" });
  const stale = await ada.submit(two, `${post}/edit`, { text: "I like <b>birds</b>" });
  expect(stale.status).toBe(409);
  expect(visibleText(stale.html)).toContain("This text has changed since you opened it");
  expect(stale.html).toContain("I like &lt;b&gt;birds&lt;/b&gt;</textarea>");
  expect(visibleText(stale.html)).toContain("old trees");
  const fields = Object.fromEntries(two.forms.find(({ action }) => action === `${post}/edit`)?.fields ?? []);
  const looked = await ada.post(`${post}/edit`, { ...fields, text: "I like *owls*", preview: "1" });
  expect([looked.status, looked.html.includes("<em>owls</em>")]).toEqual([200, true]);
  // A form refused for another reason keeps the version that was read.
  const blank = await ada.submit(two, `${post}/edit`, { text: " " });
  expect(blank.status).toBe(400);
  expect((await ada.submit(blank, `${post}/edit`, { text: "third" })).status).toBe(409);
  const saved = await ada.submit(stale, `${post}/edit`);
  expect(pathOf(saved)).toBe(post);
  expect(visibleText(saved.html)).toContain("I like <b>birds</b>");
  const history = await guest.open(`${post}/history`);
  expect(await attributesOf((await guest.open(post)).html, `a[href="${post}/history"]`, "href")).toHaveLength(
    1,
  );
  for (const mark of [
    "<del>small</del>",
    "<ins>old</ins>",
    "<ins>oak cpp</ins>",
    "<ins>&lt;b&gt;birds&lt;/b&gt;</ins>",
  ])
    expect(history.html).toContain(mark);
  expect((await ada.open(`${post}/edit`)).html).toContain(">Text<");
  for (const [who, status] of [
    [bob, 403],
    [guest, 200],
  ] as const) {
    const page = await who.open(`${post}/edit`);
    expect([page.status, page.html.includes(">Text<")]).toEqual([status, false]);
  }
});

test("a long history continues over pages without a gap, and compares each version with the previous one", async () => {
  await using fixture = await openSiteWithMembers();
  const { site, ada, guest } = fixture;
  const post = pathOf(await publishPost(ada, "0"));
  for (let i = 1; i <= 12; i++) {
    site.clock.pass(60 * 60_000);
    await ada.submit(await ada.open(`${post}/edit`), `${post}/edit`, { text: `${i}` });
  }
  const page = await guest.open(`${post}/history`);
  expect(page.html).toContain("<del>2</del><ins>3</ins>");
  const [more = ""] = await attributesOf(page.html, "a[rel=next]", "href");
  const rest = await guest.open(more);
  expect(rest.html).toContain("<del>1</del><ins>2</ins>");
  expect(rest.html).toContain("<del>0</del><ins>1</ins>");
  expect(visibleText(rest.html)).toContain("Published 12 hours ago");
});

test("a conversation is a tree of three levels and flat below, and a placeholder replaces a deleted reply", async () => {
  await using fixture = await openSiteWithMembers();
  const { site, ada, guest } = fixture;
  const post = pathOf(await publishPost(ada, "A loom"));
  const answer = async (to: string, text: string) =>
    postWithText(await ada.submit(await ada.open(to), `${to}/replies`, { text }), text);
  const one = await answer(post, "one");
  const two = await answer(one, "two");
  const three = await answer(two, "three");
  const four = await answer(three, "four");
  await answer(four, "five");
  await answer(post, "six");
  const idOf = (path: string) => path.split("/").at(-1) ?? "";
  const depths = async (path: string) => {
    const { html } = await guest.open(path);
    const found: [string, number][] = [];
    let depth = 0;
    for (const [tag] of html.matchAll(
      /<ol class="thread">|<\/ol>|<p>(?:one|two|three|four|five|six)<\/p>|class="gap"/g,
    )) {
      if (tag.startsWith("<ol")) depth++;
      else if (tag === "</ol>") depth--;
      else found.push([tag.startsWith("<p") ? tag.slice(3, -4) : "gap", depth]);
    }
    return found;
  };
  expect(await depths(post)).toEqual([
    ["one", 1],
    ["two", 2],
    ["three", 3],
    ["four", 3],
    ["five", 3],
    ["six", 1],
  ]);
  const html = (await guest.open(post)).html;
  expect(html).toContain(`In reply to <a href="#${idOf(three)}"><bdi>Ada</bdi></a>`);
  expect(html).toContain(`In reply to <a href="#${idOf(four)}"><bdi>Ada</bdi></a>`);
  // On a reply's own page, the answered post is on another page.
  const own = (await guest.open(two)).html;
  expect(own).toContain(`In reply to <a href="${one}"><bdi>Ada</bdi></a>`);
  const ask = await ada.open(`${two}/delete`);
  expect(visibleText(ask.html)).toContain("Replies by other members stay.");
  await ada.submit(ask, `${two}/delete`);
  expect(await depths(post)).toEqual([
    ["one", 1],
    ["gap", 1],
    ["three", 2],
    ["four", 3],
    ["five", 3],
    ["six", 1],
  ]);
  expect(site.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});

test("a reply redirects to itself in its conversation, also over several pages", async () => {
  await using fixture = await openSiteWithMembers();
  const { site, ada, bob } = fixture;
  const post = pathOf(await publishPost(ada, "A loom"));
  const rootId = post.split("/").at(-1) ?? "";
  const answer = async (to: string, text: string) => {
    const page = await bob.open(to);
    const form = page.forms.find(({ action }) => action === `${to}/replies`);
    const sent = await bob.post(`${to}/replies`, { ...Object.fromEntries(form?.fields ?? []), text });
    const { pathname, search, hash } = new URL(sent.location ?? "", site.core.origin);
    expect([sent.status, pathname]).toEqual([303, post]);
    return { hash, shown: await bob.open(pathname + search) };
  };
  const first = await answer(post, "the first");
  expect(first.shown.html).toContain(`<article class="post reply" id="${first.hash.slice(1)}"`);
  const ada2 = callerOf(site, ada);
  for (let i = 0; i < 45; i++) replyTo(site.core, ada2, rootId, { text: `number ${i}` });
  const last = await answer(`/posts/${first.hash.slice(1)}`, "the last");
  const content = visibleText(last.shown.html);
  expect(last.shown.html).toContain(`<article class="post reply" id="${last.hash.slice(1)}"`);
  expect(content).toMatch(/A loom.*In reply to Bob.*the last/);
  expect(content).toContain("number 26");
  expect(content).not.toContain("number 25");
  expect(last.shown.html).toContain(`<a href="${post}#replies">View the whole conversation</a>`);
});
