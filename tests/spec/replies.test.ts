// Tests docs/contract.md#4.4, and docs/contract.md#4.18 for conversations.
import { expect, test } from "bun:test";
import { createPost, listFeed } from "../../src/core/community/feed/feed.ts";
import { likePost } from "../../src/core/community/feed/likes.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { listReplies, replyTo } from "../../src/core/community/feed/replies.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { ratePrompt } from "../../src/core/community/prompts/ratings.ts";
import { createMemberToken, createTestWorld, createMember, openTestServer } from "../support.ts";
import { call, clientOf, refusalOf } from "./client.ts";
import { publishPosts, rows } from "./rows.ts";

const texts = (received: { body: { data: { text: string }[] } }) =>
  received.body.data.map(({ text }) => text);

test("a post is retrieved with its metrics; a reply names its parent post", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const [id = ""] = publishPosts(server, caller, {
    text: "hello",
    tags: ["rust"],
    media: ["https://images.example.com/a.png"],
  });
  server.clock.pass(60_000);
  const sent = { text: "welcome", media: ["https://images.example.com/b.png"] };
  const { body: reply } = await call(server, bo.token, `POST /feed/${id}/replies`, { body: sent });
  expect(reply).toStrictEqual({
    id: reply.id,
    author: { username: "bo", name: "Bo" },
    text: "welcome",
    tags: [],
    created_at: "2026-11-20T12:02:00.000Z",
    parent_id: id,
    root_id: id,
  });
  const { data } = await clientOf(server, token).GET("/feed/{id}", { params: { path: { id } } });
  expect(data).toMatchObject({
    id,
    author: { username: "ada", name: "Ada" },
    text: "hello",
    tags: ["rust"],
    created_at: "2026-11-20T12:01:00.000Z",
    metrics: { likes: 0, replies: 1 },
    parent_id: null,
    root_id: null,
    liked: false,
    hidden: false,
  });
  expect(data).not.toHaveProperty("media");
  expect((await call(server, token, `GET /feed/${reply.id}`)).body.parent_id).toBe(id);
  expect((await call(server, token, "GET /feed")).body.data.map((post: { id: string }) => post.id)).toEqual([
    id,
  ]);
  for (const unknown of ["x", server.core.makeId("post", 0), server.core.makeId("prompt", 0)])
    expect((await call(server, token, `GET /feed/${unknown}`)).status).toBe(404);
});

test("a conversation is read oldest first and backwards, page by page, even when replies are added meanwhile", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const [id = ""] = publishPosts(server, caller, "question");
  const write = (text: string) => replyTo(server.core, caller, id, { text });
  for (const text of ["1", "2", "3", "4", "5"]) write(text);
  const seen: string[] = [];
  let next: string | null = "";
  for (let page = 6; next !== null; page++) {
    const response: { body: any } = await call(
      server,
      token,
      `GET /feed/${id}/replies?limit=2${next && `&cursor=${next}`}`,
    );
    seen.push(...texts(response));
    next = response.body.next;
    if (page < 8) write(String(page));
  }
  expect(seen).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  const end = listReplies(server.core, caller, id, { limit: 3, backwards: true });
  expect(end.nodes.map(({ text }) => text)).toEqual(["5", "6", "7"]);
  expect([end.hasPreviousPage, end.hasNextPage]).toEqual([true, false]);
  const first = end.nodes[0];
  const before = listReplies(server.core, caller, id, {
    limit: 10,
    backwards: true,
    cursor: first && end.cursorOf(first),
  });
  expect(before.nodes.map(({ text }) => text)).toEqual(["1", "2", "3", "4"]);
  const [other = ""] = publishPosts(server, caller, "other");
  write("8");
  const { next: cursor } = (await call(server, token, `GET /feed/${id}/replies?limit=1`)).body;
  expect(await refusalOf(server, token, `GET /feed/${other}/replies?limit=1&cursor=${cursor}`)).toBe(
    "400 cursor",
  );
  expect(await refusalOf(server, token, `GET /feed/${id}/replies?limit=0`)).toBe("400 limit");
  expect((await call(server, token, "GET /feed/x/replies")).status).toBe(404);
});

test("the feed walked backwards, with filters and since, lists the same posts as forwards", () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  const ids = publishPosts(
    world,
    caller,
    ...Array.from({ length: 12 }, (_, i) => ({ text: `${i}`, tags: i % 2 ? ["odd"] : [] })),
  );
  const since = world.clock.now() - 9 * 60_000;
  for (const filter of [
    {},
    { tag: "odd" },
    { author: "ada" },
    { since },
    { tag: "odd", author: "ADA", since },
  ]) {
    const forwards = listFeed(world.core, caller, filter, { limit: 100 }).nodes.map(({ id }) => id);
    const backwards: string[] = [];
    let cursor: string | undefined;
    for (;;) {
      const page = listFeed(world.core, caller, filter, { limit: 2, backwards: true, cursor });
      backwards.unshift(...page.nodes.map(({ id }) => id));
      const first = page.nodes[0];
      if (!page.hasPreviousPage || !first) break;
      cursor = page.cursorOf(first);
    }
    expect(backwards).toEqual(forwards);
    expect(forwards.length).toBeGreaterThan(3);
    expect(ids).toEqual(expect.arrayContaining(forwards));
  }
});

