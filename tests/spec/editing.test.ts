// Tests docs/contract.md#4.17.
import { expect, test } from "bun:test";
import { hide, restore } from "../moderate.ts";
import { listReports, report } from "../../src/core/services/moderation/reports.ts";
import { listFeed } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { editPost, EDITS_MAX, EDITS_PER_HOUR } from "../../src/core/community/feed/revisions.ts";
import { HOUR, MINUTE } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createMemberToken, createTestWorld, createMember, openTestServer } from "../support.ts";
import { call } from "./client.ts";
import { publishPosts, rows } from "./rows.ts";

const LATER = "2026-11-20T12:11:00.000Z";

test("an edit keeps the earlier text readable and adds no field to frozen responses", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const [id = ""] = publishPosts(server, caller, { text: "helo", tags: ["rust"] });
  const listed = (await call(server, token, "GET /feed")).body.data[0];
  const before = (await call(server, token, `GET /feed/${id}`)).body;
  expect([before.edited_at, before.revision]).toEqual([null, id.replace("post_", "rev_")]);
  const xp = rows(server.core, "SELECT * FROM xp_entries");
  server.clock.pass(10 * MINUTE);
  const body = { text: "hello", tags: ["go", "go", "zig"], media: ["https://images.example.com/a.png"] };
  const edited = await call(server, token, `PATCH /feed/${id}`, { body });
  expect([edited.status, edited.body]).toEqual([
    200,
    {
      id,
      author: { username: "ada", name: "Ada" },
      text: "hello",
      tags: ["go", "zig"],
      media: body.media,
      created_at: "2026-11-20T12:01:00.000Z",
      metrics: { likes: 0, replies: 0 },
      parent_id: null,
      root_id: null,
      edited_at: LATER,
      revision: expect.stringMatching(/^rev_/),
    },
  ]);
  const { text, tags } = edited.body;
  expect((await call(server, token, "GET /feed")).body.data[0]).toEqual({ ...listed, text, tags });
  const found = (tag: string) => listFeed(server.core, caller, { tag }, { limit: 9 }).nodes.length;
  expect(["rust", "go", "zig"].map(found)).toEqual([0, 1, 1]);
  expect(rows(server.core, "SELECT * FROM xp_entries")).toEqual(xp);

  // Checks edits of a reply. A reply has no tags and is in a list of its own.
  const reply = (await call(server, bo.token, `POST /feed/${id}/replies`, { body: { text: "hi" } })).body;
  await call(server, bo.token, `PATCH /feed/${reply.id}`, { body: { text: "hi!", tags: ["go"] } });
  const conversation = (await call(server, token, `GET /feed/${id}/replies`)).body.data;
  expect(conversation).toMatchObject([
    { id: reply.id, text: "hi!", tags: [], edited_at: "2026-11-20T12:11:00.001Z" },
  ]);
  expect(found("go")).toBe(1);

  const again = await call(server, token, `PATCH /feed/${id}`, { body: { ...body, tags: ["go", "zig"] } });
  expect(again.body).toEqual({ ...edited.body, metrics: { likes: 0, replies: 1 } });
  const { data: revisions } = (await call(server, bo.token, `GET /feed/${id}/revisions`)).body;
  expect(revisions).toEqual([
    { id: edited.body.revision, text: "hello", tags: ["go", "zig"], media: body.media, at: LATER },
    { id: before.revision, text: "helo", tags: ["rust"], media: [], at: before.created_at },
  ]);
  const events = rows(server.core, "SELECT type FROM events ORDER BY id").map(({ type }) => type);
  expect(events).toEqual(["post.created", "post.updated"]);
});

test("an edit needs the post's author, the revision that they read, and valid fields", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const blind = createMemberToken(server.core, "ada", ["feed:read"]);
  const [id = ""] = publishPosts(server, caller, "one");
  const edit = async (by: string, body: object, headers?: Record<string, string>) => {
    const response = await call(server, by, `PATCH /feed/${id}`, { body, ...(headers ? { headers } : {}) });
    return [response.status, response.body.code ?? response.body.text];
  };
  expect(await edit(bo.token, { text: "mine" })).toEqual([403, "post_not_yours"]);
  expect(await edit(blind.token, { text: "mine" })).toEqual([403, "scope_missing"]);
  expect(await edit(token, { text: " \u200b" })).toEqual([400, "text_blank"]);
  expect(await edit(token, { tags: ["a", "b", "c", "d", "e", "f"] })).toEqual([400, "tags_too_many"]);
  expect((await edit(token, { media: ["http://a.example"] }))[0]).toBe(400);
  expect((await edit(token, { text: null }))[0]).toBe(400);
  // The ETag covers everything the post shows. `revision` covers only what the author wrote.
  const { headers, body } = await call(server, token, `GET /feed/${id}`);
  const etag = { "if-match": headers.get("etag") ?? "" };
  expect(await edit(token, { text: "two" }, etag)).toEqual([200, "two"]);
  expect(await edit(token, { text: "three" }, etag)).toEqual([412, "changed_meanwhile"]);
  expect(await edit(token, { text: "three", revision: body.revision })).toEqual([409, "post_edited"]);
  const now = (await call(server, token, `GET /feed/${id}`)).body.revision;
  await call(server, bo.token, `PUT /feed/${id}/like`);
  expect(await edit(token, { text: "three", revision: now })).toEqual([200, "three"]);
  // Edits within one millisecond, of fields that REST does not show, still change the revision.
  const tags = new Set<string | null>();
  for (const name of ["a", "b", "c"]) {
    await edit(token, { media: [`https://images.example.com/${name}.png`] });
    tags.add((await call(server, token, `GET /feed/${id}`)).headers.get("etag"));
  }
  expect(tags.size).toBe(3);
});

