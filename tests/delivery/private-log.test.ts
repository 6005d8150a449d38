import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { authenticate, createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { recoverDeliveries } from "../../src/core/outbox/deliveries/delivery-log.ts";
import { countRecoverable, endpointFigures } from "../../src/core/outbox/deliveries/delivery-stats.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { settledDeliveries } from "../../src/core/services/live/live.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { addMember, createWorkspace, setRole } from "../../src/core/delegation/workspaces/workspaces.ts";
import { graph } from "../graphql/ask.ts";
import { createSignedInMember, openBrowser } from "../oauth/browser.ts";
import { type TestServer, createMember, openTestServer, limitOf } from "../support.ts";

const SINCE = "2026-11-01T00:00:00Z";

/**
 * Ada's endpoint in a workspace that she shares with bo. One public delivery and two of messages to her have
 * failed.
 */
async function sharedLog(server: TestServer) {
  const { core } = server;
  const [ada, bo] = [createSignedInMember(server, "ada"), createSignedInMember(server, "bo")];
  const carl = createMember(core, "carl").caller;
  const workspaceId = createWorkspace(core, OPERATOR, "ada", { name: "Tools" });
  addMember(core, OPERATOR, workspaceId, "bo");
  setRole(core, OPERATOR, workspaceId, "bo", "owner");
  const [adas = "", bos = ""] = ["ada", "bo"].map(
    (username) =>
      createToken(core, OPERATOR, username, {
        name: "shared",
        scopes: ["webhooks:read", "webhooks:write", "feed:read", "messages:read"],
        workspaceId,
        tier: "enterprise",
      }).token,
  );
  const created = await server.request(adas, "/webhooks", {
    method: "POST",
    body: { url: "https://hooks.example.com/in", events: ["dm.received", "post.created"] },
  });
  const { id } = (await created.json()) as { id: string };
  const begun = settledDeliveries().begin(core, callerOf(server, bos), undefined);
  sendMessage(core, carl, { to: "ada", text: "one" });
  server.clock.pass(1000);
  createPost(core, carl, { text: "for all" });
  server.clock.pass(1000);
  sendMessage(core, carl, { to: "ada", text: "two" });
  const { claims } = core.db.transact(() => claimDue(core, 10, "", limitOf(10)));
  expect(claims).toHaveLength(3);
  core.db.transact(() => {
    for (const claim of claims)
      settle(core, claim, { durationMs: 1, failure: { code: "connection_reset" } }, [0]);
  });
  return { ada, bo, adas, bos, workspaceId, begun, path: `/webhooks/${id}`, id };
}

function callerOf(server: TestServer, token: string) {
  const caller = authenticate(server.core, token, () => true);
  if (!caller) throw new Error("a token that was just made does not work");
  return caller;
}

interface Shown {
  data: { id: string; event: { id: string; type: string } }[];
  next?: string | null;
}

async function get<Body = Shown>(server: TestServer, token: string, path: string) {
  const answer = await server.request(token, path);
  return { status: answer.status, body: (await answer.json()) as Body };
}

test("hides deliveries of a member's messages, and their count, from other workspace members on every transport", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { ada, bo, adas, bos, workspaceId, begun, path, id } = await sharedLog(server);
  const all = (await get(server, adas, `${path}/deliveries`)).body.data;
  const fellows = (await get(server, bos, `${path}/deliveries`)).body.data;
  expect(all).toHaveLength(3);
  expect(fellows).toEqual(all.slice(1, 2));
  const open = fellows[0]?.id ?? "missing";
  const hidden = all.filter((delivery) => delivery.id !== open).map((delivery) => delivery.id);
  expect(hidden).toHaveLength(2);

  expect((await get(server, bos, `${path}/deliveries?state=failed`)).body.data).toEqual(fellows);
  expect((await get(server, bos, `${path}/deliveries?limit=1`)).body.next ?? null).toBeNull();
  for (const dlv of hidden) {
    expect([dlv, (await get(server, bos, `/deliveries/${dlv}`)).status]).toEqual([dlv, 404]);
    expect([dlv, (await get(server, adas, `/deliveries/${dlv}`)).status]).toEqual([dlv, 200]);
    const retried = await server.request(bos, `/deliveries/${dlv}/retry`, { method: "POST" });
    expect([dlv, retried.status]).toEqual([dlv, 404]);
  }
  const unknown = await server.request(bos, "/deliveries/dlv_01m7wd7tg0e01rrvr1zzzzzzzz");
  const refused = await server.request(bos, `/deliveries/${hidden[0]}`);
  expect(await refused.json()).toEqual(await unknown.json());

  const attempts = core.db
    .prepare<{ id: string; deliveryId: string }>("SELECT id, delivery_id AS deliveryId FROM attempts")
    .all();
  expect(attempts).toHaveLength(3);
  const document = `query ($id: ID!, $ids: [ID!]!) {
    node(id: $id) { ... on WebhookEndpoint { newest: deliveries(first: 10) { edges { node { id event { id } } } }
      oldest: deliveries(last: 10) { edges { node { id } } } } }
    nodes(ids: $ids) { id }
  }`;
  const ids = [...all.map((delivery) => delivery.id), ...attempts.map((attempt) => attempt.id)];
  const seenBy = async (token: string) => {
    const { body } = await graph(server, token, document, { variables: { id, ids } });
    expect(body.errors).toBeUndefined();
    return body.data;
  };
  const idsOf = ({ edges }: { edges: { node: { id: string } }[] }) => edges.map(({ node }) => node.id);
  const [hers, his] = [await seenBy(adas), await seenBy(bos)];
  expect(hers.node.newest.edges).toHaveLength(3);
  expect(hers.nodes.every((node: unknown) => node !== null)).toBe(true);
  expect(idsOf(his.node.newest)).toEqual([open]);
  expect(idsOf(his.node.oldest)).toEqual([open]);
  const visible = [open, ...attempts.filter(({ deliveryId }) => deliveryId === open).map(({ id }) => id)];
  expect(his.nodes.filter((node: unknown) => node !== null).map((node: { id: string }) => node.id)).toEqual(
    visible,
  );
  expect(
    settledDeliveries()
      .read(core, callerOf(server, bos), begun)
      .events.map(({ item }) => item.id),
  ).toEqual([open]);

  for (const [person, ids] of [
    [ada, hidden],
    [bo, []],
  ] as const) {
    const browser = openBrowser(server, person);
    const page = await (await browser.get(`/settings/webhooks/${id}?workspace=${workspaceId}`)).text();
    expect(page).toContain(open);
    expect(hidden.filter((dlv) => page.includes(dlv))).toEqual([...ids]);
    const detail = await browser.get(`/settings/deliveries/${hidden[0]}?workspace=${workspaceId}`);
    expect(detail.status).toBe(ids.length > 0 ? 200 : 404);
  }
});

test("charts and recoveries do not count a member's private deliveries for others, but a recovery resends them", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { adas, bos, path, id } = await sharedLog(server);
  const since = Date.parse(SINCE);
  for (const [token, known] of [
    [adas, 3],
    [bos, 1],
  ] as const) {
    const caller = callerOf(server, token);
    const health = endpointFigures(core, caller, id);
    expect([health.deliveries, health.byState.failed, health.attempts.length]).toEqual([known, known, known]);
    expect(health.days.at(-1)).toMatchObject({ failed: known });
    expect(countRecoverable(core, caller, id, { since }).recovered).toBe(known);
  }
  const answer = await server.request(bos, `${path}/recover`, { method: "POST", body: { since: SINCE } });
  expect(await answer.json()).toEqual({ recovered: 1 });
  const states = core.db.prepare<{ state: string }>("SELECT state FROM deliveries").all();
  expect(states.map(({ state }) => state)).toEqual(Array(3).fill("awaiting_retry"));
  expect(recoverDeliveries(core, callerOf(server, adas), id, { since }).recovered).toBe(0);
});
