import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { rotateAppSecret, setAppRate, suspendApp } from "../../src/core/delegation/apps/apps.ts";
import { type TestServer, createMember, openTestServer } from "../support.ts";
import { basic, post, refillRateLimit, type TestApp, type TokenAnswer } from "./app-client.ts";
import { makeApp, createSignedInMember } from "./browser.ts";

const JUNK = { token: "x" };
const postFields = ({ app, secret }: TestApp) => ({ client_id: app.id, client_secret: secret ?? "" });
const header = (text: string) => ({ authorization: `Basic ${btoa(text)}` });

function left({ status, headers }: TokenAnswer): [number, number, number] {
  return [status, Number(headers.get("x-ratelimit-limit")), Number(headers.get("x-ratelimit-remaining"))];
}

const CORS = { GUILDHALL_CORS_ORIGINS: "https://a.example" };

/** Returns how many requests the network address has left. A CORS preflight does not count. */
async function addressHas(server: TestServer): Promise<number> {
  const { headers } = await fetch(`${server.url}/v1/oauth/token`, {
    method: "OPTIONS",
    headers: { origin: "https://a.example", "access-control-request-method": "POST" },
  });
  return Number(headers.get("x-ratelimit-remaining"));
}

test("an app that authenticates uses its own bucket at the OAuth rate, and its address pays nothing", async () => {
  await using server = openTestServer({ env: CORS });
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  expect(left(await post(server, "introspect", JUNK, basic(app)))).toEqual([200, 6000, 5999]);
  expect(left(await post(server, "introspect", { ...JUNK, ...postFields(app) }))).toEqual([200, 6000, 5998]);
  // Percent-encoded, as RFC 6749 §2.3.1 allows.
  const spelled = header(`${app.app.id.replaceAll("_", "%5F")}:${app.secret?.replaceAll("_", "%5f")}`);
  expect(left(await post(server, "introspect", JUNK, spelled))).toEqual([200, 6000, 5997]);
  // A request refused for other reasons than its credentials also counts once against the app.
  expect(left(await post(server, "token", { grant_type: "nothing" }, basic(app)))).toEqual([400, 6000, 5996]);
  expect(left(await post(server, "introspect", { ...JUNK, client_id: "other" }, basic(app)))).toEqual([
    400, 6000, 5995,
  ]);
  expect(await addressHas(server)).toBe(120);
  // Sends 130 requests, more than the limit of an address.
  const many = await Promise.all(
    Array.from({ length: 130 }, () => post(server, "introspect", JUNK, basic(app))),
  );
  expect(many.every(({ status }) => status === 200)).toBe(true);
  expect(await addressHas(server)).toBe(120);
  expect(left(await post(server, "introspect", JUNK, basic(makeApp(server, ada))))).toEqual([
    200, 6000, 5999,
  ]);
});

test("an admin's rate for an app also applies to the OAuth endpoints, with a correct Retry-After", async () => {
  await using server = openTestServer({ env: CORS });
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  setAppRate(server.core, OPERATOR, app.app.id, { sustained: 6, burst: 2 });
  for (const ask of [
    () => post(server, "introspect", JUNK, basic(app)),
    () => post(server, "introspect", { ...JUNK, ...postFields(app) }),
  ]) {
    expect([left(await ask()), left(await ask())]).toEqual([
      [200, 2, 1],
      [200, 2, 0],
    ]);
    const refused = await ask();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "10"]);
    expect(refused.headers.get("cache-control")).toBe("no-store");
    expect(refused.body).toMatchObject({ error: "rate_limited" });
    expect(refused.body["message"]).toBe(refused.body["error_description"] ?? "");
    server.clock.pass(10_000);
    expect(left(await ask())).toEqual([200, 2, 0]);
    expect(await addressHas(server)).toBe(120);
    refillRateLimit(server);
  }
});

