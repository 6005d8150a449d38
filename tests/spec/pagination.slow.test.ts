// Tests docs/contract.md#V4.1, docs/contract.md#V4.2, docs/contract.md#V4.3, docs/contract.md#V4.4,
// docs/contract.md#V4.5, docs/contract.md#2.12 and docs/contract.md#2.13.
import { expect, test } from "bun:test";
import { type TestServer, createMember, openTestServer } from "../support.ts";
import { call, clientOf, refusalOf } from "./client.ts";
import { addPrompts, publishJobs, publishPosts } from "./rows.ts";

/** The lists of the contract. Each of them lists the fixture rows newest first. */
const LISTS = ["/feed?", "/jobs?", "/jobs?q=storage&", "/prompts?"] as const;

/** Creates `count` rows in every list. */
function fill(server: TestServer, count: number) {
  const { token, caller } = createMember(server.core, "ada");
  const each = Array.from({ length: count }, (_, i) => i);
  server.core.db.transact(() => {
    publishPosts(server, caller, ...each.map((i) => ({ text: `post ${i}`, tags: ["rust"] })));
    publishJobs(server, ...each.map((i) => ({ title: `Job ${i}` })));
    addPrompts(server, caller, ...each.map((i) => ({ title: `Prompt ${i}` })));
  });
  return { token, caller };
}

/** Reads every page of a list by `next` and calls `meanwhile` between pages. */
async function walk(server: TestServer, token: string, list: string, meanwhile: () => void = () => {}) {
  const pages: string[][] = [];
  let next: string | null = null;
  do {
    const cursor: string = next === null ? "" : `&cursor=${encodeURIComponent(next)}`;
    const { body } = await call(server, token, `GET ${list}${cursor}`);
    pages.push(body.data.map(({ id }: { id: string }) => id));
    next = body.next;
    if (next !== null) meanwhile();
  } while (next !== null && pages.length < 100);
  return pages;
}

test("the first page needs no cursor; a cursor is opaque, URL-safe and short", async () => {
  await using server = openTestServer();
  const { token } = fill(server, 3);
  for (const list of LISTS) {
    const { body } = await call(server, token, `GET ${list}limit=1`);
    expect(body.next).toMatch(/^[A-Za-z0-9_-]{1,512}$/);
  }
});

test("responses have the shape { data: array, next: string or null }", async () => {
  await using server = openTestServer();
  const empty = createMember(server.core, "nobody").token;
  for (const list of LISTS) {
    expect((await call(server, empty, `GET ${list}`)).body).toStrictEqual({ data: [], next: null });
  }
  const { token } = fill(server, 2);
  for (const list of LISTS) {
    const { body } = await call(server, token, `GET ${list}limit=1`);
    expect(body).toStrictEqual({ data: [expect.any(Object)], next: expect.any(String) });
  }
});

test("next works as the cursor of the next page: the pages together are the list", async () => {
  await using server = openTestServer();
  const { token } = fill(server, 10);
  for (const list of LISTS) {
    const [whole] = await walk(server, token, `${list}limit=100`);
    expect(new Set(whole).size).toBe(10);
    for (const limit of [1, 3, 7, 9]) {
      const pages = await walk(server, token, `${list}limit=${limit}`);
      expect(pages.flat()).toEqual(whole ?? []);
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    }
    const first = await call(server, token, `GET ${list}limit=2`);
    const rest = await call(server, token, `GET ${list}limit=50&cursor=${first.body.next}`);
    expect([...first.body.data, ...rest.body.data].map(({ id }) => id)).toEqual(whole ?? []);
  }
});

test("a typed client walks the feed with cursor and next", async () => {
  await using server = openTestServer();
  const { token } = fill(server, 5);
  const client = clientOf(server, token);
  const texts: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 2, tag: "rust", ...(cursor === undefined ? {} : { cursor }) };
    const { data } = await client.GET("/feed", { params: { query } });
    texts.push(...(data?.data ?? []).map(({ text }) => text));
    cursor = data?.next ?? undefined;
  } while (cursor !== undefined);
  expect(texts).toEqual(["post 4", "post 3", "post 2", "post 1", "post 0"]);
});

test("next is null at the end of the list, even when the last page is full", async () => {
  await using server = openTestServer();
  const { token } = fill(server, 6);
  for (const list of LISTS) {
    for (const [limit, sizes] of [
      [3, [3, 3]],
      [6, [6]],
      [5, [5, 1]],
      [100, [6]],
    ] as const) {
      const pages = await walk(server, token, `${list}limit=${limit}`);
      expect([list, limit, ...pages.map((page) => page.length)]).toEqual([list, limit, ...sizes]);
    }
  }
});

test("limit is the page size: 1 to 100, default 20", async () => {
  await using server = openTestServer();
  const { token } = fill(server, 101);
  for (const list of LISTS) {
    for (const [limit, sizes] of [
      ["", [20, 20, 20, 20, 20, 1]],
      ["limit=100", [100, 1]],
    ] as const) {
      const pages = await walk(server, token, `${list}${limit}`);
      expect([list, ...pages.map((page) => page.length)]).toEqual([list, ...sizes]);
    }
    expect(await refusalOf(server, token, `GET ${list}limit=0`)).toBe("400 limit");
    expect(await refusalOf(server, token, `GET ${list}limit=101`)).toBe("400 limit");
    const twice = await call(server, token, `GET ${list}limit=5&limit=5`);
    expect([twice.status, twice.body.message]).toEqual([400, "`limit` must be sent only once."]);
  }
});

