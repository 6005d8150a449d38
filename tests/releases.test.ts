import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { RELEASES } from "./program/releases.ts";

test("every release but the current one has a small fixture database for upgrade tests", () => {
  const released = [...readFileSync("CHANGELOG.md", "utf8").matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)];
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const wanted = released.map(([, name = ""]) => name).filter((name) => name !== version);
  const there = RELEASES.map((release) => release.version);
  // Each fixture is made with the released program: `bun scripts/fixture.ts VERSION PROGRAM`.
  expect(wanted.filter((name) => !there.includes(name))).toEqual([]);
  expect(readdirSync("tests/fixtures").sort()).toEqual(there);
  for (const name of there)
    expect(statSync(`tests/fixtures/${name}/guildhall.db.zst`).size).toBeLessThan(300_000);
});
