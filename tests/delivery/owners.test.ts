import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { type Claim, claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { listDeliveries } from "../../src/core/outbox/deliveries/delivery-log.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import {
  changeEndpoint,
  type checkUrl,
  deleteEndpoint,
  registerEndpoint,
} from "../../src/core/outbox/webhooks/webhooks.ts";
import { createMemberToken, createTestWorld, createMember, type TestWorld, limitOf } from "../support.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";

type CheckedUrl = Awaited<ReturnType<typeof checkUrl>>;

/** Ada posts. Bob's endpoint has one delivery that failed once and one that was never attempted. */
function stage(world: TestWorld) {
  const { caller: ada } = createMember(world.core, "ada");
  const { caller: bob } = createMember(world.core, "bob");
  const url = "https://old.example.com/" as CheckedUrl;
  const { id } = registerEndpoint(world.core, bob, { url, events: ["post.created"] });
  const post = (text: string): void => void createPost(world.core, ada, { text });
  post("first");
  for (const claimed of claim(world)) {
    const outcome = { durationMs: 1, failure: { code: "status" as const, params: { status: 500 } } };
    world.core.db.transact(() => settle(world.core, claimed, outcome, [0, 1000, 1000]));
  }
  post("second");
  world.clock.pass(1000);
  const states = () => listDeliveries(world.core, bob, id, {}, { limit: 9 }).nodes.map(({ state }) => state);
  return { bob, id, post, states };
}

const claim = (world: TestWorld): Claim[] =>
  world.core.db.transact(() => claimDue(world.core, 100, "", limitOf(100)).claims);

test("deleted: nothing more is attempted", () => {
  using world = createTestWorld();
  const { bob, id } = stage(world);
  deleteEndpoint(world.core, bob, id);
  expect(claim(world)).toEqual([]);
});

test("moved: pending deliveries go to the new URL", () => {
  using world = createTestWorld();
  const { bob, id } = stage(world);
  changeEndpoint(world.core, bob, id, { url: "https://new.example.com/" as CheckedUrl });
  expect(claim(world).map(({ url }) => url)).toEqual([
    "https://new.example.com/",
    "https://new.example.com/",
  ]);
});

test("paused: keeps pending deliveries, attempts and adds none, and resumes later", () => {
  using world = createTestWorld();
  const { bob, id, post, states } = stage(world);
  changeEndpoint(world.core, bob, id, { enabled: false });
  post("third");
  expect(claim(world)).toEqual([]);
  expect(states()).toEqual(["awaiting_retry", "awaiting_retry"]);
  expect(
    listDeliveries(world.core, bob, id, {}, { limit: 9 }).nodes.every(
      ({ nextAttemptAt }) => nextAttemptAt === null,
    ),
  ).toBe(true);
  changeEndpoint(world.core, bob, id, { enabled: true });
  expect(claim(world)).toHaveLength(2);
});

test("account removed: deletes its endpoints and all their pending deliveries", () => {
  using world = createTestWorld();
  stage(world);
  world.core.db.transact(() => world.core.db.prepare("DELETE FROM builders WHERE username = ?").run("bob"));
  expect(claim(world)).toEqual([]);
  expect(world.core.db.prepare("SELECT count(*) AS n FROM deliveries").get()).toEqual({ n: 0 });
});

test("suspended: endpoints of the personal workspace get nothing, and pending deliveries are kept", () => {
  using world = createTestWorld();
  const { post, states } = stage(world);
  setSuspended(world.core, OPERATOR, "bob", true);
  world.clock.pass(1);
  post("third");
  expect(claim(world)).toEqual([]);
  expect(states()).toEqual(["awaiting_retry", "awaiting_retry"]);
});

test("restored: sends nothing until the owner enables the endpoint, then pending deliveries in order and later ones", () => {
  using world = createTestWorld();
  const { id, post } = stage(world);
  setSuspended(world.core, OPERATOR, "bob", true);
  world.clock.pass(60_000);
  setSuspended(world.core, OPERATOR, "bob", false);
  post("third");
  expect(claim(world)).toEqual([]);
  changeEndpoint(world.core, createMemberToken(world.core, "bob").caller, id, { enabled: true });
  post("fourth");
  const titles = claim(world).map(({ body }) => JSON.parse(body).data.post.title);
  expect(titles).toEqual(["second", "first", "fourth"]);
});

test("stores the result of an attempt that runs while its owner is suspended", () => {
  using world = createTestWorld();
  const { states } = stage(world);
  const claims = claim(world);
  setSuspended(world.core, OPERATOR, "bob", true);
  world.core.db.transact(() => {
    for (const claimed of claims) settle(world.core, claimed, { status: 204, durationMs: 1 }, [0]);
  });
  expect(states()).toEqual(["acknowledged", "acknowledged"]);
});
