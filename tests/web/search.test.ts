import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { createMember } from "../support.ts";
import { openSite, signedInAs, visit, createAccountOf } from "./support.ts";

/** docs/contract.md#4.19 */

test("every page searches all content that the visitor may read, and only members find builders", async () => {
  await using site = openSite();
  await createAccountOf(site, "lantern-ada");
  const { caller } = createMember(site.core, "bo");
  const { id } = createPost(site.core, caller, { text: "A lantern of 1 < 2 & more" });
  const reply = replyTo(site.core, caller, id, { text: "Another lantern" });
  for (let i = 0; i < 25; i++) createPost(site.core, caller, { text: `lantern ${i}` });
  const guest = visit(site);
  const home = await guest.open("/");
  expect(home.forms.some(({ action, method }) => action === "/search" && method === "get")).toBe(true);
  const found = await guest.open("/search?q=lantern");
  expect(found.html).toContain("<mark>lantern</mark>");
  expect(found.html.match(/class="row-title"/g)).toHaveLength(3);
  expect(found.html).not.toContain("kind=builder");
  const first = await guest.open(`/search?${new URLSearchParams({ q: "lantern", kind: "post" })}`);
  const next = /href="(\/search\?[^"]*cursor=[^"]*)"/.exec(first.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const second = await guest.open(next);
  expect(second.html.match(/class="row-title"/g)).toHaveLength(7);
  expect(second.html).toContain("<mark>lantern</mark> of 1 &lt; 2 &amp; more");
  expect(second.html).toContain(`href="/posts/${reply.id}"`);
  expect((await guest.open("/search?q=lantern&kind=builder")).status).toBe(403);
  const { html } = await signedInAs(site, "lantern-ada").open("/search?q=lant");
  expect(html).toContain("@<mark>lantern</mark>-ada");
  const title = await guest.open("/search?q=lantern+1&kind=post");
  expect(title.html).toContain("<bdi>A <mark>lantern</mark> of <mark>1</mark> &lt; 2 &amp; more</bdi>");
  const hostile = `"><script>alert(1)</script>`;
  const echoed = await guest.open(`/search?${new URLSearchParams({ q: hostile, kind: "nothing" })}`);
  expect([echoed.status, echoed.html.includes(hostile)]).toEqual([200, false]);
  for (const q of ["a".repeat(2000), "a%00b", "%22a%00b%22", "tag:%00"])
    for (const path of ["/search", "/prompts", "/jobs"])
      expect([path, q, (await guest.open(`${path}?q=${q}`)).status]).toEqual([path, q, 200]);
});
