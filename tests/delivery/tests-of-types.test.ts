// docs/contract.md#6.9: test deliveries of event types.
import { expect, test } from "bun:test";
import { claimDue } from "../../src/core/outbox/deliveries/deliveries.ts";
import { ALL_EVENT_NAMES, CATALOGUE } from "../../src/core/outbox/events/catalogue.ts";
import { NIL_UUID } from "../../src/core/outbox/events/test-data.ts";
import { isId, kindOf } from "../../src/core/base/ids.ts";
import { graph } from "../graphql/ask.ts";
import { call, expectExactly } from "../spec/client.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { BUILDER_SCOPES, createMemberToken, type TestServer, openTestServer, limitOf } from "../support.ts";

/** Registers an endpoint of ada, who is a moderator, because some event types are only for the staff. */
async function stage(server: TestServer) {
  createBuilder(server.core, OPERATOR, { username: "ada", name: "Ada", role: "moderator" });
  const { token } = createMemberToken(server.core, "ada", [...BUILDER_SCOPES, "moderation"]);
  const body = { url: "https://hooks.example.com/in", events: ["xp.level_up"] };
  const { id } = (await call(server, token, "POST /webhooks", { body })).body as { id: string };
  const bodies = (): { id: string; type: string; created_at: string; data: any }[] =>
    server.core.db
      .transact(() => claimDue(server.core, 100, "", limitOf(100)).claims)
      .map(({ body }) => JSON.parse(body));
  return { token, id, bodies };
}

const identifiers = (data: unknown): string[] =>
  JSON.stringify(data).match(/\b[a-z]+_[0-9a-hjkmnp-tv-z]{26}\b/g) ?? [];

test("a test of each type has the standard envelope, a payload of its schema and unused identifiers", async () => {
  await using server = openTestServer();
  const { token, id, bodies } = await stage(server);
  for (const type of ALL_EVENT_NAMES) {
    const sent = await call(server, token, `POST /webhooks/${id}/test`, { body: { type } });
    expect([type, sent.status, sent.body.event_type, sent.body.state]).toEqual([
      type,
      201,
      type,
      "awaiting_retry",
    ]);
    const [event, ...more] = bodies();
    expect(more).toEqual([]);
    if (!event) throw new Error(`nothing was sent of ${type}`);
    expect(Object.keys(event)).toEqual(["id", "type", "created_at", "data"]);
    expect([event.type, event.id]).toEqual([type, sent.body.event_id]);
    expectExactly(CATALOGUE[type].data, event.data);
    const named = type === "webhook.test" ? id.slice(-26) : NIL_UUID;
    expect([type, identifiers(event.data).map((text) => text.slice(-26))]).toEqual([
      type,
      identifiers(event.data).map(() => named),
    ]);
    expect(identifiers(event.data).length).toBeGreaterThan(0);
    expect(JSON.stringify(event.data)).not.toContain("guild.example");
  }
  expect([isId("post", `post_${NIL_UUID}`), kindOf(`post_${NIL_UUID}`)]).toEqual([true, "post"]);
});

/** The code of a refusal and the only field that its message names. */
function blamed({ code, details, message }: any): string[] {
  expect(message).toBe(details[0].message);
  const [field] = details.map(({ path }: { path: string }) => path);
  for (const other of ["events", "type"].filter((name) => name !== field))
    expect(message).not.toContain(`\`${other}\``);
  return [code, field];
}

test("the default type is webhook.test; an unknown type is 422, another kind of body 400", async () => {
  await using server = openTestServer();
  const { token, id, bodies } = await stage(server);
  const ask = (init: object) => call(server, token, `POST /webhooks/${id}/test`, init);
  for (const init of [{}, { body: {} }]) {
    expect((await ask(init)).status).toBe(201);
    expect(bodies().map(({ type, data }) => [type, data])).toEqual([["webhook.test", { endpoint_id: id }]]);
  }
  for (const type of ["post.exploded", "", "constructor", "POST.CREATED"])
    expect([type, blamed((await ask({ body: { type } })).body)]).toEqual([
      type,
      ["event_type_unknown", "type"],
    ]);
  for (const [method, path] of [
    ["POST", "/webhooks"],
    ["PATCH", `/webhooks/${id}`],
  ]) {
    const body = { url: "https://hooks.example.com/b", events: ["post.exploded"] };
    const answer = await call(server, token, `${method} ${path}`, { body });
    expect(blamed(answer.body)).toEqual(["event_type_unknown", "events"]);
  }
  for (const body of [{ type: 5 }, { type: null }, []])
    expect([body, (await ask({ body })).status]).toEqual([body, 400]);
  expect(bodies()).toEqual([]);
});

test("a test needs the scope of its type, and webhook.test only webhooks:write", async () => {
  await using server = openTestServer();
  const { id, bodies } = await stage(server);
  const { token } = createMemberToken(server.core, "ada", ["webhooks:write", "jobs:read"]);
  const statuses: Record<string, number> = {};
  for (const type of ALL_EVENT_NAMES)
    statuses[type] = (await call(server, token, `POST /webhooks/${id}/test`, { body: { type } })).status;
  const allowed = ["job.published", "job.matched", "webhook.test"];
  expect(statuses).toEqual(
    Object.fromEntries(ALL_EVENT_NAMES.map((type) => [type, allowed.includes(type) ? 201 : 403])),
  );
  expect(bodies()).toHaveLength(3);
});

test("a test goes only to its endpoint, and the event list does not contain it", async () => {
  await using server = openTestServer();
  const { token, id, bodies } = await stage(server);
  const other = { url: "https://other.example.com/in", events: ["post.created"] };
  await call(server, token, "POST /webhooks", { body: other });
  const query =
    "mutation($id: ID!) { testWebhook(input: { id: $id, type: POST_CREATED }) { delivery { eventType event { data } } } }";
  const { body } = await graph(server, token, query, { variables: { id } });
  expect(body.errors).toBeUndefined();
  expect(body.data.testWebhook.delivery.event.data.post.id).toBe(`post_${NIL_UUID}`);
  expect(bodies()).toHaveLength(1);
  expect((await call(server, token, "GET /events")).body.data).toEqual([]);
});
