// docs/contract.md#6.10: concurrency limits of deliveries.
import { expect, test } from "bun:test";
import {
  createConcurrencyLimits,
  type Slot,
  RUNNING_MAX,
  type ConcurrencyLimits,
} from "../../src/delivery/concurrency-limits.ts";

const place = (owner: number, endpoint: number, host = `h${owner}-${endpoint}`): Slot => ({
  endpointId: `whe_${owner}_${endpoint}`,
  ownerId: `builder_${owner}`,
  url: `https://${host}.example.com/in`,
});

/** Starts as many attempts as the endpoint's limit allows. Returns their number. */
function fill(shares: ConcurrencyLimits, at: Slot): number {
  let begun = 0;
  for (; shares.freeSlotsFor(at) > 0; begun++) shares.start(at);
  return begun;
}

function acknowledge(shares: ConcurrencyLimits, at: Slot): void {
  shares.start(at);
  shares.finish(at, true);
}

test("endpoints on one host name share a quarter of all slots, and others have room", () => {
  const shares = createConcurrencyLimits();
  const at = (i: number): Slot => ({ ...place(i, 0), url: `https://hooks.example.com:${1000 + i}/in` });
  for (let i = 0; i < 1000; i++) fill(shares, at(i));
  expect(shares.running()).toBe(RUNNING_MAX / 4);
  expect(shares.freeSlotsFor({ ...place(2000, 0), url: "https://HOOKS.example.com/" })).toBe(0);
  expect(shares.freeSlotsFor(place(2001, 0))).toBe(2);
  shares.finish(at(0), true);
  expect(shares.freeSlotsFor({ ...place(2000, 0), url: "https://HOOKS.example.com/" })).toBe(1);
});

test("a hanging endpoint keeps one slot, and one that acknowledges earns more", () => {
  const shares = createConcurrencyLimits();
  const good = place(1, 1);
  expect(shares.freeSlotsFor(good)).toBe(2);
  for (let i = 0; i < 100; i++) acknowledge(shares, good);
  expect(shares.freeSlotsFor(good)).toBe(32);
  shares.start(good);
  shares.finish(good, false);
  expect(shares.freeSlotsFor(good)).toBe(1);
});

test("endpoints without an acknowledgement share half of all slots, and one owner's a few of those", () => {
  const shares = createConcurrencyLimits();
  for (let endpoint = 0; endpoint < 50; endpoint++) fill(shares, place(0, endpoint));
  expect(shares.running()).toBe(16);
  for (let owner = 1; owner < 1000; owner++) fill(shares, place(owner, 0));
  expect(shares.running()).toBe(RUNNING_MAX / 2);
});

test("an owner with few endpoints still gets slots when all endpoints of many owners hang at once", () => {
  const shares = createConcurrencyLimits();
  const healthy = place(99, 0);
  acknowledge(shares, healthy);
  for (let round = 0; round < 3; round++)
    for (let owner = 0; owner < 20; owner++)
      for (let endpoint = 0; endpoint < 50; endpoint++) acknowledge(shares, place(owner, endpoint));
  for (let owner = 0; owner < 20; owner++)
    for (let endpoint = 0; endpoint < 50; endpoint++) fill(shares, place(owner, endpoint));
  expect(shares.free()).toBeGreaterThan(RUNNING_MAX / 16);
  expect(shares.freeSlotsFor(healthy)).toBe(1);
});

test("the hanging endpoints of one owner leave slots to the owner's other endpoints", () => {
  const shares = createConcurrencyLimits();
  for (let round = 0; round < 40; round++)
    for (let endpoint = 0; endpoint < 200; endpoint++) acknowledge(shares, place(0, endpoint));
  for (let endpoint = 0; endpoint < 100; endpoint++) fill(shares, place(0, endpoint));
  for (let endpoint = 100; endpoint < 200; endpoint++)
    expect(shares.freeSlotsFor(place(0, endpoint))).toBeGreaterThan(0);
});

test("runs no more attempts than the process may make requests", () => {
  const shares = createConcurrencyLimits(256);
  for (let owner = 0; owner < 1000; owner++) {
    acknowledge(shares, place(owner, 0));
    fill(shares, place(owner, 0));
  }
  expect(shares.running()).toBe(256);
  expect(shares.free()).toBe(0);
});

test("a thousand attempts return every slot that they took", () => {
  const shares = createConcurrencyLimits();
  const begun: Slot[] = [];
  for (let owner = 0; owner < 300; owner++)
    for (let i = 0; i < 3; i++) {
      const at = place(owner, i);
      for (let room = shares.freeSlotsFor(at); room > 0; room--) {
        shares.start(at);
        begun.push(at);
      }
    }
  begun.forEach((at, i) => shares.finish(at, i % 2 === 0));
  expect([shares.running(), shares.free()]).toEqual([0, RUNNING_MAX]);
  let again = 0;
  for (let owner = 0; owner < 1000; owner++) again += fill(shares, place(owner, 9));
  expect(again).toBe(RUNNING_MAX / 2);
});
