import { expect, test } from "bun:test";
import { createHmac, generateKeyPairSync, sign, createPrivateKey } from "node:crypto";
import { removeApp, restoreApp, setAppRate, suspendApp } from "../../src/core/delegation/apps/apps.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { listConnectedApps, revokeGrant } from "../../src/core/delegation/grants/grants.ts";
import { openSigningKeys, rotateSigningKeys } from "../../src/core/delegation/oauth/keys.ts";
import { createVerifiedTokens } from "../../src/core/delegation/oauth/access-tokens.ts";
import {
  addMember,
  createWorkspace,
  deleteWorkspace,
  removeMember,
} from "../../src/core/delegation/workspaces/workspaces.ts";
import { openTestServer, signedInNow } from "../support.ts";
import { spyOnDatabase } from "../spec/rows.ts";
import {
  authorizeUrl,
  basic,
  connect,
  makeVerifier,
  post,
  refresh,
  refillRateLimit,
  isTokenAccepted,
} from "./app-client.ts";
import { makeApp, createSignedInMember, openBrowser, signIn } from "./browser.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";

const encode = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

test("refuses every altered or foreign token, and fetches no key from an address in a token", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const { access } = await connect(server, openBrowser(server, ada), app);
  const [head = "", body = "", signature = ""] = access.split(".");
  const header = JSON.parse(Buffer.from(head, "base64url").toString()) as Record<string, unknown>;
  const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as Record<string, unknown>;
  const [own] = await openSigningKeys(server.core);
  if (own?.kty !== "OKP") throw new Error("no key");
  const ownKey = createPrivateKey({ key: own as never, format: "jwk" });
  const foreign = generateKeyPairSync("ed25519");
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const fetched: string[] = [];
  await using listener = stoppable(
    Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        fetched.push(request.url);
        return Response.json({
          keys: [{ ...foreign.publicKey.export({ format: "jwk" }), kid: "evil", alg: "EdDSA" }],
        });
      },
    }),
  );
  const elsewhere = `http://127.0.0.1:${listener.server.port}/jwks`;
  const make = (h: unknown, c: unknown, key = ownKey): string => {
    const text = `${encode(h)}.${encode(c)}`;
    return `${text}.${sign(null, Buffer.from(text), key).toString("base64url")}`;
  };
  const hmac = (secret: string): string => {
    const text = `${encode({ ...header, alg: "HS256" })}.${encode(claims)}`;
    return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
  };
  const now = Math.floor(server.clock.now() / 1000);
  const { grant: _grant, ...noGrant } = claims;
  const { exp: _exp, ...noEnd } = claims;
  const { jti: _jti, ...noName } = claims;
  const forgeries: Record<string, string> = {
    "no algorithm": `${encode({ ...header, alg: "none" })}.${body}.`,
    "no algorithm, old signature": `${encode({ ...header, alg: "none" })}.${body}.${signature}`,
    "no algorithm, other case": `${encode({ ...header, alg: "nOnE" })}.${body}.${signature}`,
    "the public key as a secret": hmac(own.x),
    "the public JWK as a secret": hmac(JSON.stringify(own)),
    "the key's name as a secret": hmac(own.kid),
    "an RSA signature": (() => {
      const text = `${encode({ ...header, alg: "RS256" })}.${body}`;
      return `${text}.${sign("sha256", Buffer.from(text), rsa.privateKey).toString("base64url")}`;
    })(),
    "another algorithm's name": make({ ...header, alg: "ES256" }, claims),
    "a foreign key under our name": make(header, claims, foreign.privateKey),
    "a foreign key under its own name": make({ ...header, kid: "evil" }, claims, foreign.privateKey),
    "no key name": make({ alg: "EdDSA", typ: "at+jwt" }, claims),
    "a key name that is a path": make({ ...header, kid: "../../guildhall.key" }, claims),
    "a key in the header": make(
      { ...header, kid: "evil", jwk: foreign.publicKey.export({ format: "jwk" }) },
      claims,
      foreign.privateKey,
    ),
    "a key in the header under our name": make(
      { ...header, jwk: foreign.publicKey.export({ format: "jwk" }) },
      claims,
      foreign.privateKey,
    ),
    "an address of keys": make({ ...header, kid: "evil", jku: elsewhere }, claims, foreign.privateKey),
    "an address of a certificate": make(
      { ...header, kid: "evil", x5u: elsewhere },
      claims,
      foreign.privateKey,
    ),
    "a critical header nobody knows": make({ ...header, crit: ["x"], x: 1 }, claims),
    "another issuer": make(header, { ...claims, iss: "https://evil.example" }),
    "another audience": make(header, { ...claims, aud: "https://evil.example/v1" }),
    "an id token's audience": make(header, { ...claims, aud: app.app.id }),
    "another type": make({ ...header, typ: "JWT" }, claims),
    "no type": make({ alg: "EdDSA", kid: header["kid"] }, claims),
    expired: make(header, { ...claims, exp: now }),
    "not yet valid": make(header, { ...claims, nbf: now + 60 }),
    "no end": make(header, noEnd),
    "no grant": make(header, noGrant),
    "no name": make(header, noName),
    "another person": make(header, { ...claims, sub: "builder_01m7wd7tg0e01rrvr1zzzzzzzz" }),
    "a second spelling of the signature": `${head}.${body}.${respell(signature)}`,
  };
  expect(Object.keys(forgeries).length).toBe(29);
  for (const [way, token] of Object.entries(forgeries)) {
    const { status } = await server.request(token, "/feed");
    expect([way, status]).toEqual([way, 401]);
  }
  expect(fetched).toEqual([]);
  expect(await isTokenAccepted(server, make(header, claims))).toBe(true);
  const idToken = await post(server, "introspect", { token: forgeries["another issuer"] ?? "" }, basic(app));
  expect(idToken.body).toEqual({ active: false } as never);
});

