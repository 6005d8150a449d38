// Tests docs/contract.md#4.4.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createPost, getPost, getPosts, listFeed } from "../../src/core/community/feed/feed.ts";
import { bookmarkPost } from "../../src/core/community/feed/bookmarks.ts";
import {
  getReadPost,
  likedAmong,
  likePost,
  readerViewsOf,
  unlikePost,
} from "../../src/core/community/feed/likes.ts";
import { deletePost, dropRemovedPosts } from "../../src/core/community/feed/removal.ts";
import { listReplies, replyTo } from "../../src/core/community/feed/replies.ts";
import { hide, restore } from "../moderate.ts";
import { sized } from "../drill.ts";
import {
  createMemberToken,
  createTestWorld,
  createMember,
  openTestServer,
  type TestWorld,
} from "../support.ts";
import { call, clientOf } from "./client.ts";
import { publishPosts, rows, spyOnDatabase } from "./rows.ts";

test("a like counts once per builder, however often it is sent, even twice at once", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const [id = ""] = publishPosts(server, ada.caller, "hello");
  const like = (token: string, method = "PUT") => call(server, token, `${method} /feed/${id}/like`);
  const { data } = await clientOf(server, bo.token).PUT("/feed/{id}/like", { params: { path: { id } } });
  expect(data).toEqual({ liked: true, likes: 1 });
  const atOnce = await Promise.all(Array.from({ length: 20 }, () => like(bo.token)));
  expect(new Set(atOnce.map(({ text }) => text))).toEqual(new Set(['{"liked":true,"likes":1}']));
  expect((await like(ada.token)).body).toEqual({ liked: true, likes: 2 });
  expect((await like(bo.token, "DELETE")).body).toEqual({ liked: false, likes: 1 });
  expect((await like(bo.token, "DELETE")).body).toEqual({ liked: false, likes: 1 });
  expect((await call(server, bo.token, "GET /feed")).body.data[0].metrics).toEqual({ likes: 1, replies: 0 });
  const seen = async (token: string) => (await call(server, token, `GET /feed/${id}`)).body.liked;
  expect([await seen(ada.token), await seen(bo.token)]).toEqual([true, false]);
});

test("a like needs feed:write and an existing post", async () => {
  await using server = openTestServer();
  const { caller, token } = createMember(server.core, "ada");
  const [id = ""] = publishPosts(server, caller, "hello");
  const reader = createMemberToken(server.core, "ada", ["feed:read"]).token;
  for (const method of ["PUT", "DELETE"]) {
    expect((await call(server, reader, `${method} /feed/${id}/like`)).status).toBe(403);
    for (const unknown of [
      "x",
      "post_",
      server.core.makeId("post", 0),
      server.core.makeId("job", 0),
      "%00",
    ]) {
      expect([unknown, (await call(server, token, `${method} /feed/${unknown}/like`)).status]).toEqual([
        unknown,
        404,
      ]);
    }
  }
});

test("one query reads a post with the reader's marks, as a list reads them", () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = createMember(core, "ada").caller;
  const bo = createMember(core, "bo").caller;
  const cy = createMember(core, "cy").caller;
  const [id = "", hidden = ""] = publishPosts(world, ada, "hello", "hidden");
  const reply = replyTo(core, bo, hidden, { text: "a reply" }).id;
  likePost(core, bo, id);
  bookmarkPost(core, cy, id);
  hide(core, OPERATOR, hidden);
  const marksOf = (caller: Caller) => {
    const { liked, bookmarked } = getReadPost(core, caller, id);
    return [liked, bookmarked];
  };
  expect([ada, bo, cy, OPERATOR].map(marksOf)).toEqual([
    [false, false],
    [true, false],
    [false, true],
    [false, false],
  ]);
  for (const caller of [ada, bo, cy, OPERATOR])
    for (const postId of [id, hidden, reply]) {
      const [listed] = readerViewsOf(core, caller, getPosts(core, caller, [postId]));
      if (listed) expect(getReadPost(core, caller, postId)).toMatchObject(listed);
      else
        expect(() => getReadPost(core, caller, postId)).toThrow(
          expect.objectContaining({ code: "post_unknown" }),
        );
    }
  const statements = spyOnDatabase(core);
  getReadPost(core, bo, id);
  expect(statements).toHaveLength(1);
});

