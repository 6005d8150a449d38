// Tests docs/contract.md#V5.1, docs/contract.md#V5.4, docs/contract.md#1.15 and docs/contract.md#7.11.
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { expect, test } from "bun:test";
import {
  authenticate,
  createToken,
  listTokens,
  revokeToken,
} from "../../src/core/delegation/tokens/tokens.ts";
import { SCOPE_NAMES, type Scope } from "../../src/core/identity/access/scopes.ts";
import { makeToken } from "../../src/core/delegation/tokens/token-format.ts";
import { DAY, MINUTE } from "../../src/core/base/clock.ts";
import { type Route, ROUTES } from "../routes.ts";
import {
  BUILDER_SCOPES,
  createMemberToken,
  type TestServer,
  createMember,
  openTestServer,
} from "../support.ts";
import { call } from "./client.ts";
import { reopen } from "./rows.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";

const UNAUTHORIZED = {
  error: "unauthorized",
  code: "credentials_invalid",
  message: "Send a valid access token in the header `Authorization: Bearer <ACCESS_TOKEN>`.",
  docs: "https://guild.test/docs/errors#credentials_invalid",
};

/** Returns a request built from the document's examples. The request succeeds if the token has the rights. */
function requestOf(op: Route): [request: string, init: { body?: unknown }] {
  const path = op.path.replace(/\{\w+\}/, op.param?.example ?? "");
  const fields = Object.entries(op.body?.properties ?? {}).map(([name, schema]) => [
    name,
    schema["examples"]?.[0],
  ]);
  return [`${op.method} ${path}`, op.body ? { body: Object.fromEntries(fields) } : {}];
}

/**
 * Expected statuses other than 404 for ids that do not exist. Any tag can be followed, so the tag operations
 * return 200. `setAvatar` names its picture in the body, so an unknown picture is a 422. The preview and the
 * removal name their members in the body. The role is of bo, who exists.
 */
const OTHERWISE: Readonly<Record<string, number>> = {
  // The project of the example does not exist.
  changeProfile: 404,
  followTag: 200,
  unfollowTag: 200,
  setAvatar: 422,
  previewRemoval: 404,
  removeSpammers: 404,
  changeRole: 200,
};

const statusOf = async (server: TestServer, token: string): Promise<number> =>
  (await call(server, token, "GET /profiles/me")).status;

test("every request needs the header Authorization: Bearer <ACCESS_TOKEN>", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  for (const op of ROUTES) {
    server.clock.pass(MINUTE);
    const [request, init] = requestOf(op);
    const response = await call(server, undefined, request, init);
    expect([op.id, response.status, response.body]).toEqual([op.id, 401, UNAUTHORIZED]);
    expect(response.headers.get("www-authenticate")).toBe(
      'Bearer realm="guildhall", resource_metadata="https://guild.test/.well-known/oauth-protected-resource"',
    );
    // Authentication comes before validation: a guest learns nothing about the request format.
    const broken = await call(server, undefined, `${request}?limit=abc`, op.body ? { body: [] } : {});
    expect([op.id, broken.status, broken.body]).toEqual([op.id, 401, UNAUTHORIZED]);
  }
  for (const scheme of ["Bearer", "bearer", "BEARER"]) {
    const headers = { authorization: `${scheme} ${token}` };
    expect((await call(server, undefined, "GET /feed", { headers })).status).toBe(200);
  }
});

