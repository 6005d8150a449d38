// Tests docs/contract.md#8.12: ids of objects that have no id in REST.
import { expect, test } from "bun:test";
import { createMemberToken, openTestServer } from "../support.ts";
import { codes, graph } from "./ask.ts";
import { fillCommunity } from "./fixture-community.ts";

/** Each list of objects that have no id in REST, with the fields to select. */
const LISTS = {
  Block: { list: "viewer { blocks { nodes", ends: 2, fields: "createdAt builder { id username }" },
  FollowedTag: { list: "viewer { followedTags { nodes", ends: 2, fields: "tag createdAt" },
  JobMatch: {
    list: "viewer { jobMatches { nodes",
    ends: 2,
    fields: "score matchedAt job { id title } filter { id }",
  },
  SearchResult: {
    list: 'search(q: "e*") { nodes',
    ends: 1,
    fields: "kind title snippet url author createdAt node { id }",
  },
} as const;

for (const [type, { list, ends, fields }] of Object.entries(LISTS))
  test(`each ${type} has a unique id that returns it again, but not to members without access`, async () => {
    await using server = openTestServer();
    const { ada, bo } = await fillCommunity(server);
    const { body } = await graph(
      server,
      ada.token,
      `{ ${list} { __typename id ${fields} } ${"}".repeat(ends)} }`,
    );
    expect(body.errors).toBeUndefined();
    const { nodes } = ends === 2 ? (Object.values(body.data.viewer)[0] as any) : body.data.search;
    expect(nodes.length).toBeGreaterThan(1);
    const ids: string[] = nodes.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.map((id) => /^[a-z]{3}_[A-Za-z0-9_-]+$/.test(id))).toEqual(ids.map(() => true));

    const again = `query($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on ${type} { ${fields} } } }`;
    const found = await graph(server, ada.token, again, { variables: { ids } });
    expect(found.body).toEqual({ data: { nodes } });

    // Another member gets null for these ids. Search results are public.
    const others = await graph(server, bo.token, again, { variables: { ids } });
    expect(others.body.errors).toBeUndefined();
    if (type !== "SearchResult") expect(others.body.data.nodes).toEqual(ids.map(() => null));

    const [id = ""] = ids;
    const parts = JSON.parse(Buffer.from(id.slice(4), "base64url").toString()) as string[];
    const created = (of: unknown): string =>
      `${id.slice(0, 4)}${Buffer.from(JSON.stringify(of)).toString("base64url")}`;
    const forged = [
      `${id}=`,
      `${id} `,
      id.slice(0, 4),
      created([...parts, ""]),
      created(parts.slice(1)),
      created([parts[0], "builder_01kafzq8e5f2r8v0j3n6s1t4wx"]),
      created([parts[0], 1]),
      created({}),
      created("x"),
      created(["y".repeat(1001), ...parts.slice(1)]),
    ];
    const none = await graph(server, ada.token, again, { variables: { ids: forged } });
    expect(none.body).toEqual({ data: { nodes: forged.map(() => null) } });
  });

test("a node of these types needs the scope of its list", async () => {
  await using server = openTestServer();
  const { ada } = await fillCommunity(server);
  for (const [type, { list, ends }] of Object.entries(LISTS)) {
    const { body } = await graph(server, ada.token, `{ ${list} { id } ${"}".repeat(ends)} }`);
    const { nodes } = ends === 2 ? (Object.values(body.data.viewer)[0] as any) : body.data.search;
    const { token } = createMemberToken(server.core, ada.caller.username, ["webhooks:read"]);
    const variables = { id: nodes[0].id };
    const refused = await graph(server, token, "query($id: ID!) { node(id: $id) { id } }", { variables });
    expect([type, codes(refused)]).toEqual([type, ["forbidden"]]);
  }
});

test("results of different searches have different ids", async () => {
  await using server = openTestServer();
  const { ada } = await fillCommunity(server);
  const ids = async (q: string) =>
    (
      await graph(server, ada.token, "query($q: String) { search(q: $q) { nodes { id } } }", {
        variables: { q },
      })
    ).body.data.search.nodes.map(({ id }: { id: string }) => id);
  const [first, again, other] = [await ids("e*"), await ids("e*"), await ids("a*")];
  expect(again).toEqual(first);
  expect(other.length).toBeGreaterThan(0);
  expect(other.filter((id: string) => first.includes(id))).toEqual([]);
});
