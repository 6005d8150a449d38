import { expect, test } from "bun:test";
import { HOUR } from "../../src/core/base/clock.ts";
import { claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { graph } from "../graphql/ask.ts";
import { call } from "../spec/client.ts";
import { rows } from "../spec/rows.ts";
import { createMemberToken, type TestServer, createMember, openTestServer, limitOf } from "../support.ts";
import { continueBatches } from "../../src/core/services/batches/batches.ts";

/** Ada's endpoint for posts and messages, and the titles that were sent to it. */
async function stage(server: TestServer, events = ["dm.received", "post.created"]) {
  const { core } = server;
  const { token } = createMember(core, "ada");
  const { caller: bo, token: strange } = createMember(core, "bo");
  const body = { url: "https://hooks.example.com/in", events };
  const { id } = (await call(server, token, "POST /webhooks", { body })).body as { id: string };
  const sent: string[] = [];
  /** Attempts all due deliveries with this status until none is due. */
  const attemptAll = (status = 204): string[] => {
    const before = sent.length;
    while (core.db.transact(() => continueBatches(core)));
    for (let claims = claim(); claims.length > 0; claims = claim()) {
      core.db.transact(() => {
        for (const each of claims) {
          const { data } = JSON.parse(each.body);
          sent.push(data.post?.title ?? data.preview ?? JSON.parse(each.body).type);
          const isFailed = status >= 300;
          settle(
            core,
            each,
            { status, durationMs: 1, ...(isFailed && { failure: { code: "status", params: { status } } }) },
            [],
          );
        }
      });
    }
    return sent.slice(before).sort();
  };
  const claim = () => core.db.transact(() => claimDue(core, 1000, "", limitOf(1000)).claims);
  const post = (text: string) => {
    createPost(core, bo, { text });
    server.clock.pass(HOUR);
  };
  const enable = (enabled: boolean) => call(server, token, `PATCH /webhooks/${id}`, { body: { enabled } });
  const recover = (wanted: object, by = token) =>
    call(server, by, `POST /webhooks/${id}/recover`, { body: { since: "2026-01-01T00:00:00Z", ...wanted } });
  return { token, bo, strange, id, attemptAll, post, enable, recover };
}

test("an acknowledged delivery can be sent again with the same body, over REST and GraphQL", async () => {
  await using server = openTestServer();
  const { token, attemptAll, post } = await stage(server);
  post("one");
  expect(attemptAll()).toEqual(["one"]);
  const [{ id } = { id: "" }] = rows(server.core, "SELECT id FROM deliveries");
  const again = await call(server, token, `POST /deliveries/${id}/retry`);
  expect([again.status, again.body.state, again.body.settled_at]).toEqual([200, "awaiting_retry", null]);
  expect(attemptAll()).toEqual(["one"]);
  const query = "mutation($id: ID!) { retryDelivery(input: { id: $id }) { delivery { state } } }";
  const { body } = await graph(server, token, query, { variables: { id } });
  expect(body.data.retryDelivery.delivery.state).toBe("awaiting_retry");
  expect(attemptAll()).toEqual(["one"]);
  expect((await call(server, token, `GET /deliveries/${id}`)).body.log).toHaveLength(3);
});

test("resends each acknowledged delivery between since and until once, however many there are", async () => {
  await using server = openTestServer();
  const { attemptAll, post, recover } = await stage(server);
  post("first");
  const since = new Date(server.clock.now() - 1).toISOString();
  for (const name of ["a", "b", "c"]) post(name);
  const until = new Date(server.clock.now() - 1).toISOString();
  post("last");
  attemptAll();
  post("failing");
  attemptAll(500);
  expect((await recover({ since, until, state: "acknowledged" })).body).toEqual({ recovered: 3 });
  expect(attemptAll()).toEqual(["a", "b", "c"]);
  expect((await recover({ since: until })).body).toEqual({ recovered: 1 });
  expect(attemptAll(500)).toEqual(["failing"]);
  expect((await recover({ since: until, state: "any" })).body.recovered).toBe(2);
  expect(attemptAll()).toEqual(["failing", "last"]);
  for (const wanted of [{ state: "attempting" }, { until: "soon" }, { missed: "yes" }])
    expect([wanted, (await recover(wanted)).status]).toEqual([wanted, 400]);

  server.core.db.transact(() => {
    for (let i = 0; i < 350; i++) post(`many ${i}`);
  });
  attemptAll();
  expect((await recover({ state: "acknowledged", since: until })).body.recovered).toBe(352);
  const many = attemptAll();
  expect([many.length, new Set(many).size]).toEqual([352, 352]);
  expect(attemptAll()).toEqual([]);
});

test("delivers events that an endpoint missed while off, once each, over REST and GraphQL", async () => {
  await using server = openTestServer();
  const { token, id, bo, attemptAll, post, enable, recover } = await stage(server);
  post("heard");
  expect(attemptAll()).toEqual(["heard"]);
  await enable(false);
  post("missed");
  sendMessage(server.core, bo, { to: "ada", text: "psst" });
  expect((await recover({ missed: true })).status).toBe(409);
  await enable(true);
  expect(attemptAll()).toEqual([]);
  expect((await recover({})).body).toEqual({ recovered: 0 });
  expect((await recover({ missed: true })).body).toEqual({ recovered: 0, missed: 2 });
  expect(attemptAll()).toEqual(["missed", "psst"]);
  expect((await recover({ missed: true })).body).toEqual({ recovered: 0, missed: 0 });

  await enable(false);
  post("later");
  await enable(true);
  const query =
    'mutation($id: ID!) { recoverWebhook(input: { id: $id, since: "2026-01-01T00:00:00Z", missed: true }) { recovered missed } }';
  const { body } = await graph(server, token, query, { variables: { id } });
  expect(body.data.recoverWebhook).toEqual({ recovered: 0, missed: 1 });
  expect(attemptAll()).toEqual(["later"]);
});

test("a recovery covers subscribed types, readable events and the time since the endpoint exists", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { caller: carl } = createMember(core, "carl");
  const { caller: dora } = createMember(core, "dora");
  createPost(core, carl, { text: "too early" });
  server.clock.pass(HOUR);
  const { bo, attemptAll, post, enable, recover } = await stage(server, ["dm.received"]);
  await enable(false);
  post("not subscribed");
  sendMessage(core, carl, { to: "dora", text: "not for ada" });
  sendMessage(core, dora, { to: "carl", text: "nor this" });
  sendMessage(core, bo, { to: "ada", text: "for ada" });
  await enable(true);
  // A token without the scope for messages recovers none of them. The pending message is still delivered.
  const { token: narrow } = createMemberToken(core, "ada", ["webhooks:write", "feed:read"]);
  expect((await recover({ missed: true }, narrow)).body).toEqual({ recovered: 0, missed: 0 });
  expect(attemptAll()).toEqual(["for ada"]);
});

