// Tests the workload of `bun run drill spam` (docs/contract.md#12.38): newcomers beside a wave of spam.
import { expect, test } from "bun:test";
import { spamWave } from "./spam-drill.ts";

test("a wave of spam with links stays unseen, ends in bulk, and keeps no honest newcomer out", async () => {
  const { kinds, newcomersRefused, acts } = await spamWave({
    spammers: 10,
    newcomers: 50,
    sharedAddress: 30,
  });

  expect(newcomersRefused + kinds.honest.refused).toBe(0);
  expect(kinds.links).toMatchObject({ sent: 25, seen: 0 });
  for (const { left, minutes } of Object.values(kinds)) {
    expect(left).toBe(0);
    expect(Math.max(0, ...minutes)).toBeLessThan(10 * 60);
  }
  expect(acts.removedMembers).toBe(10);
  expect(acts.removals).toBeLessThanOrEqual(acts.looks);
}, 60_000);
