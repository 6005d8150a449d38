// docs/contract.md#V3 and docs/contract.md#6.19: the retry schedule.
import { expect, test } from "bun:test";
import { cleanUpDeliveries } from "../../src/core/outbox/deliveries/cleanup.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import {
  type Claim,
  claimDue,
  type Outcome,
  recoverInterrupted,
  settle,
} from "../../src/core/outbox/deliveries/deliveries.ts";
import {
  getDelivery,
  listDeliveries,
  recoverDeliveries,
  retryDelivery,
} from "../../src/core/outbox/deliveries/delivery-log.ts";
import { nextAttemptAt, RETRY_DELAYS_MS } from "../../src/core/outbox/deliveries/schedule.ts";
import { addServed } from "../../src/core/outbox/webhooks/served-time.ts";
import {
  changeEndpoint,
  checkUrl,
  deleteEndpoint,
  getEndpoint,
  registerEndpoint,
} from "../../src/core/outbox/webhooks/webhooks.ts";
import { createTestWorld, createMember, type TestWorld, limitOf } from "../support.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

async function subscribe(world: TestWorld, username = "ada", path = "x") {
  const { caller } = createMember(world.core, username);
  const url = await checkUrl(world.core, caller, `https://hooks.example.com/${path}`);
  return { caller, endpoint: registerEndpoint(world.core, caller, { url, events: ["post.created"] }) };
}

const claim = (world: TestWorld, limit = 100): Claim[] =>
  world.core.db.transact(() => claimDue(world.core, limit, "", limitOf(100)).claims);
const end = (world: TestWorld, claimed: Claim, outcome: Outcome) =>
  world.core.db.transact(() => settle(world.core, claimed, outcome, RETRY_DELAYS_MS));
const REFUSED: Outcome = {
  status: 503,
  durationMs: 2 * SECOND,
  failure: { code: "status", params: { status: 503 } },
};
const DONE: Outcome = { status: 204, durationMs: 5 };

test("attempts are due after 0 s, 30 s, 5 min, 30 min, 2 h, 6 h and 15 h; then the event fails", async () => {
  using world = createTestWorld();
  const { caller, endpoint } = await subscribe(world);
  createPost(world.core, caller, { text: "hello" });
  const [id = ""] = listDeliveries(world.core, caller, endpoint.id, {}, { limit: 1 }).nodes.map(
    (node) => node.id,
  );
  const created: number[] = [];
  const from = world.clock.now();
  for (const [index, delay] of RETRY_DELAYS_MS.entries()) {
    if (delay > 0) {
      // A delay counts from the start of the previous attempt, which took two seconds.
      world.clock.pass(delay - 2 * SECOND - 1);
      expect(claim(world)).toEqual([]);
      world.clock.pass(1);
    }
    const [claimed] = claim(world);
    expect(claimed).toMatchObject({ deliveryId: id, attempt: index + 1 });
    expect(getDelivery(world.core, caller, id).state).toBe("attempting");
    created.push((world.clock.now() - from) / SECOND);
    world.clock.pass(2 * SECOND);
    if (claimed) end(world, claimed, REFUSED);
    expect(getDelivery(world.core, caller, id).state).toBe(index < 6 ? "awaiting_retry" : "failed");
  }
  expect(created).toEqual([0, 30, 330, 2130, 9330, 30_930, 84_930]);
  world.clock.pass(30 * DAY - HOUR);
  expect(claim(world)).toEqual([]);
  expect(getDelivery(world.core, caller, id).log).toHaveLength(7);
});

test("an attempt a day after the first is the last, even if the schedule has more delays", () => {
  const afterOneAt = (startedAt: number) => nextAttemptAt([0, HOUR, HOUR], 1, 0, startedAt);
  expect(afterOneAt(DAY - 1)).toBe(DAY - 1 + HOUR);
  expect(afterOneAt(DAY)).toBeUndefined();
  expect(nextAttemptAt([0, HOUR], 2, 0, HOUR)).toBeUndefined();
});

