// Tests docs/contract.md#V5.2 and docs/contract.md#7.4.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import {
  authenticate,
  createToken,
  LIVE_TOKENS_MAX,
  listTokens,
  recordTokenUses,
  revokeToken,
  TOKEN_LIFETIMES_DAYS,
  type TokenDraft,
} from "../../src/core/delegation/tokens/tokens.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { SCOPE_NAMES } from "../../src/core/identity/access/scopes.ts";
import {
  isWellFormedToken,
  makeToken,
  TOKEN_PATTERN,
} from "../../src/core/delegation/tokens/token-format.ts";
import { DAY, MINUTE } from "../../src/core/base/clock.ts";
import { createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import {
  BUILDER_SCOPES,
  asSession,
  createTestWorld,
  createMember,
  openTestServer,
  signedInNow,
} from "../support.ts";
import { call } from "./client.ts";
import { reopen, rows, spyOnDatabase } from "./rows.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { unwrittenUses } from "../../src/core/identity/access/credential-uses.ts";

test("a token with a wrong checksum is refused without a database query", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const statements = spyOnDatabase(server.core);
  for (let at = "guild_pat_".length; at < token.length; at++) {
    const letter = letters[(letters.indexOf(token[at] ?? "") + 1) % letters.length];
    const mistyped = token.slice(0, at) + letter + token.slice(at + 1);
    expect(isWellFormedToken(mistyped)).toBe(false);
    expect((await call(server, mistyped, "GET /profiles/me")).status).toBe(401);
  }
  expect(statements).toEqual([]);
  expect((await call(server, token, "GET /profiles/me")).status).toBe(200);
  expect(statements).not.toEqual([]);
});

test("a token has a fixed form that one pattern finds in any text", () => {
  const random = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };
  const every = new RegExp(TOKEN_PATTERN, "g");
  for (let i = 0; i < 200; i++) {
    const token = makeToken(random);
    expect(token).toMatch(/^guild_pat_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/);
    expect(isWellFormedToken(token)).toBe(true);
    for (const text of [
      token,
      `TOKEN=${token}\n`,
      `{"t":"${token}"}`,
      `Bearer ${token}, x`,
      `a/${token}?b`,
      `-H '${token}'`,
    ]) {
      expect(text.match(every)).toEqual([token]);
    }
  }
  for (const text of [
    "guild_pat_…",
    "guild_pat_short",
    "guild_pat_".padEnd(60, "x"),
    `guild_pat_${"-".repeat(38)}`,
  ]) {
    expect(text.match(every)).toBeNull();
    expect(isWellFormedToken(text)).toBe(false);
  }
  expect(isWellFormedToken(`${makeToken(random)}\n`)).toBe(false);
});

test("the database and the log contain no token and no signing secret", async () => {
  await using server = openTestServer();
  const secrets: string[] = [];
  for (const name of ["ada", "bo"]) {
    const { token } = createMember(server.core, name);
    const headers = { "idempotency-key": `key-of-${name}` };
    const body = { url: "https://hooks.example.com/in", events: ["post.created"] };
    const endpoint = await call(server, token, "POST /webhooks", { body, headers });
    await call(server, token, "POST /webhooks", { body, headers });
    await call(server, token, "POST /feed", { body: { text: "used" }, headers });
    await call(server, `${token}x`, "GET /profiles/me");
    secrets.push(token, endpoint.body.secret);
  }
  await recordTokenUses(server.core);
  expect(secrets).toHaveLength(4);
  const files = readdirSync(server.folder).map((name) => readFileSync(join(server.folder, name)));
  files.push(Buffer.from(server.logged.join("\n")));
  const bytes = Buffer.concat(files);
  expect(bytes.includes("hooks.example.com")).toBe(true);
  for (const secret of secrets) {
    const bare = secret.replace(/^(guild_pat_|whsec_)/, "");
    const forms = [
      bare,
      bare.slice(0, 20),
      Buffer.from(secret).toString("base64").slice(4, 40),
      Buffer.from(secret).toString("hex"),
    ];
    for (const form of forms) expect(bytes.includes(form)).toBe(false);
    if (secret.startsWith("whsec_")) expect(bytes.includes(Buffer.from(bare, "base64"))).toBe(false);
  }
});

const draft = (change: Partial<TokenDraft> = {}): TokenDraft => ({
  name: "script",
  scopes: ["feed:read"],
  tier: "personal",
  ...change,
});