/**
 * Returns another spelling of the same signature: the last base64url character of 64 bytes has four unused
 * bits.
 */
function respell(signature: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = letters.indexOf(signature.at(-1) ?? "A");
  return signature.slice(0, -1) + letters[last ^ 1];
}

function stoppable(server: ReturnType<typeof Bun.serve>) {
  return { server, [Symbol.asyncDispose]: () => server.stop(true) };
}

test("charges guesses at access tokens before any cryptography, while good tokens still work", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const { access } = await connect(server, openBrowser(server, ada), app);
  expect(await isTokenAccepted(server, access)).toBe(true);
  refillRateLimit(server);
  const guess = (n: number) => `${access.slice(0, -10)}${String(n).padStart(9, "0")}Q`;
  const statements = spyOnDatabase(server.core);
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async (_, n) => (await server.request(guess(n), "/feed")).status),
  );
  expect(statuses.filter((status) => status === 401).length).toBe(120);
  expect(statuses.filter((status) => status === 429).length).toBe(80);
  // A rate-limited request does not even look up the key.
  expect(statements.filter((sql) => sql.includes("signing_keys")).length).toBe(120);
  expect(await isTokenAccepted(server, access)).toBe(true);
});

test("accepts hundreds of new tokens from one address, in sequence or at once, without counting them as guesses", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  let { access, refresh: next } = await connect(server, openBrowser(server, ada), app);
  const fresh: string[] = [];
  for (let n = 0; n < 300; n++) {
    const { body } = await refresh(server, app, next);
    next = body["refresh_token"] ?? "";
    fresh.push(body["access_token"] ?? "");
  }
  for (access of fresh.slice(0, 140)) expect(await isTokenAccepted(server, access)).toBe(true);
  const ask = async (token: string) => {
    const { status, headers } = await server.request(token, "/feed");
    return { token, status, wait: Number(headers.get("retry-after")) };
  };
  let waiting = fresh.slice(140);
  for (let round = 0; waiting.length > 0 && round < 3; round++) {
    const answers = await Promise.all(waiting.map(ask));
    expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.every(({ wait }) => wait === 1)).toBe(true);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(Math.min(120, answers.length));
    waiting = refused.map(({ token }) => token);
    server.clock.pass(1000);
  }
  expect(waiting).toEqual([]);
});

