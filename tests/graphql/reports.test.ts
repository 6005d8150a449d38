import { expect, test } from "bun:test";
import { BUILDER_SCOPES, createMemberToken, openTestServer } from "../support.ts";
import { codes, graph } from "./ask.ts";
import { fillCommunity } from "./fixture-community.ts";

const NODE = `query($id: ID!) { node(id: $id) { __typename ... on Report { reason subjectId subject { __typename ... on Post { text } } } } }`;
const FOR_MODERATORS = "query($id: ID!) { node(id: $id) { ... on Report { settled { outcome } } } }";

test("only moderators and the reporter read a report as a node, and the reporter does not see its outcome", async () => {
  await using house = openTestServer();
  const { ada, bo, cy, ids } = await fillCommunity(house);
  const variables = { id: ids.report };
  for (const { token } of [ada, bo]) {
    const { body } = await graph(house, token, NODE, { variables });
    expect(body).toEqual({
      data: {
        node: {
          __typename: "Report",
          reason: "Boring.",
          subjectId: ids.post,
          subject: { __typename: "Post", text: "first, mended" },
        },
      },
    });
  }
  expect((await graph(house, cy.token, NODE, { variables })).body).toEqual({ data: { node: null } });
  const settled = { id: ids.dismissed };
  const seen = await graph(house, ada.token, FOR_MODERATORS, { variables: settled });
  expect(seen.body.data.node).toEqual({ settled: { outcome: "dismissed" } });
  const unseen = await graph(house, bo.token, FOR_MODERATORS, { variables: settled });
  expect(unseen.body.data.node).toEqual({ settled: null });
  expect(codes(unseen)).toEqual(["forbidden"]);
  const { token } = createMemberToken(
    house.core,
    "bo",
    BUILDER_SCOPES.filter((name) => name !== "feed:read"),
  );
  expect((await graph(house, token, NODE, { variables })).body).toEqual({ data: { node: null } });
});

test("only the builder reads a line of their ledger as a node", async () => {
  await using house = openTestServer();
  const { ada, bo } = await fillCommunity(house);
  const list = "{ viewer { xpEntries(first: 1) { edges { node { id points } } } } }";
  const [{ node }] = (await graph(house, bo.token, list)).body.data.viewer.xpEntries.edges;
  const read = "query($id: ID!) { node(id: $id) { ... on XpEntry { id points } } }";
  const variables = { id: node.id };
  expect((await graph(house, bo.token, read, { variables })).body).toEqual({ data: { node } });
  expect((await graph(house, ada.token, read, { variables })).body).toEqual({ data: { node: null } });
  const { token } = createMemberToken(
    house.core,
    "bo",
    BUILDER_SCOPES.filter((name) => name !== "profile:read"),
  );
  expect(codes(await graph(house, token, read, { variables }))).toEqual(["forbidden"]);
});
