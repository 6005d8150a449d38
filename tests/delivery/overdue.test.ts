import { expect, test } from "bun:test";
import pino from "pino";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { type checkUrl, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import type { Attempt } from "../../src/delivery/attempt.ts";
import { startLoop } from "../../src/delivery/loop.ts";
import { createTestWorld, createMember } from "../support.ts";
import { until } from "./receiver.ts";

test("attempts everything that fell due in three hours of down time once at the next start, spread over time", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { caller } = createMember(core, "ada");
  for (let i = 0; i < 20; i++) {
    const url = `https://hooks${i}.example.com/` as Awaited<ReturnType<typeof checkUrl>>;
    registerEndpoint(core, caller, { url, events: ["post.created"] });
  }
  for (let i = 0; i < 50; i++) createPost(core, caller, { text: `${i}` });
  clock.pass(3 * 3_600_000);

  const created: string[] = [];
  let running = 0;
  let most = 0;
  const attempt: Attempt = async ({ deliveryId }) => {
    created.push(deliveryId);
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return { status: 200, durationMs: 1 };
  };
  const loop = startLoop(core, attempt, [0], pino({ level: "silent" }));
  await until(() => created.length >= 1000, 60_000);
  await loop.stop();
  expect(created).toHaveLength(1000);
  expect(new Set(created).size).toBe(1000);
  expect(most).toBeLessThan(500);
  expect(core.db.prepare("SELECT count(*) AS n FROM deliveries WHERE state = 'acknowledged'").get()).toEqual({
    n: 1000,
  });
}, 120_000);
