// docs/contract.md#6.13: changes of the system clock.
import { describe, expect, test } from "bun:test";
import { HOUR, machineClock, MINUTE, monotonicMs, SECOND } from "../../src/core/base/clock.ts";
import { ATTEMPT_MS, claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { getDelivery, listDeliveries, retryDelivery } from "../../src/core/outbox/deliveries/delivery-log.ts";
import { RETRY_DELAYS_MS } from "../../src/core/outbox/deliveries/schedule.ts";
import {
  baseFrom,
  type Mark,
  clockMarkOf,
  steadyBase,
  createMonotonicStore,
} from "../../src/core/outbox/deliveries/monotonic-time.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { type checkUrl, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { createTestWorld, createMember, limitOf, type TestWorld } from "../support.ts";

const STEPS = [-25 * HOUR, 25 * HOUR];
const LEASE_MS = ATTEMPT_MS + 20 * SECOND;

function subscribe({ core }: TestWorld) {
  const { caller } = createMember(core, "ada");
  const url = "https://hooks.example.com/" as Awaited<ReturnType<typeof checkUrl>>;
  return { caller, endpoint: registerEndpoint(core, caller, { url, events: ["post.created"] }) };
}

const claim = ({ core }: TestWorld) => core.db.transact(() => claimDue(core, 10, "", limitOf(10)).claims);

function fail(world: TestWorld): void {
  const [claimed] = claim(world);
  if (!claimed) throw new Error("nothing is due");
  const { core } = world;
  core.db.transact(() =>
    settle(core, claimed, { durationMs: 1, failure: { code: "connection_reset" } }, RETRY_DELAYS_MS),
  );
}

describe.each(STEPS)("the machine's clock is set by %d ms", (step) => {
  test("a retry that is due in 30 seconds starts after 30 seconds, and shows its date by the new clock", () => {
    using world = createTestWorld();
    const { core, clock } = world;
    const { caller, endpoint } = subscribe(world);
    createPost(core, caller, { text: "hello" });
    fail(world);
    clock.pass(10 * SECOND);
    clock.step(step);
    const [delivery] = listDeliveries(core, caller, endpoint.id, {}, { limit: 1 }).nodes;
    expect(delivery?.nextAttemptAt).toBe(clock.now() + 20 * SECOND);
    clock.pass(20 * SECOND - 1);
    expect(claim(world)).toEqual([]);
    clock.pass(1);
    expect(claim(world)).toHaveLength(1);
  });

  test("a running attempt is not repeated, and a lost attempt is repeated when its lease ends", () => {
    using world = createTestWorld();
    const { core, clock } = world;
    createPost(core, subscribe(world).caller, { text: "hello" });
    expect(claim(world)).toHaveLength(1);
    clock.step(step);
    clock.pass(LEASE_MS - 1);
    expect(claim(world)).toEqual([]);
    clock.pass(1);
    expect(claim(world)).toHaveLength(1);
  });

  test("sends later posts and requested retries at once", () => {
    using world = createTestWorld();
    const { core, clock } = world;
    const { caller } = subscribe(world);
    createPost(core, caller, { text: "before" });
    fail(world);
    clock.step(step);
    createPost(core, caller, { text: "after" });
    const [claimed] = claim(world);
    expect(claimed?.body).toContain("after");
    // The signature uses the wall clock, as the receiver does.
    expect(claimed?.startedAt).toBe(clock.now());
    const filter = { state: "awaiting_retry" } as const;
    const [waiting] = listDeliveries(core, caller, claimed?.endpointId ?? "", filter, { limit: 2 }).nodes;
    retryDelivery(core, caller, waiting?.id ?? "");
    expect(claim(world)).toHaveLength(1);
  });

  test("the schedule still ends after seven attempts and not before", () => {
    using world = createTestWorld();
    const { core, clock } = world;
    const { caller, endpoint } = subscribe(world);
    createPost(core, caller, { text: "hello" });
    for (let i = 0; i < 7; i++) {
      const [delivery] = listDeliveries(core, caller, endpoint.id, {}, { limit: 1 }).nodes;
      expect(delivery?.state).toBe("awaiting_retry");
      fail(world);
      if (i === 2) clock.step(step);
      clock.pass(RETRY_DELAYS_MS[i + 1] ?? 0);
    }
    const [delivery] = listDeliveries(core, caller, endpoint.id, {}, { limit: 1 }).nodes;
    expect(delivery?.state).toBe("failed");
    expect(getDelivery(core, caller, delivery?.id ?? "").log).toHaveLength(7);
  });
});

test("due times survive a restart: steady time advances by the elapsed wall time, or not at all after a set-back", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ahead = (wall: number): number => {
    const from = steadyBase(core, wall);
    // Rounded, because real time passes between the two calls.
    return Math.round((from - steadyBase(core, clock.now())) / SECOND) * SECOND;
  };
  const keep = createMonotonicStore(core);
  expect(await keep()).toBe(true);
  expect(await keep()).toBe(false);
  expect(ahead(clock.now() + HOUR)).toBe(HOUR);
  expect(ahead(clock.now() - 25 * HOUR)).toBe(0);
  // A change of the wall clock is stored at once, so that the next start does not take the change for elapsed
  // time.
  const steady = clock.steady();
  clock.step(25 * HOUR);
  expect(await keep()).toBe(true);
  const went = steadyBase(core, clock.now()) + monotonicMs() - steady;
  expect(Math.abs(went)).toBeLessThan(SECOND);
  clock.pass(MINUTE);
  expect(await keep()).toBe(true);
});

test("a thread that starts late uses the same steady time", async () => {
  const clock = machineClock();
  // In Bun, each thread's monotonic time starts with the thread.
  await Bun.sleep(Math.max(0, 1500 - performance.now()));
  const worker = new Worker(new URL("steady-time-thread.ts", import.meta.url));
  const mark = new Promise<Mark>((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
  worker.postMessage(clockMarkOf(clock));
  const { steady, wall } = await mark;
  worker.terminate();
  // Both sides are the difference between the two clocks, whenever they are read. A thread that counted from
  // its own start would be off by at least 1.5 seconds.
  expect(Math.abs(steady - wall - (clock.steady() - clock.now()))).toBeLessThan(1000);
});

test("a clock mark received during a clock change uses the thread's own age", () => {
  const mark = { steady: 5_000_000, wall: 1_000_000 };
  const base = (wall: number) => Math.round(baseFrom(mark, wall, 40) + monotonicMs());
  for (const [wall, steady] of [
    [1_000_030, 5_000_030],
    [1_000_000 - HOUR, 5_000_040],
    [1_000_000 + HOUR, 5_000_040],
  ] as const)
    expect(Math.abs(base(wall) - steady)).toBeLessThan(20);
});
