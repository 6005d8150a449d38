import { expect, test } from "bun:test";
import { type Claim, claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { HOUR } from "../../src/core/base/clock.ts";
import { listDeliveries, recoverDeliveries } from "../../src/core/outbox/deliveries/delivery-log.ts";
import { cleanUpDeliveries } from "../../src/core/outbox/deliveries/cleanup.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import {
  changeEndpoint,
  type checkUrl,
  deleteEndpoint,
  listEndpoints,
  registerEndpoint,
} from "../../src/core/outbox/webhooks/webhooks.ts";
import { createTestWorld, createMember, type TestWorld, limitOf } from "../support.ts";
import { continueBatches } from "../../src/core/services/batches/batches.ts";

type CheckedUrl = Awaited<ReturnType<typeof checkUrl>>;

function subscribeMany(world: TestWorld, count: number): string[] {
  let { caller } = createMember(world.core, "owner0");
  return Array.from({ length: count }, (_, i) => {
    if (i > 0 && i % 50 === 0) caller = createMember(world.core, `owner${i}`).caller;
    const url = `https://hooks${i}.example.com/` as CheckedUrl;
    return registerEndpoint(world.core, caller, { url, events: ["post.created"] }).id;
  });
}

const count = (world: TestWorld, label: string): number =>
  world.core.db.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${label}`).get()?.n ?? 0;

/** Completes all batches. Returns their number. */
function finish(world: TestWorld): number {
  let slices = 0;
  while (world.core.db.transact(() => continueBatches(world.core))) slices++;
  return slices;
}

function claimAll(world: TestWorld): Claim[] {
  return world.core.db.transact(() => claimDue(world.core, 100_000, "", limitOf(100_000)).claims);
}

function endAll(world: TestWorld, isFailed = false): void {
  world.core.db.transact(() => {
    for (const claim of claimAll(world))
      settle(
        world.core,
        claim,
        { durationMs: 1, ...(isFailed && { failure: { code: "connection_reset" } }) },
        [0],
      );
  });
}

test("writes an event with its first deliveries, and the others in batches, once for each endpoint", () => {
  using world = createTestWorld();
  const ids = subscribeMany(world, 230);
  const { caller } = createMember(world.core, "ada");
  createPost(world.core, caller, { text: "to all" });
  createPost(world.core, caller, { text: "to all again" });
  expect([count(world, "deliveries"), count(world, "fan_outs")]).toEqual([100, 2]);
  finish(world);
  expect([count(world, "deliveries"), count(world, "fan_outs")]).toEqual([460, 0]);
  expect(count(world, "(SELECT DISTINCT endpoint_id FROM deliveries)")).toBe(ids.length);
});

test("an event that is rolled back leaves no deliveries", () => {
  using world = createTestWorld();
  subscribeMany(world, 120);
  const { caller } = createMember(world.core, "ada");
  expect(() =>
    world.core.db.transact(() => {
      createPost(world.core, caller, { text: "never" });
      throw new Error("changed my mind");
    }),
  ).toThrow("changed my mind");
  expect([count(world, "events"), count(world, "fan_outs"), count(world, "deliveries")]).toEqual([0, 0, 0]);
});

test("an event fired after the clock was set back reaches endpoints created later by that clock", () => {
  using world = createTestWorld();
  subscribeMany(world, 120);
  const { caller } = createMember(world.core, "ada");
  world.clock.step(-25 * HOUR);
  createPost(world.core, caller, { text: "yesterday, it seems" });
  finish(world);
  expect(count(world, "deliveries")).toBe(120);
});

test("an endpoint created after an event does not get it; one disabled since keeps it pending", () => {
  using world = createTestWorld();
  subscribeMany(world, 110);
  const { caller } = createMember(world.core, "ada");
  const url = (name: string) => `https://${name}.example.com/` as CheckedUrl;
  const events = ["post.created"];
  const off = registerEndpoint(world.core, caller, { url: url("off"), events });
  const before = registerEndpoint(world.core, caller, { url: url("before"), events });
  changeEndpoint(world.core, caller, before.id, { enabled: false });
  world.clock.pass(1);
  createPost(world.core, caller, { text: "to all" });
  world.clock.pass(1);
  changeEndpoint(world.core, caller, off.id, { enabled: false });
  const late = registerEndpoint(world.core, caller, { url: url("late"), events });
  finish(world);
  const of = (id: string) => listDeliveries(world.core, caller, id, {}, { limit: 5 }).nodes;
  expect([of(off.id).length, of(before.id).length, of(late.id).length]).toEqual([1, 0, 0]);
  expect(claimAll(world).some(({ endpointId }) => endpointId === off.id)).toBe(false);
  changeEndpoint(world.core, caller, off.id, { enabled: true });
  expect(claimAll(world).map(({ endpointId }) => endpointId)).toEqual([off.id]);
});

