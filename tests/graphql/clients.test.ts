import { expect, test } from "bun:test";
import { Client, fetchExchange, gql } from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";
import { relayPagination } from "@urql/exchange-graphcache/extras";
import { introspectionFromSchema } from "graphql";
import { revokeToken } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { schema } from "../../src/graphql/schema/index.ts";
import { type TestServer, createMember, openTestServer } from "../support.ts";

function urql(server: TestServer, token: string): Client {
  return new Client({
    url: `${server.url}/graphql`,
    preferGetMethod: false,
    fetchSubscriptions: true,
    fetchOptions: { headers: { authorization: `Bearer ${token}` } },
    exchanges: [
      cacheExchange({
        schema: introspectionFromSchema(schema) as never,
        resolvers: { Query: { feed: relayPagination() } },
        keys: { PostMetrics: () => null },
      }),
      fetchExchange,
    ],
  });
}

const FEED = gql`
  query ($first: Int, $after: String, $last: Int, $before: String) {
    feed(first: $first, after: $after, last: $last, before: $before) {
      edges {
        node {
          id
          text
          author {
            id
            username
          }
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
`;

test("urql with graphcache's relayPagination reads the whole feed", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const texts = Array.from({ length: 25 }, (_, i) => `post ${i}`);
  for (const text of texts) {
    server.clock.pass(1000);
    createPost(server.core, caller, { text });
  }
  const client = urql(server, token);
  let after: string | undefined;
  let pages = 0;
  let seen: string[] = [];
  do {
    const { data, error } = await client.query(FEED, { first: 10, after });
    expect(error).toBeUndefined();
    seen = data.feed.edges.map(({ node }: { node: { text: string } }) => node.text);
    after = data.feed.pageInfo.hasNextPage ? data.feed.pageInfo.endCursor : undefined;
    pages++;
  } while (after !== undefined);
  expect(pages).toBe(3);
  expect(seen).toEqual(texts.toReversed());
});

test("urql runs a mutation, and its cache updates the node", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const { id } = createPost(server.core, caller, { text: "like me" });
  const client = urql(server, token);
  const read = gql`
    query ($id: ID!) {
      post(id: $id) {
        id
        liked
        metrics {
          likes
        }
      }
    }
  `;
  expect((await client.query(read, { id })).data.post).toMatchObject({ liked: false, metrics: { likes: 0 } });
  const like = gql`
    mutation ($input: LikePostInput!) {
      likePost(input: $input) {
        post {
          id
          liked
          metrics {
            likes
          }
        }
      }
    }
  `;
  expect((await client.mutation(like, { input: { id } })).error).toBeUndefined();
  const cached = await client.query(read, { id }, { requestPolicy: "cache-only" });
  expect(cached.data.post).toMatchObject({ liked: true, metrics: { likes: 1 } });
  const refused = await client.mutation(like, { input: { id: "post_x" } });
  expect(refused.error?.graphQLErrors[0]?.extensions).toMatchObject({ code: "not_found" });
});

test("urql receives an event of a subscription", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const { promise, resolve } = Promise.withResolvers<string>();
  urql(server, token)
    .subscription(
      gql`
        subscription {
          postCreated {
            id
            text
          }
        }
      `,
      {},
    )
    .subscribe(({ data, error }) => resolve(error ? String(error) : data.postCreated.text));
  // The subscription does not receive posts created before the server confirms it, so posts are created until
  // one arrives.
  const timer = setInterval(() => createPost(server.core, caller, { text: "hello, urql" }), 50);
  expect(await promise).toBe("hello, urql");
  clearInterval(timer);
  // Bun reports an `abort` by the client as an unhandled error. The test therefore lets the server end the
  // stream.
  revokeToken(server.core, OPERATOR, token);
});
