// docs/contract.md#12.28: clients that switch between nodes, with real processes. Longer: `bun run drill
// pairs`.
import { expect, setDefaultTimeout, test } from "bun:test";
import { guildhall, LONG_MS } from "../program/programs.ts";
import { readOwnWrites } from "./pairs.ts";

setDefaultTimeout(LONG_MS);

test("a client that writes at one of three nodes reads its write at another, and never sees older data", async () => {
  const report = await readOwnWrites(guildhall, { pairs: 120, clients: 6, engine: { everyMs: 60 } });
  if ("absent" in report) throw new Error(report.absent);
  expect(report).toMatchObject({ pairs: 120, stale: 0, wrongs: [] });
  // Without enough stale reads, the copies were too fresh for the test to prove that the version matters.
  expect(report.staleWithout).toBeGreaterThan(10);
});
