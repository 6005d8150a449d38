// Tests docs/contract.md#2.17.
import { expect, test } from "bun:test";
import { type TestServer, createMember, openTestServer } from "../support.ts";
import { BROKEN_BODIES, BROKEN_VALUES, countOf, expectRefusal, VALID_VALUES, table } from "./raw.ts";

/** Posts exactly these bytes. */
function post(
  server: TestServer,
  token: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
) {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const by = { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers };
  return fetch(`${server.url}/v1/feed`, { method: "POST", headers: by, body: new Uint8Array(bytes) });
}

test("answers broken JSON of any kind with 400, stores nothing of it, and accepts all valid JSON", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const broken = [...BROKEN_BODIES, ...BROKEN_VALUES.map((value) => `{"text":"ok","extra":${value}}`)];
  for (const body of broken) {
    expect(await expectRefusal(await post(server, token, body), 400), body).toContain(
      "The body is not valid JSON.",
    );
  }
  expect(countOf(server.core, "posts")).toBe(0);
  for (const value of VALID_VALUES) {
    expect((await post(server, token, `{"text":"ok","extra":${value}}`)).status, value).toBe(201);
    // A body that is valid JSON but not an object gets its own message.
    const whole = await expectRefusal(await post(server, token, value), 400);
    if (!/^\s*\{/.test(value)) expect(whole, value).toContain("must be a JSON object");
  }
  expect(countOf(server.core, "posts")).toBe(VALID_VALUES.length);
});

test("rejects deep nesting, huge keys, digits and lists quickly, without delaying other requests", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const keys = (count: number): string => Array.from({ length: count }, (_, i) => `"k${i}":0`).join();
  const bodies: [status: number, body: string][] = [
    ...[30_000, 60_000, 400_000].flatMap((depth): [number, string][] => [
      [400, "[".repeat(depth)],
      [400, `{"text":${"[".repeat(depth / 2)}${"]".repeat(depth / 2)}}`],
      [400, `${'{"a":'.repeat(depth / 5)}1${"}".repeat(depth / 5)}`],
    ]),
    [400, `{"text":"a","extra":${"[".repeat(32)}${"]".repeat(32)}}`],
    [201, `{"text":"a","extra":${"[".repeat(31)}${"]".repeat(31)}}`],
    [201, `{"text":"${"[".repeat(1000)}\\"${"{".repeat(900)}"}`],
    [400, `{"text":"a",${keys(50_000)}}`],
    [201, `{"text":"a",${keys(15_000)}}`],
    [400, `{"text":${"1".repeat(500_000)}}`],
    [400, `{"text":${"1".repeat(200_000)}}`],
    [400, `{"text":"a","tags":[${'"a",'.repeat(60_000)}"a"]}`],
    [400, `{"text":"a","tags":[${"1,".repeat(100_000)}1]}`],
    [400, `{"text":"${"\\u0061".repeat(40_000)}"}`],
    [201, `{"text":"a","${"k".repeat(200_000)}":1}`],
  ];
  let isOver = false;
  let requestCount = 0;
  const bystander = (async () => {
    for (; !isOver; requestCount++) expect((await server.request(token, "/feed")).status).toBe(200);
  })();
  for (const [status, body] of bodies) {
    const before = process.cpuUsage();
    expect((await post(server, token, body)).status, body.slice(0, 40)).toBe(status);
    const { user, system } = process.cpuUsage(before);
    // Includes the CPU time of the bystander's requests. Quadratic work would take many seconds.
    expect((user + system) / 1000, body.slice(0, 40)).toBeLessThan(2000);
  }
  isOver = true;
  await bystander;
  expect(requestCount).toBeGreaterThan(bodies.length / 4);
});

test("answers invalid UTF-8, overlong forms and lone surrogates with 400, and stores nothing", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const sequences = `c080 c1bf e080af f08080af eda080 edb080 eda0bdedb880 f4908080 ff fe 80 c3 e282 f09f98 f888808080 c328 feff`;
  for (const hex of sequences.split(" ")) {
    for (const location of [
      '{"text":"a?b"}',
      '{"text":"a","?":1}',
      '{"text":"a","tags":["?"]}',
      '{"text":"a"}?',
    ]) {
      const [before = "", after = ""] = location.split("?");
      const body = Buffer.concat([Buffer.from(before), Buffer.from(hex, "hex"), Buffer.from(after)]);
      expect(await expectRefusal(await post(server, token, body), 400), hex).toContain("UTF-8");
    }
  }
  await expectRefusal(await post(server, token, Buffer.from('{"text":"a"}', "utf16le")), 400);
  for (const lone of [
    String.raw`\ud800`,
    String.raw`a\udbff`,
    String.raw`\udc00b`,
    String.raw`\udc00\ud800`,
  ]) {
    for (const fields of [
      `"text":"${lone}"`,
      `"text":"a","tags":["${lone}"]`,
      `"text":"a","media":["https://a.example/${lone}"]`,
    ]) {
      await expectRefusal(await post(server, token, `{${fields}}`), 400);
    }
  }
  expect(countOf(server.core, "posts")).toBe(0);
});

