// Tests docs/contract.md#2.8, docs/contract.md#2.9 and docs/contract.md#2.13.
import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Username } from "../../src/core/identity/builders/username.ts";
import { check, HttpsUrl, Slug, Text } from "../../src/core/base/check.ts";
import { CoreError } from "../../src/core/base/errors.ts";
import { titleOf } from "../../src/core/base/title.ts";
import { parseQuery } from "../../src/core/community/fulltext/language.ts";
import { parseTimestamp } from "../../src/core/base/timestamp.ts";
import { cursorKey } from "../../src/core/base/page.ts";
import { parseQuery as parseRequestQuery } from "../../src/rest/query.ts";
import { createMember, openTestServer } from "../support.ts";
import { countOf, errorsIn, expectRefusal, createSamples, table } from "./raw.ts";

test("refuses U+0000 in every text", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const url = "https://hooks.example.com/a";
  for (const nul of ["\0", "\0a", "a\0", "a\0b"]) {
    const refuse = async (path: string, body: unknown, status = 400) =>
      expectRefusal(await server.request(token, path, { method: "POST", body }), status);
    await refuse("/feed", { text: nul });
    await refuse("/feed", { text: "a", tags: [nul] });
    await refuse("/feed", { text: "a", media: [url + nul] });
    await refuse("/webhooks", { url: url + nul, events: ["post.created"] });
    // An unknown event type is 422 (docs/contract.md#1.15). No known type contains a NUL.
    await refuse("/webhooks", { url, events: [`post.created${nul}`] }, 422);
    const sent = encodeURIComponent(nul);
    const queries = "feed?tag feed?author feed?since feed?cursor jobs?q jobs?stack jobs?city prompts?model";
    for (const query of queries.split(" ")) {
      await expectRefusal(await server.request(token, `/${query}=${sent}`), 400);
    }
    for (const path of ["/jobs/", "/profiles/", "/webhooks/"]) {
      await expectRefusal(await server.request(token, path + sent), 404);
    }
  }
  expect(countOf(server.core, "posts") + countOf(server.core, "webhook_endpoints")).toBe(0);
});

const TYPES = "null ~ 1 ~ 1.5 ~ true ~ {}";
const ADDRESSES = `${TYPES} ~ [] ~ ["https://a.example"] ~ {"href":"https://a.example"} ~ "" ~ "\\u0000" ~ "\\ud800"
  "https://a.example/${"a".repeat(2048)}"`;
const EVENTS = `${TYPES} ~ "post.created" ~ [] ~ [1] ~ [null] ~ [true] ~ [{}] ~ [["post.created"]] ~ {"0":"post.created"}`;
const TEXTS = `${TYPES} ~ [] ~ ["a"] ~ "" ~ " \\n\\t" ~ "\\u3000" ~ "\\ud800" ~ "${"a".repeat(2001)}"`;
const TAGS = `${TYPES} ~ "rust" ~ [1] ~ [null] ~ [""] ~ ["Rust"] ~ ["a b"] ~ ["-a"] ~ [["a"]] ~ ["a","b","c","d","e","f"]
  ["${"a".repeat(51)}"] ~ ["a\\n"] ~ ["a--b"] ~ ["\u00e9"]`;
const MEDIA = `${TYPES} ~ "https://a.example" ~ [1] ~ [null] ~ [""] ~ ["http://a.example"] ~ ["javascript:alert(1)"]
  ["//a.example"] ~ ["https://"] ~ ["https://a b"] ~ ["https://a.example\\n"] ~ ["HTTPS:\\\\a.example"]
  ["https://a.example/1","https://a.example/2","https://a.example/3","https://a.example/4","https://a.example/5"]`;

