import { expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { finding, openWard } from "./support.ts";

/** docs/contract.md#12.11, docs/threats.md#L11 */

const IS_ROOT = process.getuid?.() === 0;
const mode = (path: string) => statSync(path).mode & 0o777;

test("what every user of the machine can read is severe, by what it is; in a closed folder it is a note; --fix closes it", async () => {
  using ward = openWard();
  const paths = ["guildhall.key", "guildhall.db", "backups/one"].map((name) => join(ward.data, name));
  mkdirSync(join(ward.data, "backups"), { mode: 0o700 });
  writeFileSync(paths[2] ?? "", "");
  for (const path of paths) chmodSync(path, 0o644);
  const found = async (than = {}) =>
    (await ward.examine(than)).filter(({ check }) => check.endsWith("rights"));
  expect((await found()).map(({ check, severity }) => [check, severity])).toEqual([
    ["database_rights", "note"],
    ["key_rights", "note"],
    ["backup_rights", "note"],
  ]);
  chmodSync(ward.data, 0o755);
  expect(await found()).toContainEqual(
    finding(
      "key_rights",
      "severe",
      /every user of this machine can read .*guildhall\.key/,
      /^chmod o-rwx .*\.key$/,
    ),
  );
  const mended = await found({ isFixing: true });
  expect(mended).toContainEqual(finding("key_rights", "note", /^closed to other users: .*guildhall\.key/));
  expect(mended.filter(({ severity }) => severity === "severe")).toEqual([]);
  expect(mended.at(-1)).toEqual(finding("rights", "ok", /nobody but/));
  expect(paths.map(mode)).toEqual([0o640, 0o640, 0o640]);
  expect(await found()).toEqual([finding("rights", "ok", /nobody but/)]);
});

test("secrets outside of the folder are looked at too: settings file, key, passphrase, scheduled backups", async () => {
  using ward = openWard();
  const outside = dirname(ward.data);
  const shelf = join(outside, "shelf");
  mkdirSync(shelf, { mode: 0o755 });
  const write = (name: string, text: string): string => {
    const path = join(outside, name);
    writeFileSync(path, text);
    chmodSync(path, 0o644);
    return path;
  };
  const key = write("elsewhere.key", "1".repeat(64));
  const passphrase = write("passphrase", "a long one");
  write("shelf/guildhall-aabbccdd-20261122T120000Z.tar.zst", "");
  write("shelf/others.txt", "");
  const settings = write(
    "settings.toml",
    `metrics_token = "t"\nkey_file = "${key}"\nbackup = "${shelf}"\nbackup_passphrase_file = "${passphrase}"\n`,
  );
  const config = readConfig({}, { data: ward.data, settings });
  const found = (await ward.examine({ config })).filter(({ check }) => check.endsWith("rights"));
  expect(found.map(({ check, severity, mend }) => [check, severity, mend?.replace(outside, "")])).toEqual([
    ["key_rights", "severe", "chmod o-rwx /elsewhere.key"],
    ["settings_rights", "severe", "chmod o-rwx /settings.toml"],
    ["passphrase_rights", "severe", "chmod o-rwx /passphrase"],
    ["backup_rights", "severe", "chmod o-rwx /shelf/guildhall-aabbccdd-20261122T120000Z.tar.zst"],
  ]);
});

test("what root made in the folder is told, severely where the server needs it; root gives it back with --fix, and follows no link", async () => {
  using ward = openWard();
  if (!IS_ROOT) {
    expect(await ward.look("owner")).toEqual([finding("owner", "ok", /belongs to its owner/)]);
    return;
  }
  const outside = join(dirname(ward.data), "outside");
  writeFileSync(outside, "");
  chownSync(ward.data, 65534, 65534);
  for (const name of ["guildhall.db", "guildhall.key"]) chownSync(join(ward.data, name), 65534, 65534);
  mkdirSync(join(ward.data, "before-restore-1"));
  symlinkSync(outside, join(ward.data, "before-restore-1", "link"));
  const mend = /^sudo chown -hR 65534:65534 /;
  expect(await ward.look("owner")).toEqual([
    finding("owner", "warning", /before-restore-1.* belong to another user/, mend),
  ]);
  chownSync(join(ward.data, "guildhall.db"), 0, 0);
  expect(await ward.look("owner")).toEqual([finding("owner", "severe", /guildhall\.db/, mend)]);
  await ward.examine({ isFixing: true });
  expect(statSync(join(ward.data, "guildhall.db")).uid).toBe(65534);
  expect(statSync(outside).uid).toBe(0);
  expect(await ward.look("owner")).toEqual([finding("owner", "ok", /belongs to its owner/)]);
});

test("a folder or database that its own owner may not write is severe, and --fix opens it for them", async () => {
  using ward = openWard();
  const file = join(ward.data, "guildhall.db");
  chmodSync(file, 0o440);
  expect(await ward.look("owner_rights")).toEqual([
    finding("owner_rights", "severe", /may not read and write .*guildhall\.db/, /^chmod u\+rwX /),
  ]);
  await ward.examine({ isFixing: true });
  expect(mode(file)).toBe(0o640);
  expect(existsSync(file)).toBe(true);
});

test("locks and the driver are nobody's secret", async () => {
  using ward = openWard();
  chmodSync(ward.data, 0o755);
  mkdirSync(join(ward.data, "backups"), { mode: 0o700 });
  for (const name of [
    "guildhall.lock-journal",
    "backups/.lock",
    "backups/.restoring.lock",
    ".key-rotation",
  ]) {
    writeFileSync(join(ward.data, name), "");
    chmodSync(join(ward.data, name), 0o644);
  }
  expect(await ward.look("backup_rights")).toEqual([]);
  expect(await ward.look("rights")).toEqual([finding("rights", "ok", /nobody but/)]);
});
