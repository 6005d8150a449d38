import { expect, test } from "bun:test";
import { isAtLeast, ROLES } from "../../src/core/identity/access/roles.ts";

test("each role may what those before it may, and a stranger nothing", () => {
  // docs/contract.md#12.23
  const may = ROLES.map((role) => ROLES.filter((least) => isAtLeast(role, least)));
  expect(may).toEqual([
    ["member"],
    ["member", "moderator"],
    ["member", "moderator", "admin"],
    ["member", "moderator", "admin", "owner"],
  ]);
  expect(ROLES.filter((least) => isAtLeast(null, least))).toEqual([]);
});
