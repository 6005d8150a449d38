import { expect, test } from "bun:test";
import fc from "fast-check";
import { sized } from "../drill.ts";
import { createMember, openTestServer } from "../support.ts";
import {
  by,
  errorsIn,
  expectErrorBody,
  expectRefusal,
  createSamples,
  head,
  rowCounts,
  table,
  exchange,
} from "./raw.ts";

/** Every parameter that clients set, as the start of a URL. */
const PARAMETERS =
  `feed?cursor feed?tag feed?author feed?since feed?limit jobs?q jobs?stack jobs?stack[] jobs?city
  jobs?remote jobs?seniority jobs?cursor jobs?q=rust&cursor jobs?limit prompts?cursor prompts?model prompts?category
  prompts?min_score`
    .split(/\s+/)
    .map((parameter) => `/${parameter}=`);
const PATHS = ["/profiles/", "/jobs/", "/webhooks/"];

/** Arbitrary percent-encoded text: readable words, random characters, and invalid UTF-8. */
const sent = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }).map(encodeURIComponent),
  fc.string({ unit: "binary", maxLength: 60 }).map(encodeURIComponent),
  fc.uint8Array({ maxLength: 30 }).map((bytes) => bytes.toHex().replace(/../g, "%$&")),
  fc.constantFrom(
    "",
    "%",
    "%zz",
    "%ff",
    "%00",
    "+",
    "*",
    '"',
    "%22%22%22",
    "a*%22",
    "-1",
    "null",
    "..",
    "%2e%2e%2f",
  ),
  fc.stringMatching(/^[A-Za-z0-9_-]{0,80}$/),
);
/** Arbitrary text that JSON can carry, including lone surrogates. */
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
    .map((units) => String.fromCharCode(...units)),
  fc
    .tuple(fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }), fc.nat(2100))
    .map(([unit, n]) => unit.repeat(n)),
);

/** A post needs a character that is neither white space nor invisible in Unicode (docs/contract.md#2.4). */
const SEEN = /[^\s\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;

test("every parameter value returns a valid list or at most a 400 or 404", async () => {
  await using server = openTestServer();
  const { token } = await createSamples(server);
  for (const address of [...PARAMETERS, ...PATHS]) {
    const isLegal = fc.asyncProperty(sent, async (value) => {
      const answer = await server.request(token, address + value);
      await expectContract(answer, address.includes("?") || value === "");
    });
    await fc.assert(isLegal, { numRuns: sized(25, 300) });
  }
  expect(errorsIn(server.logged)).toEqual([]);
});

test("every query string, even a malformed URL, returns at most a 400", async () => {
  await using server = openTestServer();
  const { token } = await createSamples(server);
  // Any byte allowed in a request line.
  const byte = fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code));
  const piece = fc.oneof(
    byte,
    fc.constantFrom("&", "=", "%", "+", "[]", "limit", "q", "stack", "cursor", "#", ",", "%00"),
  );
  const query = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
  const isLegal = fc.asyncProperty(fc.constantFrom("feed", "jobs", "prompts"), query, async (list, raw) => {
    const { answers } = await exchange(server.url, head(`GET /v1/${list}?${raw} HTTP/1.1`, by(token)), {
      answers: 1,
    });
    const [answer] = answers;
    expect([200, 400]).toContain(answer?.status ?? 0);
    if (answer?.status === 400 && answer.body !== "") expectErrorBody(400, answer.body);
  });
  await fc.assert(isLegal, { numRuns: sized(100, 1500) });
  expect(errorsIn(server.logged)).toEqual([]);
});

test("stores a post's text as sent, or refuses it by the rule for texts", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const isLegal = fc.asyncProperty(text, async (value) => {
    const answer = await server.request(token, "/feed", { method: "POST", body: { text: value } });
    const length = [...value].length;
    const isFine = value.isWellFormed() && !value.includes("\0") && SEEN.test(value) && length <= 2000;
    expect(answer.status).toBe(isFine ? 201 : 400);
    if (!isFine) return void (await expectRefusal(answer));
    expect(await answer.json()).toHaveProperty("text", value);
  });
  const invisible = ["", " ", "\u200b", "\u2800\n", "\ufffa", "\u3164", "\ufe0f", "\u{e0001}"];
  const examples = [...invisible, ...invisible.map((item) => `${item}.`)].map((item): [string] => [item]);
  await fc.assert(isLegal, { numRuns: sized(100, 1500) + examples.length, examples });
  expect(errorsIn(server.logged)).toEqual([]);
});

test("every body, whatever its bytes, fields and types, returns at most a refusal", async () => {
  await using server = openTestServer();
  const { token, hook } = await createSamples(server);
  const field = fc.oneof(fc.constantFrom("text", "tags", "media", "url", "events", "__proto__"), fc.string());
  const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), text, fc.array(text, { maxLength: 7 }), fc.webUrl());
  const object = fc
    .dictionary(field, value, { maxKeys: 6 })
    .map((fields) => Buffer.from(JSON.stringify(fields)));
  // A valid body with some bytes replaced. It is often invalid JSON.
  const bent = fc
    .tuple(object, fc.nat(), fc.nat(255))
    .map(([bytes, at, byte]) => bytes.fill(byte, at % bytes.length, (at % bytes.length) + 1));
  const body = fc.oneof(
    object,
    bent,
    fc.json().map((json) => Buffer.from(json)),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  );
  const targets = fc.constantFrom(["POST", "/feed"], ["POST", "/webhooks"], ["PATCH", `/webhooks/${hook}`]);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const isLegal = fc.asyncProperty(targets, body, async ([method = "", path], bytes) => {
    const answer = await fetch(`${server.url}/v1${path}`, { method, headers, body: new Uint8Array(bytes) });
    expect([200, 201, 400, 409, 422]).toContain(answer.status);
    if (answer.status >= 400) await expectRefusal(answer);
    if (!isJson(bytes)) expect(answer.status).toBe(400);
  });
  await fc.assert(isLegal, { numRuns: sized(200, 3000) });
  expect(errorsIn(server.logged)).toEqual([]);
});

