// docs/contract.md#12.14: the content of /metrics, and what it never exposes.
import { expect, test } from "bun:test";
import { withMetrics } from "../../scripts/metrics.ts";
import { OPERATING_PAGE } from "../../scripts/settings.ts";
import { newDigest, observe } from "../../src/core/base/digest.ts";
import { METRICS } from "../../src/http/metric-table.ts";
import pino from "pino";
import { backgroundWorkOf } from "../../src/app/background-work.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { webhookEndpoints } from "../../src/core/base/db/schema-delivery.ts";
import { sumCounters, newDeliveryCounters } from "../../src/core/outbox/deliveries/counters.ts";
import { registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { createMetrics } from "../../src/http/metrics.ts";
import { gaugeDelivery } from "../../src/operate/health/endpoints.ts";
import { gaugeWrites } from "../../src/operate/health/writes.ts";
import { linesOf } from "../metrics-page.ts";
import { createAccountOf, signIn, visit, openSite } from "../web/support.ts";
import {
  BUILDER_SCOPES,
  createMemberToken,
  createTestWorld,
  createMember,
  openTestServer,
} from "../support.ts";

test.concurrent(
  "counts requests by way, route, method, status class and tier, and durations by way and kind",
  async () => {
    await using server = openTestServer();
    createMember(server.core, "ada");
    const ada = createMemberToken(server.core, "ada", BUILDER_SCOPES, "personal");
    const rich = createMember(server.core, "rich");
    await server.request(ada.token, "/feed");
    await server.request(rich.token, "/feed");
    const { id } = (await (
      await server.request(ada.token, "/feed", { method: "POST", body: { text: "a" } })
    ).json()) as { id: string };
    await server.request(ada.token, `/feed/${id}`);
    await server.request(ada.token, "/feed/post_none");
    await server.request(undefined, "/feed");
    await server.request(ada.token, "/events?wait=0");
    server.clock.pass(2_500);
    const page = linesOf(await (await fetch(`${server.url}/metrics`)).text());
    const requests = (labels: string) => page.get(`guildhall_http_requests_total{${labels}}`);
    expect(requests('way="rest",route="listFeed",method="GET",status="2xx"')).toBe(2);
    expect(requests('way="rest",route="listFeed",method="GET",status="4xx"')).toBe(1);
    expect(requests('way="rest",route="createPost",method="POST",status="2xx"')).toBe(1);
    expect(requests('way="rest",route="getPost",method="GET",status="2xx"')).toBe(1);
    expect(requests('way="rest",route="getPost",method="GET",status="4xx"')).toBe(1);
    const tiers = (labels: string) => page.get(`guildhall_http_requests_by_tier_total{${labels}}`);
    expect(tiers('tier="enterprise",status="2xx"')).toBe(1);
    expect(tiers('tier="anonymous",status="4xx"')).toBe(1);
    expect(page.get('guildhall_http_request_seconds_count{way="rest",kind="write"}')).toBe(1);
    expect(page.get('guildhall_http_request_seconds_bucket{way="rest",kind="write",le="+Inf"}')).toBe(1);
    // The request that reads the metrics is itself in flight.
    expect(page.get("guildhall_http_requests_in_flight")).toBe(1);
  },
);

test.concurrent("a request that waits for events does not count as a slow read", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  await server.request(ada.token, "/events?wait=1");
  const page = linesOf(await (await fetch(`${server.url}/metrics`)).text());
  expect(page.get('guildhall_http_request_seconds_count{way="rest",kind="wait"}')).toBe(1);
  expect(page.get('guildhall_http_request_seconds_count{way="rest",kind="read"}')).toBeUndefined();
});

test.concurrent("counts the bytes that were sent, in any coding", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const sent = async () =>
    linesOf(await (await fetch(`${server.url}/metrics`)).text()).get(
      'guildhall_http_answer_bytes_total{way="rest"}',
    ) ?? 0;
  const lengths: number[] = [];
  for (const coding of ["identity", "gzip", "br"]) {
    const answer = await fetch(`${server.url}/v1/openapi.json`, {
      headers: { authorization: `Bearer ${token}`, "accept-encoding": coding },
      decompress: false,
    });
    lengths.push((await answer.bytes()).length);
  }
  const feed = await fetch(`${server.url}/v1/feed`, { headers: { authorization: `Bearer ${token}` } });
  lengths.push((await feed.bytes()).length);
  expect(await sent()).toBe(lengths.reduce((all, length) => all + length, 0));
  expect(new Set(lengths).size).toBe(4);
});

