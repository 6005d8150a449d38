// Tests docs/contract.md#V4.6, docs/contract.md#V2.1 and docs/contract.md#4.3.
import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { insertPost } from "../../src/core/community/feed/feed-store.ts";
import { createMember, NOON, openTestServer } from "../support.ts";
import { call, clientOf, refusalOf } from "./client.ts";
import { publishPosts } from "./rows.ts";

const ids = (received: { body: { data: { id: string }[] } }) => received.body.data.map(({ id }) => id);

test("GET /feed lists public feed posts, newest first", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const written = publishPosts(server, caller, "one", "two");
  written.push(createPost(server.core, caller, { text: "three" }).id);
  written.push(createPost(server.core, caller, { text: "four" }).id);
  const { data } = await clientOf(server, token).GET("/feed");
  expect(data?.data.map(({ id }) => id)).toEqual(written.reverse());
  expect(data?.next).toBeNull();
});

test("a feed post has exactly id, author, text, tags, created_at and metrics", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const draft = { text: "# Hi\n**all**", tags: ["rust"], media: ["https://images.example.com/a.png"] };
  const { id } = createPost(server.core, caller, draft);
  server.core.db.prepare("UPDATE posts SET likes = 7, replies = 3").run();
  const { body } = await call(server, token, "GET /feed");
  expect(body).toStrictEqual({
    data: [
      {
        id,
        author: { username: "ada", name: "Ada" },
        text: "# Hi\n**all**",
        tags: ["rust"],
        created_at: "2026-11-20T12:00:00.000Z",
        metrics: { likes: 7, replies: 3 },
      },
    ],
    next: null,
  });
});

test("limit is the page size from 1 to 100, default 20; other values are 400, never clamped", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  server.core.db.transact(() =>
    publishPosts(server, caller, ...Array.from({ length: 105 }, (_, i) => `post ${i}`)),
  );
  const size = async (query: string) => (await call(server, token, `GET /feed${query}`)).body.data.length;
  expect(await size("")).toBe(20);
  expect(await size("?limit=1")).toBe(1);
  expect(await size("?limit=100")).toBe(100);
  for (const limit of "0 101 1.5 abc -1 1e1 0x10 +5 05 null NaN 9007199254740993 １０".split(" ")) {
    expect([limit, await refusalOf(server, token, `GET /feed?limit=${encodeURIComponent(limit)}`)]).toEqual([
      limit,
      "400 limit",
    ]);
  }
  expect(await refusalOf(server, token, "GET /feed?limit=")).toBe("400 limit");
  expect(await refusalOf(server, token, "GET /feed?limit")).toBe("400 limit");
  expect(await refusalOf(server, token, "GET /feed?limit=5&limit=6")).toBe("400 limit");
  expect(await refusalOf(server, token, "GET /feed?limit=%ff")).toBe("400 limit");
});

test("tag and author filter by tag slug and username; since returns only posts created after it", async () => {
  await using server = openTestServer();
  const { token, caller: ada } = createMember(server.core, "ada");
  const { caller: bo } = createMember(server.core, "bo");
  const [a1, a2] = publishPosts(
    server,
    ada,
    { text: "1", tags: ["rust"] },
    { text: "2", tags: ["go", "rust"] },
  );
  const [b1, b2] = publishPosts(server, bo, { text: "3", tags: ["rust"] }, { text: "4" });
  const since = encodeURIComponent(new Date(NOON + 60_000).toISOString()); // the time of a1
  const table: [query: string, found: (string | undefined)[]][] = [
    ["tag=rust", [b1, a2, a1]],
    ["tag=go", [a2]],
    ["author=ada", [a2, a1]],
    ["author=bo", [b2, b1]],
    [`since=${since}`, [b2, b1, a2]],
    ["tag=rust&author=ada", [a2, a1]],
    ["tag=rust&author=bo", [b1]],
    ["tag=go&author=bo", []],
    [`tag=rust&since=${since}`, [b1, a2]],
    [`author=ada&since=${since}`, [a2]],
    [`tag=rust&author=ada&since=${since}`, [a2]],
    [`tag=rust&author=bo&since=${since}`, [b1]],
    ["tag=nobody-tags-this", []],
    ["author=nobody", []],
    ["author=nobody&tag=rust", []],
    ["tag=rus", []],
    ["colour=blue", [b2, b1, a2, a1]],
  ];
  for (const [query, found] of table) {
    const response = await call(server, token, `GET /feed?${query}`);
    expect([query, response.body.next, ...ids(response)]).toEqual([query, null, ...found] as never);
  }
});

