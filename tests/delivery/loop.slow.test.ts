// docs/contract.md#V6.1 and docs/contract.md#V6.3: the delivery loop.
import { expect, test } from "bun:test";
import pino from "pino";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { systemClock } from "../../src/core/base/clock.ts";
import type { Db } from "../../src/core/base/db/open.ts";
import { checkUrl, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { claimDue } from "../../src/core/outbox/deliveries/deliveries.ts";
import { listDeliveries } from "../../src/core/outbox/deliveries/delivery-log.ts";
import { type Attempt, createAttempt } from "../../src/delivery/attempt.ts";
import { type Loop, startLoop } from "../../src/delivery/loop.ts";
import { createTestWorld, createMember, type TestWorld, limitOf } from "../support.ts";
import { authority, openReceiver, until } from "./receiver.ts";

/** Long enough for a busy machine. No test waits for this timeout. */
const TIMEOUT_MS = 10_000;

const silent = pino({ level: "silent" });

interface Stage extends AsyncDisposable {
  world: TestWorld;
  loop: Loop;
  post(text: string): void;
  subscribe(port: number, path?: string, host?: string): string;
  states(endpointId: string): string[];
}

/** The real loop on the real clock. `attempt` replaces the network. */
async function stage(delaysMs: number[], attempt?: Attempt): Promise<Stage> {
  const world = createTestWorld({ allow: ["127.0.0.0/8"], resolve: async () => ["127.0.0.1"] });
  Object.assign(world.core, { clock: systemClock });
  const { caller } = createMember(world.core, "ada");
  const loop = startLoop(
    world.core,
    attempt ??
      createAttempt({
        targets: world.core.targets,
        timeoutMs: TIMEOUT_MS,
        ca: (await authority()).pem,
        userAgent: "test",
      }),
    delaysMs,
    silent,
  );
  world.core.onWake(loop.wake);
  let count = 0;
  let owner = caller;
  return {
    world,
    loop,
    post: (text) => void createPost(world.core, caller, { text }),
    subscribe(port, path = `${count++}`, host = "hooks.example.com") {
      const url = `https://${host}:${port}/${path}` as Awaited<ReturnType<typeof checkUrl>>;
      // A workspace may have at most 50 endpoints, so every 50 endpoints get a new owner.
      if (count % 50 === 49) owner = createMember(world.core, `owner${count}`).caller;
      return registerEndpoint(world.core, owner, { url, events: ["post.created"] }).id;
    },
    states: (id) =>
      listDeliveries(world.core, caller, id, {}, { limit: 100 }).nodes.map(({ state }) => state),
    async [Symbol.asyncDispose]() {
      await loop.stop();
      world[Symbol.dispose]();
    },
  };
}

test("an event reaches every subscribed endpoint, the same bytes each, and is acknowledged", async () => {
  await using a = await openReceiver();
  await using b = await openReceiver();
  await using set = await stage([0]);
  const ids = [set.subscribe(a.port), set.subscribe(b.port)];
  set.post("hello");
  await until(() => ids.every((id) => set.states(id)[0] === "acknowledged"));
  expect(a.received.map(({ body }) => body)).toEqual(b.received.map(({ body }) => body));
  expect(JSON.parse(a.received[0]?.body ?? "")).toMatchObject({
    type: "post.created",
    data: { post: { title: "hello" } },
  });
});

test("retries a failed attempt on the schedule, with the same event id and body and a new signature", async () => {
  await using receiver = await openReceiver([500, 503, 200]);
  await using set = await stage([0, 50, 1100, 50]);
  const id = set.subscribe(receiver.port);
  set.post("hello");
  await until(() => set.states(id)[0] === "acknowledged");
  expect(receiver.received).toHaveLength(3);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(
    new Set(receiver.received.map(({ headers }) => headers["x-service-signature"])).size,
  ).toBeGreaterThan(1);
});

test("marks the delivery as failed when the schedule is used up", async () => {
  await using receiver = await openReceiver([500]);
  await using set = await stage([0, 20, 20]);
  const id = set.subscribe(receiver.port);
  set.post("hello");
  await until(() => set.states(id)[0] === "failed");
  expect(receiver.received).toHaveLength(3);
});

test("repeats attempts that were running at a crash at the next start", async () => {
  await using receiver = await openReceiver();
  const world = createTestWorld({ allow: ["127.0.0.0/8"], resolve: async () => ["127.0.0.1"] });
  using _ = world;
  const { core } = world;
  Object.assign(core, { clock: systemClock });
  const { caller } = createMember(core, "ada");
  const url = `https://hooks.example.com:${receiver.port}/` as Awaited<ReturnType<typeof checkUrl>>;
  const { id } = registerEndpoint(core, caller, { url, events: ["post.created"] });
  createPost(core, caller, { text: "hello" });
  const states = () => listDeliveries(core, caller, id, {}, { limit: 100 }).nodes.map(({ state }) => state);
  // Simulates a killed program, which leaves only the claim of its running attempt.
  core.db.transact(() => claimDue(core, 1, "", limitOf(1)));
  expect(states()).toEqual(["attempting"]);
  const { pem: ca } = await authority();
  const { targets } = core;
  const attempt = createAttempt({ targets, timeoutMs: TIMEOUT_MS, ca, userAgent: "test" });
  const loop = startLoop(core, attempt, [0], silent);
  await until(() => states()[0] === "acknowledged");
  await loop.stop();
});

test("does not repeat an unusually long attempt while it may still be running", async () => {
  using world = createTestWorld({ allow: ["127.0.0.0/8"] });
  const { core, clock } = world;
  const { caller } = createMember(core, "ada");
  const url = "https://127.0.0.1/" as Awaited<ReturnType<typeof checkUrl>>;
  registerEndpoint(core, caller, { url, events: ["post.created"] });
  const hanging = Promise.withResolvers<Awaited<ReturnType<Attempt>>>();
  const created: string[] = [];
  const attempt: Attempt = ({ body }) => {
    const { title } = JSON.parse(body).data.post;
    created.push(title);
    return title === "slow" ? hanging.promise : Promise.resolve({ status: 200, durationMs: 1 });
  };
  const loop = startLoop(core, attempt, [0], silent, 60_000);
  core.onWake(loop.wake);
  const post = async (text: string): Promise<void> => {
    createPost(core, caller, { text });
    await until(() => created.includes(text));
  };
  await post("slow");
  clock.pass(60_000);
  await post("meanwhile");
  expect(created).toEqual(["slow", "meanwhile"]);
  // An attempt that never settles counts as lost after a time, and is repeated.
  clock.pass(60_000);
  loop.wake();
  await until(() => created.filter((title) => title === "slow").length === 2);
  hanging.resolve({ status: 200, durationMs: 1 });
  await loop.stop();
});

test("a stop claims nothing more, lets running attempts end and stores their results", async () => {
  const started = Promise.withResolvers<void>();
  const slow: Attempt = async () => {
    started.resolve();
    await Bun.sleep(200);
    return { status: 200, durationMs: 200 };
  };
  const set = await stage([0], slow);
  const id = set.subscribe(1024);
  set.post("hello");
  await started.promise;
  const stopped = set.loop.stop();
  set.post("too late");
  await stopped;
  expect(set.states(id)).toEqual(["awaiting_retry", "acknowledged"]);
  set.world.core.db.close();
});

test("a single event costs one search for due deliveries and for unfinished work", async () => {
  await using set = await stage([0], async () => ({ status: 200, durationMs: 1 }));
  const id = set.subscribe(1024);
  const { core } = set.world;
  const { db } = core;
  let prepared: string[] = [];
  Object.assign(core, {
    db: {
      ...db,
      prepare: ((sql: string) => {
        prepared.push(sql);
        return db.prepare(sql);
      }) as Db["prepare"],
    },
  });
  const searches = (pattern: RegExp): number => prepared.filter((sql) => pattern.test(sql)).length;
  // The first deliveries of an unknown endpoint wait for a slot each.
  for (let sent = 1; sent <= 4; sent++) {
    prepared = [];
    set.post(`${sent}`);
    await until(
      () => set.states(id).length === sent && set.states(id).every((state) => state === "acknowledged"),
    );
    await until(() => searches(/due_at IS NOT NULL AND due_at > /) > 0);
  }
  expect([searches(/RECURSIVE waiting/), searches(/FROM job_matchings/), searches(/INTO attempts/)]).toEqual([
    1, 1, 1,
  ]);
});

test("logs any error inside the loop, and continues", async () => {
  let calls = 0;
  const moody: Attempt = async () => {
    calls++;
    if (calls === 1) throw new Error("a stray one");
    return { status: 200, durationMs: 1 };
  };
  await using set = await stage([0], moody);
  const id = set.subscribe(1024);
  set.post("first");
  await until(() => calls === 1);
  set.post("second");
  await until(() => set.states(id)[0] === "acknowledged");
});

/**
 * Median wait of a delivery to the responding endpoints, in ms: with all 200 responding, then with half of
 * them hanging.
 */
async function waitsBesideHanging(): Promise<{ quiet: number; disturbed: number }> {
  const hanging = new Set<string>();
  const ended = Promise.withResolvers<void>();
  let waits: number[] = [];
  const attempt: Attempt = async (claim) => {
    if (hanging.has(claim.endpointId)) {
      await ended.promise;
      return { durationMs: 10_000, failure: { code: "connection_timeout", params: { seconds: 10 } } };
    }
    waits.push(performance.now() - Number(JSON.parse(claim.body).data.post.title));
    await Bun.sleep(1);
    return { status: 200, durationMs: 1 };
  };
  await using set = await stage([0, 60_000], attempt);
  const ids = Array.from({ length: 200 }, (_, i) =>
    set.subscribe(2000 + i, undefined, `hooks${i}.example.com`),
  );
  const median = async (expected: number): Promise<number> => {
    waits = [];
    for (let i = 0; i < 20; i++) {
      set.post(String(performance.now()));
      await Bun.sleep(60);
    }
    await until(() => waits.length === expected, 60_000).finally(
      () => waits.length < expected && ended.resolve(),
    );
    return waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)] ?? 0;
  };
  await median(20 * 200);
  const quiet = await median(20 * 200);
  for (const id of ids.filter((_, i) => i % 2 === 0)) hanging.add(id);
  const disturbed = await median(20 * 100);
  ended.resolve();
  return { quiet, disturbed };
}

test("with half of 200 endpoints hanging, the others' median delivery takes at most twice as long", async () => {
  // A busy machine may spoil a measurement. An unfair loop spoils all of them.
  const corrupted: unknown[] = [];
  let isFair = false;
  while (!isFair && corrupted.length < 5) {
    try {
      const { quiet, disturbed } = await waitsBesideHanging();
      isFair = disturbed < 2 * quiet + 5;
      if (!isFair) corrupted.push({ quiet, disturbed });
    } catch (late) {
      corrupted.push(late);
    }
  }
  expect(isFair, Bun.inspect(corrupted)).toBe(true);
}, 240_000);
