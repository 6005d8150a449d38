// docs/contract.md#6.4: failing endpoints.
import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { listAudit } from "../../src/core/identity/audit/audit.ts";
import { DAY, HOUR } from "../../src/core/base/clock.ts";
import { claimDue, type Outcome, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { CATALOGUE } from "../../src/core/outbox/events/catalogue.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { listUnhealthy } from "../../src/core/outbox/webhooks/health.ts";
import { addServed } from "../../src/core/outbox/webhooks/served-time.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { changeEndpoint, deleteEndpoint, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { expectExactly } from "../spec/client.ts";
import { rows } from "../spec/rows.ts";
import { asSession, createTestWorld, createMember, type TestWorld, limitOf } from "../support.ts";

const FAILED: Outcome = { status: 503, durationMs: 1, failure: { code: "status", params: { status: 503 } } };
const DONE: Outcome = { status: 204, durationMs: 1 };

function serve({ core, clock }: TestWorld, ms: number): void {
  clock.pass(ms);
  core.db.transact(() => addServed(core, ms));
}

/**
 * Ada has a failing endpoint and a healthy one that subscribes to `webhook.endpoint_disabled`. A stranger
 * also subscribes.
 */
function stage(world: TestWorld) {
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const { caller: stranger } = createMember(core, "bo");
  const add = (owner: typeof caller, name: string, events: string[]) =>
    registerEndpoint(core, owner, { url: `https://${name}.example.com/` as CheckedUrl, events }).id;
  const failing = add(caller, "failing", ["post.created", "webhook.endpoint_disabled"]);
  const healthy = add(caller, "well", ["webhook.endpoint_disabled"]);
  const quiet = add(caller, "quiet", ["xp.level_up"]);
  add(stranger, "strange", ["webhook.endpoint_disabled"]);
  const attemptAll = (outcome: Outcome): void => {
    core.db.transact(() => {
      const { claims } = claimDue(core, 100, "", limitOf(100));
      for (const claim of claims) settle(core, claim, claim.endpointId === failing ? outcome : DONE, [0]);
    });
  };
  const recordAttempt = (outcome: Outcome): void => {
    createPost(core, stranger, { text: "hello" });
    attemptAll(outcome);
  };
  const queuedMails = () =>
    rows(
      core,
      `SELECT d.endpoint_id AS endpoint, e.body FROM deliveries d JOIN events e ON e.id = d.event_id
       WHERE e.type = 'webhook.endpoint_disabled' ORDER BY d.id`,
    ).map(({ endpoint, body }) => ({ to: endpoint, data: JSON.parse(String(body)).data }));
  const notified = () =>
    rows(
      core,
      `SELECT b.username || ' ' || n.kind || ' ' || n.about AS words FROM notifications n JOIN builders b ON b.id = n.builder_id
       WHERE n.subject_type = 'endpoint' ORDER BY n.place`,
    ).map(({ words }) => words);
  const troubled = () => listUnhealthy(core, asSession(caller)).map(({ id }) => id);
  return {
    caller,
    stranger,
    failing,
    well: healthy,
    quiet,
    oneMore: recordAttempt,
    told: queuedMails,
    notified,
    troubled,
  };
}

test("notifies an owner once after a day of failures and again at the disabling, by event and on the site", () => {
  using world = createTestWorld();
  const { failing, well, oneMore, told, notified, troubled, caller, stranger } = stage(world);
  const since = new Date(world.clock.now()).toISOString();
  oneMore(FAILED);
  serve(world, DAY - 1);
  oneMore(FAILED);
  expect([told(), troubled()]).toEqual([[], []]);
  serve(world, 1);
  oneMore(FAILED);
  const endpoint = { id: failing, url: "https://failing.example.com/", failing_since: since };
  const first = {
    to: well,
    data: { endpoint: { ...endpoint, reason: "failing_for_a_day", disabled_at: null } },
  };
  // The event goes neither to the failing endpoint nor to the stranger's.
  expect(told()).toEqual([first]);
  expect(troubled()).toEqual([failing]);
  serve(world, DAY);
  for (let attempts = 4; attempts < 14; attempts++) oneMore(FAILED);
  expect(told()).toEqual([first]);
  serve(world, 3 * DAY);
  oneMore(FAILED);
  const disabled_at = new Date(world.clock.now()).toISOString();
  expect(told()).toEqual([
    first,
    { to: well, data: { endpoint: { ...endpoint, reason: "failing_for_days", disabled_at } } },
  ]);
  expect(notified()).toEqual([
    "ada endpoint_failing failing_for_a_day",
    "ada endpoint_disabled failing_for_days",
  ]);
  for (const { data } of told()) expectExactly(CATALOGUE["webhook.endpoint_disabled"].data, data);
  expect(troubled()).toEqual([failing]);
  expect(listUnhealthy(world.core, asSession(caller))[0]).toMatchObject({
    health: { state: "disabled" },
    disabled: { code: "failing_for_days" },
  });
  expect(listUnhealthy(world.core, asSession(stranger))).toEqual([]);
  expect(() => listUnhealthy(world.core, caller)).toThrow();
});

test("one acknowledgement ends a failure, a second failure notifies again, and 410 notifies at once", () => {
  using world = createTestWorld();
  const { failing, oneMore, told, troubled } = stage(world);
  const reasons = () => told().map(({ data }) => data.endpoint.reason);
  const failForADay = (): void => {
    oneMore(FAILED);
    serve(world, DAY);
    oneMore(FAILED);
  };
  failForADay();
  oneMore(DONE);
  expect(troubled()).toEqual([]);
  world.clock.pass(HOUR);
  failForADay();
  expect(reasons()).toEqual(["failing_for_a_day", "failing_for_a_day"]);
  oneMore(DONE);
  oneMore({ status: 410, durationMs: 1, failure: { code: "status", params: { status: 410 } } });
  expect(reasons().at(-1)).toBe("gone");
  expect(troubled()).toEqual([failing]);
});

test("shows an auto-disabled endpoint on every page until it is resumed, deleted or kept off", () => {
  using world = createTestWorld();
  const { caller, failing, quiet, oneMore, troubled } = stage(world);
  const gone = (): void =>
    oneMore({ status: 410, durationMs: 1, failure: { code: "status", params: { status: 410 } } });
  gone();
  expect(troubled()).toEqual([failing]);
  changeEndpoint(world.core, caller, failing, { enabled: false });
  expect(troubled()).toEqual([]);
  changeEndpoint(world.core, caller, failing, { enabled: true });
  gone();
  expect(troubled()).toEqual([failing]);
  changeEndpoint(world.core, caller, failing, { enabled: true });
  expect(troubled()).toEqual([]);
  gone();
  deleteEndpoint(world.core, caller, failing);
  changeEndpoint(world.core, caller, quiet, { enabled: false });
  expect(troubled()).toEqual([]);
});

test("the owner's security log records an auto-disabled endpoint", () => {
  using world = createTestWorld();
  const { oneMore } = stage(world);
  oneMore({ status: 410, durationMs: 1, failure: { code: "status", params: { status: 410 } } });
  const [entry] = listAudit(world.core, OPERATOR, { of: "all" }, { limit: 1 }).nodes;
  expect(entry).toMatchObject({
    act: "endpoint.disabled",
    actor: null,
    subject: "ada",
    words:
      "The webhook endpoint https://failing.example.com/ was disabled automatically: The receiver responded with status 410 (Gone).",
  });
});
