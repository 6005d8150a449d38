// Tests docs/contract.md#5.5.
import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { claimDue, type Outcome, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { sendTest } from "../../src/core/outbox/deliveries/delivery-log.ts";
import { scopesOfRole } from "../../src/core/identity/access/scopes.ts";
import { createBuilder, notifyOfMember } from "../../src/core/identity/accounts/administration.ts";
import {
  ALL_EVENT_NAMES,
  type AnyEventType,
  CATALOGUE,
  EVENT_NAMES,
} from "../../src/core/outbox/events/catalogue.ts";
import { recordStaffEvent } from "../../src/core/outbox/events/events.ts";
import { report } from "../../src/core/services/moderation/reports.ts";
import { EVENT_SCHEMAS, pascal } from "../../src/core/outbox/events/schemas.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { createJobFilter } from "../../src/core/community/jobs/job-filters.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { hide, restore } from "../moderate.ts";
import { beginRemoval } from "../../src/core/services/moderation/removal.ts";
import type { Core } from "../../src/core/base/core.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { award } from "../../src/core/community/xp/xp.ts";
import { signatureHeaders } from "../../src/delivery/signature.ts";
import { ROUTES } from "../routes.ts";
import { openApiDocument } from "../../src/rest/openapi.ts";
import { createMember, createMemberToken, createTestWorld, limitOf, type TestWorld } from "../support.ts";
import { expectExactly } from "./client.ts";
import { jobDraft } from "./rows.ts";
import { continueBatches } from "../../src/core/services/batches/batches.ts";

const document = openApiDocument(ROUTES, "https://guild.test", "0.0.0-test") as any;

/** Removes a member as a spammer. */
function removeMember(core: Core, builderId: string): void {
  const decisionId = `dec_${builderId.slice(8)}`;
  core.db
    .prepare(
      `INSERT INTO decisions (id, act, subject_id, builder_id, created_at)
       VALUES (?, 'remove_spammer', ?, ?, 1)`,
    )
    .run(decisionId, builderId, builderId);
  core.db.transact(() => beginRemoval(core, { builderId, username: "mallory", decisionId, hosts: [] }, []));
}

const GONE: Outcome = { status: 410, durationMs: 1, failure: { code: "status", params: { status: 410 } } };

/** Triggers every event type with real operations. Returns everything that ada's receiver got. */
function createAllEventTypes(world: TestWorld): { type: AnyEventType; body: string }[] {
  const { core, clock } = world;
  createBuilder(core, OPERATOR, { username: "ada", name: "Ada", role: "moderator" });
  const ada = createMemberToken(core, "ada", scopesOfRole("moderator")).caller;
  const { caller: bo } = createMember(core, "bo");
  const add = (url: string, events: readonly string[]) =>
    registerEndpoint(core, ada, { url: url as CheckedUrl, events }).id;
  const endpoint = add("https://hooks.example.com/in", EVENT_NAMES);
  const gone = add("https://gone.example.com/in", ["post.created"]);
  createJobFilter(core, ada, { name: "mine", q: "engineer" });

  const { id } = createPost(core, bo, { text: "# Shipped *it*\nand **more** of `it`" });
  report(core, ada, { kind: "post", id }, { reason: "An advertisement" });
  core.db.transact(() => {
    notifyOfMember(core, { id: bo.builderId ?? "", username: "bo" });
    core.fireStaffEvent(core, "application.created", { application: { id: core.makeId("apl", 0) } });
    recordStaffEvent(core, "decision.made", CATALOGUE["decision.made"].example);
  });
  hide(core, OPERATOR, id);
  restore(core, OPERATOR, id);
  deletePost(core, bo, createPost(core, bo, { text: "Soon deleted" }).id);
  publishJob(core, OPERATOR, jobDraft({ title: "Storage engineer" }));
  sendMessage(core, bo, { to: "ada", text: "Saw your talk. Coffee?" });
  sendTest(core, ada, endpoint);
  removeMember(core, createMember(core, "mallory").caller.builderId ?? "");
  for (let i = 0; i < 200; i++) {
    award(core, bo.builderId ?? "", "post.published", `made-up-${i}`);
    clock.pass(3_600_000);
  }

  const sent: { type: AnyEventType; body: string }[] = [];
  const claim = () => core.db.transact(() => claimDue(core, 1000, "", limitOf(1000)).claims);
  while (core.db.transact(() => continueBatches(core)));
  for (let claims = claim(); claims.length > 0; claims = claim()) {
    core.db.transact(() => {
      for (const each of claims) {
        const isGone = each.endpointId === gone;
        if (!isGone) sent.push({ type: JSON.parse(each.body).type, body: each.body });
        settle(core, each, isGone ? GONE : { status: 204, durationMs: 1 }, []);
      }
    });
  }
  return sent;
}

test("every delivered body of every type matches its schema exactly", () => {
  using world = createTestWorld();
  const sent = createAllEventTypes(world);
  expect([...new Set(sent.map(({ type }) => type))].sort()).toEqual([...ALL_EVENT_NAMES].sort());
  for (const { type, body } of sent) expectExactly(EVENT_SCHEMAS[type], JSON.parse(body));
});

test("the document's `webhooks` lists each type with its schema, a valid example and the headers sent", () => {
  expect(Object.keys(document.webhooks).sort()).toEqual([...ALL_EVENT_NAMES].sort());
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  for (const type of ALL_EVENT_NAMES) {
    const { post } = document.webhooks[type];
    const { schema, example } = post.requestBody.content["application/json"];
    expect(schema).toEqual({ $ref: `#/components/schemas/${pascal(type)}Event` });
    expect(document.components.schemas[`${pascal(type)}Event`].properties.type.const).toBe(type);
    expectExactly(EVENT_SCHEMAS[type], example);
    for (const count of [1, 5]) {
      const secrets = Array.from({ length: count }, () => secret);
      const headers = signatureHeaders({ eventId: example.id, seconds: 1_700_000_000, body: "{}", secrets });
      const described = Object.fromEntries(
        post.parameters.map(({ name, schema }: any) => [name.toLowerCase(), new RegExp(schema.pattern)]),
      );
      expect(Object.keys(described).sort()).toEqual(Object.keys(headers).sort());
      for (const [name, value] of Object.entries(headers)) expect(value).toMatch(described[name] as RegExp);
    }
  }
});

test("a body of another type, with an extra field or with a missing field, fails the schema", () => {
  for (const type of ALL_EVENT_NAMES) {
    const event = document.webhooks[type].post.requestBody.content["application/json"].example;
    const [field = ""] = Object.keys(event.data);
    for (const wrong of [
      { ...event, type: "post.exploded" },
      { ...event, extra: 1 },
      { ...event, id: "evt_1" },
      { ...event, data: { ...event.data, [field]: undefined } },
    ])
      expect(() => expectExactly(EVENT_SCHEMAS[type], wrong)).toThrow();
  }
});
