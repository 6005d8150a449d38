// Tests docs/contract.md#4.20.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { continueDeletion, deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { hide, restore, restoreBuilder, suspendBuilder } from "../moderate.ts";
import { bookmarkPost, listBookmarks, unbookmarkPost } from "../../src/core/community/feed/bookmarks.ts";
import { createPost, type FeedFilter, listFeed } from "../../src/core/community/feed/feed.ts";
import { deletePost, dropRemovedPosts } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import {
  followBuilder,
  followedAmong,
  FOLLOWED_MAX,
  followTag,
  listFollowedTags,
  listFollowing,
  unfollowBuilder,
  unfollowTag,
} from "../../src/core/community/following/following.ts";
import { block, unblock } from "../../src/core/community/messages/blocks.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { setMessageSettings } from "../../src/core/community/messages/message-settings.ts";
import { getProfile } from "../../src/core/community/profiles/profiles.ts";
import { DAY, MINUTE } from "../../src/core/base/clock.ts";
import type { Page, PageRequest } from "../../src/core/base/page.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { sized } from "../drill.ts";
import { createTestWorld, createMember, openTestServer } from "../support.ts";
import { call } from "./client.ts";
import { publishPosts } from "./rows.ts";

test("following a builder or a tag is idempotent and adds their posts to the list; each refusal gives its reason", async () => {
  await using server = openTestServer();
  const { core } = server;
  const [ada, bo, cy] = ["ada", "bo", "cy"].map((name) => createMember(core, name));
  if (!ada || !bo || !cy) throw new Error("a member is missing");
  const ask = (request: string, token = ada.token) => call(server, token, request);
  const status = async (request: string, token = ada.token) => (await ask(request, token)).status;
  const [hers, his, tagged, other] = [
    ...publishPosts(server, ada.caller, { text: "mine", tags: ["rust"] }),
    ...publishPosts(server, bo.caller, "his"),
    ...publishPosts(
      server,
      cy.caller,
      { text: "tagged", tags: ["rust", "go"] },
      { text: "other", tags: ["zig"] },
    ),
  ];
  const read = async (query = "") =>
    (await ask(`GET /feed?following=true${query}`)).body.data.map(({ id }: { id: string }) => id);
  expect(await read()).toEqual([]);
  for (const followers of [1, 1])
    expect((await ask("PUT /profiles/BO/follow")).body).toEqual({ following: true, followers });
  expect((await ask("PUT /tags/rust/follow")).body).toEqual({ following: true });
  expect(await read()).toEqual([tagged, his]);
  expect(await read("&limit=1")).toEqual([tagged]);
  expect([await read("&tag=go"), await read("&tag=zig"), await read("&tag=rust")]).toEqual([
    [tagged],
    [],
    [tagged],
  ]);
  expect([await read("&author=CY"), await read("&author=bo"), await read("&author=ada")]).toEqual([
    [tagged],
    [his],
    [],
  ]);
  expect((await ask("GET /feed?following=false")).body.data).toHaveLength(4);
  expect((await ask("GET /profiles/me/following")).body.data.map(({ username }: any) => username)).toEqual([
    "bo",
  ]);
  expect((await ask("GET /profiles/me/followed-tags")).body.data.map(({ tag }: any) => tag)).toEqual([
    "rust",
  ]);
  // A cursor is bound to the member's own list.
  const { next } = (await ask("GET /feed?following=true&limit=1")).body;
  expect(await status(`GET /feed?following=true&cursor=${next}`)).toBe(200);
  expect(await status(`GET /feed?cursor=${next}`)).toBe(400);
  expect(await status(`GET /feed?following=true&cursor=${next}`, bo.token)).toBe(400);
  expect(await status("GET /feed?following=perhaps")).toBe(400);

  expect([hers, other].every((id) => id !== undefined)).toBe(true);
  expect(await status("PUT /profiles/ada/follow")).toBe(422);
  expect(await status("PUT /profiles/nobody/follow")).toBe(404);
  for (const word of ["Rust", "a%20b", "-", "x".repeat(51)])
    expect(await status(`PUT /tags/${word}/follow`)).toBe(404);
  block(core, cy.caller, "ada");
  const { status: refused, body } = await ask("PUT /profiles/cy/follow");
  expect([refused, body.code]).toEqual([403, "follow_unwanted"]);
  unblock(core, cy.caller, "ada");
  block(core, ada.caller, "cy");
  expect((await ask("PUT /profiles/cy/follow")).body.code).toBe("follow_blocked");
  suspendBuilder(core, OPERATOR, "bo");
  expect((await ask("PUT /profiles/bo/follow")).body.code).toBe("follow_unwanted");
  expect([await read(), (await ask("GET /profiles/me/following")).body.data]).toEqual([[tagged], []]);
  restoreBuilder(core, OPERATOR, "bo");
  expect((await ask("DELETE /profiles/bo/follow")).body).toEqual({ following: false, followers: 0 });
  expect((await ask("DELETE /tags/rust/follow")).body).toEqual({ following: false });
  expect(await read()).toEqual([]);

  // Hidden posts are not listed. A reply under a hidden post is not listed either.
  const reply = replyTo(core, bo.caller, hers ?? "", { text: "a reply" }).id;
  for (const id of [reply, his, tagged]) {
    server.clock.pass(MINUTE);
    expect(await status(`PUT /feed/${id}/bookmark`)).toBe(200);
  }
  const kept = async () => (await ask("GET /bookmarks?limit=1")).body;
  const { next: second } = await kept();
  expect((await ask(`GET /bookmarks?limit=2&cursor=${second}`)).body.data).toHaveLength(2);
  hide(core, OPERATOR, hers ?? "");
  hide(core, OPERATOR, his ?? "");
  expect((await ask("GET /bookmarks")).body.data.map(({ id }: any) => id)).toEqual([tagged]);
  restore(core, OPERATOR, hers ?? "");
  expect((await ask("GET /bookmarks")).body.data.map(({ id }: any) => id)).toEqual([tagged, reply]);
  expect((await ask(`DELETE /feed/${his}/bookmark`)).body).toEqual({ bookmarked: false });
  expect(await status(`DELETE /feed/${his}/bookmark`)).toBe(404);
});

