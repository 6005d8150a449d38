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
import { changeIfUnchanged } from "../../../src/operate/doctor/entries.ts";
import { finding, openFixture } from "./support.ts";

/** docs/contract.md#12.11, docs/threats.md#L11 */

const IS_ROOT = process.getuid?.() === 0;
const mode = (path: string) => statSync(path).mode & 0o777;

test("world-readable secrets are severe, or a note in a closed folder, and --fix closes them", async () => {
  using fixture = openFixture();
  const paths = ["guildhall.key", "guildhall.db", "backups/one"].map((name) => join(fixture.data, name));
  mkdirSync(join(fixture.data, "backups"), { mode: 0o700 });
  writeFileSync(paths[2] ?? "", "");
  for (const path of paths) chmodSync(path, 0o644);
  const found = async (than = {}) =>
    (await fixture.runChecks(than)).filter(({ check }) => check.endsWith("rights"));
  expect((await found()).map(({ check, severity }) => [check, severity])).toEqual([
    ["database_rights", "note"],
    ["key_rights", "note"],
    ["backup_rights", "note"],
  ]);
  chmodSync(fixture.data, 0o755);
  expect(await found()).toContainEqual(
    finding(
      "key_rights",
      "severe",
      /Every user of this machine can read .*guildhall\.key/,
      /^chmod o-rwx .*\.key$/,
    ),
  );
  const fixed = await found({ isFixing: true });
  expect(fixed).toContainEqual(finding("key_rights", "note", /^Closed to other users: .*guildhall\.key/));
  expect(fixed.filter(({ severity }) => severity === "severe")).toEqual([]);
  expect(fixed.at(-1)).toEqual(finding("rights", "ok", /Only the service's user/));
  expect(paths.map(mode)).toEqual([0o640, 0o640, 0o640]);
  expect(await found()).toEqual([finding("rights", "ok", /Only the service's user/)]);
});

test("also checks secrets outside the folder: settings file, key, passphrase, scheduled backups", async () => {
  using fixture = openFixture();
  const network = dirname(fixture.data);
  const shelf = join(network, "shelf");
  mkdirSync(shelf, { mode: 0o755 });
  const write = (name: string, text: string): string => {
    const path = join(network, name);
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
  const config = readConfig({}, { data: fixture.data, settings });
  const found = (await fixture.runChecks({ config })).filter(({ check }) => check.endsWith("rights"));
  expect(found.map(({ check, severity, mend }) => [check, severity, mend?.replace(network, "")])).toEqual([
    ["key_rights", "severe", "chmod o-rwx /elsewhere.key"],
    ["settings_rights", "severe", "chmod o-rwx /settings.toml"],
    ["passphrase_rights", "severe", "chmod o-rwx /passphrase"],
    ["backup_rights", "severe", "chmod o-rwx /shelf/guildhall-aabbccdd-20261122T120000Z.tar.zst"],
  ]);
});

test("reports files of root in the folder, and --fix as root returns them without following links", async () => {
  using fixture = openFixture();
  if (!IS_ROOT) {
    expect(await fixture.look("owner")).toEqual([finding("owner", "ok", /belong to its owner/)]);
    return;
  }
  const network = join(dirname(fixture.data), "outside");
  writeFileSync(network, "");
  chownSync(fixture.data, 65534, 65534);
  for (const name of ["guildhall.db", "guildhall.key"]) chownSync(join(fixture.data, name), 65534, 65534);
  mkdirSync(join(fixture.data, "before-restore-1"));
  symlinkSync(network, join(fixture.data, "before-restore-1", "link"));
  const fix = /^sudo chown -hR 65534:65534 /;
  expect(await fixture.look("owner")).toEqual([
    finding("owner", "warning", /before-restore-1 does not belong to the folder's owner/, fix),
  ]);
  chownSync(join(fixture.data, "guildhall.db"), 0, 0);
  expect(await fixture.look("owner")).toEqual([finding("owner", "severe", /guildhall\.db/, fix)]);
  await fixture.runChecks({ isFixing: true });
  expect(statSync(join(fixture.data, "guildhall.db")).uid).toBe(65534);
  expect(statSync(network).uid).toBe(0);
  expect(await fixture.look("owner")).toEqual([finding("owner", "ok", /belong to its owner/)]);
});

test("a folder or database that its owner cannot write is severe, and --fix makes it writable", async () => {
  using fixture = openFixture();
  const file = join(fixture.data, "guildhall.db");
  chmodSync(file, 0o440);
  expect(await fixture.look("owner_rights")).toEqual([
    finding("owner_rights", "severe", /cannot read and write .*guildhall\.db/, /^chmod u\+rwX /),
  ]);
  await fixture.runChecks({ isFixing: true });
  expect(mode(file)).toBe(0o640);
  expect(existsSync(file)).toBe(true);
});

test("treats lock files and the driver as public", async () => {
  using fixture = openFixture();
  chmodSync(fixture.data, 0o755);
  mkdirSync(join(fixture.data, "backups"), { mode: 0o700 });
  for (const name of [
    "guildhall.lock-journal",
    "backups/.lock",
    "backups/.restoring.lock",
    ".key-rotation",
  ]) {
    writeFileSync(join(fixture.data, name), "");
    chmodSync(join(fixture.data, name), 0o644);
  }
  expect(await fixture.look("backup_rights")).toEqual([]);
  expect(await fixture.look("rights")).toEqual([finding("rights", "ok", /Only the service's user/)]);
});

test("leaves another owner's folder, and foreign files beside a community, unchanged", async () => {
  using fixture = openFixture();
  const files = ["passwd", "lost+found", "guildhall.key"].map((name) => join(fixture.data, name));
  for (const path of files) {
    writeFileSync(path, "");
    chmodSync(path, 0o644);
    if (IS_ROOT) chownSync(path, 65533, 65533);
  }
  if (IS_ROOT) chownSync(fixture.data, 65534, 65534);
  await fixture.runChecks({ isFixing: true });
  expect(files.map(mode)).toEqual([0o644, 0o644, 0o640]);
  chmodSync(files[2] ?? "", 0o644);
  rmSync(join(fixture.data, "guildhall.db"));
  await fixture.runChecks({ isFixing: true });
  expect(files.map(mode)).toEqual([0o644, 0o644, 0o644]);
  if (IS_ROOT) expect(files.map((path) => statSync(path).uid)).toEqual([65533, 65533, 65534]);
});

test("does not fix hard links, symlinks or swapped files, as they may belong to others", async () => {
  using fixture = openFixture();
  const network = join(dirname(fixture.data), "outside");
  mkdirSync(network, { mode: 0o555 });
  const shadow = join(network, "shadow");
  writeFileSync(join(dirname(fixture.data), "shadow"), "");
  renameSync(join(dirname(fixture.data), "shadow"), shadow);
  chmodSync(shadow, 0o444);
  linkSync(shadow, join(fixture.data, "before-1"));
  symlinkSync(network, join(fixture.data, "backups"));
  if (IS_ROOT)
    for (const name of ["", "guildhall.db", "guildhall.key"])
      chownSync(join(fixture.data, name), 65534, 65534);
  const found = await fixture.runChecks({ isFixing: true });
  expect(found).toContainEqual(finding("folder_rights", "note", /^Unchanged: .*before-1/));
  expect([mode(shadow), mode(network), statSync(shadow).uid]).toEqual([
    0o444,
    0o555,
    process.getuid?.() ?? 0,
  ]);
  // Replaces a file by another of the same name, and a parent folder by a link.
  const path = join(fixture.data, "tls", "one");
  mkdirSync(dirname(path));
  writeFileSync(path, "");
  const seen = { path, name: "tls/one", stats: lstatSync(path) };
  const touched: string[] = [];
  const touch = () => changeIfUnchanged(seen, fixture.data, (each) => void touched.push(each));
  expect(touch()).toBe(true);
  renameSync(dirname(path), join(dirname(fixture.data), "moved"));
  symlinkSync(join(dirname(fixture.data), "moved"), dirname(path));
  expect(touch()).toBe(false);
  expect(touched).toHaveLength(1);
});

test("checks a data folder that is named by a symlink", async () => {
  using fixture = openFixture();
  const link = join(dirname(fixture.data), "link");
  symlinkSync(fixture.data, link);
  chmodSync(fixture.data, 0o755);
  chmodSync(join(fixture.data, "guildhall.db"), 0o644);
  const config = readConfig({}, { data: link });
  expect(await fixture.look("database_rights", { config })).toEqual([
    finding("database_rights", "severe", /Every user/),
  ]);
  await fixture.runChecks({ config, isFixing: true });
  expect(mode(join(fixture.data, "guildhall.db"))).toBe(0o640);
});