test("any 2xx completes a delivery, and nothing more is attempted", async () => {
  using world = createTestWorld();
  const { caller, endpoint } = await subscribe(world);
  createPost(world.core, caller, { text: "hello" });
  const [claimed] = claim(world);
  if (claimed) end(world, claimed, DONE);
  world.clock.pass(2 * DAY);
  expect(claim(world)).toEqual([]);
  const [delivery] = listDeliveries(
    world.core,
    caller,
    endpoint.id,
    { state: "acknowledged" },
    { limit: 5 },
  ).nodes;
  expect(delivery).toMatchObject({ state: "acknowledged", attempts: 1, nextAttemptAt: null });
});

test("an attempt 24 hours or more after the first is the last, and overdue work is attempted after down time", async () => {
  using world = createTestWorld();
  const { caller, endpoint } = await subscribe(world);
  createPost(world.core, caller, { text: "hello" });
  const [first] = claim(world);
  if (first) end(world, first, REFUSED);
  world.clock.pass(3 * DAY);
  const [second] = claim(world);
  expect(second?.attempt).toBe(2);
  if (second) end(world, second, REFUSED);
  expect(
    listDeliveries(world.core, caller, endpoint.id, { state: "failed" }, { limit: 5 }).nodes,
  ).toHaveLength(1);
});

test("an attempt that never ended is repeated at the next start, or when its lease ends", async () => {
  using world = createTestWorld();
  const { caller } = await subscribe(world);
  createPost(world.core, caller, { text: "hello" });
  expect(claim(world)).toHaveLength(1);
  expect(claim(world)).toHaveLength(0);
  expect(recoverInterrupted(world.core)).toBe(1);
  expect(claim(world)).toMatchObject([{ attempt: 1 }]);
  world.clock.pass(30 * SECOND);
  expect(claim(world)).toHaveLength(1);
});

test("claims round-robin across endpoints, oldest first within one", async () => {
  using world = createTestWorld();
  const { caller, endpoint: a } = await subscribe(world);
  for (let i = 0; i < 50; i++) {
    createPost(world.core, caller, { text: `only a ${i}` });
    world.clock.pass(1);
  }
  const { endpoint: b } = await subscribe(world, "bob", "y");
  createPost(world.core, caller, { text: "both" });
  const claims = claim(world, 4);
  expect(claims.map(({ endpointId }) => endpointId).sort()).toEqual([a.id, a.id, b.id].sort());
  expect(
    claims
      .filter(({ endpointId }) => endpointId === a.id)
      .map(({ body }) => JSON.parse(body).data.post.title),
  ).toEqual(["only a 0", "only a 1"]);
  const limited = world.core.db.transact(
    () =>
      claimDue(world.core, 100, "", {
        freeSlotsFor: ({ endpointId }) => (endpointId === a.id ? 3 : 0),
        take: () => {},
      }).claims,
  );
  expect(limited).toHaveLength(3);
});

test("when several endpoints have due work, a claim takes the same few oldest of each", async () => {
  using world = createTestWorld();
  const { caller } = await subscribe(world);
  for (const name of ["bob", "cyd", "dot"]) await subscribe(world, name, name);
  for (let i = 0; i < 10; i++) {
    createPost(world.core, caller, { text: `to all ${i}` });
    world.clock.pass(1);
  }
  const claims = claim(world, 8);
  expect(new Set(claims.map(({ endpointId }) => endpointId)).size).toBe(4);
  expect(new Set(claims.map(({ eventId }) => eventId)).size).toBe(2);
});

test("410 Gone disables the endpoint with a reason; pending deliveries resume when it is enabled", async () => {
  using world = createTestWorld();
  const { caller, endpoint } = await subscribe(world);
  createPost(world.core, caller, { text: "one" });
  createPost(world.core, caller, { text: "two" });
  const [first, second] = claim(world);
  if (first)
    end(world, first, { status: 410, durationMs: 1, failure: { code: "status", params: { status: 410 } } });
  if (second) end(world, second, REFUSED);
  expect(getEndpoint(world.core, caller, endpoint.id).disabled?.reason).toContain("410 (Gone)");
  world.clock.pass(DAY);
  expect(claim(world)).toEqual([]);
  createPost(world.core, caller, { text: "while it is off" });
  expect(claim(world)).toEqual([]);
  expect(changeEndpoint(world.core, caller, endpoint.id, { enabled: true }).disabled).toBeNull();
  expect(claim(world)).toHaveLength(2);
});

