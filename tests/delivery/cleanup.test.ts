// docs/contract.md#6.5 and docs/contract.md#6.6: deleting old deliveries.
import { expect, test } from "bun:test";
import { DAY } from "../../src/core/base/clock.ts";
import { claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import {
  getDelivery,
  listDeliveries,
  recoverDeliveries,
} from "../../src/core/outbox/deliveries/delivery-log.ts";
import { BACKLOG_MAX, BACKLOG_MS, cleanUpDeliveries } from "../../src/core/outbox/deliveries/cleanup.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { changeEndpoint, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { createTestWorld, createMember, type TestWorld, limitOf } from "../support.ts";

/** Creates ada's endpoint with `waiting` pending deliveries. */
function stage({ core }: TestWorld, waiting: number) {
  const { caller } = createMember(core, "ada");
  const url = "https://hooks.example.com/" as CheckedUrl;
  const { id } = registerEndpoint(core, caller, { url, events: ["post.created"] });
  core.db.transact(() => {
    for (let i = 0; i < waiting; i++) createPost(core, caller, { text: `waiting ${i}` });
  });
  const count = (where: string): number =>
    core.db.prepare<{ n: number }>(`SELECT count(*) AS n FROM deliveries WHERE ${where}`).get()?.n ?? 0;
  return { caller, id, count };
}

const upkeep = async ({ core }: TestWorld, keepMs = 30 * DAY): Promise<number> => {
  let pauses = 0;
  await cleanUpDeliveries(core, keepMs, async () => void pauses++);
  return pauses;
};

test("keeps the newest thousand deliveries of a disabled endpoint, and fails the others with a reason", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller, id, count } = stage(world, BACKLOG_MAX + 250);
  await upkeep(world);
  expect(count("state = 'awaiting_retry'")).toBe(BACKLOG_MAX + 250);
  changeEndpoint(core, caller, id, { enabled: false });
  await upkeep(world);
  expect([
    count("state = 'awaiting_retry'"),
    count("state = 'failed' AND given_up = 'backlog_full'"),
  ]).toEqual([BACKLOG_MAX, 250]);
  const { nodes } = listDeliveries(core, caller, id, { state: "failed" }, { limit: 1, backwards: true });
  const oldest = getDelivery(core, caller, nodes[0]?.id ?? "");
  expect(oldest.givenUp).toEqual({
    code: "backlog_full",
    reason: expect.stringContaining("retry this delivery") as unknown as string,
  });
  expect(count(`state = 'awaiting_retry' AND id < '${oldest.id}'`)).toBe(0);

  changeEndpoint(core, caller, id, { enabled: true });
  expect(recoverDeliveries(core, caller, id, { since: 0 }).recovered).toBe(250);
  expect(getDelivery(core, caller, oldest.id)).toMatchObject({ state: "awaiting_retry", givenUp: null });
});

test("keeps pending deliveries of a disabled endpoint for three days, and of an enabled one without limit", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { caller, id, count } = stage(world, 5);
  const [running] = core.db.transact(() => claimDue(core, 1, "", limitOf(1)).claims);
  changeEndpoint(core, caller, id, { enabled: false });
  clock.pass(BACKLOG_MS - 1);
  await upkeep(world);
  expect(count("settled_at IS NULL")).toBe(5);
  clock.pass(1);
  await upkeep(world);
  expect(count("given_up = 'endpoint_off'")).toBe(4);
  if (running) core.db.transact(() => settle(core, running, { status: 204, durationMs: 1 }, [0]));
  expect(count("state = 'acknowledged'")).toBe(1);
});

test("deletes old deliveries in one walk, however many are pending", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { count } = stage(world, 1500);
  const claims = core.db.transact(() => claimDue(core, 500, "", limitOf(500)).claims);
  core.db.transact(() => {
    for (const claim of claims) settle(core, claim, { status: 204, durationMs: 1 }, [0]);
  });
  clock.pass(30 * DAY + 1);
  let checks = 0;
  const seen = new Set<string>();
  const { prepare } = core.db;
  const spied = {
    ...core,
    db: { ...core.db, prepare: ((sql: string) => (checks++, seen.add(sql), prepare(sql))) as typeof prepare },
  };
  await cleanUpDeliveries(spied, 30 * DAY, async () => {});
  expect(count("1")).toBe(1500 - claims.length);
  const events = core.db.prepare<{ n: number }>("SELECT count(*) AS n FROM events").get()?.n ?? 0;
  expect(events).toBe(1500 - claims.length);
  // One SELECT and one DELETE per hundred deliveries or events, plus a few others.
  expect(checks).toBeLessThan(4 * 15 + 10);
  const offences = [...seen].flatMap((sql) =>
    core.db
      .prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from({ length: (sql.match(/\?/g) ?? []).length }, () => "1"))
      .filter(({ detail }) => /^SCAN(?! (?:waiting|json_each|\(subquery))|TEMP B-TREE/.test(detail))
      .map(({ detail }) => `${detail}: ${sql}`),
  );
  expect(offences).toEqual([]);
});
