// Tests docs/contract.md#1.4, docs/contract.md#1.16, docs/contract.md#1.17 and docs/contract.md#3.5.
import { expect, test } from "bun:test";
import { createMemberToken, createMember, openTestServer } from "../support.ts";
import {
  by,
  errorsIn,
  expectErrorBody,
  expectHeaders,
  expectRefusal,
  head,
  readAnswers,
  requestsIn,
  exchange,
} from "./raw.ts";

const HOOK = { url: "https://hooks.example.com/a", events: ["post.created"] };

test("RFC 6797: an https site sends HSTS with every response, and an http site never", async () => {
  await using server = openTestServer({ origin: "https://guild.example" });
  const { token } = createMember(server.core, "ada");
  const paths = [
    "/",
    "/sign-in",
    "/favicon.ico",
    "/robots.txt",
    "/nothing",
    "/v1/feed",
    "/v1/openapi.json",
    "/docs",
    "/healthz",
  ];
  const more = [
    "/.well-known/openid-configuration",
    "/v1/oauth/authorize",
    "/graphql?query={__typename}",
    "/v1/nothing",
    "/%ff",
  ];
  for (const path of [...paths, ...more]) {
    for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
      const answer = await fetch(server.url + path, { headers, redirect: "manual" });
      await answer.arrayBuffer();
      expect([path, answer.headers.get("strict-transport-security")]).toEqual([path, "max-age=31536000"]);
    }
  }
  const others = [
    "http://guild.example",
    "http://localhost:8787",
    "https://localhost:8787",
    "https://guild.localhost",
  ];
  for (const origin of others) {
    await using plain = openTestServer({ origin });
    expect((await fetch(plain.url)).headers.has("strict-transport-security")).toBe(false);
  }
});

test("every response, of every status, carries the request id and the three rate headers", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const reader = createMemberToken(server.core, "ada", ["feed:read"]).token;
  const seen = new Map<number, Response>();
  const ask = async (...[by, path, init]: Parameters<typeof server.request>): Promise<Response> => {
    const answer = await server.request(by, path, init);
    seen.set(answer.status, answer);
    expectHeaders(answer.headers);
    if (answer.status >= 400) expectErrorBody(answer.status, await answer.clone().text());
    return answer;
  };
  const etag = (await ask(token, "/feed")).headers.get("etag") ?? "";
  await ask(token, "/feed", { headers: { "if-none-match": etag } });
  await ask(token, "/feed", { method: "POST", body: { text: "a" } });
  await ask(token, "/feed?limit=0");
  await ask(undefined, "/feed");
  await ask(reader, "/feed", { method: "POST", body: { text: "a" } });
  await ask(token, "/nothing");
  const created = await ask(token, "/webhooks", { method: "POST", body: HOOK });
  await ask(token, "/webhooks", { method: "POST", body: HOOK });
  await ask(token, "/webhooks", { method: "POST", body: { ...HOOK, url: "http://hooks.example.com" } });
  await ask(token, (created.headers.get("location") ?? "").replace("/v1", ""), { method: "DELETE" });
  while (!seen.has(429)) await ask(undefined, "/feed");
  const refused = seen.get(429)?.headers;
  expect(refused?.get("retry-after")).toBe("1");
  expect(refused?.get("x-ratelimit-remaining")).toBe("0");
  server.clock.pass(1000);
  expect((await ask(undefined, "/feed")).status).toBe(401);
  expect(errorsIn(server.logged)).toEqual([]);
  // Without a database no caller can be authenticated, so all share the guest limit.
  server.clock.pass(120_000);
  server.core.db.close();
  for (const path of ["/feed", "/jobs?q=a", "/profiles/me", "/webhooks"]) {
    expect((await ask(token, path)).status).toBe(500);
  }
  await ask(token, "/feed", { method: "POST", body: { text: "a" } });
  expect([...seen.keys()].sort()).toEqual([200, 201, 204, 304, 400, 401, 403, 404, 409, 422, 429, 500]);
  expect(errorsIn(server.logged).length).toBeGreaterThanOrEqual(5);
});

