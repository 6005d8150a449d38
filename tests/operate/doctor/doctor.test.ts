import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../../src/config/config.ts";
import { openDataFolder } from "../../../src/app/data-folder.ts";
import { openDatabase } from "../../../src/core/base/db/open.ts";
import { setSetting } from "../../../src/core/base/db/settings.ts";
import { pagesOf } from "../../cluster/pages.ts";
import { finding, openFixture } from "./support.ts";

/** docs/contract.md#12.11 */

const database = (data: string) => join(data, "guildhall.db");

test("finds nothing severe in a healthy folder, and every check has a stable name for scripts", async () => {
  using fixture = openFixture();
  const checked = await fixture.runChecks();
  expect(checked.filter(({ severity }) => severity === "severe")).toEqual([]);
  for (const { check } of checked) expect(check).toMatch(/^[a-z][a-z_]*$/);
  expect(checked).toContainEqual(finding("schema", "ok", /this program's schema version/));
  expect(checked).toContainEqual(finding("key", "ok", /opens the database/));
});

test("a missing folder, and a folder without its database, are severe findings", async () => {
  using fixture = openFixture();
  const nowhere = readConfig({}, { data: join(fixture.data, "none") });
  expect(await fixture.runChecks({ config: nowhere })).toEqual([
    finding("folder", "severe", /no Guildhall in/, /--data/),
  ]);
  const file = readConfig({}, { data: database(fixture.data) });
  expect(await fixture.runChecks({ config: file })).toEqual([
    finding("folder", "severe", /guildhall\.db is not a folder/, /--data/),
  ]);
  const below = readConfig({}, { data: join(database(fixture.data), "below") });
  expect(await fixture.runChecks({ config: below })).toEqual([
    finding("folder", "severe", /below leads through a file/, /--data/),
  ]);
  const unreachable = readConfig({}, { data: join(fixture.data, "long".repeat(100)) });
  expect(await fixture.runChecks({ config: unreachable })).toEqual([
    finding("folder", "severe", /This user cannot reach .* \(ENAMETOOLONG\)/, /--data/),
  ]);
  rmSync(database(fixture.data));
  expect(await fixture.runChecks()).toContainEqual(
    finding("database", "severe", /no database in/, /guildhall restore/),
  );
});

test("reports a damaged database with the command that restores it, and runs all other checks", async () => {
  using fixture = openFixture();
  writeFileSync(database(fixture.data), "no database at all".repeat(1000));
  const checked = await fixture.runChecks();
  expect(checked).toContainEqual(
    finding("database", "severe", /damaged \(SQLITE_NOTADB\)/, /guildhall restore FILE --replace/),
  );
  expect(checked.some(({ check }) => check === "disk")).toBe(true);
});

test("distinguishes a wrong key, a missing key, an older database and a newer database", async () => {
  using fixture = openFixture();
  const key = join(fixture.data, "guildhall.key");
  renameSync(key, `${key}.away`);
  expect(await fixture.look("key")).toEqual([
    finding("key", "severe", /key file .* is missing/, /key check/),
  ]);
  writeFileSync(key, "0".repeat(64));
  expect(await fixture.look("key")).toEqual([finding("key", "severe", /is not the key of/, /key check/)]);
  renameSync(`${key}.away`, key);

  const setVersion = (version: number): void => {
    const file = readFileSync(database(fixture.data));
    // Offset of user_version in the header (https://sqlite.org/fileformat2.html, section 1.3).
    file.writeUInt32BE(version, 60);
    writeFileSync(database(fixture.data), file);
  };
  setVersion(27);
  expect(await fixture.look("schema")).toEqual([
    finding("schema", "severe", /The database has schema 27/, /guildhall migrate/),
  ]);
  setVersion(999);
  expect(await fixture.look("schema")).toEqual([finding("schema", "severe", /of a newer Guildhall/)]);
});

test("reads the log of a killed server, and leaves it for the next start", async () => {
  using fixture = openFixture();
  const db = openDatabase(database(fixture.data), { busyMs: 0, isCheckpointing: false });
  db.transact(() => setSetting({ db }, "origin", "https://guild.example"));
  const log = readFileSync(`${database(fixture.data)}-wal`);
  db.close();
  writeFileSync(`${database(fixture.data)}-wal`, log);
  const before = readFileSync(database(fixture.data));
  expect((await fixture.runChecks()).filter(({ severity }) => severity === "severe")).toEqual([]);
  expect(readFileSync(`${database(fixture.data)}-wal`).equals(log)).toBe(true);
  expect(readFileSync(database(fixture.data)).equals(before)).toBe(true);
});

test("reports a log of another database, and opens neither file", async () => {
  using fixture = openFixture();
  using other = openFixture();
  // All fixtures copy one database, so create a different community here.
  rmSync(other.data, { recursive: true });
  openDataFolder(other.config, { busyMs: 0, mayCreate: true }).close();
  const db = openDatabase(database(other.data), { busyMs: 0, isCheckpointing: false });
  db.transact(() => setSetting({ db }, "origin", "https://other.example"));
  writeFileSync(`${database(fixture.data)}-wal`, readFileSync(`${database(other.data)}-wal`));
  db.close();
  expect(await fixture.look("write_ahead_log")).toEqual([
    finding(
      "write_ahead_log",
      "severe",
      /guildhall\.db belongs to another community/,
      /move guildhall\.db-wal/,
    ),
  ]);
  expect(existsSync(`${database(fixture.data)}-shm`)).toBe(false);
});

test("reports a file that this user cannot open, and checks the rest", async () => {
  using fixture = openFixture();
  // A folder in place of the log cannot be opened as a file.
  mkdirSync(`${database(fixture.data)}-wal`);
  // The check skips logs below 512 bytes. On tmpfs a folder has 20 bytes per file.
  for (let i = 0; i < 30; i++) writeFileSync(join(`${database(fixture.data)}-wal`, `${i}`), "");
  const checked = await fixture.runChecks();
  expect(checked).toContainEqual(
    finding(
      "database",
      "severe",
      /This user cannot open guildhall\.db \(E\w+\)/,
      /sudo -u guildhall guildhall doctor/,
    ),
  );
  expect(checked.some(({ check }) => check === "disk")).toBe(true);
});

test("a check of a damaged or older database writes nothing in or beside it", async () => {
  using fixture = openFixture();
  const file = database(fixture.data);
  const there = () => [readdirSync(fixture.data), Bun.hash(readFileSync(file))];
  const bytes = readFileSync(file);
  // Offset of user_version, as above.
  bytes.writeUInt32BE(27, 60);
  writeFileSync(file, bytes);
  const older = there();
  expect(await fixture.look("schema")).toEqual([finding("schema", "severe", /this program needs/)]);
  expect(there()).toEqual(older);
  writeFileSync(file, bytes.fill(0xab, 4096, 40_960));
  const damaged = there();
  expect(await fixture.look("database")).toEqual([finding("database", "severe", /damaged/)]);
  expect(there()).toEqual(damaged);
});

test("leaves the copy of a follower unchanged, also with --fix", async () => {
  using fixture = openFixture({ GUILDHALL_FOLLOW: "http://127.0.0.1:1" });
  const file = database(fixture.data);
  writeFileSync(file, pagesOf(file));
  rmSync(`${file}-wal`, { force: true });
  rmSync(`${file}-shm`, { force: true });
  const before = readFileSync(file);
  for (const isFixing of [false, true]) {
    const checked = await fixture.runChecks({ isFixing });
    expect(checked).toContainEqual(finding("key", "ok", /The key opens/));
    expect(readFileSync(file).equals(before)).toBe(true);
    expect([existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([false, false]);
  }
});