test("refuses and names every field that is missing or has a wrong type, format or size", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const hook = { url: "https://hooks.example.com/a", events: ["post.created"] };
  const created = await server.request(token, "/webhooks", { method: "POST", body: hook });
  const { id } = (await created.json()) as { id: string };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const refused = async (method: string, path: string, body: string) => {
    const answer = await fetch(`${server.url}/v1${path}`, { method, headers, body });
    return JSON.parse(await expectRefusal(answer, 400)).details as {
      path: string;
      code: string;
      message: string;
    }[];
  };
  const fields: [method: string, path: string, field: string, others: object, values: string][] = [
    ["POST", "/feed", "text", { tags: ["a"] }, TEXTS],
    ["POST", "/feed", "tags", { text: "a" }, TAGS],
    ["POST", "/feed", "media", { text: "a" }, MEDIA],
    ["POST", "/webhooks", "url", { events: hook.events }, ADDRESSES],
    ["POST", "/webhooks", "events", { url: `${hook.url}b` }, EVENTS],
    ["PATCH", `/webhooks/${id}`, "url", {}, ADDRESSES],
    ["PATCH", `/webhooks/${id}`, "events", {}, EVENTS],
  ];
  for (const [method, path, field, others, values] of fields) {
    expect(table(values).length).toBeGreaterThanOrEqual(12);
    for (const value of table(values)) {
      const body = `{"${field}":${value},${JSON.stringify({ ...others, x: 1 }).slice(1)}`;
      const [detail] = await refused(method, path, body);
      expect(detail?.path, body).toMatch(new RegExp(`^${field}(\\.0)?$`));
    }
  }
  for (const [method, path, field, others] of [fields[0], fields[3], fields[4]].flatMap((row) =>
    row ? [row] : [],
  )) {
    expect(await refused(method, path, JSON.stringify(others))).toEqual([
      { path: field, code: "missing", message: "is missing" },
    ]);
  }
  expect(countOf(server.core, "posts")).toBe(0);
  const stored = await server.request(token, `/webhooks/${id}`);
  expect(await stored.json()).toMatchObject(hook);
});

test("refuses an Idempotency-Key that is empty or too long, and names the header", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const send = (key: string) =>
    server.request(token, "/feed", {
      method: "POST",
      body: { text: "a" },
      headers: { "idempotency-key": key },
    });
  for (const key of ["", "k".repeat(256)]) {
    const { message, details } = JSON.parse(await expectRefusal(await send(key), 400));
    expect(message).toStartWith("`Idempotency-Key` must ");
    expect(details[0].path).toBe("Idempotency-Key");
  }
  expect((await send("k".repeat(255))).status).toBe(201);
  expect(countOf(server.core, "posts")).toBe(1);
});

test("ignores unknown fields, and lets no request set what the server owns", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  createMember(server.core, "eve");
  const owned = {
    id: "x_1",
    author: { username: "eve" },
    author_id: "eve",
    created_at: "1999-01-01T00:00:00Z",
    parent_id: "post_1",
    secret: "whsec_mine",
    workspace_id: "ws_1",
    metrics: { likes: 9, replies: 9 },
    likes: 9,
  };
  const now = "2026-11-20T12:00:00.000Z";
  const make = async (path: string, body: object): Promise<Record<string, unknown>> =>
    (await server.request(token, path, { method: "POST", body: { ...body, ...owned } })).json() as never;
  const post = await make("/feed", { text: "mine" });
  expect(post["id"]).toMatch(/^post_/);
  expect(post).toMatchObject({ author: { username: "ada" }, created_at: now });
  const feed = (await (await server.request(token, "/feed")).json()) as { data: unknown[] };
  expect(feed.data).toMatchObject([{ text: "mine", metrics: { likes: 0, replies: 0 } }]);
  const hook = { url: "https://hooks.example.com/a", events: ["post.created"] };
  const { secret, ...endpoint } = await make("/webhooks", hook);
  expect(endpoint["id"]).toMatch(/^whe_/);
  expect(endpoint).toMatchObject({ ...hook, created_at: now });
  expect(secret).not.toBe(owned.secret);
  const changed = await server.request(token, `/webhooks/${endpoint["id"]}`, {
    method: "PATCH",
    body: owned,
  });
  expect(await changed.json()).toEqual(endpoint);
});