test("a person chooses a token's name, scopes, workspace and expiry, and sees its state", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  const ada = signedInNow(core, createMember(core, "ada").caller);
  const tools = createWorkspace(core, ada, "ada", { name: "Tools" });
  const created = createToken(
    core,
    ada,
    "ada",
    draft({ scopes: ["feed:read", "webhooks:read", "feed:read"], workspaceId: tools, expiresInDays: 7 }),
  );
  const seen = () => listTokens(core, ada, "ada").find(({ id }) => id === created.id);
  const createdAt = clock.now();
  expect(seen()).toEqual({
    id: created.id,
    name: "script",
    state: "live",
    scopes: ["feed:read", "webhooks:read"],
    unusedScopes: ["feed:read", "webhooks:read"],
    tier: "personal",
    workspace: { id: tools, name: "Tools" },
    createdAt,
    expiresAt: createdAt + 7 * DAY,
    lastUsedAt: null,
    endpoints: [],
  });
  clock.pass(MINUTE);
  await call(server, created.token, "GET /feed");
  expect(seen()).toMatchObject({ lastUsedAt: createdAt + MINUTE, unusedScopes: ["webhooks:read"] });
  clock.pass(7 * DAY);
  expect(seen()?.state).toBe("expired");
  revokeToken(core, ada, created.id);
  expect(seen()?.state).toBe("revoked");
  expect(JSON.stringify(listTokens(core, ada, "ada"))).not.toContain(created.token);
});

test("the last use and the used scopes are recorded in one write, and uses of two processes are merged", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  const scopes = ["feed:read", "feed:write", "jobs:read", "messages:read"];
  createMember(core, "ada");
  const { id, token } = createToken(core, OPERATOR, "ada", draft({ scopes }));
  using otherServer = reopen(server);
  const seen = () => listTokens(otherServer.core, OPERATOR, "ada").find((each) => each.id === id);
  const statuses = async () => [
    (await call(server, token, "GET /feed")).status,
    (await call(server, token, "POST /feed", { body: { text: "hello" } })).status,
    // A scope that the token lacks does not count as used.
    (await call(server, token, "GET /prompts")).status,
  ];
  expect(await statuses()).toEqual([200, 201, 403]);
  expect(seen()).toMatchObject({ lastUsedAt: null, unusedScopes: scopes });
  await recordTokenUses(core);
  expect(seen()).toMatchObject({ lastUsedAt: clock.now(), unusedScopes: ["jobs:read", "messages:read"] });
  expect(core.memory(unwrittenUses).size).toBe(0);

  clock.pass(MINUTE);
  expect((await otherServer.request(token, "/jobs")).status).toBe(200);
  await recordTokenUses(otherServer.core);
  expect((await call(server, token, "GET /feed")).status).toBe(200);
  await recordTokenUses(core);
  expect(seen()).toMatchObject({ lastUsedAt: clock.now(), unusedScopes: ["messages:read"] });
});

test("a use noted during the recording of others is not lost", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller, token } = createMember(core, "ada");
  const unused = () =>
    rows(core, "SELECT used_scopes AS used FROM tokens").map(({ used }) => used.split(" ").sort());
  caller.noteScope?.("feed:read");
  const writing = recordTokenUses(core);
  // The request started before the recording, and notes its scope while the recording runs.
  caller.noteScope?.("feed:write");
  await writing;
  expect(unused()).toEqual([["feed:read"]]);
  await recordTokenUses(core);
  expect(unused()).toEqual([["feed:read", "feed:write"]]);
  caller.noteScope?.("jobs:read");
  await recordTokenUses(core);
  expect(unused()).toEqual([["feed:read", "feed:write", "jobs:read"]]);
  expect(authenticate(core, token, () => true)?.builderId).toBe(caller.builderId);
});

test("a read writes nothing, and failed use recording does not fail the read", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token } = createMember(core, "ada");
  await recordTokenUses(core);
  const changes = () => rows(core, "SELECT total_changes() AS n")[0].n;
  const before = changes();
  for (const path of ["/feed", "/jobs", "/profiles/me", "/webhooks", "/events"])
    expect((await server.request(token, path)).status).toBe(200);
  expect(changes()).toBe(before);

  const { db } = core;
  db.prepare("PRAGMA query_only = ON").run();
  await expect(recordTokenUses(core)).rejects.toThrow(/readonly/);
  expect((await server.request(token, "/feed")).status).toBe(200);
  expect(core.memory(unwrittenUses).size).toBe(1);
  db.prepare("PRAGMA query_only = OFF").run();
  await recordTokenUses(core);
  expect(core.memory(unwrittenUses).size).toBe(0);
  expect(rows(core, "SELECT used_scopes AS used FROM tokens")[0].used).toContain("feed:read");
});