const SQL = [
  ...table(`' OR '1'='1 ~ '; DROP TABLE posts; -- ~ " OR ""=" ~ 1; DELETE FROM posts ~ %' OR 1=1 -- ~ admin'-- ~ x'; -- ~ a\\'b
    ') UNION SELECT hash FROM tokens -- ~ 1 AND randomblob(1000000000) ~ ; ATTACH DATABASE 'x' AS y; -- ~ $1 ~ ?1 ~ :id ~ /* */ 1
    title : x OR facets : * ~ NEAR(a b, 1) ~ a AND ~ OR ~ NOT a ~ ^a ~ {title} : a ~ a" OR job_search MATCH "b ~ (((( ~ a + b ~ -rust`),
  "%",
  "_",
  "' OR\n1=1 --",
];

test("SQL and search operators in a value change no table, and no message mentions the database", async () => {
  await using server = openTestServer();
  const { token, hook } = await createSamples(server);
  const before = rowCounts(server.core);
  const texts: string[] = [];
  for (const value of SQL.map(encodeURIComponent)) {
    for (const address of [...PARAMETERS, ...PATHS, "/feed?limit=1&"]) {
      const answer = await server.request(token, address + value);
      texts.push(await expectContract(answer, address.includes("?")));
    }
    const all = await server.request(token, `/jobs?q=${value}&city=berlin&remote=false`);
    expect(all.status).toBe(200);
  }
  for (const value of SQL) {
    const body = { text: [value], tags: [value], media: [value], url: value, events: [value] };
    for (const path of ["/feed", "/webhooks"])
      texts.push(await expectRefusal(await server.request(token, path, { method: "POST", body })));
    texts.push(
      await expectRefusal(await server.request(token, `/webhooks/${hook}`, { method: "PATCH", body })),
    );
    const deleted = await server.request(token, `/webhooks/${encodeURIComponent(value)}`, {
      method: "DELETE",
    });
    texts.push(await expectRefusal(deleted, 404));
  }
  expect(rowCounts(server.core)).toEqual(before);
  expect(texts.join("\n")).not.toMatch(/sqlite|syntax error|no such (?:table|column)|fts5|SELECT|near "/);
  for (const text of SQL)
    expect((await server.request(token, "/feed", { method: "POST", body: { text } })).status).toBe(201);
  expect(rowCounts(server.core)["posts"]).toBe((before["posts"] ?? 0) + SQL.length);
});

test("answers ids of other kinds, lengths and signs with 404", async () => {
  await using server = openTestServer();
  const { token, post, job, hook } = await createSamples(server);
  const { token: other } = createMember(server.core, "eve");
  const forms = (id: string): string[] => [
    id.toUpperCase(),
    `${id}x`,
    id.slice(0, -1),
    `-${id}`,
    ` ${id}`,
    `${id}\n`,
    `${id}\0`,
    id.replace("_", "-"),
  ];
  const never = [
    "-1",
    "0",
    "1",
    "null",
    "undefined",
    "*",
    "%",
    "_",
    "%%",
    "job_",
    "whe_",
    `job_${"0".repeat(26)}`,
    "x".repeat(5000),
    "../feed",
    "[object Object]",
    "é",
  ];
  const requests: [by: string, path: string, id: string][] = [
    ...[post, hook, "ada", "me", ...forms(job), ...never].map((id): [string, string, string] => [
      token,
      "/jobs/",
      id,
    ]),
    ...[post, job, "ada", "me", ...forms(hook), ...never].map((id): [string, string, string] => [
      token,
      "/webhooks/",
      id,
    ]),
    ...[post, job, hook, "@ada", "ada ", "adа", "ada\0", ...never].map((id): [string, string, string] => [
      token,
      "/profiles/",
      id,
    ]),
    [other, "/webhooks/", hook],
  ];
  for (const [caller, path, id] of requests) {
    const address = path + encodeURIComponent(id);
    const answers = [await server.request(caller, address)];
    if (path === "/webhooks/") {
      answers.push(
        await server.request(caller, address, { method: "PATCH", body: { events: ["post.created"] } }),
      );
      answers.push(await server.request(caller, address, { method: "DELETE" }));
    }
    for (const answer of answers) await expectRefusal(answer, 404);
  }
  for (const path of [`/jobs/${job}`, `/webhooks/${hook}`, "/profiles/ADA"])
    expect((await server.request(token, path)).status).toBe(200);
});

/** Checks the status and the body against the contract. Returns the body. */
async function expectContract(answer: Response, isList: boolean): Promise<string> {
  expect([200, 400, 404]).toContain(answer.status);
  if (answer.status >= 400) return expectRefusal(answer);
  const body = await answer.text();
  if (isList) expect(Object.keys(JSON.parse(body))).toEqual(["data", "next"]);
  return body;
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}
