import { describe, expect, test } from "bun:test";
import pino from "pino";
import { type Clock, systemClock } from "../../src/core/base/clock.ts";
import { type Db, openDatabase } from "../../src/core/base/db/open.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { type checkUrl, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import type { Attempt } from "../../src/delivery/attempt.ts";
import { startLoop } from "../../src/delivery/loop.ts";
import { createMetrics } from "../../src/http/metrics.ts";
import { gaugeDelivery } from "../../src/operate/health/endpoints.ts";
import { linesOf } from "../metrics-page.ts";
import { createTestWorld, createMember } from "../support.ts";
import { until } from "./receiver.ts";

type CheckedUrl = Awaited<ReturnType<typeof checkUrl>>;

/** A delivery loop with a database, attempts and a wall clock that a test controls. */
function stage(attempt: Attempt = async () => ({ status: 204, durationMs: 1 }), delaysMs = [0, 10, 10]) {
  const world = createTestWorld();
  const { core } = world;
  const { db } = core;
  let skewMs = 0;
  const clock: Clock = {
    now: () => Date.now() + skewMs,
    elapsed: systemClock.elapsed,
    steady: () => Date.now() + skewMs,
  };
  const broken: { sql?: RegExp | undefined; version?: boolean; onVersion?: () => void } = {};
  const breakable: Db = {
    ...db,
    prepare: ((sql: string) => {
      if (broken.sql?.test(sql)) throw new Error("a broken step");
      return db.prepare(sql);
    }) as Db["prepare"],
    version() {
      if (broken.version) throw new Error("a broken look");
      broken.onVersion?.();
      return db.version();
    },
  };
  Object.assign(core, { clock, db: breakable });
  const { caller } = createMember(core, "ada");
  const url = "https://hooks.example.com/" as CheckedUrl;
  const endpoint = registerEndpoint(core, caller, { url, events: ["post.created"] });
  const logged: { step?: string; msg: string }[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const begin = () => {
    const loop = startLoop(core, attempt, delaysMs, log);
    core.onWake(loop.wake);
    return loop;
  };
  return {
    core,
    world,
    broken,
    logged,
    endpoint,
    begin,
    post: (text = "hello") => void createPost(core, caller, { text }),
    acknowledged: () =>
      db.prepare<{ n: number }>("SELECT count(*) AS n FROM deliveries WHERE state = 'acknowledged'").get()?.n,
    pass(ms: number) {
      skewMs += ms;
    },
  };
}

/** A pattern for each step: it matches a statement that no other step prepares. */
const STEPS: Readonly<Record<string, RegExp>> = {
  rescue: /max\(attempts - 1/,
  unfinished: /fan_outs/,
  deletion: /FROM builders WHERE removed_at/,
  claim: /RECURSIVE waiting/,
  settle: /INSERT INTO attempts/,
  sleep: /due_at IS NOT NULL AND due_at > /,
};

describe("logs any error in any step of the loop, and continues", () => {
  for (const [step, sql] of Object.entries(STEPS)) {
    test.concurrent(step, async () => {
      const set = stage();
      using _ = set.world;
      if (step !== "unfinished") set.post();
      set.broken.sql = sql;
      const loop = set.begin();
      await until(() => loop.health().faults > 0);
      expect(set.logged[0]).toMatchObject({
        step,
        msg: "delivery loop step failed",
      });
      set.broken.sql = undefined;
      set.post("after it");
      // A delivery whose outcome could not be stored is attempted again when its lease expires.
      if (step === "settle")
        await until(() => set.acknowledged() === 1).then(() => {
          set.pass(30_000);
          set.core.wake();
        });
      await until(() => set.acknowledged() === (step === "unfinished" ? 1 : 2));
      expect(loop.health().sincePassMs).toBeLessThan(5000);
      await loop.stop();
    });
  }

  test.concurrent("look", async () => {
    const set = stage();
    using _ = set.world;
    const loop = set.begin();
    set.broken.version = true;
    await until(() => set.logged.some(({ step }) => step === "look"));
    set.broken.version = false;
    set.post();
    await until(() => set.acknowledged() === 1);
    await loop.stop();
  });

  test.concurrent(
    "after a failed check for work, later checks succeed and settle what failed with it",
    async () => {
      const set = stage();
      using _ = set.world;
      const loop = set.begin();
      set.broken.version = true;
      for (const failed of ["sleep", "look"])
        await until(() => set.logged.some(({ step }) => step === failed));
      set.broken.version = false;
      const other = openDatabase(`${set.world.folder}/guildhall.db`, { busyMs: 1000 });
      const elsewhere = { ...set.core, db: other, wake: () => {} };
      createPost(elsewhere, createMember(elsewhere, "cli").caller, { text: "from the command line" });
      other.close();
      await until(() => set.acknowledged() === 1);
      await loop.stop();
    },
  );

  test.concurrent(
    "an attempt that throws, at once or later, counts as failed and is retried on the schedule",
    async () => {
      let calls = 0;
      const set = stage((): ReturnType<Attempt> => {
        calls++;
        if (calls === 1) throw new Error("at once");
        if (calls === 2) return Promise.reject(new Error("later"));
        return Promise.resolve({ status: 204, durationMs: 1 });
      });
      using _ = set.world;
      const loop = set.begin();
      set.post();
      await until(() => set.acknowledged() === 1);
      expect(set.core.db.prepare("SELECT code FROM attempts ORDER BY id").all()).toEqual([
        { code: "not_made" },
        { code: "not_made" },
        { code: null },
      ]);
      expect(loop.health()).toMatchObject({ running: 0, faults: 2 });
      await loop.stop();
    },
  );

  test.concurrent("an endpoint whose secret cannot be opened does not delay the others", async () => {
    const { createAttempt } = await import("../../src/delivery/attempt.ts");
    const targets = { resolve: async () => [], allow: [] };
    const attempt = createAttempt({ targets, timeoutMs: 1000, userAgent: "test" });
    const set = stage((claim) =>
      claim.secrets.length === 0 ? attempt(claim) : Promise.resolve({ status: 204, durationMs: 1 }),
    );
    using _ = set.world;
    const { caller } = createMember(set.core, "bob");
    const url = "https://other.example.com/" as CheckedUrl;
    registerEndpoint(set.core, caller, { url, events: ["post.created"] });
    set.core.db
      .prepare("UPDATE webhook_secrets SET sealed = zeroblob(60) WHERE endpoint_id = ?")
      .run(set.endpoint.id);
    const loop = set.begin();
    set.post();
    await until(() => set.acknowledged() === 1);
    await until(
      () => set.core.db.prepare("SELECT 1 FROM attempts WHERE code IS NOT NULL").get() !== undefined,
    );
    expect(set.core.db.prepare("SELECT code FROM attempts WHERE code IS NOT NULL").get()).toEqual({
      code: "secret_unreadable",
    });
    await loop.stop();
  });
});

test.concurrent("does not miss work that falls due between the last check and the sleep", async () => {
  let calls = 0;
  const set = stage(
    async () => ({
      status: 500,
      durationMs: 1,
      ...(calls++ === 0 && { failure: { code: "connection_reset" } }),
    }),
    [0, 5_000],
  );
  using _ = set.world;
  // The loop reads the data version just before it sleeps.
  set.broken.onVersion = () => {
    if (
      !set.core.db.prepare("SELECT 1 FROM deliveries WHERE state = 'awaiting_retry' AND attempts = 1").get()
    )
      return;
    set.broken.onVersion = () => {};
    set.pass(5_000);
  };
  const loop = set.begin();
  set.post();
  await until(() => set.acknowledged() === 1);
  await loop.stop();
});

test.concurrent("delivers what another program wrote, without a wake-up", async () => {
  const set = stage();
  using _ = set.world;
  const loop = set.begin();
  set.post();
  await until(() => set.acknowledged() === 1);
  await Bun.sleep(20);
  const other = openDatabase(`${set.world.folder}/guildhall.db`, { busyMs: 1000 });
  const { caller } = createMember({ ...set.core, db: other, wake: () => {} }, "cli");
  createPost({ ...set.core, db: other, wake: () => {} }, caller, { text: "from the command line" });
  other.close();
  await until(() => set.acknowledged() === 2);
  await loop.stop();
});

test.concurrent(
  "the metrics show the loop's last run, running and pending work, and the oldest overdue work",
  async () => {
    const hanging = Promise.withResolvers<void>();
    const set = stage(() => hanging.promise.then(() => ({ status: 204, durationMs: 1 })));
    using _ = set.world;
    const metrics = createMetrics();
    const loop = set.begin();
    gaugeDelivery(metrics, set.core, loop);
    for (let i = 0; i < 5; i++) set.post(`post ${i}`);
    await until(() => loop.health().running === 2);
    set.pass(7000);
    set.core.wake();
    const read = async (): Promise<Record<string, number>> =>
      Object.fromEntries(
        [...(await metrics.text()).matchAll(/^guildhall_(delivery_\w+) (\S+)$/gm)].map(([, name, value]) => [
          name,
          Number(value),
        ]),
      );
    const busy = await read();
    expect(busy).toMatchObject({ delivery_running: 2, delivery_waiting: 5, delivery_faults: 0 });
    expect(busy["delivery_overdue_seconds"]).toBeGreaterThanOrEqual(7);
    expect(busy["delivery_last_turn_seconds"]).toBeLessThan(5);
    hanging.resolve();
    await until(() => set.acknowledged() === 5);
    await until(() => loop.health().running === 0);
    expect(await read()).toMatchObject({
      delivery_running: 0,
      delivery_waiting: 0,
      delivery_overdue_seconds: 0,
    });
    await loop.stop();
  },
);

test.concurrent("the metrics count attempts and deliveries by result, with their durations", async () => {
  const answers = [
    { status: 503, durationMs: 300, failure: { code: "status", params: { status: 503 } } },
    { durationMs: 40, failure: { code: "dns_not_found" } },
    { status: 204, durationMs: 20 },
  ] as const;
  let created = 0;
  const set = stage(async () => answers[created++ % 3] ?? answers[2], [0, 0]);
  using _ = set.world;
  const metrics = createMetrics();
  const loop = set.begin();
  gaugeDelivery(metrics, set.core, loop);
  const page = async () => linesOf(await metrics.text());
  // The first delivery fails at its second attempt. The second delivery is acknowledged.
  set.post();
  await until(() => loop.health().tally.ended.failed === 1);
  set.post();
  await until(() => set.acknowledged() === 1);
  const received = await page();
  const attempts = (outcome: string) =>
    received.get(`guildhall_delivery_attempts_total{outcome="${outcome}"}`);
  expect(["status_5xx", "dns_not_found", "acknowledged"].map(attempts)).toEqual([1, 1, 1]);
  expect(received.get('guildhall_deliveries_total{state="acknowledged"}')).toBe(1);
  expect(received.get('guildhall_deliveries_total{state="failed"}')).toBe(1);
  expect(received.get("guildhall_delivery_attempt_seconds_sum")).toBeCloseTo(0.36);
  expect(received.get('guildhall_delivery_attempt_seconds_bucket{le="0.05"}')).toBe(2);
  expect(received.get("guildhall_delivery_seconds_count")).toBe(1);
  expect(received.get('guildhall_endpoints{state="ok",code=""}')).toBe(1);
  await loop.stop();
});

test.concurrent("measures a delivery's duration from its due time over all attempts", async () => {
  let created = 0;
  const set = stage(
    async () =>
      created++ === 0
        ? { status: 500, durationMs: 1, failure: { code: "status" } }
        : { status: 204, durationMs: 1 },
    [0, 60_000],
  );
  using _ = set.world;
  const loop = set.begin();
  set.post();
  await until(() => created === 1);
  await until(() => loop.health().running === 0);
  set.pass(60_000);
  set.core.wake();
  await until(() => set.acknowledged() === 1);
  const { deliverySeconds } = loop.health().tally;
  expect(deliverySeconds.sum).toBeGreaterThanOrEqual(60);
  expect(deliverySeconds.sum).toBeLessThan(90);
  await loop.stop();
});