test("refuses the next request after the person loses the account, the membership or the workspace", async () => {
  await using server = openTestServer();
  const { core } = server;
  const [ada, bo] = [createSignedInMember(server, "ada"), createSignedInMember(server, "bo")];
  const app = makeApp(server, ada);
  const connectIn = async (workspaceId: string) => {
    const browser = openBrowser(server, bo);
    const { headers } = await browser.get(authorizeUrl(server, app, makeVerifier()));
    const { pathname } = new URL(headers.get("location") ?? "", core.origin);
    const visitor = browser.visitorOf(pathname);
    const consent = { scopes: ["feed:read"], workspaceId };
    await server.interactions.allow(pathname.split("/").at(-1) ?? "", visitor, consent);
    return connect(server, browser, app);
  };
  const shared = createWorkspace(core, ada.caller, "ada", { name: "Tools" });
  addMember(core, OPERATOR, shared, "bo");
  const losses: [string, string, () => unknown, () => unknown][] = [
    [
      "the account",
      bo.workspaceId,
      () => setSuspended(core, OPERATOR, "bo", true),
      () => setSuspended(core, OPERATOR, "bo", false),
    ],
    [
      "the membership",
      shared,
      () => removeMember(core, OPERATOR, shared, "bo"),
      () => addMember(core, OPERATOR, shared, "bo"),
    ],
    ["the workspace", shared, () => deleteWorkspace(core, OPERATOR, shared), () => {}],
  ];
  for (const [what, workspaceId, lose, giveBack] of losses) {
    refillRateLimit(server);
    const { access, refresh: token } = await connectIn(workspaceId);
    expect([what, await isTokenAccepted(server, access)]).toEqual([what, true]);
    lose();
    expect([what, await isTokenAccepted(server, access)]).toEqual([what, false]);
    expect([what, (await refresh(server, app, token)).status]).toEqual([what, 400]);
    const { body } = await post(server, "introspect", { token: access }, basic(app));
    expect([what, body]).toEqual([what, { active: false } as never]);
    giveBack();
    for (const { id } of listConnectedApps(core, bo.caller)) revokeGrant(core, bo.caller, id);
  }
});

test("refuses the next request after a change of token, family, grant, app or account, in a thousand rounds", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  setAppRate(server.core, OPERATOR, app.app.id, { sustained: 1_000_000, burst: 1_000_000 });
  const browser = openBrowser(server, ada);
  let { access } = await connect(server, browser, app);
  for (let round = 0; round < 1000; round++) {
    const lock = round % 2 === 0;
    if (lock) suspendApp(server.core, OPERATOR, app.app.id, "spam");
    else restoreApp(server.core, OPERATOR, app.app.id);
    if ((await isTokenAccepted(server, access)) === lock)
      throw new Error(`round ${round}: the change came late`);
    if (round % 100 === 0) refillRateLimit(server);
  }
  refillRateLimit(server);
  signIn(server, browser, ada);
  const ends: (() => unknown)[] = [
    () => post(server, "revoke", { token: access }, basic(app)),
    () => revokeGrant(server.core, ada.caller, listConnectedApps(server.core, ada.caller)[0]?.id ?? ""),
    () => setSuspended(server.core, OPERATOR, "ada", true),
  ];
  for (const end of ends) {
    ({ access } = await connect(server, browser, app));
    expect(await isTokenAccepted(server, access)).toBe(true);
    await end();
    expect(await isTokenAccepted(server, access)).toBe(false);
    refillRateLimit(server);
  }
  setSuspended(server.core, OPERATOR, "ada", false);
  const last = await connect(server, openBrowser(server, ada), app);
  expect(await isTokenAccepted(server, last.access)).toBe(true);
  removeApp(server.core, signedInNow(server.core, ada.caller), app.app.id);
  expect(await isTokenAccepted(server, last.access)).toBe(false);
});

