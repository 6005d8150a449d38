import { expect, test } from "bun:test";
import { SECOND } from "../../src/core/base/clock.ts";
import { type TestServer, createMember, openTestServer } from "../support.ts";
import {
  BROKEN_FRAMINGS,
  by,
  countOf,
  errorsIn,
  expectErrorBody,
  head,
  postRequestText,
  readAnswers,
  requestsIn,
  VALID_FRAMINGS,
  exchange,
} from "./raw.ts";

const FEED = "GET /v1/feed HTTP/1.1";

test("the path is that of the request line, whatever the Host header contains", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const { Host: _, ...auth } = by(token);
  const shifted = [
    ...["x", "ab", "abc", "x:1", "guild.test"].map((host) =>
      head("GET /aa/v1/feed HTTP/1.1", { Host: host, ...auth }),
    ),
    ...[
      "GET http://x/aa/v1/feed HTTP/1.1",
      "GET //v1/feed HTTP/1.1",
      "GET /v1/aaaaaaaaaaaa/v1/feed HTTP/1.1",
    ].map((line) => head(line, { Host: "x", ...auth })),
    // HTTP/1.0 requests may omit the Host header.
    ...["/aa/v1/feed", "/v1/aaaaaaaaaaaa/v1/feed", "/v1/aaaaaaaaa?/v1/feed", "/aaaaaaaaaaa/v1/feed"].map(
      (path) => head(`GET ${path} HTTP/1.0`, auth),
    ),
  ];
  for (const { answers } of await Promise.all(shifted.map((sent) => exchange(server.url, sent)))) {
    expect(answers.map(({ status }) => status)).toEqual([404]);
    expectErrorBody(404, answers[0]?.body ?? "");
  }
});

test("serves a request without a Host, or with a short one, like any other", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const { Host: _, ...auth } = by(token);
  const [bare, short, posted] = await Promise.all([
    exchange(server.url, head("GET /v1/profiles/me HTTP/1.0", auth)),
    exchange(server.url, head("GET /v1/profiles/me HTTP/1.1", { Host: "pi", ...auth })),
    exchange(server.url, postRequestText(token, "from a host of two letters", { Host: "pi" })),
  ]);
  for (const { answers } of [bare, short]) {
    expect(answers.map(({ status, body }) => [status, JSON.parse(body).username])).toEqual([[200, "ada"]]);
  }
  expect(posted.answers.map(({ status }) => status)).toEqual([201]);
});

test("answers an empty, malformed or second Host with 400 or 404 on every transport, never a 5xx", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const { Host: _, ...auth } = by(token);
  const odd = "a/b a/v1 a?b a#b me@a [::1 ::1 a:-1 a:b a,b %61 é a\\b http://a a;b <script>".split(" ");
  const hosts = ["", " ", "a b", "a\tb", ...odd, "x".repeat(300), "a\r\nHost: b", "a.test\r\nHost: a.test"];
  const paths = ["/v1/feed", "/v1/feed?limit=1", "/docs", "/healthz", "/metrics", "/"];
  const sent = hosts.flatMap((host) =>
    paths.map((path) => head(`GET ${path} HTTP/1.1`, { Host: host, ...auth })),
  );
  for (const { text, answers } of await Promise.all(sent.map((bytes) => exchange(server.url, bytes)))) {
    expect(answers).toHaveLength(1);
    expect([400, 404]).toContain(answers[0]?.status ?? 0);
    expect(text).not.toContain('"data"');
  }
  expect(errorsIn(server.logged)).toEqual([]);
});

