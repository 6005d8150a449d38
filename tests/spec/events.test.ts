// Tests docs/contract.md#V6, docs/contract.md#V6.1, docs/contract.md#V6.6, docs/contract.md#5.7 and
// docs/contract.md#5.8.
import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { listEvents } from "../../src/core/outbox/events/events.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { type TestServer, createTestWorld, createMember, openTestServer } from "../support.ts";
import { call } from "./client.ts";
import { jobDraft, rows } from "./rows.ts";

async function subscribe(server: TestServer, token: string, ...events: string[]): Promise<string> {
  const url = `https://hooks.example.com/${rows(server.core, "SELECT id FROM webhook_endpoints").length}`;
  return (await call(server, token, "POST /webhooks", { body: { url, events } })).body.id;
}

const events = (server: Pick<TestServer, "core">) => rows(server.core, "SELECT * FROM events ORDER BY id");
/** The only event, as returned by the API. */
const pulled = async (server: TestServer, token: string) =>
  (await call(server, token, "GET /events")).body.data[0];
const deliveries = (server: Pick<TestServer, "core">) =>
  rows(server.core, "SELECT event_id, endpoint_id FROM deliveries ORDER BY endpoint_id");

test("post.created fires for a new post on the feed, with one delivery per subscribed endpoint", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const first = await subscribe(server, ada.token, "post.created");
  await subscribe(server, ada.token, "job.published", "dm.received", "job.matched", "xp.level_up");
  server.clock.pass(1);
  const second = await subscribe(server, ada.token, "post.created", "job.published");
  server.clock.pass(1);
  const others = await subscribe(server, bo.token, "post.created"); // public: every workspace receives it
  server.clock.pass(1000);

  const post = await call(server, ada.token, "POST /feed", { body: { text: "# Shipped *it*\n\nMore." } });
  const [event, ...more] = events(server);
  expect(more).toEqual([]);
  expect(event.type).toBe("post.created");
  expect(event.created_at).toBe(server.clock.now());
  expect(await pulled(server, ada.token)).toStrictEqual({
    id: event.id,
    type: "post.created",
    created_at: "2026-11-20T12:00:01.002Z",
    data: {
      post: {
        id: post.body.id,
        author_id: ada.caller.builderId,
        title: "Shipped it",
        url: `https://guild.test/posts/${post.body.id}`,
      },
    },
  });
  expect(event.id).toMatch(/^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  expect(deliveries(server)).toEqual(
    [first, second, others].map((id) => ({ event_id: event.id, endpoint_id: id })),
  );
  const waiting = { state: "awaiting_retry", attempts: 0, due_at: server.clock.now() };
  expect(rows(server.core, "SELECT state, attempts, due_at FROM deliveries")).toEqual([
    waiting,
    waiting,
    waiting,
  ]);
});

test("job.published fires when a job is published on the board", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  await subscribe(server, token, "post.created");
  const subscribed = await subscribe(server, token, "job.published");
  const company = { name: "Tidewater Systems", slug: "tidewater-systems" };
  const { id } = publishJob(server.core, OPERATOR, jobDraft({ title: "Rust Engineer", company }));
  const [event, ...more] = events(server);
  expect(more).toEqual([]);
  expect(await pulled(server, token)).toStrictEqual({
    id: event.id,
    type: "job.published",
    created_at: "2026-11-20T12:00:00.000Z",
    data: { job: { id, title: "Rust Engineer", company, url: `https://guild.test/jobs/${id}` } },
  });
  expect(deliveries(server)).toEqual([{ event_id: event.id, endpoint_id: subscribed }]);
});

test("an endpoint receives exactly the types that it is subscribed to at that moment", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const id = await subscribe(server, token, "job.published");
  const count = () => deliveries(server).length;
  createPost(server.core, caller, { text: "not subscribed" });
  expect(count()).toBe(0);
  await call(server, token, `PATCH /webhooks/${id}`, { body: { events: ["post.created"] } });
  createPost(server.core, caller, { text: "subscribed" });
  expect(count()).toBe(1);
  publishJob(server.core, OPERATOR, jobDraft());
  expect(count()).toBe(1);
  await call(server, token, `PATCH /webhooks/${id}`, { body: { url: "https://hooks.example.com/moved" } });
  createPost(server.core, caller, { text: "still subscribed" });
  expect(count()).toBe(2);
  expect(events(server)).toHaveLength(4);
});

