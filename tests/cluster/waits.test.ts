// docs/contract.md#12.29: reads of a version that the copy does not have yet, and a copy that does not move.
import { expect, test } from "bun:test";
import { createLag } from "../../src/cluster/lag.ts";
import { createVersionWaits, WAIT_MS } from "../../src/cluster/version-waits.ts";
import { fakeClock } from "../support.ts";

const at = (commits: number, epoch = 1) => ({ epoch, commits });

test("a read waits for its version up to the limit, and no timer runs while no read waits", async () => {
  const clock = fakeClock();
  let look: (() => void) | undefined;
  let here = at(5);
  const every = (work: () => void) => {
    look = work;
    return { stop: () => void (look = undefined) };
  };
  const waits = createVersionWaits(() => here, clock, every);
  const [soon, late] = [waits.waitFor(at(6)), waits.waitFor(at(7))];
  look?.();
  expect(waits.count()).toBe(2);
  here = at(6);
  look?.();
  expect([await soon, waits.count()]).toEqual([true, 1]);
  clock.pass(WAIT_MS);
  look?.();
  expect([await late, look]).toEqual([false, undefined]);
});

test("bounds the number of reads that wait for made-up versions", async () => {
  const waits = createVersionWaits(
    () => at(5),
    fakeClock(),
    () => ({ stop: () => {} }),
  );
  for (let many = 0; many < 1000; many++) void waits.waitFor(at(9));
  expect([await waits.waitFor(at(9)), waits.count()]).toEqual([false, 1000]);
});

test("a moving copy lags but is not stalled; a copy that stops is stalled after a while, until it moves", () => {
  const clock = fakeClock();
  const lag = createLag(clock, () => 5000);
  lag.record(at(5), at(5));
  clock.pass(60_000);
  lag.record(at(5), at(5));
  expect([lag.seconds(), lag.isStalled()]).toEqual([0, false]);
  lag.record(at(5), at(8));
  clock.pass(4000);
  lag.record(at(6), at(9));
  clock.pass(4000);
  expect([lag.seconds(), lag.isStalled()]).toEqual([8, false]);
  clock.pass(2000);
  lag.record(at(6), undefined);
  expect(lag.isStalled()).toBe(true);
  lag.record(at(9), undefined);
  expect([lag.seconds(), lag.isStalled()]).toEqual([0, false]);
});
