import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../../src/config/config.ts";
import { openDatabase } from "../../../src/core/base/db/open.ts";
import { setSetting } from "../../../src/core/base/db/settings.ts";
import { pagesOf } from "../../cluster/pages.ts";
import { finding, openWard } from "./support.ts";

/** docs/contract.md#12.11 */

const database = (data: string) => join(data, "guildhall.db");

test("of a folder with which all is well, nothing is severe, and every name is one that a script can keep to", async () => {
  using ward = openWard();
  const checked = await ward.examine();
  expect(checked.filter(({ severity }) => severity === "severe")).toEqual([]);
  for (const { check } of checked) expect(check).toMatch(/^[a-z][a-z_]*$/);
  expect(checked).toContainEqual(finding("schema", "ok", /this program's version/));
  expect(checked).toContainEqual(finding("key", "ok", /sealed with/));
});

test("a folder that is not there, and one that lost its database, are severe findings", async () => {
  using ward = openWard();
  const nowhere = readConfig({}, { data: join(ward.data, "none") });
  expect(await ward.examine({ config: nowhere })).toEqual([
    finding("folder", "severe", /no Guildhall in/, /--data/),
  ]);
  const file = readConfig({}, { data: database(ward.data) });
  expect(await ward.examine({ config: file })).toEqual([
    finding("folder", "severe", /guildhall\.db is no folder/, /--data/),
  ]);
  const below = readConfig({}, { data: join(database(ward.data), "below") });
  expect(await ward.examine({ config: below })).toEqual([
    finding("folder", "severe", /below lies below a file/, /--data/),
  ]);
  const unreachable = readConfig({}, { data: join(ward.data, "long".repeat(100)) });
  expect(await ward.examine({ config: unreachable })).toEqual([
    finding("folder", "severe", /cannot be reached by this user \(ENAMETOOLONG\)/, /--data/),
  ]);
  rmSync(database(ward.data));
  expect(await ward.examine()).toContainEqual(
    finding("database", "severe", /no database in/, /guildhall restore/),
  );
});

test("a database that is damaged is told with what restores it, and stops no other look", async () => {
  using ward = openWard();
  writeFileSync(database(ward.data), "no database at all".repeat(1000));
  const checked = await ward.examine();
  expect(checked).toContainEqual(
    finding("database", "severe", /damaged \(SQLITE_NOTADB\)/, /guildhall restore FILE --replace/),
  );
  expect(checked.some(({ check }) => check === "disk")).toBe(true);
});

test("another key than the database's, a key that is gone, an older and a newer database: each is told apart", async () => {
  using ward = openWard();
  const key = join(ward.data, "guildhall.key");
  renameSync(key, `${key}.away`);
  expect(await ward.look("key")).toEqual([finding("key", "severe", /key file .* is missing/, /key check/)]);
  writeFileSync(key, "0".repeat(64));
  expect(await ward.look("key")).toEqual([finding("key", "severe", /is not the key that/, /key check/)]);
  renameSync(`${key}.away`, key);

  const setVersion = (version: number): void => {
    const file = readFileSync(database(ward.data));
    // The header's user_version (https://sqlite.org/fileformat2.html, section 1.3).
    file.writeUInt32BE(version, 60);
    writeFileSync(database(ward.data), file);
  };
  setVersion(27);
  expect(await ward.look("schema")).toEqual([
    finding("schema", "severe", /an older Guildhall's \(schema 27/, /guildhall migrate/),
  ]);
  setVersion(999);
  expect(await ward.look("schema")).toEqual([finding("schema", "severe", /written by a newer Guildhall/)]);
});

test("what a killed server left in its log is read, and left for the next start", async () => {
  using ward = openWard();
  const db = openDatabase(database(ward.data), { busyMs: 0, isTakingOver: false });
  db.transact(() => setSetting({ db }, "origin", "https://guild.example"));
  const log = readFileSync(`${database(ward.data)}-wal`);
  db.close();
  writeFileSync(`${database(ward.data)}-wal`, log);
  const before = readFileSync(database(ward.data));
  expect((await ward.examine()).filter(({ severity }) => severity === "severe")).toEqual([]);
  expect(readFileSync(`${database(ward.data)}-wal`).equals(log)).toBe(true);
  expect(readFileSync(database(ward.data)).equals(before)).toBe(true);
});

test("a log that is none of the database's is told, and neither of the two is opened", async () => {
  using ward = openWard();
  using other = openWard();
  const db = openDatabase(database(other.data), { busyMs: 0, isTakingOver: false });
  db.transact(() => setSetting({ db }, "origin", "https://other.example"));
  writeFileSync(`${database(ward.data)}-wal`, readFileSync(`${database(other.data)}-wal`));
  db.close();
  expect(await ward.look("write_ahead_log")).toEqual([
    finding("write_ahead_log", "severe", /guildhall\.db is another community/, /move guildhall\.db-wal/),
  ]);
  expect(existsSync(`${database(ward.data)}-shm`)).toBe(false);
});

test("what this user may not open is a finding, and the rest is looked at", async () => {
  using ward = openWard();
  // A folder in the place of the log: nobody may open it as a file.
  mkdirSync(`${database(ward.data)}-wal`);
  writeFileSync(join(`${database(ward.data)}-wal`, "x"), "x".repeat(4096));
  const checked = await ward.examine();
  expect(checked).toContainEqual(
    finding(
      "database",
      "severe",
      /cannot be opened by this user \(E\w+\)/,
      /sudo -u guildhall guildhall doctor/,
    ),
  );
  expect(checked.some(({ check }) => check === "disk")).toBe(true);
});

test("a look leaves nothing beside a database that is damaged or older, nor does it write in it", async () => {
  using ward = openWard();
  const file = database(ward.data);
  const there = () => [readdirSync(ward.data), Bun.hash(readFileSync(file))];
  const bytes = readFileSync(file);
  // As above.
  bytes.writeUInt32BE(27, 60);
  writeFileSync(file, bytes);
  const older = there();
  expect(await ward.look("schema")).toEqual([finding("schema", "severe", /older/)]);
  expect(there()).toEqual(older);
  writeFileSync(file, bytes.fill(0xab, 4096, 40_960));
  const damaged = there();
  expect(await ward.look("database")).toEqual([finding("database", "severe", /damaged/)]);
  expect(there()).toEqual(damaged);
});

test("the doctor leaves the copy of a follower as its engine wrote it, also where it may fix things", async () => {
  using ward = openWard({ GUILDHALL_FOLLOW: "http://127.0.0.1:1" });
  const file = database(ward.data);
  writeFileSync(file, pagesOf(file));
  rmSync(`${file}-wal`, { force: true });
  rmSync(`${file}-shm`, { force: true });
  const before = readFileSync(file);
  for (const isFixing of [false, true]) {
    const checked = await ward.examine({ isFixing });
    expect(checked).toContainEqual(finding("key", "ok", /the key is the one/));
    expect(readFileSync(file).equals(before)).toBe(true);
    expect([existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([false, false]);
  }
});