test("a reply to a reply joins the conversation, and every reply counts once", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const [id = ""] = publishPosts(server, caller, "question");
  const first = (await call(server, token, `POST /feed/${id}/replies`, { body: { text: "one" } })).body;
  const second = (await call(server, token, `POST /feed/${first.id}/replies`, { body: { text: "two" } }))
    .body;
  expect([first.parent_id, first.root_id, second.parent_id, second.root_id]).toEqual([id, id, first.id, id]);
  expect(texts(await call(server, token, `GET /feed/${id}/replies`))).toEqual(["one", "two"]);
  expect(texts(await call(server, token, `GET /feed/${first.id}/replies`))).toEqual(["two"]);
  const replies = async () => (await call(server, token, `GET /feed/${id}`)).body.metrics.replies;
  expect(await replies()).toBe(2);
  expect((await call(server, token, `DELETE /feed/${first.id}`)).status).toBe(204);
  expect(await replies()).toBe(1);
  expect((await call(server, token, `DELETE /feed/${first.id}`)).status).toBe(404);
  expect(await replies()).toBe(1);
});

test("a reply follows the rules of a post, supports idempotency keys, and needs feed:write", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const [id = ""] = publishPosts(server, caller, "question");
  const path = `POST /feed/${id}/replies`;
  for (const [body, refusal] of [
    [{}, "400 text"],
    [{ text: " " }, "400 text"],
    [{ text: "x".repeat(2001) }, "400 text"],
    [{ text: "x", media: ["http://a.example"] }, "400 media.0"],
    [{ text: "x", media: Array(5).fill("https://a.example/a.png") }, "400 media"],
  ] as const)
    expect(await refusalOf(server, token, path, { body })).toBe(refusal);
  const init = {
    body: { text: "x", tags: ["rust"], id: "post_x", parent_id: null },
    headers: { "idempotency-key": "k" },
  };
  const [one, two] = [await call(server, token, path, init), await call(server, token, path, init)];
  expect([one.status, two.text, two.headers.get("idempotency-replayed")]).toEqual([201, one.text, "true"]);
  expect([one.body.parent_id, one.body.tags]).toEqual([id, []]);
  expect(rows(server.core, "SELECT replies FROM posts WHERE id = ?", id)).toEqual([{ replies: 1 }]);
  const reader = createMemberToken(server.core, "ada", ["feed:read"]).token;
  expect((await call(server, reader, path, { body: { text: "x" } })).status).toBe(403);
  for (const unknown of ["x", server.core.makeId("post", 0)])
    expect((await call(server, token, `POST /feed/${unknown}/replies`, { body: { text: "x" } })).status).toBe(
      404,
    );
});

test("only its author deletes a post, with all its replies", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const [id = ""] = publishPosts(server, ada.caller, { text: "mine", tags: ["rust"] });
  const { body: reply } = await call(server, bo.token, `POST /feed/${id}/replies`, {
    body: { text: "theirs" },
  });
  await call(server, bo.token, `PUT /feed/${id}/like`);
  await call(server, ada.token, `PUT /feed/${reply.id}/like`);
  for (const [token, named] of [
    [bo.token, id],
    [ada.token, reply.id],
    [createMemberToken(server.core, "ada", ["feed:read"]).token, id],
  ] as const)
    expect((await call(server, token, `DELETE /feed/${named}`)).status).toBe(403);
  expect((await call(server, ada.token, "DELETE /feed/x")).status).toBe(404);
  expect((await call(server, ada.token, `DELETE /feed/${id}`)).status).toBe(204);
  for (const gone of [id, reply.id]) {
    for (const request of [
      `GET /feed/${gone}`,
      `GET /feed/${gone}/replies`,
      `PUT /feed/${gone}/like`,
      `DELETE /feed/${gone}`,
    ])
      expect([request, (await call(server, ada.token, request)).status]).toEqual([request, 404]);
  }
  for (const table of ["posts", "post_tags", "likes"])
    expect(rows(server.core, `SELECT * FROM ${table}`)).toEqual([]);
});

test("post.created and post.deleted fire for posts, but not for replies, likes or ratings", () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = createMember(core, "ada").caller;
  const bo = createMember(core, "bo").caller;
  const post = createPost(core, ada, { text: "hello" });
  const types = () => rows(core, "SELECT type FROM events").map(({ type }) => type);
  expect(types()).toEqual(["post.created"]);
  const reply = replyTo(core, bo, post.id, { text: "hi" });
  likePost(core, ada, reply.id);
  likePost(core, bo, post.id);
  const prompt = submitPrompt(core, ada, { title: "t", body: "b", model: "m", category: "c" });
  ratePrompt(core, bo, prompt.id, { stars: 5 });
  deletePost(core, bo, reply.id);
  deletePost(core, ada, post.id);
  expect(types()).toEqual(["post.created", "post.deleted"]);
});

test("a rolled-back reply fires no event, counts nothing and earns no XP", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const [id = ""] = publishPosts(world, caller, "there");
  const before = rows(core, "SELECT * FROM posts");
  const count = () =>
    rows(core, "SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM xp_entries) AS xp")[0];
  const counted = count();
  for (const write of [
    () => createPost(core, caller, { text: "never" }),
    () => replyTo(core, caller, id, { text: "never" }),
    () => likePost(core, caller, id),
    () => deletePost(core, caller, id),
  ]) {
    expect(() =>
      core.db.transact(() => {
        write();
        throw new Error("rolled back");
      }),
    ).toThrow("rolled back");
    expect(rows(core, "SELECT * FROM posts")).toEqual(before);
    expect(count()).toEqual(counted);
  }
});
