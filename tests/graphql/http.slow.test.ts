import { expect, test } from "bun:test";
import { serverAudits } from "graphql-http";
import { createMember, openTestServer } from "../support.ts";
import { codes, graph } from "./ask.ts";

test("passes every MUST and SHOULD of the GraphQL-over-HTTP audit", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const audits = serverAudits({
    url: `${server.url}/graphql`,
    fetchFn: (url: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set("authorization", `Bearer ${token}`);
      return fetch(url, { ...init, headers });
    },
  });
  const failed: string[] = [];
  for (const audit of audits) {
    const result = await audit.fn();
    if (result.status !== "ok") failed.push(`${result.status} ${audit.name}: ${result.reason}`);
  }
  expect(audits.length).toBeGreaterThan(55);
  expect(failed.filter((line) => !line.includes(" MAY"))).toEqual([]);
  expect(failed).toEqual([]);
});

test("answers a request without a token with a GraphQL-shaped 401, and a flood with 429 and a correct `Retry-After`", async () => {
  await using server = openTestServer();
  const answer = await graph(server, undefined, "{ viewer { scopes } }");
  expect(answer.status).toBe(401);
  expect(answer.headers.get("www-authenticate")).toBe(
    'Bearer realm="guildhall", resource_metadata="https://guild.test/.well-known/oauth-protected-resource"',
  );
  expect(answer.body as unknown).toEqual({
    errors: [
      {
        message: "Send a valid access token in the header `Authorization: Bearer <ACCESS_TOKEN>`.",
        extensions: {
          code: "unauthorized",
          reason: "credentials_invalid",
          requestId: answer.headers.get("x-request-id") ?? "",
        },
      },
    ],
  });
  let last = answer;
  for (let i = 0; i < 200 && last.status === 401; i++)
    last = await graph(server, "nonsense", "{ viewer { scopes } }");
  expect([last.status, codes(last)]).toEqual([429, ["rate_limited"]]);
  server.clock.pass(Number(last.headers.get("retry-after")) * 1000);
  expect((await graph(server, undefined, "{ viewer { scopes } }")).status).toBe(401);
});

test("accepts a mutation only by POST as JSON", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const mutation = 'mutation { createPost(input: { text: "forged" }) { post { id } } }';
  const cases: [string, number, Parameters<typeof graph>[3]][] = [
    ["GET", 405, { method: "GET", query: `?query=${encodeURIComponent(mutation)}` }],
    [
      "a form",
      415,
      {
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ query: mutation }).toString(),
      },
    ],
    [
      "multipart",
      415,
      {
        headers: { "content-type": "multipart/form-data; boundary=x" },
        body: `--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n${JSON.stringify({ query: mutation })}\r\n--x--`,
      },
    ],
    [
      "plain text",
      415,
      { headers: { "content-type": "text/plain" }, body: JSON.stringify({ query: mutation }) },
    ],
    ["application/graphql", 415, { headers: { "content-type": "application/graphql" }, body: mutation }],
    [
      "a type that only begins like JSON",
      415,
      { headers: { "content-type": "application/jsonp" }, body: JSON.stringify({ query: mutation }) },
    ],
    [
      "compressed",
      400,
      { headers: { "content-encoding": "gzip" }, body: JSON.stringify({ query: mutation }) },
    ],
    ["a batch", 400, { body: JSON.stringify([{ query: mutation }, { query: mutation }]) }],
    ["PATCH", 405, { method: "PATCH" }],
  ];
  for (const [name, status, init] of cases) {
    const answer = await graph(server, token, "", init);
    expect([name, answer.status, codes(answer)]).toEqual([name, status, ["bad_request"]]);
  }
  const feed = await graph(server, token, "{ feed { edges { cursor } } }");
  expect(feed.body.data.feed.edges).toEqual([]);
});

test("accepts queries by GET, with variables in the URL", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const query = new URLSearchParams({
    query: "query Who($name: String) { profile(username: $name) { username } }",
    variables: '{"name":"ADA"}',
    operationName: "Who",
  });
  const answer = await graph(server, token, "", { method: "GET", query: `?${query}` });
  expect([answer.status, answer.body]).toEqual([200, { data: { profile: { username: "ada" } } }]);
  for (const bad of ["variables=1", "variables=%7B", "query=%7Ba%7D&query=%7Bb%7D", "variables={}"]) {
    const refused = await graph(server, token, "", { method: "GET", query: `?${bad}` });
    expect([refused.status, codes(refused)]).toEqual([400, ["bad_request"]]);
  }
});

test("ignores cookies, so that a session of the pages grants nothing", async () => {
  await using server = openTestServer();
  const answer = await graph(server, undefined, "{ viewer { scopes } }", {
    headers: { cookie: `session=${"A".repeat(43)}` },
  });
  expect([answer.status, codes(answer)]).toEqual([401, ["unauthorized"]]);
});

test("allows another origin only if configured, and never with the browser's credentials", async () => {
  await using server = openTestServer({ env: { GUILDHALL_CORS_ORIGINS: "https://app.example" } });
  const ask = (origin: string) =>
    fetch(`${server.url}/graphql`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
      },
    });
  const allowed = await ask("https://app.example");
  expect(allowed.headers.get("access-control-allow-origin")).toBe("https://app.example");
  for (const answer of [allowed, await ask("https://evil.example")])
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  expect((await ask("https://evil.example")).headers.get("access-control-allow-origin")).toBeNull();
});

