// Tests docs/contract.md#1.7, docs/contract.md#1.8 and docs/contract.md#1.9.
import { expect, test } from "bun:test";
import { ROUTES } from "../routes.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { createMemberToken, createMember, openTestServer } from "../support.ts";
import { call, refusalOf } from "./client.ts";

test("a 403 for a missing scope names the scope in a header (RFC 6750 §3.1); other 403s do not", async () => {
  await using server = openTestServer();
  createMember(server.core, "ada");
  const { token } = createMemberToken(server.core, "ada", []);
  for (const op of ROUTES) {
    const path = op.path.replace(/\{\w+\}/, "x");
    // Some operations validate the body first, or check the scope when they read the object. Their status is
    // not 403 here.
    const { status, headers, body } = await call(
      server,
      token,
      `${op.method} ${path}`,
      op.body ? { body: {} } : {},
    );
    if (status !== 403) continue;
    expect([op.id, headers.get("www-authenticate")]).toEqual([
      op.id,
      `Bearer realm="guildhall", error="insufficient_scope", scope="${op.scope}", resource_metadata="https://guild.test/.well-known/oauth-protected-resource"`,
    ]);
    expect(body.params).toEqual({ scope: op.scope });
  }
});

test("a refusal names the wrong parameter: a foreign cursor, an undecodable value, an Idempotency-Key", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  for (const cursor of ["x", "", "a".repeat(600), "W10"])
    expect([cursor, await refusalOf(server, token, `GET /feed?cursor=${cursor}`)]).toEqual([
      cursor,
      "400 cursor",
    ]);
  expect(await refusalOf(server, token, "GET /feed?tag=%ff")).toBe("400 tag");
  expect(await refusalOf(server, token, "GET /feed?%ff=1")).toBe("400 query");
  expect(await refusalOf(server, token, "GET /feed?other=%00")).toBe("400 query");
  expect(await refusalOf(server, token, "GET /jobs?stack[]=%ff")).toBe("400 stack[]");
  const headers = { "idempotency-key": "once" };
  await call(server, token, "POST /feed", { body: { text: "a" }, headers });
  expect(await refusalOf(server, token, "POST /feed", { body: { text: "b" }, headers })).toBe(
    "422 Idempotency-Key",
  );
  const address = { body: { url: "http://a.test/", events: ["post.created"] } };
  expect(await refusalOf(server, token, "POST /webhooks", address)).toBe("422 url");
});

test("unknown query parameters are ignored, and refused under strict handling (RFC 7240)", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const ask = (query: string, prefer?: string) =>
    call(server, token, `GET /jobs?${query}`, prefer === undefined ? {} : { headers: { prefer } });
  for (const prefer of [
    undefined,
    "handling=lenient",
    "respond-async",
    'foo="handling=strict"x',
    "xhandling=strict",
  ]) {
    const response = await ask("colour=blue", prefer);
    expect([prefer, response.status, response.headers.has("preference-applied")]).toEqual([
      prefer,
      200,
      false,
    ]);
  }
  for (const prefer of ["handling=strict", 'Handling = "strict"', "respond-async, handling=strict; x=y"]) {
    const response = await ask("colour=blue&q=a&size=1", prefer);
    expect([response.status, response.headers.get("preference-applied")]).toEqual([400, "handling=strict"]);
    expect(
      response.body.details.map(({ path, code }: { path: string; code: string }) => [path, code]),
    ).toEqual([
      ["colour", "not_known"],
      ["size", "not_known"],
    ]);
  }
  const sound = await ask("q=a&stack=a&stack[]=b&limit=2", "handling=strict");
  expect([sound.status, sound.headers.get("preference-applied")]).toEqual([200, "handling=strict"]);
  expect(
    await refusalOf(server, token, "GET /profiles/me?x=1", { headers: { prefer: "handling=strict" } }),
  ).toBe("400 x");
  const post = { body: { text: "hi" }, headers: { prefer: "handling=strict" } };
  expect(await refusalOf(server, token, "POST /feed?dry=1", post)).toBe("400 dry");
  // An unknown parameter is named only if its name is safe to repeat.
  expect(
    await refusalOf(server, token, "GET /feed?%3Cb%3E=1&__proto__=1&constructor=2", {
      headers: { prefer: "handling=strict" },
    }),
  ).toBe("400 query __proto__ constructor");
});

test("a list links to its next page (RFC 8288) at the public address with the same filters; the last page has no link", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  for (let i = 0; i < 5; i++) createPost(server.core, caller, { text: `${i}`, tags: ["a"] });
  const seen: string[] = [];
  let path: string | undefined = '/feed?tag=a&limit=2&cursorx=%3E%22%20&other=<">';
  for (let pages = 0; path !== undefined; pages++) {
    const { body, headers } = await call(server, token, `GET ${path}`);
    seen.push(...body.data.map(({ text }: { text: string }) => text));
    const link = headers.get("link");
    expect(link === null).toBe(body.next === null);
    const target =
      link === null
        ? undefined
        : /^<https:\/\/guild\.test(\/v1\/feed\?[^<>" ]*)>; rel="next"$/.exec(link)?.[1];
    expect(target === undefined).toBe(body.next === null);
    if (target !== undefined) expect(target).toEndWith(`cursor=${body.next}`);
    path = target?.slice("/v1".length);
    if (pages > 5) throw new Error("the walk does not end");
  }
  expect(seen).toEqual(["4", "3", "2", "1", "0"]);
});
