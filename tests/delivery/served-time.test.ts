// docs/contract.md#6.4: disabling counts only the time that the server ran.
import { expect, spyOn, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { beginMaintenance, endMaintenance } from "../../src/core/services/maintenance/maintenance.ts";
import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { claimDue, type Outcome, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { RETRY_DELAYS_MS } from "../../src/core/outbox/deliveries/schedule.ts";
import { createMonotonicStore } from "../../src/core/outbox/deliveries/monotonic-time.ts";
import { addServed, servedMs } from "../../src/core/outbox/webhooks/served-time.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { getEndpoint, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { createTestWorld, createMember, limitOf, type TestWorld } from "../support.ts";

const FAILED: Outcome = { status: 503, durationMs: 1, failure: { code: "status", params: { status: 503 } } };

/** Enough failed attempts to disable an endpoint that has failed for five days. */
const ENOUGH = 2 * RETRY_DELAYS_MS.length;

/** An endpoint that has failed often. The delivery loop counts the server's running time. */
function stage({ core, clock }: TestWorld, { failures = ENOUGH } = {}) {
  const { caller } = createMember(core, "ada");
  const url = "https://failing.example.com/" as CheckedUrl;
  const { id } = registerEndpoint(core, caller, { url, events: ["post.created"] });
  let keep = createMonotonicStore(core);
  const restart = (): void => void (keep = createMonotonicStore(core));
  /** Sends one more event. Every due delivery fails. */
  const fail = (): void => {
    createPost(core, caller, { text: "hello" });
    core.db.transact(() => {
      for (const claim of claimDue(core, 100, "", limitOf(100)).claims)
        settle(core, claim, FAILED, RETRY_DELAYS_MS);
    });
  };
  const runAMinute = async (): Promise<void> => {
    clock.pass(MINUTE);
    await keep();
  };
  /**
   * Simulates a loop that runs for some hours. Stores all but the last minute as served time, and the loop
   * runs for that minute.
   */
  const run = async (hours: number): Promise<void> => {
    const ms = hours * HOUR - MINUTE;
    core.db.transact(() => addServed(core, ms));
    clock.pass(ms);
    restart();
    await runAMinute();
  };
  const runAndFail = async (hours: number): Promise<void> => {
    if (hours > 0) await run(hours);
    fail();
  };
  for (let attempts = 0; attempts < failures; attempts++) fail();
  const disabled = () => getEndpoint(core, caller, id).disabled?.code;
  return { restart, fail, runAMinute, runAndFail, disabled };
}

test("six days without a server do not count as failing; five days of running do", async () => {
  using world = createTestWorld();
  const { restart, runAndFail, disabled } = stage(world);
  await runAndFail(24);
  world.clock.pass(6 * DAY);
  restart();
  await runAndFail(4 * 24 - 1);
  expect(disabled()).toBeUndefined();
  await runAndFail(1);
  expect(disabled()).toBe("failing_for_days");
});

test("neither a suspended machine nor a clock change counts as days of failing", async () => {
  using world = createTestWorld();
  const { runAMinute, runAndFail, disabled } = stage(world);
  await runAndFail(24);
  world.clock.pass(6 * DAY);
  await runAMinute();
  world.clock.step(30 * DAY);
  await runAndFail(1);
  world.clock.step(-60 * DAY);
  await runAndFail(1);
  expect(disabled()).toBeUndefined();
  await runAndFail(4 * 24 - 2);
  expect(disabled()).toBe("failing_for_days");
});

test("maintenance mode, in which nothing is sent, does not count", async () => {
  using world = createTestWorld();
  const { runAMinute, runAndFail, disabled } = stage(world);
  await runAndFail(5 * 24 - 1);
  beginMaintenance(world.core, OPERATOR);
  for (let minutes = 0; minutes < 120; minutes++) await runAMinute();
  endMaintenance(world.core, OPERATOR);
  await runAndFail(0);
  expect(disabled()).toBeUndefined();
  await runAndFail(1);
  expect(disabled()).toBe("failing_for_days");
});

test("disabling needs as many failed attempts as two deliveries have, so that a few failures are not enough", async () => {
  using world = createTestWorld();
  const { fail, runAndFail, disabled } = stage(world, { failures: 1 });
  await runAndFail(6 * 24);
  expect(disabled()).toBeUndefined();
  for (let attempts = 0; attempts < ENOUGH; attempts++) fail();
  expect(disabled()).toBe("failing_for_days");
});

test("overlapping writes count their time once, and a failed write loses none of it", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const keep = createMonotonicStore(core);
  await keep();
  clock.pass(MINUTE);
  await Promise.all([keep(), keep(), keep()]);
  expect(servedMs(core)).toBe(MINUTE);

  clock.pass(MINUTE);
  const write = spyOn(core.db, "write").mockRejectedValueOnce(new Error("the disk is full"));
  await expect(keep()).rejects.toThrow("the disk is full");
  write.mockRestore();
  clock.pass(MINUTE);
  await keep();
  expect(servedMs(core)).toBe(3 * MINUTE);
});
