// Tests docs/contract.md#V2.5, docs/contract.md#V4.13, docs/contract.md#V4.14, docs/contract.md#1.1,
// docs/contract.md#6.16 and docs/contract.md#6.21.
import { expect, test } from "bun:test";
import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { CATALOGUE, EVENT_NAMES } from "../../src/core/outbox/events/catalogue.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { ENDPOINTS_MAX } from "../../src/core/outbox/webhooks/endpoint.ts";
import { addMember, createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { type TestServer, createMember, openTestServer, limitOf } from "../support.ts";
import { call, clientOf, refusalOf } from "./client.ts";
import { rows } from "./rows.ts";

const draft = { url: "https://hooks.example.com/in", events: ["post.created" as const] };
const UNKNOWN = "whe_01kafzq8e5f2r8v0j3n6s1t4wx";
const NOT_FOUND = {
  error: "not_found",
  code: "endpoint_unknown",
  message: "There is no webhook endpoint with that id in this workspace.",
  docs: "https://guild.test/docs/errors#endpoint_unknown",
};

test("POST /webhooks registers an endpoint: 201, Location, and the secret, which is shown only once", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const { data, response } = await clientOf(server, token).POST("/webhooks", { body: draft });
  expect(response.status).toBe(201);
  expect(data).toStrictEqual({
    id: expect.stringMatching(/^whe_[0-7][0-9a-hjkmnp-tv-z]{25}$/) as unknown as string,
    url: draft.url,
    events: draft.events,
    created_at: "2026-11-20T12:00:00.000Z",
    disabled: null,
    owner: { username: "ada", app: null },
    health: { state: "ok", failing_since: null, disabled_at: null, code: null, reason: null },
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as unknown as string,
  });
  expect(response.headers.get("location")).toBe(`/v1/webhooks/${data?.id}`);

  const { secret, ...endpoint } = data ?? { secret: "", id: "" };
  const path = `/webhooks/${endpoint.id}`;
  const shown = await call(server, token, `GET ${path}`);
  expect(shown.body).toStrictEqual(endpoint);
  const listed = await call(server, token, "GET /webhooks");
  // Items in the list have no `health` and no `owner`, as the specification shows.
  const { health: _health, owner: _owner, ...item } = { health: null, owner: null, ...endpoint };
  expect(listed.body).toStrictEqual({ data: [item] });
  const changed = await call(server, token, `PATCH ${path}`, { body: { events: ["job.published"] } });
  expect(changed.body).toStrictEqual({ ...endpoint, events: ["job.published"] });
  for (const { text } of [shown, listed, changed]) expect(text).not.toContain(secret.slice(6));
  expect(server.logged.join("\n")).not.toContain(secret.slice(6));
});

test("each endpoint has its own signing secret", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const secrets = new Set<string>();
  for (let i = 0; i < 5; i++) {
    const body = { ...draft, url: `${draft.url}${i}` };
    secrets.add((await call(server, token, "POST /webhooks", { body })).body.secret);
  }
  expect(secrets.size).toBe(5);
});

test("GET /webhooks returns { data } without a next value", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  expect((await call(server, token, "GET /webhooks")).body).toStrictEqual({ data: [] });
  const ids: string[] = [];
  for (let i = 0; i < 25; i++) {
    const body = { ...draft, url: `${draft.url}${i}` };
    ids.unshift((await call(server, token, "POST /webhooks", { body })).body.id);
  }
  // The list has no parameters. It returns all endpoints, newest first.
  const { body } = await call(server, token, "GET /webhooks?limit=abc&cursor=x");
  expect(Object.keys(body)).toEqual(["data"]);
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
});

test("`url` and `events` are required; a missing, empty, oversized or mistyped value is 400", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const long = (length: number) => "https://hooks.example.com/".padEnd(length, "x");
  const table: [body: unknown, refusal: string][] = [
    [{}, "400 url events"],
    [{ url: draft.url }, "400 events"],
    [{ events: draft.events }, "400 url"],
    [{ ...draft, url: null }, "400 url"],
    [{ ...draft, url: 5 }, "400 url"],
    [{ ...draft, url: "" }, "400 url"],
    [{ ...draft, url: [draft.url] }, "400 url"],
    [{ ...draft, url: long(2049) }, "400 url"],
    [{ ...draft, url: `${draft.url}\0` }, "400 url"],
    [{ ...draft, events: [] }, "400 events"],
    [{ ...draft, events: "post.created" }, "400 events"],
    [{ ...draft, events: null }, "400 events"],
    [{ ...draft, events: [5] }, "400 events.0"],
    [{ ...draft, events: ["post.created", null] }, "400 events.1"],
    [[], "400 "],
  ];
  for (const [body, refusal] of table) {
    expect([body, await refusalOf(server, token, "POST /webhooks", { body })]).toEqual([body, refusal]);
  }
  expect(rows(server.core, "SELECT id FROM webhook_endpoints")).toEqual([]);
  const longest = { ...draft, url: long(2048) };
  expect((await call(server, token, "POST /webhooks", { body: longest })).status).toBe(201);
});

