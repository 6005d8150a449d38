// Tests docs/contract.md#6.16.
import { expect, test } from "bun:test";
import { claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { createAttempt } from "../../src/delivery/attempt.ts";
import { startLoop } from "../../src/delivery/loop.ts";
import { authority, openReceiver, until } from "../delivery/receiver.ts";
import { type TestServer, createMember, openTestServer, limitOf } from "../support.ts";
import { call } from "./client.ts";
import pino from "pino";

const DAY = 86_400_000;

async function register(
  server: TestServer,
  token: string,
  path = "in",
): Promise<{ id: string; secret: string }> {
  const body = { url: `https://hooks.example.com/${path}`, events: ["post.created"] };
  return (await call(server, token, "POST /webhooks", { body })).body as { id: string; secret: string };
}

/** Attempts all due deliveries. Every receiver responds with `status`. */
function attemptAll(server: TestServer, status: number, delays: number[] = [0]): number {
  const claims = server.core.db.transact(() => claimDue(server.core, 100, "", limitOf(100)).claims);
  const outcome =
    status < 300
      ? { status, durationMs: 3 }
      : { status, durationMs: 3, failure: { code: "status" as const, params: { status } }, answer: "no" };
  server.core.db.transact(() => claims.forEach((claim) => settle(server.core, claim, outcome, delays)));
  return claims.length;
}

test("a test event is sent to one endpoint whatever its subscriptions, and is visible only in its workspace", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const { token: stranger } = createMember(server.core, "bob");
  const { id } = await register(server, token);
  await register(server, token, "other");
  const sent = await call(server, token, `POST /webhooks/${id}/test`);
  expect(sent).toMatchObject({
    status: 201,
    body: { event_type: "webhook.test", endpoint_id: id, state: "awaiting_retry" },
  });
  expect(attemptAll(server, 204)).toBe(1);
  const events = async (of: string) =>
    ((await call(server, of, "GET /events")).body as { data: { type: string }[] }).data;
  expect(await events(token)).toMatchObject([{ type: "webhook.test", data: { endpoint_id: id } }]);
  expect(await events(stranger)).toEqual([]);
});

test("deliveries of an endpoint are listed newest first, filtered by state, and shown with their attempts", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const { id } = await register(server, token);
  createPost(server.core, caller, { text: "one" });
  attemptAll(server, 503);
  server.clock.pass(1000);
  createPost(server.core, caller, { text: "two" });
  attemptAll(server, 204);
  type Listed = { data: { id: string; state: string }[]; next: string | null };
  const list = async (query: string) =>
    (await call(server, token, `GET /webhooks/${id}/deliveries${query}`)).body as Listed;
  expect((await list("")).data.map(({ state }) => state)).toEqual(["acknowledged", "failed"]);
  expect((await list("?state=failed")).data).toHaveLength(1);
  const first = await list("?limit=1");
  const second = await list(`?limit=1&cursor=${first.next}`);
  expect([first.data[0]?.state, second.data[0]?.state, second.next]).toEqual([
    "acknowledged",
    "failed",
    null,
  ]);
  expect((await call(server, token, `GET /webhooks/${id}/deliveries?state=lost`)).status).toBe(400);
  expect((await call(server, token, `GET /deliveries/${second.data[0]?.id}`)).body).toMatchObject({
    state: "failed",
    attempts: 1,
    next_attempt_at: null,
    log: [
      {
        status: 503,
        error: "The receiver responded with status 503.",
        code: "status",
        answer: "no",
        duration_ms: 3,
        started_at: "2026-11-20T12:00:00.000Z",
      },
    ],
  });
});

test("a failed delivery can be retried, and all failures since a moment recovered; an acknowledged delivery can be resent", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const { id } = await register(server, token);
  for (const text of ["one", "two"]) createPost(server.core, caller, { text });
  attemptAll(server, 500);
  type Listed = { data: { id: string }[] };
  const [failed] = ((await call(server, token, `GET /webhooks/${id}/deliveries?state=failed`)).body as Listed)
    .data;
  const retried = await call(server, token, `POST /deliveries/${failed?.id}/retry`);
  expect(retried).toMatchObject({
    status: 200,
    body: { state: "awaiting_retry", next_attempt_at: "2026-11-20T12:00:00.000Z" },
  });
  const recovered = await call(server, token, `POST /webhooks/${id}/recover`, {
    body: { since: "2026-11-20T00:00:00Z" },
  });
  expect(recovered.body).toEqual({ recovered: 1 });
  expect(
    (await call(server, token, `POST /webhooks/${id}/recover`, { body: { since: "yesterday" } })).status,
  ).toBe(400);
  expect(attemptAll(server, 200)).toBe(2);
  expect((await call(server, token, `POST /deliveries/${failed?.id}/retry`)).body.state).toBe(
    "awaiting_retry",
  );
});