test("one query finds which posts of a list the caller likes", async () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  const ids = publishPosts(world, caller, ...Array.from({ length: 50 }, (_, i) => `post ${i}`));
  const liked = ids.filter((_, i) => i % 3 === 0);
  for (const id of liked) likePost(world.core, caller, id);
  const statements = spyOnDatabase(world.core);
  expect([...likedAmong(world.core, caller, ids)].sort()).toEqual(liked.toSorted());
  expect(statements).toHaveLength(1);
  expect(likedAmong(world.core, OPERATOR, ids).size).toBe(0);
  expect(getPosts(world.core, caller, [...ids, "post_x"]).map(({ id }) => id)).toEqual(ids);
  expect(statements).toHaveLength(2);
});

/** A random step. `who` and `which` are taken modulo the available items. */
const someStep = fc.record({
  act: fc.constantFrom(
    "post",
    "reply",
    "reply",
    "like",
    "like",
    "like",
    "unlike",
    "delete",
    "hide",
    "restore",
  ),
  who: fc.nat(2),
  which: fc.nat(60),
});
type Step = typeof someStep extends fc.Arbitrary<infer Value> ? Value : never;

interface Model {
  posts: Map<
    string,
    {
      author: string;
      parent: string | null;
      answers: string | null;
      tag: string;
      likes: Set<string>;
      isHidden: boolean;
    }
  >;
}

function isOpen(model: Model, id: string): boolean {
  const post = model.posts.get(id);
  if (!post || post.isHidden) return false;
  return post.parent === null || isOpen(model, post.parent);
}

function take(
  world: TestWorld,
  model: Model,
  callers: Caller[],
  ids: string[],
  { act, who, which }: Step,
): void {
  const { core } = world;
  const caller = callers[who] as Caller;
  const id = ids[which % Math.max(1, ids.length)] ?? "";
  const post = model.posts.get(id);
  const me = caller.builderId ?? "";
  const attempt = (isAllowed: boolean, work: () => void): boolean => {
    let hasWorked = true;
    try {
      work();
    } catch {
      hasWorked = false;
    }
    expect([act, hasWorked]).toEqual([act, isAllowed]);
    return hasWorked;
  };
  const add = (created: string, parent: string | null, answers: string | null = null) => {
    ids.push(created);
    model.posts.set(created, { author: me, parent, answers, tag: "rust", likes: new Set(), isHidden: false });
  };
  if (act === "post") add(createPost(core, caller, { text: "x", tags: ["rust"] }).id, null);
  if (act === "reply") {
    attempt(isOpen(model, id), () =>
      add(replyTo(core, caller, id, { text: "y" }).id, post?.parent ?? id, id),
    );
  }
  if (act === "like" && attempt(isOpen(model, id), () => likePost(core, caller, id))) post?.likes.add(me);
  if (act === "unlike" && attempt(isOpen(model, id), () => unlikePost(core, caller, id)))
    post?.likes.delete(me);
  if (act === "delete" && attempt(post?.author === me, () => deletePost(core, caller, id))) {
    for (const [other, { parent }] of model.posts) if (parent === id) model.posts.delete(other);
    model.posts.delete(id);
  }
  if (act === "hide" || act === "restore") {
    const isDone = attempt(post !== undefined, () => (act === "hide" ? hide : restore)(core, OPERATOR, id));
    if (isDone && post) post.isHidden = act === "hide";
  }
}