test("stores a text byte for byte as sent", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const texts = [
    "é e\u0301 \u212b Å ﬁ",
    "👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪",
    "\ufffd\ufeff\ufffe\uffff",
    "\ufeffbom",
    "a\r\n\tb\n",
    "\u2028\u2029\u0085",
    "\u202eevil\u202c",
  ];
  texts.push(
    "\x01\x1b[31m\x7f",
    "\u{10ffff}\u{1fffe}",
    "  both ends  ",
    "</script>&amp;\"'\\",
    "ＦＵＬＬ　ｗｉｄｔｈ",
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L",
  );
  for (const text of texts) {
    const answer = await server.request(token, "/feed", { method: "POST", body: { text } });
    expect(((await answer.json()) as { text: string }).text).toBe(text);
    const stored = server.core.db
      .prepare<{ hex: string }>("SELECT hex(text) AS hex FROM posts ORDER BY id DESC")
      .get();
    expect(stored?.hex).toBe(Buffer.from(text).toString("hex").toUpperCase());
    const feed = (await (await server.request(token, "/feed?limit=1")).json()) as {
      data: { text: string }[];
    };
    expect(feed.data[0]?.text).toBe(text);
  }
});

test("`__proto__` and similar keys pollute no prototype, at any depth", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const hostile =
    '"__proto__":{"polluted":1,"text":"x"},"constructor":{"prototype":{"polluted":1}},"toString":1,"hasOwnProperty":1';
  expect((await post(server, token, `{"text":"own",${hostile}}`)).status).toBe(201);
  await expectRefusal(await post(server, token, `{${hostile}}`), 400);
  await expectRefusal(await post(server, token, `{"text":"a","tags":{"__proto__":[]}}`), 400);
  const query =
    "__proto__=1&__proto__[polluted]=1&__proto__.polluted=1&constructor[prototype][polluted]=1&toString=x&hasOwnProperty=1";
  for (const path of ["/feed", "/jobs", "/prompts"]) {
    const answer = await server.request(token, `${path}?${query}`, {
      headers: { cookie: "__proto__=1; constructor=2" },
    });
    expect(answer.status).toBe(200);
  }
  for (const name of ["__proto__", "constructor", "toString"]) {
    const body = { url: "https://hooks.example.com/a", events: [name] };
    await expectRefusal(await server.request(token, "/webhooks", { method: "POST", body }), 422);
    await expectRefusal(await server.request(token, `/profiles/${name}`), 404);
    await expectRefusal(await server.request(token, `/jobs?seniority=${name}`), 400);
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect("polluted" in {} || "polluted" in (() => {})).toBe(false);
});

test("accepts only a declared JSON body in UTF-8 without compression", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const types =
    table(`text/plain ~ text/json ~ application/jsonp ~ application/json-patch+json ~ application/ld+json
    application/x-www-form-urlencoded ~ multipart/form-data; boundary=x ~ application/javascript ~ application/jsonx ~ json
    application/json; charset=utf-16 ~ application/json; charset=latin1 ~ application/json, text/plain ~ */*
    application/json/x ~ x-application/json ~ application/octet-stream`).concat("");
  for (const type of types) {
    const answer = await post(server, token, '{"text":"a"}', { "content-type": type });
    expect(await expectRefusal(answer, 400), type).toContain("Content-Type");
  }
  const bare = {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: new Uint8Array([123, 125]),
  };
  await expectRefusal(await fetch(`${server.url}/v1/feed`, bare), 400);
  const bomb = Bun.gzipSync(Buffer.alloc(20 * 1024 * 1024, " "));
  for (const encoding of [
    "gzip",
    "deflate",
    "br",
    "zstd",
    "compress",
    "x-gzip",
    "GZIP",
    "gzip, identity",
    "identity, gzip",
  ]) {
    const answer = await post(server, token, bomb, { "content-encoding": encoding });
    expect(await expectRefusal(answer, 400), encoding).toContain("Content-Encoding");
  }
  expect(countOf(server.core, "posts")).toBe(0);
  for (const type of [
    "application/json",
    "Application/JSON",
    "application/json;charset=UTF-8",
    'application/json; charset="utf-8"',
  ]) {
    expect((await post(server, token, '{"text":"a"}', { "content-type": type })).status).toBe(201);
  }
  expect((await post(server, token, '{"text":"a"}', { "content-encoding": "identity" })).status).toBe(201);
});