test("events: each type of the catalogue at most once; an unknown type is 422", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  expect([...EVENT_NAMES].sort()).toEqual([
    "application.created",
    "builder.joined",
    "builder.removed",
    "decision.made",
    "dm.received",
    "job.matched",
    "job.published",
    "post.created",
    "post.deleted",
    "post.updated",
    "report.created",
    "webhook.endpoint_disabled",
    "xp.level_up",
  ]);
  const open = EVENT_NAMES.filter((type) => CATALOGUE[type].audience !== "staff");
  const all = await call(server, token, "POST /webhooks", { body: { ...draft, events: open } });
  expect(all.body.events.toSorted()).toEqual([...open].sort());
  const twice = { url: `${draft.url}/2`, events: ["post.created", "dm.received", "post.created"] };
  const { body } = await call(server, token, "POST /webhooks", { body: twice });
  expect(body.events.toSorted()).toEqual(["dm.received", "post.created"]);
  for (const type of ["post.liked", "webhook.test", "*", "", "POST.CREATED", "constructor", "__proto__"]) {
    for (const request of ["POST /webhooks", `PATCH /webhooks/${body.id}`]) {
      const sent = { url: `${draft.url}/3`, events: ["post.created", type] };
      expect([type, await refusalOf(server, token, request, { body: sent })]).toEqual([type, "422 events"]);
    }
  }
  expect(rows(server.core, "SELECT id FROM webhook_endpoints")).toHaveLength(2);
});

test("`url` is an HTTPS URL; another scheme or a private or special address is 422", async () => {
  const answers: Record<string, string[]> = {
    "inside.example.com": ["10.0.0.7"],
    "half.example.com": ["93.184.215.14", "fd00::1"],
    "unborn.example.com": [],
  };
  const resolve = async (host: string) => answers[host] ?? ["93.184.215.14"];
  await using server = openTestServer({ resolve });
  const { token } = createMember(server.core, "ada");
  const { body: mine } = await call(server, token, "POST /webhooks", {
    body: { ...draft, url: "https://unborn.example.com" },
  });
  const urls =
    `http://hooks.example.com/in ftp://hooks.example.com wss://hooks.example.com javascript:1 hooks.example.com
    /in https:// https://user:pw@hooks.example.com https://user@hooks.example.com https://127.0.0.1 https://127.1
    https://0x7f000001 https://2130706433 https://0177.0.0.1 https://localhost https://a.localhost. https://10.1.2.3
    https://172.16.0.1 https://192.168.1.1 https://169.254.169.254/latest/meta-data https://100.64.0.1 https://0.0.0.0
    https://224.0.0.1 https://255.255.255.255 https://198.18.0.1 https://192.0.2.1 https://[::1] https://[::]
    https://[fe80::1] https://[fd00::1] https://[ff02::1] https://[::ffff:127.0.0.1] https://[::ffff:a00:1]
    https://[64:ff9b::7f00:1] https://[2002:7f00:1::] https://[2001:db8::1] https://printer.local https://db.internal
    https://intranet https://inside.example.com https://INSIDE.example.com https://half.example.com
    https://hooks.example.com:22 https://hooks.example.com:6379 https://hooks.example.com\\@127.0.0.1`.split(
      /\s+/,
    );
  for (const url of [
    ...urls,
    "https://hooks.example.com/a b",
    " https://hooks.example.com",
    "https://hooks.exa\nmple.com",
  ]) {
    const refusals = [
      await refusalOf(server, token, "POST /webhooks", { body: { ...draft, url } }),
      await refusalOf(server, token, `PATCH /webhooks/${mine.id}`, { body: { url } }),
    ];
    expect([url, ...refusals]).toEqual([url, "422 url", "422 url"]);
  }
  const fine = [
    "https://93.184.215.14/x",
    "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/x",
    "https://hooks.example.com:8443/?a=b",
  ];
  for (const url of fine) {
    const { body } = await call(server, token, "POST /webhooks", { body: { ...draft, url } });
    expect(body.url).toBe(url);
  }
});

