// Tests docs/contract.md#V5.7, docs/contract.md#V8, docs/contract.md#V8.1, docs/contract.md#V8.2,
// docs/contract.md#3.1, docs/contract.md#3.2, docs/contract.md#3.3 and docs/contract.md#3.4.
import { expect, test } from "bun:test";
import { HOUR, MINUTE, SECOND } from "../../src/core/base/clock.ts";
import { makeToken } from "../../src/core/delegation/tokens/token-format.ts";
import { createMemberToken, type TestServer, createMember, NOON, openTestServer } from "../support.ts";
import { call } from "./client.ts";
import { spyOnDatabase } from "./rows.ts";

/** Returns how many of `count` simultaneous requests pass the limit. */
async function passed(server: TestServer, token: string | undefined, count: number): Promise<number> {
  let allowed = 0;
  for (let sent = 0; sent < count; sent += 50) {
    const some = Array.from({ length: Math.min(50, count - sent) }, async () => {
      const response = await server.request(token, "/profiles/me");
      await response.arrayBuffer();
      if (response.status !== 429) allowed++;
    });
    await Promise.all(some);
  }
  return allowed;
}

/**
 * Returns the status and rate headers of one request: limit, remaining, seconds until the reset, Retry-After.
 */
async function rate(
  server: TestServer,
  token?: string,
): Promise<[number, number, number, number, number | null]> {
  const { status, headers } = await call(server, token, "GET /profiles/me");
  const number = (name: string) => Number(headers.get(`x-ratelimit-${name}`));
  const retryAfter = headers.get("retry-after");
  const resetIn = number("reset") - Math.floor(server.clock.now() / SECOND);
  return [
    status,
    number("limit"),
    number("remaining"),
    resetIn,
    retryAfter === null ? null : Number(retryAfter),
  ];
}

const personal = (server: TestServer, username: string): string =>
  createMember(server.core, username, ["profile:read"], "personal").token;

test("Anonymous: 60 requests/min sustained, burst 120", async () => {
  await using server = openTestServer();
  for (let used = 1; used <= 120; used++) {
    expect(await rate(server)).toEqual([401, 120, 120 - used, used, null]);
  }
  expect(await rate(server)).toEqual([429, 120, 0, 120, 1]);
  server.clock.pass(999);
  expect(await rate(server)).toEqual([429, 120, 0, 120, 1]); // 999 ms of the 121st second
  server.clock.pass(1);
  expect(await rate(server)).toEqual([401, 120, 0, 120, null]);
  expect(await rate(server)).toEqual([429, 120, 0, 120, 1]);
  let allowed = 0;
  for (let tick = 0; tick < 240; tick++) {
    server.clock.pass(250);
    allowed += await passed(server, undefined, 1);
  }
  expect(allowed).toBe(60);
});

test("Personal token: 600 requests/min sustained, burst 1,200", async () => {
  await using server = openTestServer();
  const token = personal(server, "ada");
  expect(await rate(server, token)).toEqual([200, 1200, 1199, 1, null]);
  expect(await passed(server, token, 1199)).toBe(1199);
  expect(await rate(server, token)).toEqual([429, 1200, 0, 120, 1]);
  server.clock.pass(100);
  expect(await passed(server, token, 5)).toBe(1);
  server.clock.pass(MINUTE);
  expect(await passed(server, token, 650)).toBe(600);
  server.clock.pass(24 * HOUR); // an idle bucket fills up to its limit
  expect(await passed(server, token, 1250)).toBe(1200);
});

test("Enterprise: the limits that the operator sets", async () => {
  await using server = openTestServer({ env: { GUILDHALL_RATE_ENTERPRISE: "6/3" } });
  const { token } = createMember(server.core, "ada", ["profile:read"], "enterprise");
  expect(await rate(server, token)).toEqual([200, 3, 2, 10, null]);
  expect(await rate(server, token)).toEqual([200, 3, 1, 20, null]);
  expect(await rate(server, token)).toEqual([200, 3, 0, 30, null]);
  expect(await rate(server, token)).toEqual([429, 3, 0, 30, 10]);
  server.clock.pass(500);
  // The wait of 9.5 s and the reset after 29.5 s are both rounded up.
  expect(await rate(server, token)).toEqual([429, 3, 0, 30, 10]);
  server.clock.pass(9490);
  expect((await rate(server, token)).slice(2)).toEqual([0, 21, 1]);
  server.clock.pass(10);
  expect((await rate(server, token))[0]).toBe(200);
});