test("missing, expired and invalid credentials return 401 with the same body", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  const { token } = createMember(core, "ada");
  const expired = createToken(core, OPERATOR, "ada", {
    name: "old",
    scopes: ["profile:read"],
    tier: "personal",
    expiresInDays: 7,
  });
  const revoked = createToken(core, OPERATOR, "ada", {
    name: "lost",
    scopes: ["profile:read"],
    tier: "personal",
  });
  const suspended = createMember(core, "bo").token;
  revokeToken(core, OPERATOR, revoked.id);
  setSuspended(core, OPERATOR, "bo", true);
  clock.pass(7 * DAY);
  const body = token.slice("guild_pat_".length);
  const jwt = [{ alg: "none" }, { sub: "ada" }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  const values = [
    ...["", "Bearer", "Basic", token, `Token ${token}`, `Basic ${btoa(`ada:${token}`)}`, `Basic ${token}`],
    ...[
      `Bearer "${token}"`,
      `Bearer '${token}'`,
      `Bearer <${token}>`,
      `Bearer ${token},`,
      `Bearer ${token};`,
    ],
    ...[
      `Bearer ${token} ${token}`,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer ${token},${token}`,
      `Bearer ${token}${token}`,
    ],
    ...[
      `Bearer=${token}`,
      `Bearer: ${token}`,
      `Bearer%20${token}`,
      `Bearer${token}`,
      `x Bearer ${token}`,
      `Bearer\t${token}`,
    ],
    ...[
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token.slice(1)}`,
      `Bearer ${token}0`,
      `Bearer ${body}`,
      "Bearer guild_pat_",
    ],
    ...[
      `Bearer ${token.toUpperCase()}`,
      `Bearer ${token.toLowerCase()}`,
      `Bearer GUILD_PAT_${body}`,
      `Bearer guild_oat_${body}`,
    ],
    ...[
      `Bearer ${btoa(token)}`,
      `Bearer ${encodeURIComponent(`${token} `)}`,
      `Bearer ${[...jwt, ""].join(".")}`,
      "Bearer null",
    ],
    ...[
      `Bearer ${makeToken(core.random)}`,
      `Bearer ${"x".repeat(7000)}`,
      "Bearer \u00e4\u00a0",
      "Bearer -",
      "Bearer *",
    ],
    ...[expired.token, revoked.token, suspended].map((each) => `Bearer ${each}`),
  ];
  expect(values.length).toBeGreaterThan(30);
  const texts = new Set([(await call(server, undefined, "GET /profiles/me")).text]);
  for (const authorization of values) {
    const response = await call(server, undefined, "GET /profiles/me", { headers: { authorization } });
    expect([authorization, response.status]).toEqual([authorization, 401]);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer realm="guildhall"/);
    // The `WWW-Authenticate` header does not reveal the cause of the 401 either (RFC 6750 §3.1).
    if (authorization !== "")
      expect(response.headers.get("www-authenticate")).toContain('error="invalid_token"');
    texts.add(response.text);
  }
  expect([...texts]).toEqual([JSON.stringify(UNAUTHORIZED)]);
  expect(await statusOf(server, token)).toBe(200);
});

test("a token in the query, in a cookie or in the body is rejected", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  for (const [request, init] of [
    [`GET /profiles/me?access_token=${token}`, {}],
    [`GET /profiles/me?token=${token}&authorization=Bearer%20${token}`, {}],
    ["GET /profiles/me", { headers: { cookie: `access_token=${token}; authorization=Bearer ${token}` } }],
    ["GET /profiles/me", { headers: { "x-access-token": token, "proxy-authorization": `Bearer ${token}` } }],
    ["POST /feed", { body: { text: "x", access_token: token, authorization: `Bearer ${token}` } }],
  ] as const) {
    expect([request, (await call(server, undefined, request, init)).body]).toEqual([request, UNAUTHORIZED]);
  }
});

test("an expired token is rejected from its expiry on", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  createMember(core, "ada");
  for (const expiresInDays of [7, 365]) {
    const draft = { name: "t", scopes: ["profile:read"], tier: "personal" as const, expiresInDays };
    const { token } = createToken(core, OPERATOR, "ada", draft);
    expect(await statusOf(server, token)).toBe(200);
    clock.pass(expiresInDays * DAY - 1);
    expect(await statusOf(server, token)).toBe(200);
    clock.pass(1);
    expect(await statusOf(server, token)).toBe(401);
  }
});

test("the tokens of a suspended builder and revoked tokens are rejected from the next request on", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  createMember(server.core, "bo");
  using otherServer = reopen(server);
  // Both the server and another process on the same file revoke tokens and suspend the builder.
  for (const core of [server.core, otherServer.core, server.core, otherServer.core]) {
    const { token } = createMemberToken(server.core, "ada");
    const bo = createMemberToken(server.core, "bo");
    expect([await statusOf(server, token), await statusOf(server, bo.token)]).toEqual([200, 200]);
    revokeToken(core, OPERATOR, token);
    expect([await statusOf(server, token), await statusOf(server, bo.token)]).toEqual([401, 200]);
    setSuspended(core, OPERATOR, "bo", true);
    expect([await statusOf(server, bo.token), await statusOf(server, ada.token)]).toEqual([401, 200]);
    setSuspended(core, OPERATOR, "bo", false);
    expect(await statusOf(server, bo.token)).toBe(401);
  }
  const { token } = createMemberToken(server.core, "ada");
  const named = listTokens(otherServer.core, OPERATOR, "ada")[0]?.id ?? "";
  revokeToken(otherServer.core, OPERATOR, named);
  expect(await statusOf(server, token)).toBe(401);
});