test("a receiver's URL in another spelling counts as the same webhook URL", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const register = async (url: string) =>
    (await call(server, token, "POST /webhooks", { body: { ...draft, url } })).status;
  expect(await register("https://hooks.example.com/y")).toBe(201);
  for (const url of [
    "https://HOOKS.example.com/y",
    "https://hooks.example.com:443/y",
    "https://hooks.example.com/y#1",
  ]) {
    expect([url, await register(url)]).toEqual([url, 409]);
  }
});

test("409 conflict: the same webhook URL twice in a workspace", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const first = await call(server, ada.token, "POST /webhooks", { body: draft });
  const again = await call(server, ada.token, "POST /webhooks", {
    body: { ...draft, events: ["dm.received"] },
  });
  expect([first.status, again.status, again.body.error]).toEqual([201, 409, "conflict"]);
  expect((await call(server, bo.token, "POST /webhooks", { body: draft })).status).toBe(201);

  const other = await call(server, ada.token, "POST /webhooks", {
    body: { ...draft, url: `${draft.url}/2` },
  });
  const path = `/webhooks/${other.body.id}`;
  expect(await refusalOf(server, ada.token, `PATCH ${path}`, { body: { url: draft.url } })).toBe("409 url");
  expect((await call(server, ada.token, `PATCH ${path}`, { body: { url: `${draft.url}/2` } })).status).toBe(
    200,
  );
  await call(server, ada.token, `DELETE /webhooks/${first.body.id}`);
  expect((await call(server, ada.token, `PATCH ${path}`, { body: { url: draft.url } })).status).toBe(200);
});

test("409 conflict: fifty concurrent registrations of one URL make one endpoint", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => call(server, token, "POST /webhooks", { body: draft })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(409)]);
});

test("409 conflict: a workspace has a limited number of endpoints, as their list has no pages", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const statuses: number[] = [];
  for (let i = 0; i <= ENDPOINTS_MAX; i++) {
    const body = { ...draft, url: `${draft.url}/${i}` };
    statuses.push((await call(server, token, "POST /webhooks", { body })).status);
  }
  expect(statuses).toEqual([...Array(ENDPOINTS_MAX).fill(201), 409]);
});

test("PATCH /webhooks/{id} changes only the given fields", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const { body: created } = await call(server, token, "POST /webhooks", { body: draft });
  const { secret: _secret, ...endpoint } = created;
  const sealed = rows(server.core, "SELECT sealed FROM webhook_secrets");
  const path = `/webhooks/${created.id}`;
  for (const [body, changed] of [
    [{}, {}],
    [{ id: "x", created_at: "x", secret: "x", workspace: "x" }, {}],
    [{ url: `${draft.url}/2` }, { url: `${draft.url}/2` }],
    [{ events: ["dm.received"] }, { url: `${draft.url}/2`, events: ["dm.received"] }],
    [draft, {}],
  ]) {
    const expected = { ...endpoint, ...changed };
    expect((await call(server, token, `PATCH ${path}`, { body })).body).toStrictEqual(expected);
    expect((await call(server, token, `GET ${path}`)).body).toStrictEqual(expected);
  }
  for (const [body, field] of [
    [{ url: null }, "url"],
    [{ url: "" }, "url"],
    [{ events: [] }, "events"],
    [{ events: null }, "events"],
  ] as const) {
    expect(await refusalOf(server, token, `PATCH ${path}`, { body })).toBe(`400 ${field}`);
  }
  expect((await call(server, token, `GET ${path}`)).body).toStrictEqual(endpoint);
  expect(rows(server.core, "SELECT sealed FROM webhook_secrets")).toEqual(sealed);
});

test("DELETE /webhooks/{id} returns 204 without a body, and the endpoint is unknown afterwards", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const { body } = await call(server, token, "POST /webhooks", { body: draft });
  await call(server, token, "POST /feed", { body: { text: "waits to be delivered" } });
  expect((await call(server, token, `DELETE /webhooks/${body.id}`)).status).toBe(204);
  expect((await call(server, token, `DELETE /webhooks/${body.id}`)).body).toEqual(NOT_FOUND);
  expect((await call(server, token, `GET /webhooks/${body.id}`)).body).toEqual(NOT_FOUND);
  expect((await call(server, token, "GET /webhooks")).body).toEqual({ data: [] });
  expect(rows(server.core, "SELECT id FROM deliveries")).toEqual([]);
  expect(rows(server.core, "SELECT type FROM webhook_subscriptions")).toEqual([]);
});