test("a path traversal in any encoding reaches no file and nothing else", async () => {
  await using server = openTestServer();
  const steps = [
    "../",
    "..%2f",
    "%2e%2e/",
    "%2e%2e%2f",
    "%252e%252e%252f",
    "..\\",
    "..%5c",
    "....//",
    "%c0%ae%c0%ae/",
  ];
  const climbs = steps
    .map((step) => step.repeat(8))
    .flatMap((up) => [`${up}etc/passwd`, `${up}package.json`]);
  const odd = ["guildhall.key", ".env", "%00", "a%00.css", "%", "%zz", "%ff", "%E0%A4", ";/../package.json"];
  const paths = ["/", "/docs/", "/assets/", "/v1/", "/v1/feed/", "/posts/", "/@"].flatMap((under) =>
    [...climbs, ...odd].map((path) => `${under}${path}`),
  );
  expect(paths.length).toBeGreaterThan(150);
  for (const path of paths) {
    server.clock.pass(SECOND);
    const [answer] = (
      await exchange(server.url, head(`GET ${path} HTTP/1.1`, { Host: "guild.test" }), { answers: 1 })
    ).answers;
    expect([path, [400, 401, 404].includes(answer?.status ?? 0)]).toEqual([path, true]);
    expect(answer?.body).not.toMatch(/root:|devDependencies/);
    // Under the paths of pages, the refusal is a page.
    if (!/^\/(?:posts\/|@)/.test(path)) expectErrorBody(answer?.status ?? 0, answer?.body ?? "");
  }
  expect(errorsIn(server.logged)).toEqual([]);
});

test("ambiguous message framing never runs a second request inside the body", async () => {
  const hidden = (token: string): string => postRequestText(token, "smuggled");
  // With correct framing the second request runs, which proves that the test can fail.
  const ways = [...BROKEN_FRAMINGS, ...VALID_FRAMINGS];
  // All servers start first, because starting a server delays open requests.
  await using opened = new AsyncDisposableStack();
  const servers = ways.map(() => opened.use(openTestServer()));
  const report = async ([name, headers, body = ""]: (typeof ways)[number], i: number): Promise<void> => {
    const server = servers[i] as TestServer;
    const { token } = createMember(server.core, "ada");
    const second = hidden(token);
    const lines = headers.replace("N", String(body.length + second.length));
    const first = head("POST /v1/feed HTTP/1.1", by(token)).replace(/\r\n$/, `${lines}\r\n\r\n`);
    const { closed } = await exchange(server.url, `${first}${body}${second}`);
    const isBroken = i < BROKEN_FRAMINGS.length;
    expect(closed, name).toBe(isBroken);
    expect(countOf(server.core, "posts"), name).toBe(isBroken ? 0 : 1);
    expect(requestsIn(server.logged).length, name).toBeLessThanOrEqual(isBroken ? 1 : 2);
    expect(errorsIn(server.logged), name).toEqual([]);
  };
  await Promise.all(BROKEN_FRAMINGS.map(report));
  // Requests with valid framing run one at a time. Bun closes a connection if the next request arrives before
  // the response to a chunked one. A busy event loop delays responses (docs/contract.md#12.34).
  for (const [i, way] of VALID_FRAMINGS.entries()) await report(way, BROKEN_FRAMINGS.length + i);
});

test("refuses 300 headers, and a header or target of 100 KB, and keeps no memory", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`X-${i}`, "v"]));
  const long = "a".repeat(100_000);
  const large = [
    head(FEED, { ...by(token), ...many }),
    head(FEED, { ...by(token), "X-Long": long }),
    head(`GET /v1/feed?x=${long} HTTP/1.1`, by(token)),
    head(`GET /v1/${long} HTTP/1.1`, by(token)),
  ].map((sent) => Buffer.from(sent));
  const send = async (): Promise<void> => {
    for (const { answers, closed } of await Promise.all(large.map((sent) => exchange(server.url, sent)))) {
      expect(closed).toBe(true);
      // The client gets a refusal, or the connection is closed while it still sends.
      expect([414, 431, undefined]).toContain(answers[0]?.status);
    }
  };
  for (let i = 0; i < 10; i++) await send();
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  for (let i = 0; i < 50; i++) await send();
  Bun.gc(true);
  expect((process.memoryUsage.rss() - before) / 1024 ** 2).toBeLessThan(10);
  expect(requestsIn(server.logged)).toEqual([]);
  expect((await server.request(token, "/feed")).status).toBe(200);
});

