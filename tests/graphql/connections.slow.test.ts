// Tests docs/contract.md#8.2 and docs/contract.md#8.3.
import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { schema } from "../../src/graphql/schema/index.ts";
import { createMember, openTestServer } from "../support.ts";
import { allConnections } from "./all-connections.ts";
import { graph } from "./ask.ts";
import { idsOf, fillCommunity } from "./fixture-community.ts";

const PAGE =
  "edges { node { text } } nodes { text } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";

test("accepts 0 for `first` and `last`, and treats null as absent (Relay §4.4)", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const ask = async (args: string) => (await graph(server, token, `{ feed(${args}) { ${PAGE} } }`)).body;
  const none = { edges: [], nodes: [] };
  const nowhere = { startCursor: null, endCursor: null };
  for (const args of ["first: 0", "last: 0"]) {
    const pageInfo = { hasNextPage: false, hasPreviousPage: false, ...nowhere };
    expect(await ask(args)).toEqual({ data: { feed: { ...none, pageInfo } } });
  }
  for (const text of ["a", "b", "c"]) createPost(server.core, caller, { text });
  expect(await ask("first: 0")).toEqual({
    data: { feed: { ...none, pageInfo: { hasNextPage: true, hasPreviousPage: false, ...nowhere } } },
  });
  expect(await ask("last: 0")).toEqual({
    data: { feed: { ...none, pageInfo: { hasNextPage: false, hasPreviousPage: true, ...nowhere } } },
  });
  const item = await ask("first: 1, after: null, last: null, before: null");
  expect(item.data.feed.nodes).toEqual([{ text: "c" }]);
  const { endCursor } = item.data.feed.pageInfo;
  expect((await ask(`first: 0, after: "${endCursor}"`)).data.feed.pageInfo).toMatchObject({
    hasNextPage: true,
    hasPreviousPage: true,
  });
  const back = await ask("first: null, after: null, last: 1");
  expect(back.data.feed.nodes).toEqual([{ text: "a" }]);
  expect(back.data.feed.edges).toEqual([{ node: { text: "a" } }]);
  expect((await ask("first: null, last: null")).data.feed.nodes.length).toBe(3);
  for (const bad of [
    "first: -1",
    "last: -1",
    "first: 101",
    "last: 101",
    "first: 0, last: 0",
    'first: 1, before: "x"',
  ])
    expect([bad, (await ask(bad)).errors?.[0]?.extensions.code]).toEqual([bad, "bad_request"]);
});

test("a nested list may have an empty page, too", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const { id } = createPost(server.core, caller, { text: "a" });
  replyTo(server.core, caller, id, { text: "b" });
  const { body } = await graph(
    server,
    token,
    "{ feed { nodes { replies(first: 0) { nodes { id } totalCount isTotalExact pageInfo { hasNextPage } } } } }",
  );
  expect(body).toEqual({
    data: {
      feed: {
        nodes: [
          { replies: { nodes: [], totalCount: 1, isTotalExact: true, pageInfo: { hasNextPage: true } } },
        ],
      },
    },
  });
});

test("`totalCount` of every connection is independent of the page", async () => {
  await using server = openTestServer();
  const community = await fillCommunity(server);
  for (const walk of allConnections(schema, idsOf(community))) {
    const document = walk.document("total", "", "totalCount isTotalExact edges { cursor }");
    const ask = async (first: number) => {
      // Selects only the cursors: 100 complete nodes cost more than a request may.
      const variables = { ...walk.variables, first, after: null };
      const { body } = await graph(server, community.ada.token, document, { variables });
      expect([walk.name, body.errors]).toEqual([walk.name, undefined]);
      return walk.path.reduce((value, name) => value?.[name], body.data);
    };
    const all = await ask(100);
    expect([walk.name, all.totalCount, all.isTotalExact]).toEqual([walk.name, all.edges.length, true]);
    expect((await ask(1)).totalCount).toBe(all.totalCount);
  }
});

test("every connection names the argument that holds a foreign cursor", async () => {
  await using server = openTestServer();
  const community = await fillCommunity(server);
  for (const walk of allConnections(schema, idsOf(community))) {
    const forwards = walk.document("list", "", "edges { cursor }");
    const documents = {
      after: forwards,
      before: forwards.replace("first: $first, after: $after", "last: $first, before: $after"),
    };
    for (const [argument, document] of Object.entries(documents)) {
      const variables = { ...walk.variables, first: 1, after: "nonsense" };
      const { body } = await graph(server, community.ada.token, document, { variables });
      const [error] = body.errors ?? [];
      expect([walk.name, error?.extensions]).toMatchObject([
        walk.name,
        {
          code: "bad_request",
          reason: "cursor_foreign",
          params: { name: argument },
          details: [{ path: argument, code: "cursor_foreign" }],
        },
      ]);
      expect(error?.message).toStartWith(`\`${argument}\` does not belong to this list with these filters`);
    }
  }
});

test("`totalCount` stops at a thousand, or a hundred in a node's list, and the response says so", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const { id } = createPost(server.core, caller, { text: "first" });
  const more = (count: number): void =>
    server.core.db.transact(() => {
      for (let i = 0; i < count; i++) {
        createPost(server.core, caller, { text: `${i}` });
        if (i < 200) replyTo(server.core, caller, id, { text: `${i}` });
      }
    });
  const count = async () => {
    const document = `query($id: ID!) { feed(first: 1) { totalCount isTotalExact } post(id: $id) { replies { totalCount isTotalExact } } }`;
    const { data } = (await graph(server, token, document, { variables: { id } })).body;
    return [data.feed, data.post.replies];
  };
  more(99);
  expect(await count()).toEqual([
    { totalCount: 100, isTotalExact: true },
    { totalCount: 99, isTotalExact: true },
  ]);
  more(1);
  expect((await count())[1]).toEqual({ totalCount: 100, isTotalExact: true });
  more(899);
  expect(await count()).toEqual([
    { totalCount: 1000, isTotalExact: true },
    { totalCount: 100, isTotalExact: false },
  ]);
  more(1);
  expect((await count())[0]).toEqual({ totalCount: 1000, isTotalExact: false });
});

test("counting costs once per list for any page size, also through fragments", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const cost = async (selection: string, more = "") =>
    (await graph(server, token, `{ feed(first: 10) { ${selection} } rateLimit { cost } } ${more}`)).body.data
      .rateLimit.cost;
  const plain = await cost("nodes { id }");
  const counted = await cost("nodes { id } totalCount");
  expect(counted - plain).toBeGreaterThanOrEqual(50);
  expect(counted - plain).toBeLessThan(60);
  const both = await cost(
    "nodes { id } ...counted ... { totalCount }",
    "fragment counted on PostConnection { isTotalExact }",
  );
  expect(both - counted).toBeLessThan(10);
  expect(await cost("nodes { id } ...counted", "fragment counted on PostConnection { isTotalExact }")).toBe(
    counted,
  );
});