test("an access token expires after an hour, even when it was used before", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const { access } = await connect(server, openBrowser(server, ada), makeApp(server, ada));
  expect(await isTokenAccepted(server, access)).toBe(true);
  server.clock.pass(3_599_000);
  expect(await isTokenAccepted(server, access)).toBe(true);
  server.clock.pass(1_000);
  expect(await isTokenAccepted(server, access)).toBe(false);
});

test("bounds the cache of verified tokens", () => {
  const verified = createVerifiedTokens(() => 0);
  const token = {
    jti: "x",
    grant: { id: "grant_x", family: "x" },
    builderId: "builder_x",
    appId: "app_x",
    scopes: [],
    issuedAt: 0,
    expiresAt: 1,
  };
  for (let n = 0; n < 10_001; n++) verified.put(`token ${n}`, token);
  expect([verified.get("token 0"), verified.get("token 1")]).toEqual([undefined, token]);
});

test("applies the limits of the OAuth tier per person, and an admin can change them for an app", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const { access } = await connect(server, openBrowser(server, ada), app);
  const limits = async () => {
    const { headers } = await server.request(access, "/feed");
    return [headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")];
  };
  expect(await limits()).toEqual(["6000", "5999"]);
  setAppRate(server.core, OPERATOR, app.app.id, { sustained: 2, burst: 3 });
  expect(await limits()).toEqual(["3", "2"]);
  expect([await limits(), await limits()]).toEqual([
    ["3", "1"],
    ["3", "0"],
  ]);
  const refused = await server.request(access, "/feed");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
  server.clock.pass(30_000);
  expect((await server.request(access, "/feed")).status).toBe(200);
  setAppRate(server.core, OPERATOR, app.app.id, null);
  expect(await limits()).toEqual(["6000", "5999"]);
});

test("a new signing key ends no session, as the old key verifies until its last token expires", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  const keyIds = async () => {
    const answer = await fetch(`${server.url}/.well-known/jwks.json`);
    const { keys } = (await answer.json()) as { keys: Record<string, string>[] };
    expect(keys.every((key) => !("d" in key))).toBe(true);
    return keys.map(({ kid }) => kid);
  };
  const [first, ...rsa] = await keyIds();
  expect(rsa).toHaveLength(1);
  server.clock.pass(90 * 24 * 3600 * 1000 - 60_000);
  reauthenticate();
  const before = await connect(server, browser, app);
  server.clock.pass(60_000);
  await rotateSigningKeys(server.core);
  const [second, secondRsa, ...retired] = await keyIds();
  expect(retired).toEqual([first, ...rsa]);
  expect(new Set([first, second, ...rsa, secondRsa])).toHaveLength(4);
  const after = await connect(server, browser, app);
  const kidOf = (token: string) =>
    JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;
  expect([kidOf(before.access), kidOf(after.access)]).toEqual([first, second]);
  expect([await isTokenAccepted(server, before.access), await isTokenAccepted(server, after.access)]).toEqual(
    [true, true],
  );
  server.clock.pass(2 * 3600 * 1000 + 1);
  await rotateSigningKeys(server.core);
  expect(await keyIds()).toEqual([second, secondRsa]);

  function reauthenticate() {
    Object.assign(browser, openBrowser(server, ada));
  }
});

test("a stolen database contains no token, code or key in plain text", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const { access, refresh } = await connect(server, openBrowser(server, ada), app);
  const [key, rsa] = (await openSigningKeys(server.core)) as unknown as Record<string, string>[];
  server.core.db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
  const file = Buffer.from(await Bun.file(`${server.folder}/guildhall.db`).arrayBuffer());
  const secrets = [access.split(".")[2], refresh, app.secret, key?.["d"], rsa?.["d"], rsa?.["p"], rsa?.["q"]];
  for (const secret of secrets) expect(file.includes(secret ?? "missing")).toBe(false);
  for (const shown of [key?.["x"], rsa?.["n"]]) expect(file.includes(shown ?? "missing")).toBe(true);
});
