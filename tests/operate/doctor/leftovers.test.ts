import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../../src/core/base/db/open.ts";
import { setSetting } from "../../../src/core/base/db/settings.ts";
import { databaseFile } from "../../../src/app/data-folder.ts";
import { lockFile } from "../../../src/operate/backup/file-lock.ts";
import { writeAddress } from "../../../src/operate/health/address.ts";
import { finding, openFixture } from "./support.ts";

/** docs/contract.md#12.11 */

function age(path: string): string {
  const then = Date.now() / 1000 - 2 * 86_400;
  utimesSync(path, then, then);
  return path;
}

test("reports unfinished work, and --fix deletes stale files but keeps new files and files people may need", async () => {
  using fixture = openFixture();
  const at = (name: string) => join(fixture.data, name);
  for (const name of [
    "backups",
    "before-restore-20261120T100000Z",
    "before-upgrade-27-to-28-20261120T100000Z",
  ])
    mkdirSync(at(name));
  mkdirSync(at("before-upgrade-27-to-28-20261120T090000Z.partial"));
  writeFileSync(at("before-upgrade-27-to-28-20261120T090000Z.partial/guildhall.db"), "x".repeat(2048));
  age(at("before-upgrade-27-to-28-20261120T090000Z.partial"));
  for (const name of [
    "backups/guildhall-20261120T100000Z.tar.zst.partial",
    "backups/guildhall-20261122T100000Z.tar.zst.partial",
  ])
    writeFileSync(at(name), "");
  age(at("backups/guildhall-20261120T100000Z.tar.zst.partial"));
  writeFileSync(at("guildhall.key.old-20261120T100000Z"), "", { mode: 0o600 });
  age(at("before-restore-20261120T100000Z"));

  const before = await fixture.runChecks();
  expect(before).toContainEqual(
    finding(
      "partial",
      "note",
      /Unfinished for more than a day: .*backups\/guildhall-20261120T100000Z/,
      /doctor --fix/,
    ),
  );
  expect(before).toContainEqual(
    finding("before_restore", "note", /0 bytes, 2 days old\) is the community before/, /^rm -r /),
  );
  for (const check of ["before_upgrade", "old_key"])
    expect(before).toContainEqual(finding(check, "note", / is /, /^rm -r /));

  const after = await fixture.runChecks({ isFixing: true });
  expect(after).toContainEqual(finding("partial", "note", /^Deleted unfinished files: /));
  expect(
    readdirSync(fixture.data)
      .filter((name) => /before|old-|partial/.test(name))
      .sort(),
  ).toEqual([
    "before-restore-20261120T100000Z",
    "before-upgrade-27-to-28-20261120T100000Z",
    "guildhall.key.old-20261120T100000Z",
  ]);
  expect(readdirSync(at("backups"))).toEqual(["guildhall-20261122T100000Z.tar.zst.partial"]);
  expect(await fixture.look("partial")).toEqual([]);
});

test("warns about an interrupted import, restore or rotation, with the command that continues it", async () => {
  using fixture = openFixture();
  expect(await fixture.look("unfinished")).toEqual([finding("unfinished", "ok", /Nothing is unfinished/)]);
  mkdirSync(join(fixture.data, "importing"));
  mkdirSync(join(fixture.data, "restore-unfinished"));
  const db = openDatabase(databaseFile(fixture.config), { busyMs: 0 });
  db.transact(() => setSetting({ db }, "keys", `${"a".repeat(16)} ${"b".repeat(16)}`));
  db.close();
  const found = (await fixture.runChecks()).filter(({ check }) => /^unfinished_(?!work)/.test(check));
  expect(found).toEqual([
    finding("unfinished_restore", "warning", /completes or removes it/, /guildhall restore/),
    finding(
      "unfinished_import",
      "warning",
      /was interrupted/,
      /guildhall import DIR\. Or discard it: rm -r .*importing/,
    ),
    finding("unfinished_rotation", "warning", /the old key/, /^guildhall key rotate$/),
  ]);
});

test("reports the address file of a killed server and --fix deletes it, but leaves that of a running one", async () => {
  using fixture = openFixture();
  const file = join(fixture.data, "guildhall.address");
  writeAddress(fixture.data, "http://127.0.0.1:8787");
  const held = lockFile(join(fixture.data, "guildhall.lock"));
  expect(await fixture.look("address", { isFixing: true })).toEqual([]);
  expect(existsSync(file)).toBe(true);
  held?.release();
  expect(await fixture.look("address")).toEqual([
    finding("address", "note", /The last one was killed/, /--fix/),
  ]);
  expect(await fixture.look("address", { isFixing: true })).toEqual([
    finding("address", "note", /^Deleted guildhall\.address/),
  ]);
  expect(existsSync(file)).toBe(false);
});

test("prints a hostile file name without control characters, quoted as one shell word", async () => {
  using fixture = openFixture();
  const name = "before-restore-'$(reboot)'\u001b[2J\nSevere";
  mkdirSync(join(fixture.data, name), { mode: 0o777 });
  const found = (await fixture.runChecks({ isFixing: true })).filter(({ says }) => says.includes("reboot"));
  expect(found.length).toBeGreaterThan(1);
  for (const { says, mend = "" } of found) expect(says + mend).not.toMatch(/\p{C}/u);
  const typed = found.map(({ mend = "" }) => mend).filter((fix) => fix.startsWith("rm"));
  expect(typed).toEqual([`rm -r '${fixture.data}/before-restore-'\\''$(reboot)'\\''?[2J?Severe'`]);
});

test("ignores partial files of other programs, also in the folder of backups", async () => {
  using fixture = openFixture();
  const theirs = join(fixture.data, "backups", "guildhall-photos.partial");
  mkdirSync(theirs, { recursive: true });
  age(theirs);
  expect((await fixture.runChecks({ isFixing: true })).map(({ check }) => check)).not.toContain("partial");
  expect(existsSync(theirs)).toBe(true);
});
