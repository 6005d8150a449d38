import { expect, test } from "bun:test";
import { comeIn } from "../../src/http/pace.ts";

const aTurn = (): Promise<void> => new Promise((done) => setImmediate(done));

test("of ten that come together four begin at once, the others as many at each turn of the event loop, in their order", async () => {
  const begun: number[] = [];
  for (let i = 0; i < 10; i++) void comeIn().then(() => begun.push(i));
  expect(begun).toEqual([]);
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2, 3]);
  await aTurn();
  // Whoever comes now is behind them.
  for (const late of [10, 11]) void comeIn().then(() => begun.push(late));
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  await aTurn();
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test("whoever comes alone does not wait", async () => {
  for (let i = 0; i < 3; i++) {
    await aTurn();
    await aTurn();
    let hasBegun = false;
    void comeIn().then(() => (hasBegun = true));
    await Promise.resolve();
    expect(hasBegun).toBe(true);
  }
});
