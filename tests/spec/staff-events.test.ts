// Tests docs/contract.md#5.7 for the events of the staff.
import { expect, test } from "bun:test";
import type { Core } from "../../src/core/base/core.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { type Scope, scopesOfRole } from "../../src/core/identity/access/scopes.ts";
import {
  changeRole,
  createBuilder,
  notifyOfMember,
} from "../../src/core/identity/accounts/administration.ts";
import { claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import {
  getDelivery,
  listDeliveries,
  recoverDeliveries,
  retryDelivery,
} from "../../src/core/outbox/deliveries/delivery-log.ts";
import { STAFF_EVENT_NAMES } from "../../src/core/outbox/events/catalogue.ts";
import { getEvents, listEvents } from "../../src/core/outbox/events/events.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { changeEndpoint, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { reportAsStranger } from "../../src/core/services/moderation/stranger-reports.ts";
import { continueBatches } from "../../src/core/services/batches/batches.ts";
import { createMember, createMemberToken, createTestWorld, limitOf } from "../support.ts";
import { rows } from "./rows.ts";

const PAGE = { limit: 100, backwards: false };
const STAFF: Scope[] = ["moderation", "webhooks:read", "webhooks:write"];

/** A moderator with an endpoint for all events of the staff. */
function setUp(core: Core) {
  createBuilder(core, OPERATOR, { username: "mo", name: "Mo", role: "moderator" });
  const mo = createMemberToken(core, "mo", scopesOfRole("moderator")).caller;
  const url = "https://hooks.example.com/in" as CheckedUrl;
  return { mo, endpoint: registerEndpoint(core, mo, { url, events: STAFF_EVENT_NAMES }).id };
}

const join = (core: Core, username: string): void => {
  const { builderId } = createMember(core, username).caller;
  core.db.transact(() => notifyOfMember(core, { id: builderId ?? "", username }));
};

function claim(core: Core): string[] {
  while (core.db.transact(() => continueBatches(core)));
  return core.db.transact(() => {
    const { claims } = claimDue(core, 100, "", limitOf(100));
    for (const each of claims) settle(core, each, { status: 204, durationMs: 1 }, []);
    return claims.map(({ body }) => JSON.parse(body).data.builder.username);
  });
}

/** The same account as a member of another member's workspace. */
function inWorkspaceOf(core: Core, member: Caller, owner: Caller): Caller {
  core.db.transact(() =>
    core.db
      .prepare(
        "INSERT INTO workspace_members (workspace_id, builder_id, role, joined_at) VALUES (?, ?, 'member', 0)",
      )
      .run(owner.workspaceId, member.builderId),
  );
  return { ...member, workspaceId: owner.workspaceId };
}

test("an endpoint gets the events of the staff only while its owner is a moderator, at the event and at each attempt", () => {
  using world = createTestWorld();
  const { core } = world;
  const { mo, endpoint } = setUp(core);
  join(core, "one");
  expect(claim(core)).toEqual(["one"]);
  join(core, "two");
  changeRole(core, OPERATOR, "mo", "member");
  join(core, "three");
  expect(claim(core)).toEqual([]);
  expect(rows(core, "SELECT id FROM deliveries WHERE due_at IS NOT NULL")).toEqual([]);
  // A former moderator can neither resend nor recover what they could read before.
  const former = createMemberToken(core, "mo").caller;
  const [{ id: old }] = rows(core, "SELECT id FROM deliveries");
  expect(() => retryDelivery(core, former, old)).toThrow("no delivery");
  for (const state of ["failed", "acknowledged"] as const) {
    const recovered = recoverDeliveries(core, former, endpoint, { since: 0, state, missed: true });
    expect(recovered).toEqual({ recovered: 0, missed: 0 });
    expect(claim(core)).toEqual([]);
  }
  expect(() => changeEndpoint(core, former, endpoint, { url: "https://b.example/x" as CheckedUrl })).toThrow(
    "moderation",
  );
  changeRole(core, OPERATOR, "mo", "moderator");
  join(core, "four");
  expect(claim(core)).toEqual(["four"]);
  expect(mo.scopes.has("moderation")).toBe(true);
});

test("members see no event of the staff and no delivery of one, also in a workspace that they share", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { mo, endpoint } = setUp(core);
  const ada = createMember(core, "ada").caller;
  join(core, "one");
  claim(core);
  const [{ id: delivery }] = rows(core, "SELECT id FROM deliveries");
  const [{ id: event }] = rows(core, "SELECT id FROM events WHERE type = 'builder.joined'");
  const shared = inWorkspaceOf(core, ada, mo);
  const asApp = { ...createMemberToken(core, "mo").caller, workspaceId: mo.workspaceId };
  for (const reader of [ada, shared, asApp]) {
    expect((await listEvents(core, reader, {}, PAGE)).nodes.map(({ type }) => type)).not.toContain(
      "builder.joined",
    );
    expect(getEvents(core, reader, [event])).toEqual([]);
    if (reader === ada) continue;
    expect(listDeliveries(core, reader, endpoint, {}, PAGE).nodes).toEqual([]);
    expect(() => getDelivery(core, reader, delivery)).toThrow("no delivery");
    expect(() => retryDelivery(core, reader, delivery)).toThrow("no delivery");
  }
  const events = ["builder.joined"];
  expect(() => registerEndpoint(core, ada, { url: "https://a.example/x" as CheckedUrl, events })).toThrow(
    "moderation",
  );
  const reader = createMemberToken(core, "mo", STAFF).caller;
  expect((await listEvents(core, reader, {}, PAGE)).nodes.map(({ type }) => type)).toEqual([
    "builder.joined",
  ]);
  expect(listDeliveries(core, reader, endpoint, {}, PAGE).nodes).toHaveLength(1);
});

test("a report by someone without an account fires one event, and a change of the report fires none", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { mo } = setUp(core);
  const { builderId } = createMember(core, "ada").caller;
  for (const reason of ["Spam", "Spam, again"])
    reportAsStranger(core, "192.0.2.1", { subjectId: builderId ?? "", reason, language: "en" });
  const reported = (await listEvents(core, mo, {}, PAGE)).nodes.filter(
    ({ type }) => type === "report.created",
  );
  expect(reported).toMatchObject([{ data: { report: { subject_id: builderId } } }]);
});