test("echoes, upgrades and forwards nothing for TRACE, CONNECT, absolute targets, OPTIONS *, upgrades and unknown methods", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  let visits = 0;
  using elsewhere = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(String(++visits)),
  });
  const other = `127.0.0.1:${elsewhere.port}`;
  const mark = { ...by(token), "X-Mark": "echo-me" };
  const websocket = {
    Upgrade: "websocket",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": 13,
  };
  const cases: [sent: string, statuses: (number | undefined)[]][] = [
    [head("TRACE /v1/feed HTTP/1.1", mark), [404]],
    [head("TRACE / HTTP/1.1", mark), [404]],
    [head(`CONNECT ${other} HTTP/1.1`, mark), [400, 404]],
    [head("CONNECT /v1/feed HTTP/1.1", mark), [404]],
    // The server itself answers and never contacts the named host.
    [head(`GET http://${other}/ HTTP/1.1`, mark), [200]],
    [head(`GET http://${other}/v1/feed HTTP/1.1`, mark), [200]],
    [head(`GET ftp://${other}/v1/feed HTTP/1.1`, mark), [400]],
    [head("OPTIONS * HTTP/1.1", mark), [400, 404]],
    [head("OPTIONS /v1/feed HTTP/1.1", mark), [404]],
    [head(FEED, { ...mark, Connection: "Upgrade", ...websocket }), [200]],
    [
      head(FEED, {
        ...mark,
        Connection: "Upgrade, HTTP2-Settings",
        Upgrade: "h2c",
        "HTTP2-Settings": "AAMA",
      }),
      [200],
    ],
    ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400, undefined]],
    ...["FROB", "get", "G ET", "GET\0", "<a>"].map((method): [string, (number | undefined)[]] => [
      head(`${method} /v1/feed HTTP/1.1`, mark),
      [400, 404, 505, undefined],
    ]),
    ...["PUT", "PROPFIND", "PURGE", "M-SEARCH"].map((method): [string, number[]] => [
      head(`${method} /v1/feed HTTP/1.1`, mark),
      [404],
    ]),
  ];
  await Promise.all(
    cases.map(async ([sent, statuses]) => {
      const { text, answers } = await exchange(server.url, sent);
      expect(statuses, sent).toContain(answers[0]?.status);
      expect(answers.length, sent).toBeLessThanOrEqual(1);
      expect(text).not.toContain("echo-me");
      expect(text).not.toContain(token);
      expect(answers[0]?.headers.get("upgrade")).toBeUndefined();
    }),
  );
  expect(visits).toBe(0);
  expect(countOf(server.core, "posts")).toBe(0);
});

test("answers pipelined requests in order and charges each", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada", undefined, "personal");
  const [me, feed] = ["/v1/profiles/me", "/v1/feed"].map((path) => head(`GET ${path} HTTP/1.1`, by(token)));
  const { answers } = await exchange(
    server.url,
    `${me}${feed}${me}${postRequestText(token, "last in line")}`,
  );
  expect(answers.map(({ status, body }) => [status, Object.keys(JSON.parse(body))[0]])).toEqual([
    [200, "username"],
    [200, "data"],
    [200, "username"],
    [201, "id"],
  ]);
  const remaining = answers.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
  expect(remaining).toEqual([1199, 1198, 1197, 1196]);
});

test("closes the connection after a write, runs nothing pipelined behind it, and answers a retry by its key", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const first = postRequestText(token, "first in line", { "Idempotency-Key": "line" });
  const { answers, closed } = await exchange(server.url, first + postRequestText(token, "second in line"));
  // Bun handles one response at a time per connection (oven-sh/bun#38128). RFC 9112 §9.3.2 requires clients
  // to expect the close.
  if (closed) {
    expect(answers).toEqual([]);
    expect(countOf(server.core, "posts")).toBe(1);
    const retried = await exchange(server.url, first);
    expect(retried.answers[0]?.headers.get("idempotency-replayed")).toBe("true");
  }
  expect(countOf(server.core, "posts")).toBe(closed ? 1 : 2);
});