test("endpoints of another workspace are 404, with the same body as an unknown id", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const { body: endpoint } = await call(server, ada.token, "POST /webhooks", { body: draft });
  for (const id of [endpoint.id, UNKNOWN, "job_01kafzq8e5f2r8v0j3n6s1t4wx", "x", endpoint.id.toUpperCase()]) {
    const path = `/webhooks/${id}`;
    for (const [request, init] of [
      [`GET ${path}`, {}],
      [`PATCH ${path}`, { body: { events: ["dm.received"] } }],
      [`PATCH ${path}`, { body: {} }],
      [`DELETE ${path}`, {}],
    ] as const) {
      const { status, body } = await call(server, bo.token, request, init);
      expect([request, status, body]).toEqual([request, 404, NOT_FOUND]);
    }
  }
  expect((await call(server, bo.token, "GET /webhooks")).body).toEqual({ data: [] });
  expect((await call(server, ada.token, `GET /webhooks/${endpoint.id}`)).body.events).toEqual(draft.events);
});

/**
 * Creates ada's endpoint in a workspace shared with bo, a pending delivery of a message to her, and tokens of
 * both.
 */
async function sharedEndpoint(server: TestServer) {
  const { core } = server;
  createMember(core, "ada");
  const bo = createMember(core, "bo");
  const workspaceId = createWorkspace(core, OPERATOR, "ada", { name: "Tools" });
  addMember(core, OPERATOR, workspaceId, "bo");
  const [ada = "", member = ""] = ["ada", "bo"].map(
    (username) =>
      createToken(core, OPERATOR, username, {
        name: "shared",
        scopes: ["webhooks:read", "webhooks:write", "feed:read", "messages:read"],
        workspaceId,
        tier: "enterprise",
      }).token,
  );
  const body = { ...draft, events: ["dm.received", "post.created"] };
  const { id } = (await call(server, ada, "POST /webhooks", { body })).body;
  const write = () => sendMessage(core, bo.caller, { to: "ada", text: "for ada" });
  const queued = () =>
    rows(
      core,
      `SELECT e.type, w.url FROM deliveries d JOIN events e ON e.id = d.event_id
       JOIN webhook_endpoints w ON w.id = d.endpoint_id ORDER BY d.id`,
    );
  createPost(core, bo.caller, { text: "for all" });
  server.clock.pass(1000);
  write();
  return { ada, member, bo, write, queued, path: `/webhooks/${id}` };
}

test("a change of `url` transfers an endpoint, and no private delivery of its former owner is sent there", async () => {
  await using server = openTestServer();
  const { ada, member, write, queued, path } = await sharedEndpoint(server);
  const types = () => queued().map(({ type }) => type);
  const change = (token: string, body: object) => call(server, token, `PATCH ${path}`, { body });
  expect(types()).toEqual(["post.created", "dm.received"]);
  for (const body of [
    { url: draft.url },
    { events: ["dm.received"] },
    { enabled: false },
    { enabled: true },
  ]) {
    expect((await change(member, body)).status).toBe(200);
  }
  write();
  expect(types()).toEqual(["post.created", "dm.received", "dm.received"]);
  const url = "https://bo.example.com/in";
  expect((await change(member, { url })).status).toBe(200);
  write();
  expect(queued()).toEqual([{ type: "post.created", url }]);
  // When ada sets the URL again, she owns the endpoint and it receives new events.
  await change(ada, { url: draft.url });
  write();
  expect(types()).toEqual(["post.created", "dm.received"]);
});

test("after a transfer, failed and running deliveries of the former owner are neither retried nor recorded", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { ada, member, queued, path } = await sharedEndpoint(server);
  const { claims } = core.db.transact(() => claimDue(core, 10, "", limitOf(10)));
  expect(claims).toHaveLength(2);
  await call(server, member, `PATCH ${path}`, { body: { url: "https://bo.example.com/in" } });
  core.db.transact(() => {
    for (const claim of claims)
      settle(core, claim, { durationMs: 1, failure: { code: "connection_reset" } }, [0, 1000]);
  });
  expect(queued().map(({ type }) => type)).toEqual(["post.created"]);
  expect(rows(core, "SELECT id FROM attempts")).toHaveLength(1);
  const response = await call(server, ada, `POST ${path}/recover`, {
    body: { since: "2026-11-01T00:00:00Z" },
  });
  expect([response.status, queued().length]).toEqual([200, 1]);
});