test("only a signed-in person or the operator makes, lists or revokes tokens: tokens and apps never can", () => {
  using world = createTestWorld();
  const { core } = world;
  createBuilder(core, OPERATOR, { username: "root", name: "Root", role: "admin" });
  createMember(core, "bo");
  const { id, token } = createToken(core, OPERATOR, "root", draft({ scopes: [...SCOPE_NAMES] }));
  const admin = authenticate(core, token, () => true) as Caller;
  expect(admin.scopes.has("admin")).toBe(true);
  const before = rows(core, "SELECT * FROM tokens");
  for (const means of ["token", "app"] as const) {
    const caller: Caller = { ...admin, means };
    for (const action of [
      () => createToken(core, caller, "root", draft()),
      () => createToken(core, caller, "bo", draft()),
      () => createToken(core, caller, "nobody", draft()),
      () => listTokens(core, caller, "root"),
      () => revokeToken(core, caller, id),
      () => revokeToken(core, caller, token),
    ])
      expect(action).toThrow("Only a signed-in member can do this");
  }
  // A person cannot manage another member's tokens either, even as an admin.
  const person = asSession(admin, "admin");
  expect(() => createToken(core, person, "bo", draft())).toThrow("This belongs to another member");
  expect(() => listTokens(core, person, "bo")).toThrow("This belongs to another member");
  expect(rows(core, "SELECT * FROM tokens")).toEqual(before);
});

test("a token made for a suspended member works only after they are restored", () => {
  using world = createTestWorld();
  const { core } = world;
  createMember(core, "ada");
  setSuspended(core, OPERATOR, "ada", true);
  const { token } = createToken(core, OPERATOR, "ada", draft());
  expect(authenticate(core, token, () => true)).toBeUndefined();
  setSuspended(core, OPERATOR, "ada", false);
  expect(authenticate(core, token, () => true)?.username).toBe("ada");
});

test("a member's token never exceeds the member's rights: no admin scope, enterprise tier or foreign workspace", () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = signedInNow(core, createMember(core, "ada").caller);
  const { caller: bo } = createMember(core, "bo");
  const before = rows(core, "SELECT * FROM tokens");
  const refusals: [Partial<TokenDraft>, RegExp][] = [
    [{ scopes: ["feed:read", "admin"] }, /ada is not an admin/],
    [{ tier: "enterprise" }, /Only the operator can create enterprise tokens/],
    [{ workspaceId: bo.workspaceId ?? "" }, /is in no workspace with that id/],
    [{ workspaceId: core.makeId("ws", 0) }, /is in no workspace with that id/],
    [{ scopes: ["feed:read", "feed:reed"] }, /There is no such scope/],
    ...[1, 8, 31, 364, 366, 3650].map((expiresInDays): [Partial<TokenDraft>, RegExp] => [
      { expiresInDays },
      /Choose 7, 30, 90, 365 days, or no expiry/,
    ]),
  ];
  for (const [change, says] of refusals)
    expect(() => createToken(core, ada, "ada", draft(change))).toThrow(says);
  expect(rows(core, "SELECT * FROM tokens")).toEqual(before);
  for (const expiresInDays of TOKEN_LIFETIMES_DAYS) createToken(core, ada, "ada", draft({ expiresInDays }));
  createToken(core, ada, "ada", draft({ scopes: [...BUILDER_SCOPES] }));
});

test("a builder has at most fifty live tokens; revoked and expired tokens free slots, and only the last fifty are kept", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  createBuilder(core, OPERATOR, { username: "ada", name: "Ada", role: "member" });
  const { token } = createToken(core, OPERATOR, "ada", draft());
  const inside = authenticate(core, token, () => true) as Caller;
  let ada = signedInNow(core, inside);
  const make = (expiresInDays = 7) => createToken(core, ada, "ada", draft({ expiresInDays }));
  const live = () => listTokens(core, ada, "ada").filter(({ state }) => state === "live").length;
  const first = make();
  while (live() < LIVE_TOKENS_MAX) make();
  expect(() => make()).toThrow("You already have 50 active tokens");
  revokeToken(core, ada, first.id);
  make();
  expect(() => make()).toThrow("You already have 50 active tokens");
  clock.pass(7 * DAY);
  ada = signedInNow(core, inside);
  expect(live()).toBe(1);
  for (let n = 0; n < 120; n++) revokeToken(core, ada, make().id);
  // The list has the active token, the 50 inactive tokens that are kept, and the token revoked last.
  expect(listTokens(core, ada, "ada")).toHaveLength(1 + 50 + 1);
  expect(authenticate(core, token, () => true)?.username).toBe("ada");
});