test("keeps and logs an inbound request id, or creates one for each request", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const kept = await server.request(token, "/feed", { headers: { "x-request-id": "Trace-1.a_b" } });
  expect(kept.headers.get("x-request-id")).toBe("Trace-1.a_b");
  const created = [await server.request(token, "/feed"), await server.request(undefined, "/nothing")];
  const ids = created.map(({ headers }) => headers.get("x-request-id"));
  expect(new Set(ids).size).toBe(2);
  expect<unknown[]>(requestsIn(server.logged).map(({ requestId }) => requestId)).toEqual([
    "Trace-1.a_b",
    ...ids,
  ]);
});

test("answers an unchanged read with 304, by the rules of If-None-Match (RFC 9110 §13.1.2)", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const first = await server.request(token, "/feed");
  const etag = first.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[^"]+"$/);
  const ask = (tag: string, init = {}) =>
    server.request(token, "/feed", { headers: { "if-none-match": tag }, ...init });
  for (const same of [etag, `W/${etag}`, "*", `"other", ${etag}`, `"a",${etag},"b"`, `W/"x", W/${etag}`]) {
    const answer = await ask(same);
    expect(answer.status, same).toBe(304);
    expect(answer.headers.get("etag")).toBe(etag);
    expect(await answer.text()).toBe("");
  }
  for (const other of ['"other"', "", etag.slice(1, -1), etag.toUpperCase(), `W/"other", "x"`]) {
    expect((await ask(other)).status, other).toBe(200);
  }
  const headers = { "if-none-match": "*" };
  expect(
    (await server.request(token, "/feed", { method: "POST", body: { text: "a" }, headers })).status,
  ).toBe(201);
  const changed = await ask(etag);
  expect(changed.status).toBe(200);
  expect(changed.headers.get("etag")).not.toBe(etag);
  expect((await server.request(undefined, "/feed", { headers })).status).toBe(401);
});

test("marks responses that depend on the caller private: revalidated with an ETag, otherwise not stored", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const respond = async (path: string, init = {}) => {
    const { headers } = await server.request(token, path, init);
    return [headers.get("cache-control"), headers.has("etag")];
  };
  expect(await respond("/feed")).toEqual(["private, no-cache", true]);
  expect(await respond("/feed", { method: "POST", body: { text: "a" } })).toEqual([
    "private, no-store",
    false,
  ]);
  expect(await respond("/feed?limit=0")).toEqual(["private, no-store", false]);
});

test("HEAD answers as GET does, without the body", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const paths = ["/v1/feed", "/v1/profiles/me", "/v1/nothing", "/v1/feed?limit=0", "/healthz", "/docs"];
  // Runs in parallel, because each exchange waits until its connection is closed or silent.
  await Promise.all(
    paths.map(async (path) => {
      const [got, headed] = await Promise.all(
        ["GET", "HEAD"].map((method) => exchange(server.url, head(`${method} ${path} HTTP/1.1`, by(token)))),
      );
      const [get, only] = [got?.answers[0], readAnswers(headed?.text ?? "", true)[0]];
      expect(only?.status, path).toBe(get?.status);
      expect(headed?.text.endsWith("\r\n\r\n"), path).toBe(true);
      for (const name of ["content-length", "content-type", "etag", "cache-control", "x-ratelimit-limit"]) {
        expect(only?.headers.get(name), `${path} ${name}`).toBe(get?.headers.get(name));
      }
    }),
  );
});

