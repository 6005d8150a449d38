// Tests docs/contract.md#1.5.
import { expect, test } from "bun:test";
import { brotliDecompressSync } from "node:zlib";
import { acceptedCoding } from "../../src/http/compression.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { type TestServer, createMember, openTestServer } from "../support.ts";
import { openSite, visit } from "../web/support.ts";

const DECODE: Readonly<Record<string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array>> = {
  zstd: (bytes) => Bun.zstdDecompressSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
  gzip: (bytes) => Bun.gunzipSync(bytes),
};

/** Returns the raw and the decoded body. */
async function get(
  server: Pick<TestServer, "url">,
  path: string,
  headers: Record<string, string>,
  init: RequestInit = {},
) {
  const answer = await fetch(server.url + path, { ...init, headers, decompress: false });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const coding = answer.headers.get("content-encoding");
  const text = new TextDecoder().decode(
    coding === null || bytes.length === 0 ? bytes : DECODE[coding]?.(bytes),
  );
  return { status: answer.status, headers: answer.headers, coding, bytes, text };
}

test("RFC 9110 §12.5.3: chooses the coding with the greatest weight, or none", () => {
  const table: [header: string | null, coding: string | undefined][] = [
    [null, undefined],
    ["", undefined],
    ["identity", undefined],
    ["gzip", "gzip"],
    ["GZip", "gzip"],
    ["x-gzip", "gzip"],
    ["deflate", undefined],
    ["compress, deflate", undefined],
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip, deflate, br", "br"],
    ["gzip;q=1, br;q=0.5", "gzip"],
    ["br ; q=0.5 ,\tgzip ; q=0.501", "gzip"],
    ["zstd;q=0, br;q=0.000, gzip;q=0.001", "gzip"],
    ["gzip;q=0", undefined],
    ["*", "gzip"],
    ["*;q=0", undefined],
    ["gzip;q=0, *", "br"],
    ["gzip;q=0.5, *;q=1", "br"],
    ["identity, gzip;q=0.5", undefined],
    ["identity;q=0.5, gzip;q=0.5", "gzip"],
    ["identity;q=0.4, gzip;q=0.5", "gzip"],
    ["gzip;q=2", undefined],
    ["gzip;q=-1, br;q=x, zstd;level=3", undefined],
    ["gzip;q=0.12345, br", "br"],
    [",,gzip,,", "gzip"],
    ["a".repeat(100_000), undefined],
    [`${"gzip;q=0,".repeat(10_000)}br`, "br"],
  ];
  for (const [header, coding] of table)
    expect([header?.slice(0, 50), acceptedCoding(header).coding]).toEqual([header?.slice(0, 50), coding]);
  const refused = table.filter(([header]) => acceptedCoding(header).isPlainRefused).map(([header]) => header);
  expect(refused).toEqual(["*;q=0"]);
  for (const header of ["identity;q=0", "gzip, identity;q=0", "*;q=0, br"])
    expect([header, acceptedCoding(header).isPlainRefused]).toEqual([header, true]);
  expect(acceptedCoding("*;q=0, identity").isPlainRefused).toBe(false);
});

test("every transport answers in the requested coding, with the same text", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  for (let i = 0; i < 20; i++) createPost(server.core, caller, { text: `Post ${i}: ${"words ".repeat(50)}` });
  const by = { authorization: `Bearer ${token}` };
  const { headers } = await get(server, "/", {});
  expect(headers.get("vary")).toBe("accept-encoding");
  const query = encodeURIComponent("{ feed(first: 20) { nodes: edges { node { text } } } }");
  const paths: [path: string, headers?: Record<string, string>][] = [
    ["/v1/feed", by],
    ["/v1/openapi.json"],
    ["/docs"],
    ["/docs/docs.css"],
    ["/assets/guildhall.css"],
    [`/graphql?query=${query}`, by],
    ["/graphql", { accept: "text/html" }],
    ["/metrics"],
    ["/"],
    ["/sign-in"],
    [`/nothing-${"x".repeat(900)}`, { accept: "text/html", "x-request-id": "asked-once" }],
  ];
  for (const [path, also] of paths) {
    const plain = await get(server, path, { ...also, "accept-encoding": "identity" });
    expect([path, plain.coding, plain.headers.get("vary")]).toEqual([
      path,
      null,
      expect.stringContaining("accept-encoding"),
    ]);
    expect(plain.bytes.length).toBeGreaterThan(1024);
    const tags = new Set([plain.headers.get("etag")]);
    for (const coding of ["zstd", "br", "gzip"]) {
      const request = { ...also, "accept-encoding": coding };
      const coded = await get(server, path, request);
      expect([path, coded.status, coded.coding]).toEqual([path, plain.status, coding]);
      expect(coded.bytes.length).toBeLessThan(plain.bytes.length);
      expect(coded.headers.get("content-length")).toBe(String(coded.bytes.length));
      expect(coded.headers.get("content-type")).toBe(plain.headers.get("content-type"));
      expect(coded.headers.get("vary")).toBe(plain.headers.get("vary"));
      if (!hasToken(plain.text)) expect(without(coded.text)).toBe(without(plain.text));
      tags.add(coded.headers.get("etag"));
      const headed = await get(server, path, request, { method: "HEAD" });
      expect(headed.bytes.length).toBe(0);
      // The form token is masked differently each time, so the compressed page may differ in length by a
      // byte.
      const same = hasToken(plain.text) || path === "/metrics" ? ["etag"] : ["content-length", "etag"];
      for (const name of [...same, "content-encoding", "content-type", "vary"])
        expect([path, name, headed.headers.get(name)]).toEqual([path, name, coded.headers.get(name)]);
    }
    expect([path, tags.size]).toEqual([path, plain.headers.has("etag") ? 4 : 1]);
  }
});