test("counts 2,000 characters as 2,000 code points, whatever their encoded length", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  for (const letter of ["a", "é", "世", "😀", "\u{10ffff}", "e\u0301", "👍🏽"]) {
    const text = letter.repeat(2000 / [...letter].length);
    expect((await server.request(token, "/feed", { method: "POST", body: { text } })).status, letter).toBe(
      201,
    );
    const longer = await server.request(token, "/feed", { method: "POST", body: { text: `${text}a` } });
    await expectRefusal(longer, 400);
  }
  const lengths = server.core.db.prepare("SELECT DISTINCT length(text) AS length FROM posts").all();
  expect(lengths).toEqual([{ length: 2000 }]);
});

test("never repeats a refused value to the client or in the log", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const secret = "hunter2SECRETpassword";
  const bodies = [
    { text: { password: secret } },
    { text: secret.repeat(200) },
    { text: [secret], tags: [secret, token], media: [secret, `http://${secret}`, token] },
    { url: secret, events: [secret, token] },
    { url: `https://ada:${secret}@hooks.example.com/`, events: ["post.created"] },
    { url: `http://hooks.example.com/?key=${secret}`, events: ["post.created"] },
    { [secret]: token },
  ];
  const texts: string[] = [];
  for (const body of bodies) {
    for (const path of ["/feed", "/webhooks"]) {
      texts.push(await expectRefusal(await server.request(token, path, { method: "POST", body })));
    }
  }
  const get = async (path: string, by = token) =>
    texts.push(await expectRefusal(await server.request(by, path)));
  for (const value of [secret, token]) {
    for (const name of ["limit", "cursor", "tag", "author", "since"]) await get(`/feed?${name}=${value}!`);
    await get(`/jobs?remote=${value}&seniority=${value}&stack=${value}!`);
  }
  for (const path of ["/jobs/", "/profiles/", "/webhooks/", "/"]) await get(path + token);
  await get("/feed", `${token}x`);
  const text = [...texts, ...server.logged].join("\n");
  expect(text).not.toContain(secret);
  expect(text).not.toContain(token.slice(10));
  expect(errorsIn(server.logged)).toEqual([]);
});

test("refuses numbers in other notations", async () => {
  await using server = openTestServer();
  const { token } = await createSamples(server);
  const odd =
    table(`0x10 ~ 1e1 ~ 1E0 ~ +1 ~ 01 ~ 1_0 ~ 1,0 ~ 1. ~ .5 ~ -0 ~ -1 ~ 0b1 ~ 0o7 ~ 1n ~ 1f ~ NaN ~ Infinity ~ null ~ true
    9007199254740993 ~ 99999999999999999999 ~ 1e400 ~ 1/2 ~ 1;2 ~ [1] ~ 1%`);
  const values = [...odd, "", " ", " 1", "1 ", "1\n", "\t1", "１", "٣", "½", "1\u00a0", "1\0", "−1", "¹"].map(
    encodeURIComponent,
  );
  values.push("1&limit=1&min_score=1", "+1", "1+");
  for (const value of [...values, "1.0", "1.5", "0", "101"])
    await expectRefusal(await server.request(token, `/feed?limit=${value}`), 400);
  for (const value of [...values, "5.1", "6", "-0.0"])
    await expectRefusal(await server.request(token, `/prompts?min_score=${value}`), 400);
  for (const value of ["1", "100"])
    expect((await server.request(token, `/feed?limit=${value}`)).status).toBe(200);
  for (const value of ["0", "5", "4.5", "0.25", "5.0"])
    expect((await server.request(token, `/prompts?min_score=${value}`)).status).toBe(200);
});