test("discards a request id that contains a secret, from every response and log line", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  for (const secret of [token, "guild_secret_0123456789abcdef", "whsec_0123456789abcdef", `trace-${token}`]) {
    const answer = await server.request(token, "/feed", { headers: { "x-request-id": secret } });
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    const refused = await server.request(token, "/nothing", { headers: { "x-request-id": secret } });
    expect(await refused.text()).not.toContain(secret);
  }
  expect(server.logged.join("\n")).not.toMatch(/guild_pat_|guild_secret_|whsec_/);
});

test("keeps a request id only if it is short and of safe characters, and otherwise creates one", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const safe = ["a", "0", ".", "-", "_", "A.b_c-9", "x".repeat(128)];
  for (const id of safe) {
    const answer = await server.request(token, "/profiles/me", { headers: { "x-request-id": id } });
    expect(answer.headers.get("x-request-id")).toBe(id);
  }
  const odd = `a,b "a" a\\nb %0d%0aX: <b> é ../x a\x7fb ","level":60,"msg":"forged \${jndi:ldap://x} \x1b[31mred`;
  const hostile = ["x".repeat(129), "x".repeat(8000), "a b", "a\tb", ...odd.split(" ")];
  const report = (id: string) => exchange(server.url, head(FEED, { ...by(token), "X-Request-Id": id }));
  for (const [i, { answers, text }] of (await Promise.all(hostile.map(report))).entries()) {
    const id = hostile[i] ?? "";
    if (answers[0]?.status !== 400)
      expect(answers[0]?.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(text).not.toContain(id);
    expect(server.logged.join("\n")).not.toContain(JSON.stringify(id).slice(1, -1));
  }
  const two = await report("a\r\nX-Request-Id: b");
  expect(two.answers[0]?.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(requestsIn(server.logged).every(({ requestId }) => /^[A-Za-z0-9._-]{1,128}$/.test(requestId))).toBe(
    true,
  );
});

test("line breaks in a value never split an answer", async () => {
  await using server = openTestServer({ env: { GUILDHALL_CORS_ORIGINS: "https://app.test" } });
  const { token } = createMember(server.core, "ada");
  const breaks = "\r\n \n \r %0d%0a %0D%0A%20 %E5%98%8A%E5%98%8D \u560a\u560d \\r\\n %250d%250a".split(" ");
  const split = (text: string): string[] =>
    breaks.map((end) => `${text}${end}Set-Cookie: a=b${end}${end}<p>`);
  const target = (path: string): string[] =>
    split(path).map((value) => head(`GET ${value.replaceAll(" ", "%20")} HTTP/1.1`, by(token)));
  const header = (name: string): string[] =>
    split("a").map((value) => postRequestText(token, "hi", { [name]: value }));
  const webhooks = split("https://hooks.example.com/").map((url) => {
    const body = JSON.stringify({ url, events: ["post.created"] });
    return (
      head("POST /v1/webhooks HTTP/1.1", { ...by(token), "Content-Length": Buffer.byteLength(body) }) + body
    );
  });
  const sent = [
    ...[
      "/v1/jobs/",
      "/v1/webhooks/",
      "/v1/profiles/",
      "/v1/feed?cursor=",
      "/v1/feed?tag=",
      "/v1/jobs?q=",
      "/",
    ].flatMap(target),
    ...[
      "X-Request-Id",
      "Idempotency-Key",
      "If-None-Match",
      "Origin",
      "Access-Control-Request-Headers",
    ].flatMap(header),
    ...webhooks,
  ].map((text) => Buffer.from(text));
  for (const { text, answers } of await Promise.all(sent.map((bytes) => exchange(server.url, bytes)))) {
    const names = readAnswers(text).flatMap(({ headers }) => [...headers.keys()]);
    expect(names).not.toContain("set-cookie");
    for (const { status, headers } of answers) {
      // Status 505 means that the text before the line break was not a valid request line.
      expect(status < 500 || status === 505, text).toBe(true);
      expect([...headers.values()].join()).not.toContain("Set-Cookie");
    }
  }
  expect(errorsIn(server.logged)).toEqual([]);
});
