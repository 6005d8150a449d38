import { expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { readConfig } from "../../../src/config/config.ts";
import { touchSeen } from "../../../src/operate/doctor/mending.ts";
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
    finding("owner", "warning", /before-restore-1 belongs to another user/, mend),
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

test("a folder of others that is named by mistake is left as it is, and so is what others have beside a community", async () => {
  using ward = openWard();
  const files = ["passwd", "lost+found", "guildhall.key"].map((name) => join(ward.data, name));
  for (const path of files) {
    writeFileSync(path, "");
    chmodSync(path, 0o644);
    if (IS_ROOT) chownSync(path, 65533, 65533);
  }
  if (IS_ROOT) chownSync(ward.data, 65534, 65534);
  await ward.examine({ isFixing: true });
  expect(files.map(mode)).toEqual([0o644, 0o644, 0o640]);
  chmodSync(files[2] ?? "", 0o644);
  rmSync(join(ward.data, "guildhall.db"));
  await ward.examine({ isFixing: true });
  expect(files.map(mode)).toEqual([0o644, 0o644, 0o644]);
  if (IS_ROOT) expect(files.map((path) => statSync(path).uid)).toEqual([65533, 65533, 65534]);
});

test("what has another name elsewhere, leads elsewhere or was swapped is not mended, as it may be anybody's", async () => {
  using ward = openWard();
  const outside = join(dirname(ward.data), "outside");
  mkdirSync(outside, { mode: 0o555 });
  const shadow = join(outside, "shadow");
  writeFileSync(join(dirname(ward.data), "shadow"), "");
  renameSync(join(dirname(ward.data), "shadow"), shadow);
  chmodSync(shadow, 0o444);
  linkSync(shadow, join(ward.data, "before-1"));
  symlinkSync(outside, join(ward.data, "backups"));
  if (IS_ROOT)
    for (const name of ["", "guildhall.db", "guildhall.key"]) chownSync(join(ward.data, name), 65534, 65534);
  const found = await ward.examine({ isFixing: true });
  expect(found).toContainEqual(finding("folder_rights", "note", /^left as it is: .*before-1/));
  expect([mode(shadow), mode(outside), statSync(shadow).uid]).toEqual([
    0o444,
    0o555,
    process.getuid?.() ?? 0,
  ]);
  // Another of its name, and a folder on its way that became a link.
  const path = join(ward.data, "tls", "one");
  mkdirSync(dirname(path));
  writeFileSync(path, "");
  const seen = { path, name: "tls/one", stats: lstatSync(path) };
  const touched: string[] = [];
  const touch = () => touchSeen(seen, ward.data, (each) => void touched.push(each));
  expect(touch()).toBe(true);
  renameSync(dirname(path), join(dirname(ward.data), "moved"));
  symlinkSync(join(dirname(ward.data), "moved"), dirname(path));
  expect(touch()).toBe(false);
  expect(touched).toHaveLength(1);
});

test("a data folder that is named by a link is looked into", async () => {
  using ward = openWard();
  const link = join(dirname(ward.data), "link");
  symlinkSync(ward.data, link);
  chmodSync(ward.data, 0o755);
  chmodSync(join(ward.data, "guildhall.db"), 0o644);
  const config = readConfig({}, { data: link });
  expect(await ward.look("database_rights", { config })).toEqual([
    finding("database_rights", "severe", /every user/),
  ]);
  await ward.examine({ config, isFixing: true });
  expect(mode(join(ward.data, "guildhall.db"))).toBe(0o640);
});
