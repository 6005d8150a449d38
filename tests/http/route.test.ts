// Tests the route names in metrics and log. Their number is bounded by the program, whatever clients request.
import { expect, test } from "bun:test";
import { OPERATIONS } from "../../src/operations/index.ts";
import { addressOf } from "../../src/operations/operation.ts";
import { pagesOf } from "../../src/web/pages/index.ts";
import { createMember, openTestServer } from "../support.ts";

interface LogLine {
  msg: string;
  method: string;
  route: string;
}

test("names a request by its operation or page pattern, independent of the caller and the path", async () => {
  await using server = openTestServer();
  const wanted: [method: string, path: string, route: string][] = [
    ...OPERATIONS.map((op): [string, string, string] => {
      const { method, path } = addressOf(op);
      return [method, `/v1${path.replace(/\{\w+\}/g, "x_1")}`, op.id];
    }),
    ...pagesOf(server.interactions).map(({ method, path }): [string, string, string] => {
      return [method, path.replace(/:\w+/g, "x_1"), path];
    }),
    ["GET", "/v1/openapi.json", "/v1/openapi.json"],
    ["GET", "/docs", "/docs"],
    ["GET", "/healthz", "/healthz"],
    ["GET", "/readyz", "/readyz"],
    ["GET", "/metrics", "/metrics"],
    ["GET", "/favicon.svg", "/favicon.svg"],
    ["POST", "/v1/oauth/token", "/v1/oauth/token"],
    ["POST", "/v1/oauth/authorize", "/v1/oauth/authorize"],
    ["GET", "/v1/oauth/authorize/abcdefghijklmnop", "/v1/oauth/authorize"],
    ["GET", "/.well-known/jwks.json", "/.well-known/jwks.json"],
    ["OPTIONS", "/v1/feed", "unknown"],
  ];
  for (const [method, path, route] of wanted) {
    server.logged.length = 0;
    // A rate-limited request has no route, because the limit is checked before routing. The clock refills the
    // bucket.
    server.clock.pass(60_000);
    await fetch(server.url + path, { method, redirect: "manual" });
    expect(receivedBy(server.logged), `${method} ${path}`).toEqual([{ msg: "request", method, route }]);
  }
});

test("gives all unknown paths one name, so that clients cannot choose names", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(server.url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  const nowhere = [
    "/v1/nothing",
    "/nothing",
    "/docs/x",
    "/healthz/x",
    "/.well-known/x",
    "/v1/oauth/x",
    "/v1/%",
  ];
  for (const path of [...nowhere, ...Array.from({ length: 30 }, (_, i) => `/v1/nothing-${i}`)])
    await ask(path);
  const graph = (body: object) =>
    ask("/graphql", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  expect(new Set(receivedBy(server.logged).map(({ route }) => route))).toEqual(new Set(["unknown"]));
  server.logged.length = 0;
  await graph({ query: "query Mine { viewer { username } }", operationName: "Mine" });
  await graph({ query: 'mutation Theirs { likePost(input: {postId: "post_1"}) { __typename } }' });
  await graph({ query: "query Broken {" });
  await ask("/graphql", { method: "PUT" });
  await ask("/graphql", { headers: { accept: "text/html" } });
  expect(receivedBy(server.logged).map(({ route }) => route)).toEqual([
    "query",
    "mutation",
    "unknown",
    "stream",
    "graphiql",
  ]);
});

function receivedBy(logged: readonly string[]): LogLine[] {
  return logged
    .map((line) => JSON.parse(line) as LogLine)
    .filter(({ msg }) => msg === "request")
    .map(({ msg, method, route }) => ({ msg, method, route }));
}
