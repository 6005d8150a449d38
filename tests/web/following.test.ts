// Tests docs/contract.md#4.20 on pages.
import { expect, test } from "bun:test";
import { MINUTE } from "../../src/core/base/clock.ts";
import { visibleText } from "./support.ts";
import { openSiteWithMembers, pathOf, publishPost } from "./site-with-members.ts";

test("buttons follow builders and tags and bookmark posts; followed posts have a feed and follows a list", async () => {
  await using site = await openSiteWithMembers();
  const { ada, bob, guest } = site;
  const post = await bob.submit(await bob.open("/"), "/posts", { text: "A loom", tags: "weaving" });
  const read = async (path: string) => visibleText((await ada.open(path)).html);
  expect(await read("/following")).toContain("No posts from your follows yet");
  const profile = await ada.submit(await ada.open("/@bob"), "/@bob/follow");
  expect([profile.address, profile.forms.some(({ action }) => action === "/@bob/unfollow")]).toEqual([
    "/@bob",
    true,
  ]);
  expect(await read("/following")).toContain("A loom");
  await ada.submit(await ada.open("/settings/following"), "/@bob/unfollow");
  expect(await read("/following")).not.toContain("A loom");
  await ada.submit(await ada.open("/?tag=Weaving"), "/tags/weaving/follow");
  expect(await read("/following")).toContain("A loom");
  const list = await ada.open("/settings/following");
  expect(visibleText(list.html)).toContain("#weaving");
  await ada.submit(list, "/tags/weaving/unfollow");
  expect(await read("/settings/following")).toContain("You are not following any tags yet.");

  const id = pathOf(post).split("/").at(-1);
  const kept = await ada.submit(await ada.open("/"), `/posts/${id}/bookmark`);
  expect(kept.html).toContain(`action="/posts/${id}/unbookmark"`);
  expect(await read("/bookmarks")).toContain("A loom");
  await ada.submit(await ada.open("/bookmarks"), `/posts/${id}/unbookmark`);
  expect(await read("/bookmarks")).toContain("No bookmarks yet");
  for (const path of ["/", "/@bob", "/?tag=weaving", pathOf(post)]) {
    const { forms } = await guest.open(path);
    expect(forms.filter(({ method }) => method === "post").map(({ action }) => action)).toEqual([
      "/language",
    ]);
  }
});

test("a line marks posts since the last visit; prefetches and scripts do not count as visits", async () => {
  await using fixture = await openSiteWithMembers();
  const { site, ada, bob } = fixture;
  const LINE = "The posts above are new since your last visit";
  const looks = async (init?: RequestInit, path = "/") =>
    visibleText((await ada.open(path, init)).html).split(LINE);
  await publishPost(bob, "first");
  expect(await looks()).toHaveLength(1);
  site.clock.pass(20 * MINUTE);
  await publishPost(bob, "second");
  // The first visit shows no line between old and new posts, because no earlier visit exists.
  expect(await looks()).toHaveLength(1);
  site.clock.pass(31 * MINUTE);
  await publishPost(bob, "third");
  const later = async (init?: RequestInit) => {
    const [above = "", below] = await looks(init);
    return [above.includes("third"), above.includes("second"), below?.includes("second")];
  };
  for (let i = 0; i < 3; i++) {
    expect(await later({ headers: { "sec-purpose": "prefetch" } })).toEqual([true, false, true]);
    site.clock.pass(40 * MINUTE);
  }
  expect(await later({ headers: { "sec-fetch-dest": "empty" } })).toEqual([true, false, true]);
  site.clock.pass(40 * MINUTE);
  // The line is shown during the whole visit. The visit is stored at most once in five minutes.
  expect(await later()).toEqual([true, false, true]);
  const row = () => site.core.db.prepare("SELECT * FROM feed_visits").all();
  const written = row();
  site.clock.pass(3 * MINUTE);
  expect([await later(), row()]).toEqual([[true, false, true], written]);
  for (let i = 0; i < 3; i++) {
    site.clock.pass(25 * MINUTE);
    expect(await later()).toEqual([true, false, true]);
  }
  expect(await looks(undefined, "/?tag=none")).toHaveLength(1);
  site.clock.pass(31 * MINUTE);
  expect(await looks()).toHaveLength(1);
});