test("CORS: allows nothing by default, a configured origin with readable headers, and no other origin", async () => {
  await using closed = openTestServer();
  await using server = openTestServer({ env: { GUILDHALL_CORS_ORIGINS: "https://app.test,https://b.test" } });
  const { token } = createMember(server.core, "ada");
  const preflight = (origin: string, target = server) => {
    const headers = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    };
    return target.request(undefined, "/feed", { method: "OPTIONS", headers });
  };
  const allowed = await preflight("https://app.test");
  expect(allowed.status).toBe(204);
  expectHeaders(allowed.headers);
  expect(allowed.headers.get("access-control-allow-origin")).toBe("https://app.test");
  for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
    expect(allowed.headers.get("access-control-allow-methods")).toContain(method);
  }
  for (const name of ["Authorization", "Content-Type", "Idempotency-Key"]) {
    expect(allowed.headers.get("access-control-allow-headers")).toContain(name);
  }
  const answers = [await server.request(token, "/feed", { headers: { origin: "https://b.test" } })];
  answers.push(await server.request(undefined, "/feed", { headers: { origin: "https://b.test" } }));
  for (const { headers } of answers) {
    expect(headers.get("access-control-allow-origin")).toBe("https://b.test");
    expect(headers.get("vary")?.toLowerCase()).toContain("origin");
    for (const name of [
      "X-Request-Id",
      "X-RateLimit-Limit",
      "X-RateLimit-Remaining",
      "X-RateLimit-Reset",
      "Retry-After",
    ]) {
      expect(headers.get("access-control-expose-headers")).toContain(name);
    }
  }
  const foreign = [
    "https://evil.test",
    "null",
    "https://app.test.evil.test",
    "http://app.test",
    "https://APP.test",
    "https://app.test/",
    "*",
  ];
  for (const origin of foreign) {
    for (const answer of [
      await preflight(origin),
      await server.request(token, "/feed", { headers: { origin } }),
    ]) {
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  }
  const refused = await preflight("https://app.test", closed);
  expect(refused.status).toBe(404);
  expect(refused.headers.get("access-control-allow-origin")).toBeNull();
});

test("trusts X-Forwarded-For only from a trusted proxy, and only the proxy's own entry", async () => {
  const leftFor = async (server: ReturnType<typeof openTestServer>, forwarded: string[]) => {
    const left: number[] = [];
    for (const value of forwarded) {
      const answer = await server.request(undefined, "/feed", { headers: { "x-forwarded-for": value } });
      left.push(Number(answer.headers.get("x-ratelimit-remaining")));
    }
    return left;
  };
  await using open = openTestServer();
  expect(await leftFor(open, ["203.0.113.1", "203.0.113.2", "2001:db8::1", "x", "127.0.0.1"])).toEqual([
    119, 118, 117, 116, 115,
  ]);
  await using behind = openTestServer({ env: { GUILDHALL_TRUSTED_PROXIES: "127.0.0.1,10.0.0.0/8" } });
  const clients = [
    "203.0.113.1",
    "203.0.113.2",
    "203.0.113.1, 10.1.2.3",
    "::ffff:203.0.113.2",
    " 203.0.113.1 ",
  ];
  expect(await leftFor(behind, clients)).toEqual([119, 119, 118, 118, 117]);
  // In a list of forwarded addresses, a client can forge everything before the last address that is not a
  // proxy.
  const forged = [
    "203.0.113.9, 203.0.113.1",
    "10.9.9.9, 203.0.113.1",
    "x, 203.0.113.1",
    "203.0.113.8,203.0.113.1,10.0.0.1",
  ];
  expect(await leftFor(behind, forged)).toEqual([116, 115, 114, 113]);
  // One host usually has a whole IPv6 /64, so all addresses of a /64 share one limit.
  expect(await leftFor(behind, ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"])).toEqual([
    119, 118, 119,
  ]);
  // If the last hop is not an address, the request counts against the proxy.
  expect(
    await leftFor(behind, ["203.0.113.50, x", "203.0.113.51, unknown", "203.0.113.52, 203.0.113.1:80"]),
  ).toEqual([119, 118, 117]);
});