test("counts a client without authentication by its address, and answers guesses with 429 in every form", async () => {
  await using server = openTestServer({ env: CORS });
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const [own, open] = [makeApp(server, ada, { name: "Own" }), makeApp(server, ada, { kind: "public" })];
  const { token } = createMember(server.core, "bo");
  const id = app.app.id;
  const ways: [string, (n: number) => [Record<string, string>, Record<string, string>]][] = [
    ["by header", (n) => [{}, header(`${id}:guild_secret_${n}`)]],
    ["in the form", (n) => [{ client_id: id, client_secret: `guild_secret_${n}` }, {}]],
    ["by header, with an own secret in the form", (n) => [postFields(own), header(`${id}:${n}`)]],
    ["a public app's name", () => [{ client_id: open.app.id }, {}]],
    [
      "with somebody's bearer token",
      (n) => [{ client_id: id, client_secret: `${n}` }, { authorization: `Bearer ${token}` }],
    ],
    ["nothing", () => [{}, {}]],
  ];
  for (const [way, make] of ways) {
    const guess = (n: number) => post(server, "introspect", { ...JUNK, ...make(n)[0] }, make(n)[1]);
    const answers = await Promise.all(Array.from({ length: 130 }, (_, n) => guess(n)));
    const refused = answers.filter(({ status }) => status === 429);
    expect([
      way,
      refused.length,
      answers.every(({ headers }) => headers.get("x-ratelimit-limit") === "120"),
    ]).toEqual([way, 10, true]);
    refillRateLimit(server);
  }
});

test("charges the address for requests beyond the app's rate, so that a right secret buys no unlimited requests", async () => {
  await using server = openTestServer({ env: CORS });
  const app = makeApp(server, createSignedInMember(server, "ada"));
  setAppRate(server.core, OPERATOR, app.app.id, { sustained: 1, burst: 1 });
  const ask = () => post(server, "introspect", { ...JUNK, ...postFields(app) });
  expect(left(await ask())).toEqual([200, 1, 0]);
  expect(await addressHas(server)).toBe(120);
  for (let n = 1; n <= 120; n++) expect(left(await ask())).toEqual([429, 1, 0]);
  expect(await addressHas(server)).toBe(0);
  // The network address has no requests left, so the server refuses before it reads the form.
  expect(left(await ask())).toEqual([429, 120, 0]);
});

test("a right secret in a request with a guess does not pay for the guess, and reveals nothing about it", async () => {
  await using server = openTestServer({ env: CORS });
  const ada = createSignedInMember(server, "ada");
  const [own, victim] = [makeApp(server, ada), makeApp(server, ada, { name: "Victim" })];
  const guess = header(`${victim.app.id}:guess`);
  for (let n = 1; n <= 120; n++) {
    const answer = await post(server, "introspect", { ...JUNK, ...postFields(own) }, guess);
    expect(left(answer)).toEqual([400, 120, 120 - n]);
  }
  expect((await post(server, "introspect", { ...JUNK, ...postFields(own) }, guess)).status).toBe(429);
});

test("an authenticated app still works from an address that guesses have exhausted, unless its secret was replaced", async () => {
  await using server = openTestServer({ env: CORS });
  const ada = createSignedInMember(server, "ada");
  const [app, late] = [makeApp(server, ada), makeApp(server, ada, { name: "Late" })];
  await post(server, "introspect", JUNK, basic(app));
  for (let n = 0; n < 120; n++) await post(server, "introspect", JUNK, header(`${app.app.id}:${n}`));
  expect(await addressHas(server)).toBe(0);
  expect((await post(server, "introspect", JUNK, basic(app))).status).toBe(200);
  // A correct secret that the server has not seen before is treated as a guess.
  expect((await post(server, "introspect", JUNK, basic(late))).status).toBe(429);
  rotateAppSecret(server.core, ada.caller, app.app.id);
  rotateAppSecret(server.core, ada.caller, app.app.id);
  expect((await post(server, "introspect", JUNK, basic(app))).status).toBe(429);
  refillRateLimit(server);
  expect(left(await post(server, "introspect", JUNK, basic(app)))).toEqual([401, 120, 119]);
  await post(server, "introspect", JUNK, basic(late));
  suspendApp(server.core, OPERATOR, late.app.id, "spam");
  expect(left(await post(server, "introspect", JUNK, basic(late)))).toEqual([401, 120, 118]);
});