test("edits are limited to ten per post and hour and a hundred per post, and count for the operator's quota", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { caller } = createMember(core, "ada");
  const [id = ""] = publishPosts(world, caller, "0");
  clock.pass(MINUTE);
  let n = 0;
  const edit = () => editPost(core, caller, id, { text: `${++n}` });
  for (let i = 0; i < EDITS_PER_HOUR; i++) edit();
  clock.pass(HOUR - MINUTE);
  expect(edit).toThrow("You can edit a post 10 times an hour. Wait 60 seconds and try again.");
  clock.pass(MINUTE);
  edit();
  // Setting the clock back by a year does not make authors wait.
  clock.step(-HOUR * 24 * 365);
  while (rows(core, "SELECT number FROM post_revisions").length < EDITS_MAX) {
    edit();
    clock.pass(HOUR);
  }
  clock.step(HOUR * 24 * 366);
  expect(edit).toThrow("This post was already edited 100 times. Write a new post instead.");
  expect(rows(core, "SELECT number FROM post_revisions")).toHaveLength(EDITS_MAX);
  deletePost(core, caller, id);
  expect(rows(core, "SELECT number FROM post_revisions")).toEqual([]);

  using bounded = createTestWorld({ policy: { signup: "invite", quotaPosts: 2 } });
  const member = createMember(bounded.core, "ada", undefined, "personal").caller;
  const [own = ""] = publishPosts(bounded, member, "one");
  editPost(bounded.core, member, own, { text: "two" });
  editPost(bounded.core, member, own, { text: "two" });
  expect(() => editPost(bounded.core, member, own, { text: "three" })).toThrow(
    "You can write at most 2 posts and replies in 24 hours.",
  );
});

test("a hidden post stays hidden after an edit; moderators read the text as it was reported", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { caller, token } = createMember(core, "ada");
  const bo = createMember(core, "bo");
  const cy = createMember(core, "cy");
  const { builderId } = createMember(core, "root").caller;
  core.db.prepare("UPDATE builders SET role = 'admin' WHERE id = ?").run(builderId);
  const root = createMemberToken(core, "root", ["admin", "feed:read"]);
  const [id = ""] = publishPosts(server, caller, { text: "buy my coins", tags: ["rust"] });
  const asReported = () =>
    listReports(core, root.caller, {}, { limit: 9 }).nodes.map(({ asReported }) => asReported?.text ?? null);
  report(core, bo.caller, { kind: "post", id }, { reason: "coins" });
  expect(asReported()).toEqual([null]);
  editPost(core, caller, id, { text: "I like birds" });
  report(core, cy.caller, { kind: "post", id }, { reason: "why birds" });
  expect(asReported()).toEqual([null, "buy my coins"]);
  const reports = (await call(server, root.token, "GET /reports")).body.data;
  expect(reports[1].as_reported).toMatchObject({ text: "buy my coins", tags: ["rust"] });
  expect(reports[1].as_reported.id).toBe(id.replace("post_", "rev_"));
  hide(core, OPERATOR, id);
  editPost(core, caller, id, { text: "I like trees", tags: ["go"] });
  expect(asReported()).toEqual(["I like birds", "buy my coins"]);
  expect(rows(core, "SELECT tag FROM post_tags")).toEqual([]);
  const statuses = async () => {
    const pending = [token, bo.token, root.token].map((by) => call(server, by, `GET /feed/${id}/revisions`));
    return (await Promise.all(pending)).map(({ status, body }) => [status, body.data?.length]);
  };
  expect(await statuses()).toEqual([
    [200, 3],
    [404, undefined],
    [200, 3],
  ]);
  restore(core, OPERATOR, id);
  expect(rows(core, "SELECT tag FROM post_tags")).toMatchObject([{ tag: "go" }]);
  // The events are the hiding, the restoring and all edits of the visible post. Edits of the hidden post are
  // not published.
  const events = rows(core, "SELECT body FROM events WHERE type LIKE 'post.%' ORDER BY id").map(
    ({ body }) => {
      const { type, data } = JSON.parse(body);
      return [type, data.post.title];
    },
  );
  expect(events).toEqual([
    ["post.created", undefined],
    ["post.updated", undefined],
    ["post.deleted", undefined],
    ["post.updated", undefined],
  ]);
  // Events are read with the current title (docs/contract.md#5.8).
  const { data: pulled } = (await call(server, token, "GET /events")).body;
  expect(pulled.map(({ type, data }: any) => [type, data.post.title])).toEqual([
    ["post.updated", "I like trees"],
    ["post.deleted", undefined],
    ["post.updated", "I like trees"],
  ]);
  deletePost(core, caller, id);
  expect(await statuses()).toEqual([
    [404, undefined],
    [404, undefined],
    [404, undefined],
  ]);
});
