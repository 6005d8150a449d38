import { expect, setDefaultTimeout, test } from "bun:test";
import { guildhall, LONG_MS } from "../program/programs.ts";
import { standbyDrill } from "./standby-drill.ts";

setDefaultTimeout(LONG_MS);

/** docs/threats.md#M39. `bun run drill standby` runs 100 rounds. */
test("a standby takes over from a killed or stopped leader: no write is lost or doubled, and the old leader refuses writes", async () => {
  const report = await standbyDrill(guildhall, { rounds: 3, writers: 4, engineMs: 0, stopsEvery: 3 });
  expect(report).toMatchObject({ rounds: 3, missing: 0, wrongs: [] });
  expect(report.acknowledged).toBeGreaterThan(20);
});
