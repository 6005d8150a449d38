import { expect, test } from "bun:test";
import { BUILDER_SCOPES, createMemberToken, openTestServer } from "../support.ts";
import { codes, graph } from "./ask.ts";
import { fillCommunity } from "./fixture-community.ts";

const NODE = `query($id: ID!) { node(id: $id) { __typename ... on Report { reason subjectId subject { __typename ... on Post { text } } } } }`;
const FOR_MODERATORS = "query($id: ID!) { node(id: $id) { ... on Report { settled { outcome } } } }";

test("only moderators and the reporter read a report as a node, and the reporter does not see its outcome", async () => {
  await using server = openTestServer();
  const { ada, bo, cy, ids } = await fillCommunity(server);
  const variables = { id: ids.report };
  for (const { token } of [ada, bo]) {
    const { body } = await graph(server, token, NODE, { variables });
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
  expect((await graph(server, cy.token, NODE, { variables })).body).toEqual({ data: { node: null } });
  const settled = { id: ids.dismissed };
  const seen = await graph(server, ada.token, FOR_MODERATORS, { variables: settled });
  expect(seen.body.data.node).toEqual({ settled: { outcome: "dismissed" } });
  const invisible = await graph(server, bo.token, FOR_MODERATORS, { variables: settled });
  expect(invisible.body.data.node).toEqual({ settled: null });
  expect(codes(invisible)).toEqual(["forbidden"]);
  const { token } = createMemberToken(
    server.core,
    "bo",
    BUILDER_SCOPES.filter((name) => name !== "feed:read"),
  );
  expect((await graph(server, token, NODE, { variables })).body).toEqual({ data: { node: null } });
});

test("only the builder reads a line of their ledger as a node", async () => {
  await using server = openTestServer();
  const { ada, bo } = await fillCommunity(server);
  const list = "{ viewer { xpEntries(first: 1) { edges { node { id points } } } } }";
  const [{ node }] = (await graph(server, bo.token, list)).body.data.viewer.xpEntries.edges;
  const read = "query($id: ID!) { node(id: $id) { ... on XpEntry { id points } } }";
  const variables = { id: node.id };
  expect((await graph(server, bo.token, read, { variables })).body).toEqual({ data: { node } });
  expect((await graph(server, ada.token, read, { variables })).body).toEqual({ data: { node: null } });
  const { token } = createMemberToken(
    server.core,
    "bo",
    BUILDER_SCOPES.filter((name) => name !== "profile:read"),
  );
  expect(codes(await graph(server, token, read, { variables }))).toEqual(["forbidden"]);
});
