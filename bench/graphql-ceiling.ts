/**
 * A common GraphQL server: Yoga and graphql-js over the same types, with data in memory. It has no database,
 * no authentication and no limits.
 */
import { createSchema, createYoga } from "graphql-yoga";

const posts = Array.from({ length: 20 }, (_, i) => ({
  cursor: Buffer.from(`["feed","",${i}]`).toString("base64url"),
  node: {
    id: `post_01m7wd7tg0e05b4vc12kszk${100 + i}`,
    text: `# Post ${i}\n\n${"Words about the queue that fits in one file. ".repeat(5)}`,
    tags: ["rust", "shipped"],
    createdAt: "2026-11-20T09:30:00.000Z",
    author: { id: `builder_${i}`, username: `ada${i}`, name: "Ada Okafor" },
    metrics: { likes: 12, replies: 3 },
  },
}));
const feed = {
  edges: posts,
  pageInfo: {
    hasNextPage: true,
    hasPreviousPage: false,
    startCursor: posts[0]?.cursor,
    endCursor: posts[19]?.cursor,
  },
};

const yoga = createYoga({
  logging: false,
  schema: createSchema({
    typeDefs: `
      type Query { feed(first: Int, after: String): PostConnection! }
      type PostConnection { edges: [PostEdge!]! pageInfo: PageInfo! }
      type PostEdge { cursor: String! node: Post! }
      type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
      type Post { id: ID! text: String! tags: [String!]! createdAt: String! author: Builder! metrics: PostMetrics! }
      type Builder { id: ID! username: String! name: String! }
      type PostMetrics { likes: Int! replies: Int! }`,
    resolvers: { Query: { feed: () => feed } },
  }),
});

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  development: false,
  fetch: (request) => yoga(request),
});
console.log(JSON.stringify({ msg: "listening", url: server.url.origin }));
