import { expect, test } from "bun:test";
import { createPace, type Pace } from "../../src/http/pace.ts";

/** Behind all places of the turn that comes. */
const aTurn = (): Promise<void> => new Promise((done) => setImmediate(done));

/** A clock that only moves by what is done. */
function paceOf(): { pace: Pace; work(ms: number): void } {
  let now = 1000;
  return { pace: createPace(() => now), work: (ms) => void (now += ms) };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

test("of ten that come together four begin at once and four in each turn, and whoever comes later is behind those who wait", async () => {
  const { pace, work } = paceOf();
  const begun: number[] = [];
  const come = (i: number): void => {
    void pace.comeIn().then(() => {
      work(2);
      begun.push(i);
    });
  };
  for (const i of numbers(10)) come(i);
  await aTurn();
  expect(begun).toEqual(numbers(8));
  come(10);
  come(11);
  await Promise.resolve();
  expect(begun).toEqual(numbers(8));
  await aTurn();
  expect(begun).toEqual(numbers(12));
});

test("whoever comes alone does not wait", async () => {
  const { pace } = paceOf();
  for (const _ of numbers(3)) {
    await aTurn();
    await aTurn();
    let hasBegun = false;
    void pace.comeIn().then(() => (hasBegun = true));
    await Promise.resolve();
    expect(hasBegun).toBe(true);
  }
});

test("thirty queries that rest five times each, and take no time between, are done in twelve turns", async () => {
  const { pace } = paceOf();
  let done = 0;
  const query = async (): Promise<void> => {
    await pace.comeIn();
    for (const _ of numbers(5)) await pace.rest();
    done++;
  };
  for (const _ of numbers(30)) void query();
  for (const _ of numbers(12)) await aTurn();
  expect(done).toBe(30);
});

test("a quick one beside one that always takes its whole slice goes on at every second turn", async () => {
  const { pace, work } = paceOf();
  let [isOver, greedy, quick] = [false, 0, 0];
  void (async () => {
    for (; !isOver; greedy++) {
      await pace.rest();
      work(5);
    }
  })();
  void (async () => {
    for (; !isOver; quick++) await pace.rest();
  })();
  for (const _ of numbers(20)) await aTurn();
  isOver = true;
  expect(quick).toBeGreaterThanOrEqual(9);
  expect(greedy).toBeGreaterThanOrEqual(9);
});

test("of those who take a slice each one goes on in a turn, and the network is served between them", async () => {
  const { pace, work } = paceOf();
  const gone: number[] = [];
  for (const i of numbers(5))
    void pace.rest().then(() => {
      work(5);
      gone.push(i);
    });
  for (const turn of numbers(5)) {
    await aTurn();
    expect(gone).toEqual(numbers(turn + 1));
  }
});

test("whoever is the first in a turn has a slice before them, and who comes after it was used rests", async () => {
  const { pace, work } = paceOf();
  work(60_000);
  expect(pace.isSpent()).toBe(false);
  work(5);
  expect(pace.isSpent()).toBe(true);
  await aTurn();
  expect(pace.isSpent()).toBe(false);
});