test("every response has X-RateLimit-Remaining and X-RateLimit-Reset", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada", ["feed:read", "webhooks:write", "webhooks:read"]);
  const { headers: seen } = await server.request(token, "/feed");
  const body = { url: "https://hooks.example.com", events: ["post.created"] };
  const created = await server.request(token, "/webhooks", { method: "POST", body });
  const { id } = (await created.json()) as { id: string };
  let remaining = Number(created.headers.get("x-ratelimit-remaining"));
  for (const [status, path, init] of [
    [200, "/feed", {}],
    [304, "/feed", { headers: { "if-none-match": seen.get("etag") ?? "" } }],
    [400, "/feed?limit=0", {}],
    [403, "/jobs", {}],
    [404, "/nowhere", {}],
    [404, `/webhooks/${id}x`, {}],
    [404, "/feed", { method: "DELETE" }],
    [409, "/webhooks", { method: "POST", body }],
    [422, "/webhooks", { method: "POST", body: { ...body, events: ["x"] } }],
    [204, `/webhooks/${id}`, { method: "DELETE" }],
    [200, "/openapi.json", {}],
  ] as const) {
    const { status: given, headers } = await server.request(token, path, init);
    expect([path, given]).toEqual([path, status]);
    // Each request costs one, and the headers describe the caller's bucket.
    expect([path, headers.get("x-ratelimit-remaining")]).toEqual([path, String(--remaining)]);
    expect(headers.get("x-ratelimit-limit")).toBe("120000");
    expect(Number(headers.get("x-ratelimit-reset"))).toBe(NOON / SECOND + 1);
  }
});

test("a 429 has Retry-After, and the next request after that time succeeds", async () => {
  for (const env of ["1/1", "7/3", "59/2", "600/10", "6000/5"]) {
    await using server = openTestServer({ env: { GUILDHALL_RATE_ENTERPRISE: env } });
    const { token } = createMember(server.core, "ada", ["profile:read"]);
    let refusals = 0;
    for (let i = 0; i < 60; i++) {
      const response = await call(server, token, "GET /profiles/me");
      if (response.status === 429) {
        refusals++;
        expect(response.body.error).toBe("rate_limited");
        const seconds = Number(response.headers.get("retry-after"));
        expect(seconds).toBeGreaterThanOrEqual(1);
        expect(Number.isInteger(seconds)).toBe(true);
        server.clock.pass(seconds * SECOND);
        expect((await call(server, token, "GET /profiles/me")).status).toBe(200);
      } else {
        server.clock.pass((i * 37) % 11);
      }
    }
    expect(refusals).toBeGreaterThan(3);
  }
});

test("a refused request costs nothing: repeated requests do not lengthen the wait", async () => {
  await using server = openTestServer();
  expect(await passed(server, undefined, 400)).toBe(120);
  server.clock.pass(1000);
  expect(await passed(server, undefined, 400)).toBe(1);
});

test("tokens of one account and kind share a bucket; other accounts and kinds have their own", async () => {
  await using server = openTestServer();
  const first = personal(server, "ada");
  const second = createMemberToken(server.core, "ada", ["profile:read"], "personal").token;
  const enterprise = createMemberToken(server.core, "ada", ["profile:read"], "enterprise").token;
  const bo = personal(server, "bo");
  expect(await passed(server, first, 700)).toBe(700);
  expect(await passed(server, second, 700)).toBe(500);
  expect(await passed(server, first, 1)).toBe(0);
  expect((await rate(server, bo)).slice(0, 3)).toEqual([200, 1200, 1199]);
  expect((await rate(server, enterprise)).slice(0, 3)).toEqual([200, 120_000, 119_999]);
  expect((await rate(server)).slice(0, 3)).toEqual([401, 120, 119]);
});

test("guests are limited by address, apart from accounts; invalid tokens count as guests", async () => {
  await using server = openTestServer();
  const token = personal(server, "ada");
  expect(await passed(server, "guild_pat_nonsense", 100)).toBe(100);
  expect(await passed(server, undefined, 100)).toBe(20);
  // A client's X-Forwarded-For header does not give it a new bucket.
  const headers = { "x-forwarded-for": "203.0.113.9", forwarded: "for=203.0.113.9" };
  expect((await call(server, undefined, "GET /feed", { headers })).status).toBe(429);
  expect((await server.request(undefined, "/openapi.json")).status).toBe(429);
  expect(await passed(server, token, 10)).toBe(10);
});

test("a clock set back or forward by an hour changes nothing", async () => {
  await using server = openTestServer();
  const token = personal(server, "ada");
  expect(await passed(server, token, 1250)).toBe(1200);
  for (const step of [HOUR, -HOUR, -HOUR, HOUR, 24 * HOUR, -48 * HOUR]) {
    server.clock.step(step);
    expect(await rate(server, token)).toEqual([429, 1200, 0, 120, 1]); // the reset uses the wall clock
    server.clock.pass(1000);
    expect(await passed(server, token, 15)).toBe(10);
  }
});

test("a flood of invented tokens gets 429 without database queries", async () => {
  await using server = openTestServer();
  const statements = spyOnDatabase(server.core);
  const statuses: number[] = [];
  let askedAtLastPass = 0;
  for (let i = 0; i < 200; i++) {
    statuses.push((await call(server, makeToken(server.core.random), "GET /profiles/me")).status);
    if (statuses.at(-1) === 401) askedAtLastPass = statements.length;
  }
  expect(statuses).toEqual([...Array(120).fill(401), ...Array(80).fill(429)]);
  expect(statements.length).toBe(askedAtLastPass);
  expect(statements.length).toBeLessThanOrEqual(120);
  server.clock.pass(1000);
  expect((await call(server, makeToken(server.core.random), "GET /profiles/me")).status).toBe(401);
});