test("docs/contract.md#6.8: an endpoint did not miss events that fired before its registration", async () => {
  await using server = openTestServer();
  const { token, post } = await stage(server);
  post("before");
  const body = { url: "https://hooks.example.com/later", events: ["post.created"] };
  const { id } = (await call(server, token, "POST /webhooks", { body })).body;
  const wanted = { since: "2026-01-01T00:00:00Z", missed: true };
  const answer = await call(server, token, `POST /webhooks/${id}/recover`, { body: wanted });
  expect(answer.body).toEqual({ recovered: 0, missed: 0 });
});

test("an event that is still being distributed does not count as missed", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token, attemptAll, post, recover } = await stage(server);
  for (let i = 0; i < 120; i++) {
    const { token: other } = createMember(core, `other${i}`);
    const body = { url: "https://hooks.example.com/in", events: ["post.created"] };
    await call(server, other, "POST /webhooks", { body });
  }
  const body = { url: "https://late.example.com/in", events: ["post.created"] };
  const late = (await call(server, token, "POST /webhooks", { body })).body as { id: string };
  post("to all");
  const wanted = { since: "2026-01-01T00:00:00Z", missed: true };
  const answer = await call(server, token, `POST /webhooks/${late.id}/recover`, { body: wanted });
  expect(answer.body).toEqual({ recovered: 0, missed: 0 });
  expect((await recover({ missed: true })).body.missed).toBe(0);
  expect(attemptAll()).toHaveLength(122);
});

test("recoveries wait while their endpoint is off, alternate in batches, and are limited in number", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { attemptAll, post, enable, recover } = await stage(server);
  core.db.transact(() => {
    for (let i = 0; i < 250; i++) post(`${i}`);
  });
  attemptAll();
  const statuses: number[] = [];
  for (let i = 0; i < 7; i++) statuses.push((await recover({ state: "acknowledged" })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 409]);
  await enable(false);
  expect(core.db.transact(() => continueBatches(core))).toBe(false);
  await enable(true);
  expect(new Set(attemptAll()).size).toBe(250);
  expect(rows(core, "SELECT id FROM recoveries")).toEqual([]);
});