test("a member follows at most 200 tags and 1,000 builders, and followed builders count as contacts", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const bo = createMember(core, "bo").caller;
  for (let i = 0; i < FOLLOWED_MAX.tags; i++) followTag(core, caller, `tag-${i}`);
  followTag(core, caller, "tag-0");
  expect(() => followTag(core, caller, "one-more")).toThrow("200 tags");
  core.db
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${FOLLOWED_MAX.builders})
       INSERT INTO builders (id, username, name, created_at) SELECT printf('builder_%026d', i), 'n' || i, 'N', 0 FROM n`,
    )
    .run();
  core.db
    .prepare("INSERT INTO follows SELECT ?, id, 0 FROM builders WHERE username GLOB 'n[0-9]*'")
    .run(caller.builderId);
  expect(() => followBuilder(core, caller, "bo")).toThrow("1,000 members");
  unfollowBuilder(core, bo, "ada");
  setMessageSettings(core, bo, { from: "contacts" });
  expect(() => sendMessage(core, caller, { to: "bo", text: "hi" })).toThrow("does not accept");
  followBuilder(core, bo, "ada");
  expect(sendMessage(core, caller, { to: "bo", text: "hi" }).text).toBe("hi");
});

test("a page merged from many sources ends when it is full, and the next page continues there", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const authors = Array.from({ length: 7 }, (_, i) => createMember(core, `author-${i}`).caller);
  for (const { username } of authors) followBuilder(core, caller, username);
  for (const tag of ["rust", "go"]) followTag(core, caller, tag);
  const ids = authors.flatMap((author, i) =>
    publishPosts(world, author, ...(i < 3 ? ["x"] : ["one", { text: "two", tags: ["rust", "go"] }])),
  );
  const list = (request: PageRequest) => listFeed(core, caller, { following: true }, request);
  expect(walk(list).map(({ id }) => id)).toEqual(ids.toReversed());
  expect(walk(list, true).map(({ id }) => id)).toEqual(ids);
});

test("a follow notifies the followed builder at most once a day; an unfollow removes the notification", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ada = createMember(core, "ada").caller;
  const bo = createMember(core, "bo").caller;
  const notified = () =>
    core.db
      .prepare<{ n: number }>(
        "SELECT count(*) AS n FROM notifications WHERE kind = 'follow' AND builder_id = ?",
      )
      .get(bo.builderId)?.n;
  followBuilder(core, ada, "bo");
  expect(notified()).toBe(1);
  for (let i = 0; i < 20; i++) {
    unfollowBuilder(core, ada, "bo");
    expect(notified()).toBe(0);
    followBuilder(core, ada, "bo");
  }
  expect(notified()).toBe(0);
  clock.pass(DAY);
  unfollowBuilder(core, ada, "bo");
  followBuilder(core, ada, "bo");
  expect(notified()).toBe(1);
  block(core, bo, "ada");
  expect(notified()).toBe(0);
});

const NAMES = ["ada", "bo", "cy", "dee"] as const;
const TAGS = ["rust", "go", "zig"] as const;
const name = fc.constantFrom(...NAMES);
const tag = fc.constantFrom(...TAGS);
const nth = fc.nat(11);
const act = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant("post"), name, fc.uniqueArray(tag)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("reply"), name, nth) },
  { weight: 4, arbitrary: fc.tuple(fc.constant("follow"), name, name) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("unfollow"), name, name) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom("followTag", "unfollowTag"), name, tag) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom("keep", "keep", "drop"), name, nth) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom("block", "unblock"), name, name) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom("suspend", "restore"), fc.constantFrom("ada", "bo")) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom("hide", "hide", "show", "delete"), nth) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("leave"), fc.constant("dee")) },
) as fc.Arbitrary<readonly [string, ...any[]]>;

interface Written {
  id: string;
  author: string;
  tags: readonly string[];
  parent?: Written | undefined;
  hidden: boolean;
}

test("follows, the feed of followed builders and bookmarks agree with a plain model after any operations", () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 30, maxLength: 70 }), (actions) => {
      using world = createTestWorld();
      const { core, clock } = world;
      const callers = new Map(NAMES.map((item) => [item as string, createMember(core, item).caller]));
      const as = (username: string) => callers.get(username) as Caller;
      let posts: Written[] = [];
      /** Entries such as “follower followed”, oldest first. */
      let follows: string[] = [];
      let tags: string[] = [];
      let kept: { who: string; post: Written }[] = [];
      const blocks = new Set<string>();
      const suspended = new Set<string>();
      const gone = new Set<string>();
      const isVisible = (post: Written): boolean => !post.hidden && !(post.parent?.hidden ?? false);
      const drop = (isGone: (post: Written) => boolean) => {
        posts = posts.filter((post) => !isGone(post));
        kept = kept.filter(({ post }) => !isGone(post));
      };
      for (const [what, ...given] of actions) {
        clock.pass(MINUTE);
        const [who, whom] = given as string[];
        const post = posts[(given.at(-1) as number) % Math.max(1, posts.length)];
        const pair = `${who} ${whom}`;
        if (gone.has(who ?? "") || gone.has(whom ?? "")) continue;
        if (suspended.has(who ?? "") && what !== "restore") continue;
        if (what === "post") {
          const { id } = createPost(core, as(who ?? ""), { text: "x", tags: given[1] });
          posts.push({ id, author: who ?? "", tags: given[1], hidden: false });
        } else if (what === "reply" && post && isVisible(post)) {
          const { id, rootId } = replyTo(core, as(who ?? ""), post.id, { text: "y" });
          const parent = posts.find((post) => post.id === rootId);
          posts.push({ id, author: who ?? "", tags: [], parent, hidden: false });
        } else if (what === "follow" && who !== whom) {
          const refused = blocks.has(pair) || blocks.has(`${whom} ${who}`) || suspended.has(whom ?? "");
          const follow = () => followBuilder(core, as(who ?? ""), whom ?? "");
          if (refused) expect(follow).toThrow();
          else {
            follow();
            if (!follows.includes(pair)) follows.push(pair);
          }
        } else if (what === "unfollow" && who !== whom) {
          unfollowBuilder(core, as(who ?? ""), whom ?? "");
          follows = follows.filter((follow) => follow !== pair);
        } else if (what === "followTag") {
          followTag(core, as(who ?? ""), whom ?? "");
          if (!tags.includes(pair)) tags.push(pair);
        } else if (what === "unfollowTag") {
          unfollowTag(core, as(who ?? ""), whom ?? "");
          tags = tags.filter((item) => item !== pair);
        } else if (what === "keep" && post && isVisible(post)) {
          bookmarkPost(core, as(who ?? ""), post.id);
          if (!kept.some((item) => item.who === who && item.post === post))
            kept.push({ who: who ?? "", post });
        } else if (what === "drop" && post && isVisible(post)) {
          unbookmarkPost(core, as(who ?? ""), post.id);
          kept = kept.filter((item) => item.who !== who || item.post !== post);
        } else if (what === "block" && who !== whom) {
          block(core, as(who ?? ""), whom ?? "");
          blocks.add(pair);
          follows = follows.filter((follow) => follow !== pair && follow !== `${whom} ${who}`);
        } else if (what === "unblock" && who !== whom) {
          unblock(core, as(who ?? ""), whom ?? "");
          blocks.delete(pair);
        } else if (what === "suspend") {
          suspendBuilder(core, OPERATOR, who ?? "");
          suspended.add(who ?? "");
        } else if (what === "restore") {
          restoreBuilder(core, OPERATOR, who ?? "");
          suspended.delete(who ?? "");
        } else if (what === "hide" && post) {
          hide(core, OPERATOR, post.id);
          post.hidden = true;
        } else if (what === "show" && post) {
          restore(core, OPERATOR, post.id);
          post.hidden = false;
        } else if (what === "delete" && post && !suspended.has(post.author)) {
          deletePost(core, as(post.author), post.id);
          drop((written) => written === post || written.parent === post);
        } else if (what === "leave") {
          deleteAccount(core, OPERATOR, who ?? "", who ?? "");
          while (core.db.transact(() => continueDeletion(core)));
          gone.add(who ?? "");
          drop((written) => written.author === who || written.parent?.author === who);
          follows = follows.filter((follow) => !follow.split(" ").includes(who ?? ""));
          kept = kept.filter((item) => item.who !== who);
        }
      }
      void dropRemovedPosts({ ...core, db: { ...core.db, write: async (change) => change() } });
      const works = (item: string) => !suspended.has(item) && !gone.has(item);
      for (const viewer of NAMES.filter((item) => !gone.has(item))) {
        const caller = as(viewer);
        const theirs = follows.flatMap((follow) =>
          follow.startsWith(`${viewer} `) ? [follow.split(" ")[1] ?? ""] : [],
        );
        const followed = theirs.filter(works);
        const theirTags = tags.flatMap((item) =>
          item.startsWith(`${viewer} `) ? [item.split(" ")[1] ?? ""] : [],
        );
        const isFollowed = (post: Written) =>
          post.author !== viewer &&
          (followed.includes(post.author) || post.tags.some((item) => theirTags.includes(item)));
        for (const filter of [
          {},
          { tag: "rust" },
          { author: "bo" },
          { tag: "go", author: "ada" },
        ] as FeedFilter[]) {
          const expected = posts
            .filter((post) => post.parent === undefined && isVisible(post) && isFollowed(post))
            .filter((post) => filter.tag === undefined || post.tags.includes(filter.tag))
            .filter((post) => filter.author === undefined || post.author === filter.author)
            .map(({ id }) => id);
          const list = (request: PageRequest) =>
            listFeed(core, caller, { ...filter, following: true }, request);
          expect(walk(list).map(({ id }) => id)).toEqual(expected.toReversed());
          expect(walk(list, true).map(({ id }) => id)).toEqual(expected);
        }
        expect(
          walk((request) => listFollowing(core, caller, request)).map(({ username }) => username),
        ).toEqual(followed.toReversed());
        expect(walk((request) => listFollowedTags(core, caller, request)).map((item) => item.tag)).toEqual(
          theirTags.toReversed(),
        );
        expect(walk((request) => listBookmarks(core, caller, request)).map(({ id }) => id)).toEqual(
          kept
            .filter(({ who, post }) => who === viewer && isVisible(post))
            .map(({ post }) => post.id)
            .toReversed(),
        );
        const followers = follows.filter(
          (follow) => follow.endsWith(` ${viewer}`) && works(follow.split(" ")[0] ?? ""),
        );
        expect(getProfile(core, caller, viewer).followers).toBe(followers.length);
        const ids = new Map(NAMES.map((item) => [as(item).builderId ?? "", item as string]));
        expect([...followedAmong(core, caller, [...ids.keys()])].map((id) => ids.get(id)).sort()).toEqual(
          followed.toSorted(),
        );
      }
    }),
    { numRuns: sized(10, 125), endOnFailure: true },
  );
});

/** Reads a whole list two nodes at a time, optionally backwards from the end. */
function walk<Node>(list: (request: PageRequest) => Page<Node>, backwards = false): Node[] {
  const nodes: Node[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = list({ limit: 2, cursor, backwards });
    nodes.push(...(backwards ? page.nodes.toReversed() : page.nodes));
    const last = backwards ? page.nodes[0] : page.nodes.at(-1);
    if (last === undefined || !(backwards ? page.hasPreviousPage : page.hasNextPage)) return nodes;
    cursor = page.cursorOf(last);
  }
}