test("an unknown path or method is 404 with the standard body, on every prefix", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const paths = [
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/v1/feed/post_1/nothing",
    "/v2/feed",
    "/v1feed",
    "/V1/feed",
    "/v1/feed%2F",
    "/v1//feed",
    "/healthzz",
    "/metricsx",
  ];
  const requests: [method: string, path: string][] = paths.map((path) => ["GET", path]);
  for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"])
    requests.push([method, "/v1/feed"], [method, "/v1/jobs"]);
  requests.push(
    ["POST", "/v1/jobs/mine"],
    ["POST", "/v1/profiles/ada"],
    ["PUT", "/v1/webhooks/whe_1"],
    ["POST", "/v1/openapi.json"],
  );
  for (const [method, path] of requests) {
    const answer = await fetch(server.url + path, { method, headers: { authorization: `Bearer ${token}` } });
    expect(answer.status, `${method} ${path}`).toBe(404);
    await expectRefusal(answer, 404);
  }
});

test("health is public and not rate-limited; metrics need this machine or the token", async () => {
  await using server = openTestServer();
  await using guarded = openTestServer({ env: { GUILDHALL_METRICS_TOKEN: "scrape-me" } });
  const get = (at: typeof server, path: string, headers = {}) => fetch(at.url + path, { headers });
  const health = await get(server, "/healthz");
  expect(await health.json()).toEqual({ status: "ok", version: "0.0.0-test" });
  expect(health.headers.get("x-request-id")).toBeString();
  expect(health.headers.get("x-ratelimit-limit")).toBeNull();
  for (let i = 0; i < 200; i++) expect((await get(server, "/healthz")).status).toBe(200);

  const metrics = await get(server, "/metrics");
  expect(metrics.headers.get("content-type")).toStartWith("text/plain");
  expect(await metrics.text()).toContain(
    'guildhall_http_requests_total{way="ops",route="/healthz",method="GET",status="2xx"} 201',
  );
  expect((await get(server, "/metrics", { "x-forwarded-for": "127.0.0.1" })).status).toBe(404);
  const wrong = [
    {},
    { authorization: "Bearer scrape" },
    { authorization: "Bearer scrape-me2" },
    { authorization: "scrape-me" },
  ];
  for (const headers of wrong) {
    const answer = await get(guarded, "/metrics", headers);
    expect(answer.status).toBe(404);
    expectErrorBody(404, await answer.text());
  }
  const right = { authorization: "Bearer scrape-me", "x-forwarded-for": "203.0.113.1" };
  expect((await get(guarded, "/metrics", right)).status).toBe(200);
  server.core.db.close();
  expect((await get(server, "/healthz")).status).toBe(200);
  expect((await get(server, "/metrics")).status).toBe(200);
});

test("browsers get the community page at the root and an error page elsewhere; programs get JSON", async () => {
  await using server = openTestServer();
  const ask = async (path: string, accept: string, method = "GET") => {
    const answer = await fetch(server.url + path, { method, headers: { accept }, redirect: "manual" });
    const [type] = (answer.headers.get("content-type") ?? "").split(";");
    return { status: answer.status, type, text: await answer.text() };
  };
  const browser = "text/html,application/xhtml+xml,*/*;q=0.8";
  for (const accept of [browser, "*/*"]) {
    const front = await ask("/", accept);
    expect([front.status, front.type]).toEqual([200, "text/html"]);
    expect(front.text).toContain('href="/docs"');
  }
  const requests = [
    ["/nothing", "GET"],
    ["/", "POST"],
    ["/", "PROPFIND"],
    ["/v2/feed", "GET"],
  ] as const;
  for (const [path, method] of requests) {
    const page = await ask(path, browser, method);
    expect([path, page.status, page.type]).toEqual([path, 404, "text/html"]);
    const received = await ask(path, "*/*", method);
    expect([path, received.status, received.type]).toEqual([path, 404, "application/json"]);
    expectErrorBody(404, received.text);
  }
  // Under /v1, docs/contract.md#1.14 applies to every client.
  const result = await ask("/v1/nothing", browser);
  expect([result.status, result.type]).toEqual([404, "application/json"]);
});