function hasToken(text: string): boolean {
  return text.includes("form_token");
}

/** Removes process metrics, which change between requests. */
function without(text: string): string {
  return text.startsWith("# HELP") ? "" : text;
}

test("does not compress streams, binary or empty bodies, nor short text unless the client forbids plain text", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const by = { authorization: `Bearer ${token}`, "accept-encoding": "zstd, br, gzip" };
  for (const path of ["/v1/profiles/me", "/v1/nothing", "/favicon.ico", "/healthz"])
    expect([path, (await get(server, path, by)).coding]).toEqual([path, null]);
  const none = await get(server, "/v1/blocks/nobody", by, { method: "DELETE" });
  expect([none.status, none.coding]).toEqual([404, null]);
  const wanted = await get(server, "/v1/profiles/me", { ...by, "accept-encoding": "br, identity;q=0" });
  expect([wanted.coding, JSON.parse(wanted.text).username]).toEqual(["br", "ada"]);
  const odd = await get(server, "/v1/profiles/me", { ...by, "accept-encoding": "*;q=0" });
  expect([odd.status, odd.coding, JSON.parse(odd.text).username]).toEqual([200, null, "ada"]);

  const stop = new AbortController();
  const stream = await fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: { ...by, accept: "text/event-stream", "content-type": "application/json" },
    body: JSON.stringify({ query: "subscription { postCreated { id } }" }),
    signal: stop.signal,
    decompress: false,
  });
  expect([stream.status, stream.headers.get("content-encoding")]).toEqual([200, null]);
  stop.abort();
});

test("matches an ETag of any coding, and HEAD and 304 name the ETag that the cache holds", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  for (let i = 0; i < 20; i++) createPost(server.core, caller, { text: "words ".repeat(50) });
  for (const path of ["/v1/feed", "/v1/openapi.json", "/assets/guildhall.css"]) {
    const by = { authorization: `Bearer ${token}` };
    const tags: string[] = [];
    for (const coding of ["identity", "zstd", "br", "gzip"])
      tags.push((await get(server, path, { ...by, "accept-encoding": coding })).headers.get("etag") ?? "");
    for (const tag of tags) {
      expect(tag).toMatch(/^"[a-z0-9]+(?:-(?:zstd|br|gzip))?"$/);
      for (const coding of ["identity", "zstd"]) {
        for (const sent of [tag, `W/${tag}`, `"x", ${tag}`]) {
          const again = await get(server, path, { ...by, "accept-encoding": coding, "if-none-match": sent });
          expect([again.status, again.headers.get("etag"), again.text]).toEqual([304, tag, ""]);
          // API responses also depend on the origin (docs/contract.md#1.17).
          const vary = path.startsWith("/v1/") ? "accept-encoding, origin" : "accept-encoding";
          expect(again.headers.get("vary")).toBe(vary);
        }
      }
    }
    const other = { ...by, "if-none-match": `"${"x".repeat(11)}-gzip"` };
    expect((await get(server, path, other)).status).toBe(200);
  }
});

test("compresses a long response completely while it serves other requests", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  for (let i = 0; i < 100; i++) createPost(server.core, caller, { text: `${i} ${"wörter 🎉 ".repeat(150)}` });
  const by = { authorization: `Bearer ${token}` };
  const plain = await get(server, "/v1/feed?limit=100", { ...by, "accept-encoding": "identity" });
  expect(plain.bytes.length).toBeGreaterThan(128 * 1024);
  for (const coding of ["zstd", "br", "gzip"]) {
    const coded = await get(server, "/v1/feed?limit=100", { ...by, "accept-encoding": coding });
    expect([coded.coding, coded.text === plain.text]).toEqual([coding, true]);
  }
});

test("masks a page's form token differently in each response, and accepts every form (BREACH)", async () => {
  await using site = openSite();
  const browser = visit(site);
  const tokens: string[] = [];
  for (let i = 0; i < 5; i++) {
    const { html } = await browser.open("/sign-in");
    tokens.push(/name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? "");
  }
  expect(new Set(tokens).size).toBe(5);
  // No two masked tokens share five consecutive characters, so a right guess does not compress better.
  for (const token of tokens) {
    for (let at = 0; at + 5 <= token.length; at++) {
      const part = token.slice(at, at + 5);
      expect(tokens.filter((other) => other.includes(part))).toHaveLength(1);
    }
  }
});
