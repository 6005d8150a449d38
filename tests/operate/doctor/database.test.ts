import Database from "better-sqlite3";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { OPERATOR } from "../../../src/core/identity/access/caller.ts";
import { createBuilder } from "../../../src/core/identity/accounts/administration.ts";
import { createFolderCore, openDataFolder } from "../../../src/app/data-folder.ts";
import { finding, openFixture } from "./support.ts";

/** docs/contract.md#12.12 */

const CHECKS = [
  ...["quick_check", "foreign_keys", "counts", "full_text", "xp", "event_log", "deliveries", "endpoints"],
  "unfinished_work",
];

test("checks everything in the database, and fixes derived data while other processes use the database", async () => {
  using fixture = openFixture();
  const dataFolder = openDataFolder(fixture.config, { busyMs: 0, mayCreate: false, lock: true });
  const core = createFolderCore(dataFolder, fixture.config, "http://localhost:1");
  createBuilder(core, OPERATOR, { username: "ada", name: "Ada", role: "admin" });
  const found = await fixture.runChecks();
  for (const check of CHECKS) expect(found).toContainEqual(finding(check, "ok", /./));

  const raw = new Database(join(fixture.data, "guildhall.db"));
  raw.exec("UPDATE builders SET xp = 7; DELETE FROM directory");
  raw.close();
  const wrongs = await fixture.runChecks();
  expect(wrongs).toContainEqual(
    finding("xp", "warning", /of 1 member do not match/, /^guildhall doctor --fix/),
  );
  expect(wrongs).toContainEqual(
    finding("counts", "warning", /^The directory entries of 1 member are missing\.$/),
  );
  const fixed = await fixture.runChecks({ isFixing: true });
  expect(fixed).toContainEqual(finding("xp", "note", /^Recalculated XP/));
  expect(fixed).toContainEqual(finding("counts", "note", /^Corrected the directory entries of 1 member\./));
  for (const check of CHECKS) expect(fixed).toContainEqual(finding(check, "ok", /./));
  dataFolder.close();
});
