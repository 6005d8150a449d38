// The engine of docs/scaling.md with real processes. Longer: `bun run drill engine`.
import { expect, setDefaultTimeout, test } from "bun:test";
import { fromSource, LONG_MS } from "../program/programs.ts";
import { engineKills } from "./engine-drill.ts";

setDefaultTimeout(LONG_MS);

test("a follower's file is whole at every read while its engine is killed, and has every post in the end", async () => {
  const told = await engineKills(fromSource, {
    place: "file",
    mayBuild: false,
    isHasty: true,
    kills: 2,
    writers: 2,
    restMs: 5,
  });
  if ("absent" in told) return console.log(`the engine: ${told.absent}`);
  expect(told).toMatchObject({ killed: 2, wrongs: [] });
  expect(told.versions).toBeGreaterThanOrEqual(10);
});