test("returns a request error as 200 for the older media type, and as 400 for the newer one", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const types = {
    "application/json": 200,
    "application/graphql-response+json": 400,
    "application/json;q=0.5, application/graphql-response+json": 400,
  };
  for (const [accept, status] of Object.entries(types)) {
    for (const document of ["{", "{ nothing }", "query($a: Int!) { feed(first: $a) { edges { cursor } } }"]) {
      const answer = await graph(server, token, document, { headers: { accept } });
      expect([document, answer.status, codes(answer), answer.body.data]).toEqual([
        document,
        status,
        ["bad_request"],
        undefined,
      ]);
    }
  }
  const stream = await graph(server, token, "{ feed { edges { cursor } } }", {
    headers: { accept: "text/event-stream" },
  });
  expect([stream.status, stream.headers.get("content-type")]).toEqual([
    200,
    "text/event-stream; charset=utf-8",
  ]);
  const image = await graph(server, token, "{ feed { edges { cursor } } }", {
    headers: { accept: "image/png" },
  });
  expect([image.status, codes(image)]).toEqual([406, ["bad_request"]]);
});

test("returns an internal error as server_error with the request id, and logs its details", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  server.core.db.transact(() => server.core.db.prepare("DROP TABLE post_tags").run());
  const answer = await graph(server, token, '{ feed(tag: "rust") { edges { cursor } } rateLimit { cost } }', {
    headers: { "x-request-id": "find-me" },
  });
  expect(answer.body.data).toEqual({ feed: null, rateLimit: { cost: 34 } });
  expect(answer.body.errors).toEqual([
    {
      message: "Something went wrong on our side. Try again in a moment.",
      locations: [{ line: 1, column: 3 }],
      path: ["feed"],
      extensions: { code: "server_error", reason: "fault_of_ours", requestId: "find-me" },
    },
  ] as never);
  expect(answer.text).not.toContain("post_tags");
  const logged = server.logged.filter((line) => line.includes("find-me") && line.includes("no such table"));
  expect(logged.length).toBe(1);
});

test("charges one token per 100 of cost to the bucket shared with REST, as `rateLimit` reports", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada", undefined, "personal");
  const left = (headers: Headers): number => Number(headers.get("x-ratelimit-remaining"));
  const rest = await server.request(token, "/feed");
  const cheap = await graph(server, token, "{ rateLimit { cost remaining resetAt } }");
  expect(cheap.body.data.rateLimit).toEqual({
    cost: 2,
    remaining: 1198,
    resetAt: "2026-11-20T12:00:00.200Z",
  });
  expect([left(rest.headers), left(cheap.headers)]).toEqual([1199, 1198]);
  const page =
    "{ feed(first: 100) { edges { node { author { username } metrics { likes } } } } rateLimit { cost remaining } }";
  const expensive = await graph(server, token, page);
  expect(expensive.body.data.rateLimit).toEqual({ cost: 332, remaining: 1194 });
  expect(left(expensive.headers)).toBe(1194);
  const write = await graph(
    server,
    token,
    'mutation { a: createPost(input: { text: "a" }) { post { id } } b: createPost(input: { text: "b" }) { post { id } } }',
  );
  expect(left(write.headers)).toBe(1194 - 3);
});

test("refuses a query above the remaining tokens with 429 before execution, and runs it after `Retry-After`", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada", undefined, "personal");
  const wide =
    `{ ${Array.from({ length: 20 }, (_, i) => `a${i}: feed(first: 48) { edges { node { author { username } metrics { likes } } } }`).join(" ")} }`.replaceAll(
      /a1\d: /g,
      (name) => name,
    );
  let answer = await graph(server, token, wide);
  expect(answer.body.errors).toBeUndefined();
  for (let i = 0; i < 100 && answer.status === 200; i++) answer = await graph(server, token, wide);
  expect([answer.status, codes(answer), answer.body.data]).toEqual([429, ["rate_limited"], undefined]);
  expect(answer.headers.get("x-ratelimit-remaining")).not.toBeNull();
  server.clock.pass(Number(answer.headers.get("retry-after")) * 1000);
  expect((await graph(server, token, wide)).status).toBe(200);
});

test("one setting turns off introspection, suggestions and the console, and then errors name no field", async () => {
  const documents = [
    "{ __schema { types { name } } }",
    '{ __type(name: "Post") { fields { name } } }',
    "{ feeed { edges { cursor } } }",
    "mutation { createPost { post { id } } }",
    "mutation { createPost(input: {}) { post { id } } }",
    "{ post { id } }",
    "{ viewer }",
  ];
  const page = { method: "GET", headers: { accept: "text/html,*/*;q=0.8" } };
  await using on = openTestServer();
  const here = createMember(on.core, "ada").token;
  expect((await graph(on, here, documents[0] ?? "")).body.data.__schema.types.length).toBeGreaterThan(50);
  expect((await graph(on, here, documents[2] ?? "")).text).toContain('Did you mean \\"feed\\"?');
  expect((await graph(on, undefined, "", page)).status).toBe(200);

  await using off = openTestServer({ env: { GUILDHALL_GRAPHQL_INTROSPECTION: "off" } });
  const there = createMember(off.core, "ada").token;
  for (const document of documents) {
    const { body } = await graph(off, there, document);
    expect(body.errors?.map(({ message }) => message)).toEqual([
      "The document or its variables do not match the schema. This server hides the details.",
    ]);
  }
  const variables = { input: {} };
  const answer = await graph(
    off,
    there,
    "mutation($input: CreatePostInput!) { createPost(input: $input) { clientMutationId } }",
    { variables },
  );
  expect(answer.text).not.toContain("text");
  expect((await graph(off, undefined, "", page)).status).toBe(404);
  expect(await (await fetch(off.url)).text()).not.toContain("/graphql");
  expect(await (await fetch(on.url)).text()).toContain('<a href="/graphql">');
});
