import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openWard } from "./support.ts";

/** docs/contract.md#12.11 */

test("of a folder with which all is well, nothing is severe, and every name is one that a script can keep to", async () => {
  using ward = openWard();
  const checked = await ward.examine();
  expect(checked.filter(({ severity }) => severity === "severe")).toEqual([]);
  for (const { check } of checked) expect(check).toMatch(/^[a-z][a-z_]*$/);
});

test("a look that fails is a severe finding, and stops no other", async () => {
  using ward = openWard();
  writeFileSync(join(ward.data, "guildhall.db"), "no database at all".repeat(1000));
  const checked = await ward.examine();
  expect(checked).toContainEqual(expect.objectContaining({ check: "schema", severity: "severe" }));
  expect(checked.some(({ check }) => check === "disk")).toBe(true);
});
