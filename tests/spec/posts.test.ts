// Tests docs/contract.md#V4.7, docs/contract.md#V8.4, docs/contract.md#1.1 and docs/contract.md#4.2.
import { expect, test } from "bun:test";
import { createMember, openTestServer } from "../support.ts";
import { call, clientOf, refusalOf } from "./client.ts";
import { rows } from "./rows.ts";

test("the post returned by POST /feed has id, author, text, tags and created_at, and no metrics", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const { data, response } = await clientOf(server, token).POST("/feed", {
    body: { text: "Hello", tags: ["rust"], media: ["https://images.example.com/a.mp4"] },
  });
  expect(response.status).toBe(201);
  expect(data).toStrictEqual({
    id: expect.stringMatching(/^post_[0-7][0-9a-hjkmnp-tv-z]{25}$/) as unknown as string,
    author: { username: "ada", name: "Ada" },
    text: "Hello",
    tags: ["rust"],
    created_at: "2026-11-20T12:00:00.000Z",
  });
  const { body } = await call(server, token, "GET /feed");
  expect(body.data).toEqual([{ ...data, metrics: { likes: 0, replies: 0 } }]);
});

test("POST /feed publishes as the authenticated builder; server-owned fields are ignored", async () => {
  await using server = openTestServer();
  createMember(server.core, "ada");
  const { token } = createMember(server.core, "bo");
  const { body } = await call(server, token, "POST /feed", {
    body: {
      text: "mine",
      id: "post_x",
      author: { username: "ada", name: "Ada" },
      created_at: "2001-01-01T00:00:00.000Z",
      metrics: { likes: 1000, replies: 1 },
      unheard_of: true,
    },
  });
  expect(body.author).toEqual({ username: "bo", name: "Bo" });
  expect(body.id).not.toBe("post_x");
  expect(body.created_at).toBe("2026-11-20T12:00:00.000Z");
  const feed = await call(server, token, "GET /feed");
  expect(feed.body.data[0].metrics).toEqual({ likes: 0, replies: 0 });
});

test("text is required, in Markdown, with at most 2,000 characters", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const taken = [
    "a",
    "é".repeat(2000),
    "🦀".repeat(2000),
    " e\u0301 \r\n# x <b>\t",
    "\u0001",
    "\ufeffx",
    "null",
  ];
  for (const text of taken) {
    const { status, body } = await call(server, token, "POST /feed", { body: { text } });
    expect(status).toBe(201);
    expect(body.text).toBe(text);
  }
  expect(rows(server.core, "SELECT text FROM posts ORDER BY id").map(({ text }) => text)).toEqual(taken);
  const refused = [
    "a".repeat(2001),
    "🦀".repeat(2001),
    "",
    " \n\t\u00a0",
    "a\0b",
    "a\ud800",
    null,
    5,
    ["a"],
    {},
  ];
  for (const text of refused) {
    expect([text, await refusalOf(server, token, "POST /feed", { body: { text } })]).toEqual([
      text,
      "400 text",
    ]);
  }
  expect(await refusalOf(server, token, "POST /feed", { body: {} })).toBe("400 text");
  expect(rows(server.core, "SELECT count(*) AS n FROM posts")).toEqual([{ n: taken.length }]);
});

test("tags: up to 5 tag slugs; repeated tags collapse", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const tagged = async (tags: unknown) => call(server, token, "POST /feed", { body: { text: "x", tags } });
  expect((await tagged(["e", "d", "c", "b", "a"])).body.tags).toEqual(["e", "d", "c", "b", "a"]);
  expect((await tagged([])).body.tags).toEqual([]);
  expect((await tagged(["b", "a", "b"])).body.tags).toEqual(["b", "a"]);
  expect((await tagged(["node.js", "a".repeat(50)])).status).toBe(201);
  expect((await call(server, token, "POST /feed", { body: { text: "x" } })).body.tags).toEqual([]);
  const refused = async (tags: unknown) =>
    refusalOf(server, token, "POST /feed", { body: { text: "x", tags } });
  for (const tags of [["a", "b", "c", "d", "e", "f"], "rust", null, { 0: "rust" }]) {
    expect(await refused(tags)).toBe("400 tags");
  }
  for (const tag of ["Rust", "", "c++", "a b", "a".repeat(51), 5, null, ["a"]]) {
    expect(await refused(["ok", tag])).toBe("400 tags.1");
  }
});

test("media: up to 4 https URLs of at most 2,048 characters", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const url = (length: number) => "https://a.example/".padEnd(length, "x");
  const withMedia = (media: unknown) => ({ body: { text: "x", media } });
  const four = [url(2048), url(30), url(31), url(32)];
  expect((await call(server, token, "POST /feed", withMedia(four))).status).toBe(201);
  expect(JSON.parse(rows(server.core, "SELECT media FROM posts")[0].media)).toEqual(four);
  expect((await call(server, token, "POST /feed", withMedia([]))).status).toBe(201);
  for (const media of [[...four, url(33)], "https://a.example", null]) {
    expect(await refusalOf(server, token, "POST /feed", withMedia(media))).toBe("400 media");
  }
  for (const item of [
    url(2049),
    "http://a.example/x",
    "ftp://a.example",
    "https://",
    "javascript:1",
    "",
    5,
    null,
  ]) {
    expect([item, await refusalOf(server, token, "POST /feed", withMedia([item]))]).toEqual([
      item,
      "400 media.0",
    ]);
  }
});

test("a malformed body is 400 and publishes nothing", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  for (const body of [[], "text", 5, null]) {
    expect((await call(server, token, "POST /feed", { body })).status).toBe(400);
  }
  for (const [type, text] of [
    ["application/json", '{"text":'],
    ["application/json", ""],
    ["text/plain", '{"text":"a"}'],
    ["application/jsonp", '{"text":"a"}'],
  ] as const) {
    const headers = { authorization: `Bearer ${token}`, "content-type": type };
    const answer = await fetch(`${server.url}/v1/feed`, { method: "POST", headers, body: text });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        error: "bad_request",
        code: expect.any(String),
        message: expect.any(String),
        docs: expect.any(String),
      },
    ]);
  }
  expect(rows(server.core, "SELECT id FROM posts")).toEqual([]);
  expect(rows(server.core, "SELECT id FROM events")).toEqual([]);
});
