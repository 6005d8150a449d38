import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { ALL_EVENT_NAMES, CATALOGUE, EVENT_NAMES } from "../../src/core/outbox/events/catalogue.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { hide, restore } from "../moderate.ts";
import { recordWorkspaceEvent, listEvents } from "../../src/core/outbox/events/events.ts";
import { Value } from "@sinclair/typebox/value";
import { createTestWorld, createMember, type TestWorld } from "../support.ts";
import { rows } from "./rows.ts";

const storedEvents = ({ core }: Pick<TestWorld, "core">): [string, unknown][] =>
  rows(core, "SELECT body FROM events ORDER BY id").map(({ body }) => {
    const { type, data } = JSON.parse(body);
    return [type, data];
  });

test("docs/contract.md#5.2: every type has a scope, a description, a payload and an example that fits it", () => {
  expect(EVENT_NAMES).toEqual(ALL_EVENT_NAMES.filter((type) => type !== "webhook.test"));
  for (const type of ALL_EVENT_NAMES) {
    const { data, example, when, label } = CATALOGUE[type];
    expect([type, [...Value.Errors(data, example)]]).toEqual([type, []]);
    expect([when.length > 10, label.length > 10]).toEqual([true, true]);
  }
});

test("docs/contract.md#5.2: post.deleted reports that a post leaves the feed, post.updated that it is back", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const post = createPost(core, caller, { text: "# Shipped" });
  const fact = storedEvents(world)[0]?.[1];
  const reply = replyTo(core, caller, post.id, { text: "a reply is not on the feed" });
  hide(core, OPERATOR, reply.id);
  restore(core, OPERATOR, reply.id);
  hide(core, OPERATOR, post.id);
  hide(core, OPERATOR, post.id);
  restore(core, OPERATOR, post.id);
  restore(core, OPERATOR, post.id);
  deletePost(core, caller, reply.id);
  deletePost(core, caller, post.id);
  const hidden = createPost(core, caller, { text: "hidden, and then deleted" });
  hide(core, OPERATOR, hidden.id);
  deletePost(core, caller, hidden.id);
  // Events of decisions, which only endpoints of the staff receive, are tested with the decisions.
  const events = storedEvents(world).filter(([type]) => type !== "decision.made");
  expect(events.slice(1)).toEqual([
    ["post.deleted", { post: { id: post.id } }],
    ["post.updated", fact],
    ["post.deleted", { post: { id: post.id } }],
    ["post.created", expect.anything()],
    ["post.deleted", { post: { id: hidden.id } }],
  ]);
});

test("docs/contract.md#5.2: the end of an account fires no event", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  createPost(core, caller, { text: "one" });
  const before = storedEvents(world).length;
  deleteAccount(core, OPERATOR, "ada", "ada");
  expect(storedEvents(world)).toHaveLength(before);
});

test("an event of a workspace reaches only its subscribed endpoints, and only its members can read it", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = createMember(core, "ada").caller;
  const bo = createMember(core, "bo").caller;
  for (const [caller, n] of [
    [ada, 1],
    [bo, 2],
  ] as const) {
    core.db
      .prepare(
        "INSERT INTO webhook_endpoints (id, workspace_id, created_by, url, created_at) VALUES (?, ?, ?, 'https://a.example', 0)",
      )
      .run(`whe_${n}`, caller.workspaceId, caller.builderId);
    core.db
      .prepare(
        "INSERT INTO webhook_subscriptions (type, endpoint_id) VALUES ('webhook.endpoint_disabled', ?)",
      )
      .run(`whe_${n}`);
  }
  core.db.transact(() =>
    recordWorkspaceEvent(core, ada.workspaceId ?? "", "webhook.endpoint_disabled", {
      ...CATALOGUE["webhook.endpoint_disabled"].example,
    }),
  );
  expect(rows(core, "SELECT endpoint_id FROM deliveries")).toEqual([{ endpoint_id: "whe_1" }]);
  const request = { limit: 20, backwards: false };
  expect((await listEvents(core, ada, {}, request)).nodes).toHaveLength(1);
  expect((await listEvents(core, bo, {}, request)).nodes).toHaveLength(0);
});