test("likes, replies and lists stay exact after any interleaving of builders and moderators", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someStep, { minLength: 30, maxLength: 60 }), async (steps) => {
      using world = createTestWorld();
      const { core } = world;
      const callers = ["ada", "bo", "cy"].map((name) => createMember(core, name).caller);
      const model: Model = { posts: new Map() };
      const ids: string[] = [];
      const first: Step[] = [0, 1].map((memberIndex) => ({ act: "post", who: memberIndex, which: 0 }));
      for (const step of [...first, ...steps]) take(world, model, callers, ids, step);
      const all = [...model.posts.keys()];
      const open = all.filter((id) => isOpen(model, id));
      /** Returns the visible replies in a post's conversation, or the answers to a reply. */
      const repliesTo = (id: string) => {
        const by = model.posts.get(id)?.parent === null ? "parent" : "answers";
        return open.filter((other) => model.posts.get(other)?.[by] === id);
      };
      const reader = callers[0] as Caller;
      const stranger = { ...reader, builderId: null };
      const expected = open
        .filter((id) => model.posts.get(id)?.parent === null)
        .map((id) => [id, model.posts.get(id)?.likes.size, repliesTo(id).length])
        .reverse();
      const listed = (tag?: string) =>
        listFeed(core, reader, { tag }, { limit: 100 }).nodes.map(({ id, metrics }) => [
          id,
          metrics.likes,
          metrics.replies,
        ]);
      expect(listed()).toEqual(expected as never);
      expect(listed("rust")).toEqual(expected as never);
      for (const id of open) {
        const replies = listReplies(core, reader, id, { limit: 100 }).nodes;
        expect(replies.map((reply) => reply.id)).toEqual(repliesTo(id));
        expect(replies.map(({ metrics }) => metrics.likes)).toEqual(
          repliesTo(id).map((reply) => model.posts.get(reply)?.likes.size ?? -1),
        );
      }
      expect(getPosts(core, stranger, ids).map(({ id }) => id)).toEqual(
        ids.filter((id) => open.includes(id)),
      );
      for (const [id, { author, parent, isHidden }] of model.posts) {
        const owner = callers.find(({ builderId }) => builderId === author) as Caller;
        const isShown =
          parent === null || isOpen(model, parent) || model.posts.get(parent)?.author === author;
        const seen = getPosts(core, owner, [id]).map(({ hiddenAt }) => hiddenAt !== null);
        expect([id, seen]).toEqual([id, isShown ? [isHidden] : []]);
      }
      await dropRemovedPosts(core);
      expect(rows(core, "SELECT id FROM posts ORDER BY id").map(({ id }) => id)).toEqual(all.sort());
      expect(rows(core, "SELECT count(*) AS n FROM likes")[0].n).toBe(
        all.reduce((sum, id) => sum + (model.posts.get(id)?.likes.size ?? 0), 0),
      );
    }),
    { numRuns: sized(15, 250) },
  );
});

test("a post with many replies and likes is deleted in batches, and disappears with the first batch", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const id = createPost(core, caller, { text: "famous", tags: ["rust"] }).id;
  core.db.transact(() => {
    for (let i = 0; i < 500; i++) replyTo(core, caller, id, { text: `reply ${i}` });
    for (const reply of listReplies(core, caller, id, { limit: 100 }).nodes) likePost(core, caller, reply.id);
    likePost(core, caller, id);
  });
  const reply = listReplies(core, caller, id, { limit: 1 }).nodes[0]?.id ?? "";
  deletePost(core, caller, id);
  expect(rows(core, "SELECT count(*) AS n FROM posts")[0].n).toBeGreaterThan(200);
  for (const gone of [id, reply, rows(core, "SELECT max(id) AS id FROM posts")[0].id]) {
    expect(() => getPost(core, caller, gone)).toThrow("There is no post with that id.");
    expect(() => deletePost(core, caller, gone)).toThrow("There is no post with that id.");
    expect(() => hide(core, OPERATOR, id)).toThrow("There is no post, job, or prompt with that id.");
  }
  expect(listFeed(core, caller, {}, { limit: 20 }).nodes).toEqual([]);
  expect(listFeed(core, caller, { tag: "rust" }, { limit: 20 }).nodes).toEqual([]);
  expect(listFeed(core, caller, { author: "ada" }, { limit: 20 }).nodes).toEqual([]);
  await dropRemovedPosts(core);
  expect(rows(core, "SELECT (SELECT count(*) FROM posts) + (SELECT count(*) FROM likes) AS n")[0].n).toBe(0);
});