test("a cursor is valid only for its list and filters; elsewhere it is 400", async () => {
  await using server = openTestServer();
  const { token } = fill(server, 3);
  const filtered = [
    [
      "/feed?",
      "/feed?tag=rust&",
      "/feed?author=ada&",
      "/feed?tag=rust&author=ada&",
      "/feed?since=2001-01-01T00:00:00Z&",
    ],
    [
      "/jobs?",
      "/jobs?q=storage&",
      "/jobs?q=engine&",
      "/jobs?stack=rust&",
      "/jobs?city=berlin&",
      "/jobs?remote=false&",
    ],
    ["/jobs?seniority=senior&", "/jobs?q=storage&stack=rust&", "/jobs?city=berlin&remote=false&"],
    ["/prompts?", "/prompts?model=sonnet&", "/prompts?category=review&", "/prompts?min_score=0&"],
  ].flat();
  const cursors = new Map<string, string>();
  for (const list of filtered) cursors.set(list, (await call(server, token, `GET ${list}limit=1`)).body.next);
  expect(new Set(cursors.values()).size).toBe(filtered.length);
  for (const [from, cursor] of cursors) {
    for (const list of filtered) {
      const { status } = await call(server, token, `GET ${list}limit=1&cursor=${cursor}`);
      expect([from, list, status]).toEqual([from, list, from === list ? 200 : 400]);
    }
  }
});

test("a truncated, lengthened, re-encoded, oversized or invented cursor is 400", async () => {
  await using server = openTestServer();
  const { token } = fill(server, 3);
  for (const list of LISTS) {
    const next: string = (await call(server, token, `GET ${list}limit=1`)).body.next;
    const json = Buffer.from(next, "base64url").toString();
    const key: unknown[] = JSON.parse(json);
    const encoded = (value: unknown) =>
      Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
    const wrong: string[] = [
      "",
      "x",
      "null",
      "undefined",
      "0",
      "a".repeat(512),
      "a".repeat(513),
      "a".repeat(5000),
      next.slice(0, -1),
      next.slice(1),
      next.slice(0, next.length / 2),
      `${next}a`,
      `${next}=`,
      `${next}==`,
      `${next}.`,
      `${next}${next}`,
      ` ${next}`,
      next.toUpperCase(),
      Buffer.from(next).toString("base64url"),
      Buffer.from(json).toString("hex"),
      json,
      encoded(`${json} `),
      encoded(JSON.stringify(key, null, 1)),
      encoded(`${json.slice(0, -1)}]]`),
      encoded({ ...key }),
      encoded([]),
      encoded(key.slice(0, -1)),
      encoded([...key, 1]),
      encoded([...key, ...Array(300).fill(1)]),
      encoded(["other", ...key.slice(1)]),
      encoded([key[0], "AAAAAAAAAAA", ...key.slice(2)]),
      encoded([...key.slice(0, -1), null]),
      encoded([...key.slice(0, -1), true]),
      encoded([...key.slice(0, -1), [key.at(-1)]]),
      encoded([...key.slice(0, -1), "post_"]),
      encoded([...key.slice(0, -1), "' OR 1=1 --"]),
      encoded(`${JSON.stringify(key.slice(0, -1)).slice(0, -1)},1e999]`),
      encoded([...key.slice(0, -1), typeof key.at(-1) === "string" ? 1 : "post_01kafzq8e5f2r8v0j3n6s1t4wx"]),
    ];
    for (const cursor of wrong) {
      const { status, body } = await call(server, token, `GET ${list}cursor=${encodeURIComponent(cursor)}`);
      expect([list, cursor, status, body.error]).toEqual([list, cursor, 400, "bad_request"]);
      expect(cursor === "" || !body.message.includes(cursor) || cursor.length < 3).toBe(true);
    }
    expect(await refusalOf(server, token, `GET ${list}cursor=${next}&cursor=${next}`)).toBe("400 cursor");
  }
});

test("writes between pages do not shift a walk", async () => {
  await using server = openTestServer();
  const { token, caller } = fill(server, 12);
  const add: Record<(typeof LISTS)[number], () => void> = {
    "/feed?": () => void publishPosts(server, caller, { text: "new", tags: ["rust"] }),
    "/jobs?": () => void publishJobs(server, {}),
    "/jobs?q=storage&": () => void publishJobs(server, { title: "Storage storage" }),
    "/prompts?": () =>
      void addPrompts(server, caller, { ratings: [5, 5, 5] }, { ratings: [] }, { ratings: [1] }),
  };
  for (const list of LISTS) {
    const [before = []] = await walk(server, token, `${list}limit=100`);
    const walked = (await walk(server, token, `${list}limit=5`, add[list])).flat();
    expect(walked.filter((id) => before.includes(id))).toEqual(before);
    expect(new Set(walked).size).toBe(walked.length);
    // New rows at the start of a list never appear later. The position of a prompt depends on its rating.
    if (list !== "/prompts?") expect(walked).toEqual(before);
  }
});

test("a cursor stays valid when its row is deleted", async () => {
  await using server = openTestServer();
  const { token } = fill(server, 5);
  for (const [list, table] of [
    ["/feed?", "posts"],
    ["/prompts?", "prompts"],
  ] as const) {
    const [all = []] = await walk(server, token, `${list}limit=100`);
    const { body } = await call(server, token, `GET ${list}limit=2`);
    server.core.db.prepare(`DELETE FROM ${table} WHERE id = ?`).run(all[1]);
    const rest = await call(server, token, `GET ${list}cursor=${body.next}`);
    expect(rest.body.data.map(({ id }: { id: string }) => id)).toEqual(all.slice(2));
  }
});