test.concurrent(
  "counts each refusal once by its code on every transport, and wrong credentials by their kind",
  async () => {
    await using server = openTestServer();
    const { token } = createMember(server.core, "ada");
    await server.request(token, "/nothing");
    await server.request(token, "/feed", {
      method: "POST",
      body: { text: "a", tags: ["a", "b", "c", "d", "e", "f"] },
    });
    await server.request("guild_pat_000000000000000000000000000000000000000", "/feed");
    await server.request(undefined, "/feed");
    const graph = (query: string) =>
      fetch(`${server.url}/graphql`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ query }),
      });
    await graph('mutation { likePost(input: {id: "post_1"}) { __typename } }');
    await fetch(`${server.url}/@nobody`, { headers: { accept: "text/html" } });
    await fetch(`${server.url}/v1/oauth/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa("app_1:wrong")}` },
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x" }),
    });
    const page = linesOf(await (await fetch(`${server.url}/metrics`)).text());
    const refused = [...page].filter(([name]) => name.startsWith("guildhall_refusals_total"));
    expect(refused).toEqual([
      ['guildhall_refusals_total{code="fault_of_ours"}', 0],
      ['guildhall_refusals_total{code="nothing_under_v1"}', 1],
      ['guildhall_refusals_total{code="tags_too_many"}', 1],
      ['guildhall_refusals_total{code="credentials_invalid"}', 2],
      ['guildhall_refusals_total{code="post_unknown"}', 1],
      ['guildhall_refusals_total{code="profile_unknown"}', 1],
    ]);
    expect(page.get('guildhall_sign_in_failures_total{by="token"}')).toBe(1);
    expect(page.get('guildhall_sign_in_failures_total{by="app"}')).toBe(1);
  },
);

test.concurrent(
  "no client input creates a label: paths, methods, codes, operation names or user agents",
  async () => {
    await using server = openTestServer();
    const { token } = createMember(server.core, "ada");
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(server.url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
    const flood = async (i: number) => {
      await ask(`/v1/feed/post_secret${i}`);
      await ask(`/secret${i}`, { headers: { accept: "text/html", "user-agent": `secret${i}` } });
      await ask(`/@secret${i}`, { headers: { accept: "text/html" } });
      await ask("/v1/feed", { method: i % 2 === 0 ? "PROPFIND" : "LOCK" });
      await ask("/graphql", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query: `query secret${i} { secret${i} }`, operationName: `secret${i}` }),
      });
      server.clock.pass(60_000);
    };
    const page = async () => (await fetch(`${server.url}/metrics`)).text();
    await flood(0);
    await page();
    const before = linesOf(await page());
    for (let i = 1; i < 30; i++) await flood(i);
    const after = await page();
    expect(new Set(linesOf(after).keys())).toEqual(new Set(before.keys()));
    expect([...linesOf(after).keys()].join("\n")).not.toContain("secret");
  },
);

test.concurrent("a failing collector omits only its own figures and is reported", async () => {
  const metrics = createMetrics();
  let isBroken = false;
  let bytes: number | undefined = 7;
  metrics.gauges(() => {
    if (isBroken) throw new Error("the database does not answer");
    return { guildhall_delivery_waiting: 3 };
  });
  metrics.gauges(() => ({ guildhall_database_bytes: bytes }));
  expect(linesOf(await metrics.text())).toEqual(
    new Map([
      ["guildhall_delivery_waiting", 3],
      ["guildhall_database_bytes", 7],
      ["guildhall_metrics_unanswered", 0],
    ]),
  );
  isBroken = true;
  bytes = undefined;
  expect(linesOf(await metrics.text())).toEqual(new Map([["guildhall_metrics_unanswered", 1]]));
});

test.concurrent("includes counts of other threads unchanged", async () => {
  const metrics = createMetrics();
  const digest = newDigest(METRICS.guildhall_http_request_seconds.bounds);
  observe(digest, 0.02);
  metrics.collect("guildhall_http_request_seconds", () => [[["rest", "read"], digest]]);
  const page = linesOf(await metrics.text());
  expect(page.get('guildhall_http_request_seconds_bucket{way="rest",kind="read",le="0.01"}')).toBe(0);
  expect(page.get('guildhall_http_request_seconds_bucket{way="rest",kind="read",le="0.025"}')).toBe(1);
  expect(page.get('guildhall_http_request_seconds_sum{way="rest",kind="read"}')).toBe(0.02);
  expect(page.get('guildhall_http_request_seconds_count{way="rest",kind="read"}')).toBe(1);
});

test.concurrent("docs/operating.md has the table of all metrics: `bun run generate` writes it", async () => {
  const plain = (text: string) => text.replaceAll(/ *\| */g, "|").replaceAll(/-{3,}/g, "---");
  const page = await Bun.file(OPERATING_PAGE).text();
  expect(plain(page)).toBe(plain(withMetrics(page)));
});