test("refuses a timestamp that does not exist or has no time zone, instead of correcting it", async () => {
  await using server = openTestServer();
  const { token } = await createSamples(server);
  const odd =
    table(`2026-02-30T00:00:00Z ~ 2026-13-01T00:00:00Z ~ 2026-00-10T00:00:00Z ~ 2026-11-31T00:00:00Z ~ 2025-02-29T00:00:00Z
    2026-11-20 ~ 2026-11-20T09:30:00 ~ 2026-11-20T24:00:00Z ~ 2026-11-20T09:60:00Z ~ 2026-11-20T09:30:60Z ~ 2026-11-20 09:30:00Z
    20261120T093000 ~ 20260230T093000Z ~ 1795167000 ~ 2026-11-20T09:30:00+25:00 ~ 2026-11-20T09:30:00+2500 ~ Fri, 20 Nov 2026 09:30:00 GMT ~ now
    2026-W47-5T00:00:00Z ~ +002026-11-20T09:30:00Z ~ 2026-11-20T09:30:00.Z ~ 2026-11-20T9:30:00Z ~ 26-11-20T09:30:00Z
    2026-11-20T09:30:00ZZ ~ 2026-11-20T09:30:00,5Z ~ 0000-00-00T00:00:00Z ~ 2026-11-20T09Z`);
  for (const value of [
    ...odd,
    "",
    "２０２６-11-20T09:30:00Z",
    "2026-11-20T09:30:00Z\n",
    "2026-11-20T09:30:00Z\0",
  ]) {
    const body = await expectRefusal(
      await server.request(token, `/feed?since=${encodeURIComponent(value)}`),
      400,
    );
    expect(body, value).not.toContain("09:30:00Z,");
  }
  // An unencoded plus decodes to a space.
  await expectRefusal(await server.request(token, "/feed?since=2026-11-20T09:30:00+01:00"), 400);
  const sound = [
    "2026-11-20T11:59:59Z",
    "2026-11-20T12:59:59.999+01:00",
    "2026-11-20T11:59Z",
    "2026-11-20t11:59:00z",
    "2026-11-20T11:59:00+0000",
    "2026-11-20T13:59:00+02",
    "20261120T115900Z",
    "2024-02-29T00:00:00-23:59",
  ];
  for (const value of sound) {
    const feed = await server.request(token, `/feed?since=${encodeURIComponent(value)}`);
    expect(((await feed.json()) as { data: unknown[] }).data, value).toHaveLength(1);
  }
});

test("every rule for texts takes linear time, whatever the text", () => {
  const N = 50_000;
  const repeated = ["a", "a-", "[a](", "<", "> ", '"a', "\n", "0", "😀", " #", "- - ", "`"];
  const stuck = [`x${" ".repeat(N)}y`, `${"*".repeat(N)}a`, `x ${"#".repeat(N)}x`, `a${"_".repeat(N)}b`];
  const hostile = [
    ...repeated.map((text) => text.repeat(N / text.length)),
    ...stuck,
    `a${"\u0301".repeat(N)}`,
  ];
  const rules: Record<string, (text: string) => unknown> = {
    "the title of a post": titleOf,
    "a slug": (text) => check(Slug(), text),
    "a username": (text) => check(Username, text),
    "a moment": (text) => parseTimestamp(`2026-11-20T12:00:00${text}`),
    "the words of a search": parseQuery,
    "a media address": (text) => check(HttpsUrl(), `https://a.example/${text}`),
    "a text": (text) => check(Text({ max: N, visible: true }), text),
    "a cursor": (text) =>
      cursorKey(
        { limit: 1, cursor: text },
        { list: "feed", filters: {} },
        (key): key is [string] => key.length > 0,
      ),
    "a query": (text) => parseRequestQuery(Type.Object({ a: Type.Optional(Slug()) }), `a=${text}&${text}=a`),
  };
  const slow: string[] = [];
  for (const [rule, apply] of Object.entries(rules)) {
    for (const text of hostile) {
      const ms = Math.min(costOf(apply, text), costOf(apply, text));
      if (ms > 250) slow.push(`${rule}: ${ms.toFixed(0)} ms for ${JSON.stringify(text.slice(0, 8))}…`);
    }
  }
  expect(slow).toEqual([]);
});

/** Returns CPU milliseconds. A refusal is a valid outcome. */
function costOf(apply: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  try {
    apply(text);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(CoreError);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