test("a disabled endpoint shows when and why, and refuses tests and recoveries until it is enabled", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const { id } = await register(server, token);
  createPost(server.core, caller, { text: "one" });
  attemptAll(server, 410);
  const shown = await call(server, token, `GET /webhooks/${id}`);
  expect(shown.body).toMatchObject({
    disabled: { at: "2026-11-20T12:00:00.000Z", reason: "The receiver responded with status 410 (Gone)." },
    health: {
      state: "disabled",
      failing_since: "2026-11-20T12:00:00.000Z",
      disabled_at: "2026-11-20T12:00:00.000Z",
      code: "gone",
      reason: "The receiver responded with status 410 (Gone).",
    },
  });
  for (const path of [`/webhooks/${id}/test`, `/webhooks/${id}/recover`]) {
    expect(
      (await call(server, token, `POST ${path}`, { body: { since: "2026-11-20T00:00:00Z" } })).status,
    ).toBe(409);
  }
  expect(
    (await call(server, token, `PATCH /webhooks/${id}`, { body: { enabled: true } })).body,
  ).toMatchObject({ disabled: null });
  expect((await call(server, token, `POST /webhooks/${id}/test`)).status).toBe(201);
  const off = await call(server, token, `PATCH /webhooks/${id}`, { body: { enabled: false } });
  expect(off.body).toMatchObject({ disabled: { reason: "The owner disabled the endpoint." } });
  expect(attemptAll(server, 200)).toBe(0);
});

test("a rotated secret is shown once, and both secrets sign for 24 hours", async () => {
  await using server = openTestServer({ allow: ["127.0.0.0/8"], resolve: async () => ["127.0.0.1"] });
  await using receiver = await openReceiver();
  const { token } = createMember(server.core, "ada");
  const body = { url: `https://hooks.example.com:${receiver.port}/`, events: ["post.created"] };
  const created = (await call(server, token, "POST /webhooks", { body })).body as {
    id: string;
    secret: string;
  };
  const rotated = (await call(server, token, `POST /webhooks/${created.id}/rotate-secret`)).body as {
    secret: string;
  };
  expect(rotated.secret).not.toBe(created.secret);
  const attempt = createAttempt({
    targets: server.core.targets,
    timeoutMs: 1000,
    ca: (await authority()).pem,
    userAgent: "x",
  });
  const loop = startLoop(server.core, attempt, [0], pino({ level: "silent" }));
  server.core.onWake(loop.wake);
  const signatures = async (): Promise<number> => {
    const before = receiver.received.length;
    await call(server, token, `POST /webhooks/${created.id}/test`);
    await until(() => receiver.received.length > before);
    return (receiver.received.at(-1)?.headers["x-service-signature"] ?? "").split("v1=").length - 1;
  };
  expect(await signatures()).toBe(2);
  server.clock.pass(DAY - 1);
  expect(await signatures()).toBe(2);
  server.clock.pass(1);
  expect(await signatures()).toBe(1);
  await loop.stop();
});

test("events can be pulled oldest first, from a moment on, page by page", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  for (let i = 0; i < 5; i++) {
    createPost(server.core, caller, { text: `post ${i}` });
    server.clock.pass(1000);
  }
  type Pulled = { data: { data: { post: { title: string } } }[]; next: string | null };
  const pull = async (query: string) => (await call(server, token, `GET /events${query}`)).body as Pulled;
  const titles = ({ data }: Pulled) => data.map(({ data: { post } }) => post.title);
  const first = await pull("?limit=2");
  expect(titles(first)).toEqual(["post 0", "post 1"]);
  expect(titles(await pull(`?limit=2&cursor=${first.next}`))).toEqual(["post 2", "post 3"]);
  expect(titles(await pull("?since=2026-11-20T12:00:03Z"))).toEqual(["post 4"]);
});

test("deliveries and endpoints of another workspace answer like unknown ids", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const { token: stranger } = createMember(server.core, "bob");
  const { id } = await register(server, token);
  createPost(server.core, caller, { text: "one" });
  const dlv = server.core.db.prepare<{ id: string }>("SELECT id FROM deliveries").get()?.id ?? "";
  const body = { since: "2026-11-20T00:00:00Z" };
  for (const [theirs, unknown] of [
    [`GET /deliveries/${dlv}`, "GET /deliveries/dlv_x"],
    [`POST /deliveries/${dlv}/retry`, "POST /deliveries/dlv_x/retry"],
    [`GET /webhooks/${id}/deliveries`, "GET /webhooks/whe_x/deliveries"],
    [`POST /webhooks/${id}/test`, "POST /webhooks/whe_x/test"],
    [`POST /webhooks/${id}/rotate-secret`, "POST /webhooks/whe_x/rotate-secret"],
    [`POST /webhooks/${id}/recover`, "POST /webhooks/whe_x/recover"],
  ] as const) {
    const init = theirs.startsWith("POST") ? { body } : {};
    const [a, b] = [await call(server, stranger, theirs, init), await call(server, stranger, unknown, init)];
    expect([theirs, a.status, a.body]).toEqual([theirs, 404, b.body]);
  }
});