test.concurrent(
  "counts writes with the time until they are on disk, and endpoints by their state",
  async () => {
    using world = createTestWorld({ hasFakeWriteClock: true });
    const metrics = createMetrics();
    const { caller } = createMember(world.core, "ada");
    const tally = sumCounters(
      [newDeliveryCounters(), newDeliveryCounters()].map((life) => ({
        ...life,
        upkeep: { failures: 1, succeededAt: 7000 },
      })),
    );
    gaugeWrites(metrics, world.core, { health: () => ({ tally }) });
    const loop = { health: () => ({ sincePassMs: 0, running: 0, faults: 0, tally }) };
    gaugeDelivery(metrics, world.core, loop);
    const before = linesOf(await metrics.text());
    const writes = [1, 2, 3].map((n) =>
      world.core.db.write(() => {
        world.clock.pass(2);
        return createPost(world.core, caller, { text: `${n}` });
      }),
    );
    world.clock.pass(4);
    expect(linesOf(await metrics.text()).get("guildhall_database_writes_waiting")).toBe(3);
    await Promise.all(writes);
    const url = "https://hooks.example.com/" as never;
    const endpoint = registerEndpoint(world.core, caller, { url, events: ["post.created"] });
    const page = linesOf(await metrics.text());
    const upkeep = '{chore="upkeep of deliveries"}';
    expect(page.get(`guildhall_chore_failures_total${upkeep}`)).toBe(2);
    expect(page.get(`guildhall_chore_last_success_timestamp_seconds${upkeep}`)).toBe(7);
    const grown = (line: string) => (page.get(line) ?? 0) - (before.get(line) ?? 0);
    expect(page.get("guildhall_database_writes_waiting")).toBe(0);
    // Three concurrent writes share one sync. Each waited for its slot and for the sync.
    expect(grown('guildhall_database_commit_seconds_count{thread="requests"}')).toBe(1);
    expect(grown('guildhall_database_commit_seconds_sum{thread="requests"}')).toBeCloseTo(0.006, 6);
    expect(grown('guildhall_database_write_seconds_count{thread="requests"}')).toBe(3);
    expect(grown('guildhall_database_write_seconds_sum{thread="requests"}')).toBeCloseTo(0.03, 6);
    expect(page.get('guildhall_database_write_seconds_count{thread="delivery"}')).toBe(0);
    // Counting many rows is slow, so the counts refresh every ten seconds at most.
    const readCounters = async () =>
      [...linesOf(await metrics.text())].filter(([name]) => name.includes("endpoints"));
    const states = async () => {
      world.clock.pass(10_000);
      return await readCounters();
    };
    expect(await states()).toEqual([
      ['guildhall_endpoints{state="ok",code=""}', 1],
      ['guildhall_endpoints{state="failing",code=""}', 0],
    ]);
    world.core.db.patch(webhookEndpoints, { id: endpoint.id }, { failingSince: 1 });
    expect((await readCounters())[0]).toEqual(['guildhall_endpoints{state="ok",code=""}', 1]);
    expect(await states()).toEqual([
      ['guildhall_endpoints{state="ok",code=""}', 0],
      ['guildhall_endpoints{state="failing",code=""}', 1],
    ]);
    const off = { disabledAt: 1, disabledReason: "failing_for_days" };
    world.core.db.patch(webhookEndpoints, { id: endpoint.id }, off as never);
    expect((await states()).at(-1)).toEqual([
      'guildhall_endpoints{state="disabled",code="failing_for_days"}',
      1,
    ]);
  },
);

test.concurrent("counts failed background jobs, and shows when each last completed", async () => {
  using world = createTestWorld();
  const metrics = createMetrics();
  const run = backgroundWorkOf(world.core, pino({ level: "silent" }), metrics);
  const tasks = async () => [...linesOf(await metrics.text())].filter(([name]) => name.includes("chore"));
  await run("sweep", async () => {
    throw new Error("no broom");
  });
  expect(await tasks()).toEqual([['guildhall_chore_failures_total{chore="sweep"}', 1]]);
  await run("sweep", async () => {});
  expect(await tasks()).toEqual([
    ['guildhall_chore_failures_total{chore="sweep"}', 1],
    ['guildhall_chore_last_success_timestamp_seconds{chore="sweep"}', world.clock.now() / 1000],
  ]);
});

test.concurrent("counts a wrong password on the site's form, and not a right one", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  const visitor = visit(site);
  await expect(signIn(visitor, "ada", "wrong horse battery")).rejects.toThrow("401");
  await signIn(visitor, "ada");
  const page = linesOf(await (await fetch(`${site.url}/metrics`)).text());
  expect(page.get('guildhall_sign_in_failures_total{by="password"}')).toBe(1);
  expect(page.get('guildhall_refusals_total{code="sign_in_wrong"}')).toBe(1);
});

test.concurrent("counts open streams, and a disconnected client leaves nothing in flight", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const page = async () => linesOf(await (await fetch(`${server.url}/metrics`)).text());
  const gone = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const stream = await fetch(`${server.url}/v1/events`, {
    headers: { ...headers, accept: "text/event-stream" },
    signal: gone.signal,
  });
  expect(stream.status).toBe(200);
  expect((await page()).get("guildhall_streams_open")).toBe(1);
  expect((await page()).get("guildhall_http_requests_in_flight")).toBe(1);
  // A request that waits for an event, and a request whose body never ends.
  const waiting = fetch(`${server.url}/v1/events?wait=30`, { headers, signal: gone.signal });
  const endless = fetch(`${server.url}/v1/feed`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: new ReadableStream({ start: (sending) => sending.enqueue(new TextEncoder().encode("{")) }),
    signal: gone.signal,
  });
  const inFlight = async () => (await page()).get("guildhall_http_requests_in_flight");
  while ((await inFlight()) !== 3);
  gone.abort();
  await Promise.allSettled([waiting, endless]);
  while ((await inFlight()) !== 1);
  while ((await page()).get("guildhall_streams_open") !== 0);
});
