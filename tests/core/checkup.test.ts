import { expect, test } from "bun:test";
import { type Checkup, newestCheckup, registerCheckup } from "../../src/core/services/checkup/checkup.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createTestWorld, createMember } from "../support.ts";

/** docs/contract.md#12.11 */

test("shows the newest checkup to the operator and refuses it to members", () => {
  using world = createTestWorld();
  expect(newestCheckup(world.core, OPERATOR)).toBeUndefined();
  const checkup: Checkup = { at: 1, checked: [{ check: "disk", severity: "ok", says: "all is well" }] };
  registerCheckup(world.core, () => checkup);
  expect(newestCheckup(world.core, OPERATOR)).toBe(checkup);
  expect(() => newestCheckup(world.core, createMember(world.core, "ada").caller)).toThrow();
});