test("an authenticated caller without the required scope gets 403, which names the scope", async () => {
  await using server = openTestServer();
  createBuilder(server.core, OPERATOR, { username: "root", name: "Root", role: "admin" });
  // In the examples of a message and of a role, the recipient is bo.
  createMember(server.core, "bo");
  for (const op of ROUTES) {
    const others = createMemberToken(
      server.core,
      "root",
      SCOPE_NAMES.filter((scope) => scope !== op.scope && !op.orScopes?.includes(scope)),
    );
    // In its example, `registerWebhook` subscribes to posts. This subscription also needs `feed:read`.
    const beside: Scope[] = op.id === "registerWebhook" ? ["feed:read"] : [];
    const only = createMemberToken(server.core, "root", [op.scope, ...beside]);
    const [request, init] = requestOf(op);
    // The scope check comes before validation, because a corrected body would not help a token without the
    // scope.
    const strict = { prefer: "handling=strict" };
    for (const [asked, sent] of [
      [request, init],
      [request, op.body ? { body: [] } : {}],
      [`${request}?limit=abc&unknown=1`, { ...init, headers: strict }],
      [request, op.body ? { headers: { ...strict, "idempotency-key": "x".repeat(256) }, body: 5 } : {}],
    ] as const) {
      const refused = await call(server, others.token, asked, sent);
      expect([op.id, refused.status, refused.body]).toEqual([
        op.id,
        403,
        {
          error: "forbidden",
          code: "scope_missing",
          params: { scope: op.scope },
          message: `This token lacks the scope \`${op.scope}\`. Create a token that has it.`,
          docs: "https://guild.test/docs/errors#scope_missing",
        },
      ]);
    }
    const allowed = await call(server, only.token, request, init);
    // An upload needs a form. The scope check passes, and then the server finds that this body is not a form.
    const expected = op.kind === "upload" ? 400 : (OTHERWISE[op.id] ?? (op.param ? 404 : op.answer.status));
    expect([op.id, allowed.status]).toEqual([op.id, expected]);
  }
});

test("a token has exactly the scopes chosen at creation, whatever other tokens the account has", async () => {
  await using server = openTestServer();
  const reader = createMember(server.core, "ada", ["feed:read"]);
  const writer = createMemberToken(server.core, "ada", ["feed:write"]);
  const all = createMemberToken(server.core, "ada", BUILDER_SCOPES);
  const statuses = async (token: string) => [
    (await call(server, token, "GET /feed")).status,
    (await call(server, token, "POST /feed", { body: { text: "x" } })).status,
  ];
  expect(await statuses(reader.token)).toEqual([200, 403]);
  expect(await statuses(writer.token)).toEqual([403, 201]);
  expect(await statuses(all.token)).toEqual([200, 201]);
});

test("an unknown path or method under /v1 returns 404, with and without a token", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const unknown =
    `GET /,GET /feeds,GET /FEED,GET /feed/,GET //feed,GET /feed/a/b,PUT /feed,PATCH /feed,DELETE /feed,GET /jobs/,
    GET /jobs/a/b,PUT /jobs,PUT /profiles,GET /profiles/,GET /profiles/me/,POST /profiles/me,PUT /webhooks,DELETE /webhooks,
    GET /webhooks/a/b,POST /openapi.json,GET /openapi,GET /v1/feed,OPTIONS /feed`.split(/,\s*/);
  for (const request of unknown) {
    const [method = "", path = ""] = request.split(" ");
    for (const credentials of [token, undefined]) {
      const answer = await server.request(credentials, path, { method });
      expect([request, answer.status, await answer.json()]).toEqual([
        request,
        404,
        {
          error: "not_found",
          code: expect.any(String),
          message: expect.any(String),
          docs: expect.any(String),
        },
      ]);
      expect(answer.headers.has("x-request-id")).toBe(true);
    }
  }
});

test("tokens of a removed workspace member or a former admin lose those rights at once", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const { db } = server.core;
  db.transact(() => db.prepare("UPDATE builders SET role = 'admin'").run());
  const { token: admin } = createToken(server.core, OPERATOR, "ada", {
    name: "x",
    scopes: ["admin", "feed:read"],
    tier: "enterprise",
  });
  const scopes = () => [...(authenticate(server.core, admin, () => true)?.scopes ?? [])];
  expect(scopes()).toContain("admin");
  db.transact(() => db.prepare("UPDATE builders SET role = 'member'").run());
  expect(scopes()).toEqual(["feed:read"]);
  expect((await server.request(token, "/webhooks")).status).toBe(200);
  db.transact(() => db.prepare("DELETE FROM workspace_members WHERE builder_id = ?").run(caller.builderId));
  expect((await server.request(token, "/webhooks")).status).toBe(401);
});
