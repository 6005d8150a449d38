// Tests docs/contract.md#8.11.
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { print } from "graphql";
import { createDocuments, CACHE_MAX_BYTES } from "../../src/graphql/documents.ts";
import { schema } from "../../src/graphql/schema/index.ts";
import { type TestServer, createMember, openTestServer } from "../support.ts";
import { codes, graph } from "./ask.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const extension = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: sha256(text) } });
const RULES = { introspection: true, documents: new Map(), documentsOnly: false, answerMaxBytes: 8_000_000 };

/** An Apollo client with its link for persisted queries, and a record of what it sent. */
function apollo(server: TestServer, token: string) {
  const sent: { query?: string; extensions?: unknown }[] = [];
  const http = new HttpLink({
    uri: `${server.url}/graphql`,
    headers: { authorization: `Bearer ${token}` },
    fetch: (async (url: string, init: RequestInit) => {
      sent.push(JSON.parse(String(init.body)));
      return fetch(url, init);
    }) as unknown as typeof fetch,
  });
  const link = ApolloLink.from([new PersistedQueryLink({ sha256 }), http]);
  const client = new ApolloClient({
    link,
    cache: new InMemoryCache(),
    defaultOptions: { query: { fetchPolicy: "no-cache" } },
  });
  return { client, sent };
}

test("Apollo registers a document once, and then sends only its hash", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const query = gql`
    query Costs {
      rateLimit {
        cost
      }
    }
  `;
  const first = apollo(server, token);
  for (let i = 0; i < 2; i++) expect((await first.client.query<any>({ query })).data.rateLimit.cost).toBe(2);
  expect(first.sent.map((body) => body.query !== undefined)).toEqual([false, true, false]);
  const second = apollo(server, token);
  await second.client.query({ query });
  expect(second.sent.map((body) => body.query !== undefined)).toEqual([false]);
});

test("in trusted-only mode, Apollo learns once that hashes are refused, and continues with texts", async () => {
  const query = gql`
    query Costs {
      rateLimit {
        cost
      }
    }
  `;
  // Apollo adds `__typename` to every object.
  const text = print(new InMemoryCache().transformDocument(query));
  const folder = mkdtempSync(join(tmpdir(), "guildhall-persisted-"));
  const file = join(folder, "documents.json");
  writeFileSync(file, JSON.stringify({ [sha256(text)]: text }));
  await using server = openTestServer({
    env: { GUILDHALL_GRAPHQL_DOCUMENTS: file, GUILDHALL_GRAPHQL_DOCUMENTS_ONLY: "true" },
  });
  rmSync(folder, { recursive: true });
  const { token } = createMember(server.core, "ada");
  const unknown = "query Other { rateLimit { cost } }";
  const refused = await graph(server, token, "", {
    body: JSON.stringify({ extensions: extension(unknown) }),
  });
  expect([refused.status, codes(refused), refused.body.errors?.[0]?.message]).toEqual([
    200,
    ["PERSISTED_QUERY_NOT_SUPPORTED"],
    "PersistedQueryNotSupported",
  ]);
  const untrusted = await graph(server, token, "", {
    body: JSON.stringify({ query: unknown, extensions: extension(unknown) }),
  });
  expect([untrusted.status, codes(untrusted)]).toEqual([400, ["bad_request"]]);
  const { client, sent } = apollo(server, token);
  expect((await client.query<any>({ query })).data.rateLimit.cost).toBe(2);
  expect(sent.length).toBe(1);
  const other = gql`
    query Other {
      rateLimit {
        remaining
      }
    }
  `;
  const failed = await client.query({ query: other }).catch((error: Error) => error.message);
  expect(failed).toBe("This server runs only registered documents. Ask the operator to add yours.");
  // The client sends the hash, is refused, and sends the text. After that it sends no hashes.
  expect(
    sent.slice(1).map((body) => [body.query !== undefined, JSON.stringify(body).includes("sha256")]),
  ).toEqual([
    [false, true],
    [true, false],
  ]);
});

test("a hash registers only its own text, and only a valid document", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const ask = (body: object) => graph(server, token, "", { body: JSON.stringify(body) });
  const text = "{ rateLimit { cost } }";
  const other = await ask({ query: "{ viewer { scopes } }", extensions: extension(text) });
  expect([other.status, codes(other)]).toEqual([400, ["bad_request"]]);
  expect(codes(await ask({ extensions: extension(text) }))).toEqual(["PERSISTED_QUERY_NOT_FOUND"]);
  const broken = "{ rateLimit {";
  expect(codes(await ask({ query: broken, extensions: extension(broken) }))).toEqual(["bad_request"]);
  expect(codes(await ask({ extensions: extension(broken) }))).toEqual(["PERSISTED_QUERY_NOT_FOUND"]);
  expect((await ask({ query: text, extensions: extension(text) })).body.errors).toBeUndefined();
  expect((await ask({ extensions: extension(text) })).body.data).toEqual({ rateLimit: { cost: 2 } });
  const mutation = 'mutation { createPost(input: { text: "by hash" }) { post { id } } }';
  await ask({ query: mutation, extensions: extension(mutation) });
  const query = `?extensions=${encodeURIComponent(JSON.stringify(extension(mutation)))}`;
  expect((await graph(server, token, "", { method: "GET", query })).status).toBe(405);
  const newer = await graph(server, token, "", {
    body: JSON.stringify({ extensions: extension("{ unknown }") }),
    headers: { accept: "application/graphql-response+json" },
  });
  expect([newer.status, codes(newer)]).toEqual([400, ["PERSISTED_QUERY_NOT_FOUND"]]);
});

test("bounds the stored documents by total size, and keeps those in use", () => {
  const documents = createDocuments(schema, RULES);
  const small = (i: number): string =>
    `query q${i} { rateLimit { ${Array.from({ length: 130 }, () => "cost").join(" ")} } }`;
  const hot = documents.parse(small(0));
  const first = documents.parse(small(1));
  const register = documents.textOf({ query: small(2), extensions: extension(small(2)) });
  expect(documents.textOf({ extensions: extension(small(2)) })).toBe(register);
  // 263 nodes of 260 bytes each: more documents than the cache can hold.
  const many = Math.ceil(CACHE_MAX_BYTES / (263 * 260)) + 20;
  for (let i = 3; i < many; i++) {
    documents.parse(small(i));
    expect(documents.parse(small(0))).toBe(hot);
  }
  expect(documents.parse(small(1))).not.toBe(first);
  expect(() => documents.textOf({ extensions: extension(small(2)) })).toThrow("PersistedQueryNotFound");
  expect(documents.parse(small(many - 1))).toBe(documents.parse(small(many - 1)));
});