test("disables an endpoint after five days without an acknowledgement, and one acknowledgement restarts the count", async () => {
  using world = createTestWorld();
  const { caller, endpoint } = await subscribe(world);
  const disabled = () => getEndpoint(world.core, caller, endpoint.id).disabled;
  const recordAttempt = (outcome: Outcome): void => {
    createPost(world.core, caller, { text: "hello" });
    for (const claimed of claim(world)) end(world, claimed, outcome);
  };
  const serve = (ms: number): void => {
    world.clock.pass(ms);
    world.core.db.transact(() => addServed(world.core, ms));
  };
  for (let attempts = 0; attempts < 14; attempts++) recordAttempt(REFUSED);
  serve(4 * DAY);
  recordAttempt(DONE);
  serve(2 * DAY);
  for (let attempts = 0; attempts < 14; attempts++) recordAttempt(REFUSED);
  serve(5 * DAY - 1);
  recordAttempt(REFUSED);
  expect(disabled()).toBeNull();
  serve(1);
  recordAttempt(REFUSED);
  expect(disabled()?.reason).toContain("five days");
});

test("retries a failed delivery, and recovers all that failed since a given time", async () => {
  using world = createTestWorld();
  const { caller, endpoint } = await subscribe(world);
  createPost(world.core, caller, { text: "before" });
  world.clock.pass(HOUR);
  const since = world.clock.now();
  world.clock.pass(1);
  createPost(world.core, caller, { text: "after" });
  for (let attempt = 1; attempt <= 7; attempt++) {
    for (const claimed of claim(world)) end(world, claimed, REFUSED);
    world.clock.pass(15 * HOUR);
  }
  const failed = () =>
    listDeliveries(world.core, caller, endpoint.id, { state: "failed" }, { limit: 9 }).nodes;
  expect(failed()).toHaveLength(2);
  expect(recoverDeliveries(world.core, caller, endpoint.id, { since }).recovered).toBe(1);
  const [other] = failed();
  expect(retryDelivery(world.core, caller, other?.id ?? "")).toMatchObject({
    state: "awaiting_retry",
    settledAt: null,
  });
  const claims = claim(world);
  expect(claims).toHaveLength(2);
  expect(claims.every(({ attempt }) => attempt === 1)).toBe(true);
  for (const claimed of claims) end(world, claimed, DONE);
  // An acknowledged delivery can be retried too, because its receiver may have lost the data.
  expect(retryDelivery(world.core, caller, other?.id ?? "").state).toBe("awaiting_retry");
});

test("deleting an endpoint during an attempt deletes its deliveries", async () => {
  using world = createTestWorld();
  const { caller, endpoint } = await subscribe(world);
  createPost(world.core, caller, { text: "hello" });
  const [claimed] = claim(world);
  deleteEndpoint(world.core, caller, endpoint.id);
  if (claimed) end(world, claimed, DONE);
  expect(world.core.db.prepare("SELECT count(*) AS n FROM attempts").get()).toEqual({ n: 0 });
});

test("drops deliveries settled and events fired more than 30 days ago, and keeps pending ones", async () => {
  using world = createTestWorld();
  const { caller } = await subscribe(world);
  for (let i = 0; i < 3; i++) createPost(world.core, caller, { text: `post ${i}` });
  const [first, second] = claim(world);
  if (first) end(world, first, DONE);
  if (second) end(world, second, DONE);
  world.clock.pass(30 * DAY + 1);
  await cleanUpDeliveries(world.core, 30 * DAY, async () => {});
  const count = (table: string) =>
    world.core.db.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n;
  expect([count("deliveries"), count("attempts"), count("events")]).toEqual([1, 0, 1]);
});