test("author: a username with capitals finds the same builder", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada-l");
  const [id] = publishPosts(server, caller, "hi");
  for (const author of ["ada-l", "Ada-L", "ADA-L"]) {
    expect(ids(await call(server, token, `GET /feed?author=${author}`))).toEqual([id ?? ""]);
  }
  for (const author of ["a".repeat(33), "ada%20l", "%C3%A4da"]) {
    expect(await refusalOf(server, token, `GET /feed?author=${author}`)).toBe("400 author");
  }
});

test("tag: a value that is not a slug of 1 to 50 characters is 400", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  expect((await call(server, token, `GET /feed?tag=${"a".repeat(50)}`)).status).toBe(200);
  expect((await call(server, token, "GET /feed?tag=node.js")).status).toBe(200);
  for (const tag of ["a".repeat(51), "C%2B%2B", "-a", "a-", "a--b", "a_b", "a%20b", "Rust", "a&tag=b"]) {
    expect([tag, await refusalOf(server, token, `GET /feed?tag=${tag}`)]).toEqual([tag, "400 tag"]);
  }
});

test("since: strictly after, in any zone, to the millisecond; a missing zone or an impossible day is 400", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  server.clock.pass(250);
  const { id } = createPost(server.core, caller, { text: "at 12:00:00.250 UTC" });
  const found: [since: string, ids: string[]][] = [
    ["2026-11-20T12:00:00.249Z", [id]],
    ["2026-11-20T12:00:00.2499Z", [id]],
    ["2026-11-20T12:00:00.250Z", []],
    ["2026-11-20T12:00:00.25Z", []],
    ["2026-11-20T12:00:00Z", [id]],
    ["2026-11-20T12:00Z", [id]],
    ["2026-11-20T13:00:00.249+01:00", [id]],
    ["2026-11-20T13:00:00.250+01:00", []],
    ["2026-11-20T06:30:00.249-05:30", [id]],
    ["1969-07-20T20:17:40Z", [id]],
    ["9999-12-31T23:59:59.999Z", []],
    ["2026-11-20T12:00:00.249+0000", [id]],
    ["2026-11-20T14:00:00.250+02", []],
    ["20261120t120000.249z", [id]],
  ];
  for (const [since, expected] of found) {
    const response = await call(server, token, `GET /feed?since=${encodeURIComponent(since)}`);
    expect([since, ...ids(response)]).toEqual([since, ...expected]);
  }
  const refused =
    `2026-11-20T12:00:00 2026-11-20 2026-02-30T12:00:00Z 2026-13-01T12:00:00Z 2026-11-20T24:00:00Z
    2026-11-20T12:60:00Z 2026-11-20T12:00:60Z 2026-11-20T12:00:00+1:00 2026-11-20T12:00:00+24:00 1795176000 now
    2025-02-29T00:00:00Z 20261120T120000 20260230T120000Z`.split(/\s+/);
  for (const since of ["", ...refused]) {
    expect([since, await refusalOf(server, token, `GET /feed?since=${encodeURIComponent(since)}`)]).toEqual([
      since,
      "400 since",
    ]);
  }
});

test("replies are posts with a parent and are absent from the feed", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const [parentId = ""] = publishPosts(server, caller, { text: "parent", tags: ["rust"] });
  server.clock.pass(1000);
  const createdAt = server.clock.now();
  const reply = {
    rootId: parentId,
    text: "reply",
    tags: ["rust"],
    media: [],
    likes: 0,
    replies: 0,
    createdAt,
  };
  const id = server.core.makeId("post", createdAt);
  server.core.db.transact(() => insertPost(server.core, { id, authorId: caller.builderId ?? "", ...reply }));
  for (const query of ["", "?tag=rust", "?author=ada", "?tag=rust&author=ada"]) {
    expect(ids(await call(server, token, `GET /feed${query}`))).toEqual([parentId]);
  }
});

test("conditional reads: the feed has an ETag and returns 304 until something changes", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const etag = (await call(server, token, "GET /feed")).headers.get("etag") ?? "";
  const headers = { "if-none-match": etag };
  const unchanged = await call(server, token, "GET /feed", { headers });
  expect([unchanged.status, unchanged.headers.get("etag")]).toEqual([304, etag]);
  publishPosts(server, caller, "new");
  expect((await call(server, token, "GET /feed", { headers })).status).toBe(200);
});
