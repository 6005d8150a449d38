import { ApolloClient, ApolloLink, gql as apolloGql, HttpLink, InMemoryCache } from "@apollo/client";
import { relayStylePagination } from "@apollo/client/utilities";
import { Client, fetchExchange, gql } from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";
import { relayPagination } from "@urql/exchange-graphcache/extras";
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { introspectionFromSchema, isAbstractType, isObjectType } from "graphql";
import { schema } from "../../src/graphql/schema/index.ts";
import { type TestServer, openTestServer } from "../support.ts";
import { allConnections, type Walk, fullPageSizeOf } from "./all-connections.ts";
import { graph } from "./ask.ts";
import { idsOf, fillCommunity } from "./fixture-community.ts";

/*
 * The caches of Apollo and urql keep one record per id and merge pages. Each client walks every connection of
 * the schema with one cache. Any console output fails the test.
 */

let messages: string[] = [];
let spies: { mockRestore(): void }[] = [];
beforeEach(() => {
  messages = [];
  const note = (...words: unknown[]): void => void messages.push(words.join(" "));
  spies = (["error", "warn", "info", "log"] as const).map((name) =>
    spyOn(console, name).mockImplementation(note),
  );
});
afterEach(() => spies.forEach((spy) => spy.mockRestore()));

function byType(walks: readonly Walk[]): Record<string, string[]> {
  const types: Record<string, string[]> = {};
  for (const { name, field } of walks) (types[name.split(".")[0] ?? ""] ??= []).push(field);
  return types;
}

type Page = { edges: { cursor: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
type RequestPage = (walk: Walk, variables: Record<string, unknown>) => Promise<unknown>;

/** Reads each connection page by page and compares the cached list with the complete list. */
async function walkAll(
  server: TestServer,
  token: string,
  walks: readonly Walk[],
  requestPage: RequestPage,
): Promise<void> {
  for (const walk of walks) {
    const list = (data: unknown): Page => walk.path.reduce((value, name) => value?.[name], data as any);
    const whole = await graph(server, token, walk.document("whole"), {
      variables: { ...walk.variables, first: fullPageSizeOf(walk), after: null },
    });
    let variables: Record<string, unknown> = { ...walk.variables, first: 1 };
    let page = list(await requestPage(walk, variables));
    for (let pages = 0; page.pageInfo.hasNextPage && pages < 50; pages++) {
      variables = { ...walk.variables, first: 2, after: page.pageInfo.endCursor };
      page = list(await requestPage(walk, variables));
    }
    const cursors = ({ edges }: Page) => edges.map(({ cursor }) => cursor);
    expect([walk.name, cursors(page)]).toEqual([walk.name, cursors(list(whole.body.data))]);
    expect([walk.name, messages]).toEqual([walk.name, []]);
  }
}

test("Apollo's cache merges the pages of every connection without console warnings", async () => {
  await using server = openTestServer();
  const community = await fillCommunity(server);
  const walks = allConnections(schema, idsOf(community));
  const possibleTypes = Object.fromEntries(
    Object.values(schema.getTypeMap())
      .filter(isAbstractType)
      .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]),
  );
  const policies = Object.entries(byType(walks)).map(([type, fields]) => [
    type,
    { merge: true, fields: Object.fromEntries(fields.map((field) => [field, relayStylePagination()])) },
  ]);
  const client = new ApolloClient({
    link: new HttpLink({
      uri: `${server.url}/graphql`,
      headers: { authorization: `Bearer ${community.ada.token}` },
    }) as ApolloLink,
    cache: new InMemoryCache({ possibleTypes, typePolicies: Object.fromEntries(policies) }),
  });
  const documents = new Map(walks.map((walk) => [walk.name, apolloGql(walk.document("walk"))]));
  await walkAll(server, community.ada.token, walks, async (walk, variables) => {
    const query = documents.get(walk.name) as NonNullable<ReturnType<typeof documents.get>>;
    await client.query({ query, variables, fetchPolicy: "network-only" });
    return client.readQuery({ query, variables });
  });
});

test("urql's graphcache merges the pages of every connection, with the schema and a key for every type", async () => {
  await using server = openTestServer();
  const community = await fillCommunity(server);
  const walks = allConnections(schema, idsOf(community));
  const resolvers = Object.entries(byType(walks)).map(([type, fields]) => [
    type,
    Object.fromEntries(fields.map((field) => [field, relayPagination()])),
  ]);
  // Apollo embeds objects without an id in their parent.
  const keyless = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !type.name.startsWith("__") && !type.getFields()["id"],
  );
  const client = new Client({
    url: `${server.url}/graphql`,
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Bearer ${community.ada.token}` } },
    exchanges: [
      cacheExchange({
        schema: introspectionFromSchema(schema) as never,
        resolvers: Object.fromEntries(resolvers),
        keys: Object.fromEntries(keyless.map(({ name }) => [name, () => null])),
      }),
      fetchExchange,
    ],
  });
  const documents = new Map(walks.map((walk) => [walk.name, gql(walk.document("walk"))]));
  await walkAll(server, community.ada.token, walks, async (walk, variables) => {
    const { data, error } = await client.query(
      documents.get(walk.name) as NonNullable<ReturnType<typeof documents.get>>,
      variables,
    );
    expect([walk.name, error]).toEqual([walk.name, undefined]);
    return data;
  });
});