test("keeps an event past its retention while it is still being distributed", async () => {
  using world = createTestWorld();
  subscribeMany(world, 60);
  const { caller } = createMember(world.core, "ada");
  createPost(world.core, caller, { text: "slow" });
  endAll(world);
  world.clock.pass(1001);
  await cleanUpDeliveries(world.core, 1000, async () => {});
  expect([count(world, "events"), count(world, "deliveries")]).toEqual([1, 0]);
  finish(world);
  expect(count(world, "deliveries")).toBe(10);
  endAll(world);
  await cleanUpDeliveries(world.core, 0, async () => {});
  world.clock.pass(1);
  await cleanUpDeliveries(world.core, 0, async () => {});
  expect(count(world, "events")).toBe(0);
});

test("deleting an endpoint with a huge backlog is immediate, frees its URL, and deletes its deliveries in batches", () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  const draft = { url: "https://hooks.example.com/" as CheckedUrl, events: ["post.created"] };
  const { id } = registerEndpoint(world.core, caller, draft);
  world.core.db.transact(() => {
    for (let i = 0; i < 1050; i++) createPost(world.core, caller, { text: `waiting ${i}` });
  });
  const [running] = world.core.db.transact(() => claimDue(world.core, 1, "", limitOf(1)).claims);
  deleteEndpoint(world.core, caller, id);
  expect(listEndpoints(world.core, caller)).toEqual([]);
  expect(() => deleteEndpoint(world.core, caller, id)).toThrow("no webhook endpoint");
  expect(() => listDeliveries(world.core, caller, id, {}, { limit: 1 })).toThrow("no webhook endpoint");
  expect(claimAll(world)).toEqual([]);
  registerEndpoint(world.core, caller, draft);
  if (running) world.core.db.transact(() => settle(world.core, running, { status: 200, durationMs: 1 }, [0]));
  expect(count(world, "deliveries")).toBe(950);
  expect(finish(world)).toBe(10);
  expect([count(world, "deliveries"), count(world, "attempts"), count(world, "webhook_endpoints")]).toEqual([
    0, 0, 1,
  ]);
});

test("a recovery reports its count and continues in batches; enabling or disabling changes no delivery", () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  const draft = { url: "https://hooks.example.com/" as CheckedUrl, events: ["post.created"] };
  const { id } = registerEndpoint(world.core, caller, draft);
  world.core.db.transact(() => {
    for (let i = 0; i < 350; i++) createPost(world.core, caller, { text: `post ${i}` });
  });
  endAll(world, true);
  expect(count(world, "deliveries WHERE state = 'failed'")).toBe(350);
  const changes = (): number =>
    world.core.db.prepare<{ n: number }>("SELECT total_changes() AS n").get()?.n ?? 0;
  const from = changes();
  changeEndpoint(world.core, caller, id, { enabled: false });
  changeEndpoint(world.core, caller, id, { enabled: true });
  // Each of the two calls changes three rows: the endpoint, an audit entry and the commit counter.
  expect(changes() - from).toBe(6);
  expect(recoverDeliveries(world.core, caller, id, { since: 0 }).recovered).toBe(350);
  expect(count(world, "deliveries WHERE state = 'failed'")).toBe(250);
  // A second recovery starts while the first recovery runs. The remaining deliveries of the first are
  // counted, and no delivery is lost.
  expect(recoverDeliveries(world.core, caller, id, { since: world.clock.now() + 1 }).recovered).toBe(0);
  finish(world);
  expect(count(world, "deliveries WHERE state = 'failed'")).toBe(0);
  expect(claimAll(world)).toHaveLength(350);
});