test("post.created: title is the first heading or line as plain text, at most 80 characters", async () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  const table: [text: string, title: string][] = [
    ["Just a line", "Just a line"],
    ["\n\n  ## A *bold* `heading` ##\nrest", "A bold heading"],
    ["- [a link](https://a.example) here", "a link here"],
    ["> quoted <b>text</b>", "quoted text"],
    ["---\nafter the rule", "after the rule"],
    ["snake_case stays", "snake_case stays"],
    ["a\tb\u0007c", "a b c"],
    ["🦀".repeat(80), "🦀".repeat(80)],
    ["🦀".repeat(81), `${"🦀".repeat(79)}…`],
    ["***", "***"],
  ];
  for (const [text, title] of table) {
    createPost(world.core, caller, { text });
    const [newest] = (await listEvents(world.core, caller, {}, { limit: 1, backwards: true })).nodes;
    expect(newest?.data).toMatchObject({ post: { title } });
  }
});

test("a refused write fires no event", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const reader = createMember(server.core, "bo", ["feed:read"]);
  await subscribe(server, token, "post.created", "job.published");
  const headers = { "idempotency-key": "k" };
  expect((await call(server, token, "POST /feed", { body: { text: "once" }, headers })).status).toBe(201);
  expect(events(server)).toHaveLength(1);

  const tags = ["a", "b", "c", "d", "e", "f"];
  expect((await call(server, token, "POST /feed", { body: { text: "x", tags } })).status).toBe(400);
  expect((await call(server, reader.token, "POST /feed", { body: { text: "x" } })).status).toBe(403);
  expect((await call(server, undefined, "POST /feed", { body: { text: "x" } })).status).toBe(401);
  expect((await call(server, token, "POST /feed", { body: { text: "other" }, headers })).status).toBe(422);
  expect((await call(server, token, "POST /feed", { body: { text: "once" }, headers })).status).toBe(201);
  const swapped = jobDraft({ salary: { min: 2, max: 1, currency: "EUR" } });
  expect(() => publishJob(server.core, OPERATOR, swapped)).toThrow("Swap them");
  expect(() => publishJob(server.core, reader.caller, jobDraft())).toThrow("jobs:write");
  expect([events(server).length, deliveries(server).length]).toEqual([1, 1]);
  expect(rows(server.core, "SELECT id FROM jobs UNION SELECT id FROM companies")).toEqual([]);
});

test("an event is written in the same transaction as its change, or not at all", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  await subscribe(server, token, "post.created", "job.published");
  const { db } = server.core;
  const failing =
    "CREATE TRIGGER broken BEFORE INSERT ON deliveries BEGIN SELECT RAISE(ABORT, 'disk on fire'); END";
  db.prepare(failing).run();
  const headers = { "idempotency-key": "k" };
  const refused = await server.request(token, "/feed", { method: "POST", body: { text: "x" }, headers });
  expect([refused.status, await refused.json()]).toEqual([
    500,
    {
      error: "server_error",
      code: "fault_of_ours",
      message: expect.not.stringContaining("fire"),
      docs: expect.any(String),
    },
  ]);
  expect(() => publishJob(server.core, OPERATOR, jobDraft())).toThrow("disk on fire");
  for (const table of ["posts", "jobs", "companies", "events", "deliveries", "idempotency_keys"]) {
    expect([table, rows(server.core, `SELECT count(*) AS n FROM ${table}`)]).toEqual([table, [{ n: 0 }]]);
  }
  db.prepare("DROP TRIGGER broken").run();
  expect((await call(server, token, "POST /feed", { body: { text: "x" }, headers })).status).toBe(201);
  expect([events(server).length, deliveries(server).length]).toEqual([1, 1]);
});
