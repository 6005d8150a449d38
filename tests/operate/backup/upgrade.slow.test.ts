// docs/contract.md#12.8: upgrades, within one process.
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { SCHEMA_VERSION } from "../../../src/core/base/db/migrate.ts";
import { createSecrets } from "../../../src/core/base/sealed-secrets.ts";
import { lockDataFolder, isOlder, openDataFolder } from "../../../src/app/data-folder.ts";
import { rehearse, upgradeWithCopy } from "../../../src/operate/backup/upgrade.ts";
import { oldDatabase } from "../../core/old-database.ts";
import { seededBytes } from "../../../src/demo/seeded-bytes.ts";

const KEY = Buffer.alloc(32, 7);

/** A data folder of that schema version with its key. */
function oldFolder(version: number) {
  const data = mkdtempSync(join(tmpdir(), "guildhall-old-"));
  const file = join(data, "guildhall.db");
  const keyFile = join(data, "guildhall.key");
  oldDatabase(file, version);
  const sqlite = new Database(file);
  const check = createSecrets(KEY, seededBytes(1)).seal("key-check", "", "they belong together");
  sqlite.prepare("INSERT INTO settings VALUES ('key-check', ?)").run(check.toString("base64"));
  sqlite.pragma("journal_mode = DELETE");
  sqlite.close();
  writeFileSync(keyFile, `${KEY.toString("hex")}\n`);
  return { data, file, keyFile, [Symbol.dispose]: () => rmSync(data, { recursive: true }) };
}

test("opening never upgrades: a tool and the delivery thread refuse an older database unchanged", () => {
  using folder = oldFolder(SCHEMA_VERSION - 1);
  const before = readFileSync(folder.file);
  for (const options of [
    { busyMs: 100, mayCreate: true, lock: true },
    { busyMs: 100, mayCreate: false },
    { busyMs: 0, mayCreate: false, isDurable: false },
  ])
    expect(() => openDataFolder(folder, options)).toThrow(
      /has schema \d+ of an older Guildhall, .*guildhall migrate/,
    );
  expect(readFileSync(folder.file).equals(before)).toBe(true);
});

test("checks the key before any change to the database", () => {
  using folder = oldFolder(SCHEMA_VERSION - 1);
  const before = readFileSync(folder.file);
  writeFileSync(folder.keyFile, `${Buffer.alloc(32, 8).toString("hex")}\n`);
  expect(() => lockDataFolder(folder)).toThrow(/is not the key of this database/);
  expect(() => openDataFolder(folder, { busyMs: 100, mayCreate: true })).toThrow(/not the key/);
  rmSync(folder.keyFile);
  expect(() => lockDataFolder(folder)).toThrow(/key file .* is missing/);
  expect(readFileSync(folder.file).equals(before)).toBe(true);
  expect(readdirSync(folder.data).sort()).toEqual(["guildhall.db", "guildhall.lock"]);
});

const NOW = Date.UTC(2026, 10, 22, 17);
const COPY = `before-upgrade-10-to-${SCHEMA_VERSION}-20261122T170000Z`;

test("an upgrade makes a copy, reports its steps and runs once, and then the database opens", async () => {
  using folder = oldFolder(10);
  expect(isOlder(folder)).toBe(true);
  const held = lockDataFolder(folder);
  const progress: string[] = [];
  const { from, to, steps, copy } = await upgradeWithCopy({ ...folder, ...held }, NOW, (name, done, total) =>
    progress.push(`${name} ${done}/${total}`),
  );
  held.release();
  expect([from, to]).toEqual([10, SCHEMA_VERSION]);
  expect(progress).toContain(`0011_webhook_secrets 0/${SCHEMA_VERSION - 10}`);
  expect(progress.at(-1)).toBe(`foreign keys ${SCHEMA_VERSION - 10}/${SCHEMA_VERSION - 10}`);
  expect(steps).toHaveLength(SCHEMA_VERSION - 10 + 1);
  expect(isOlder(folder)).toBe(false);
  openDataFolder(folder, { busyMs: 100, mayCreate: false }).close();

  // The older program can start with the copy, and only the owner can read it.
  expect(copy).toBe(join(folder.data, COPY));
  expect(readdirSync(copy)).toEqual(["guildhall.db"]);
  expect(statSync(copy).mode & 0o777).toBe(0o700);
  expect(statSync(join(copy, "guildhall.db")).mode & 0o777).toBe(0o600);
  expect(versionIn(join(copy, "guildhall.db"))).toBe(10);
});

test("keeps the copies of the last two upgrades, and deletes partial copies of killed ones", async () => {
  using folder = oldFolder(10);
  for (const name of ["before-upgrade-3-to-7-20250101T000000Z", "before-upgrade-7-to-10-20260101T000000Z"])
    mkdirSync(join(folder.data, name));
  mkdirSync(join(folder.data, `${COPY}.partial`));
  mkdirSync(join(folder.data, "before-upgrade-of-mine"));
  mkdirSync(join(folder.data, ".rehearsal"));
  const held = lockDataFolder(folder);
  await upgradeWithCopy({ ...folder, ...held }, NOW, () => {});
  held.release();
  expect(
    readdirSync(folder.data)
      .filter((name) => name.startsWith("before"))
      .sort(),
  ).toEqual(["before-upgrade-7-to-10-20260101T000000Z", COPY, "before-upgrade-of-mine"].sort());
});

test("a failed migration is reported with a message, and changes neither the database nor the folder", async () => {
  using folder = oldFolder(10);
  const sqlite = new Database(folder.file);
  sqlite.exec("CREATE TABLE webhook_secrets (in_the_way TEXT) STRICT");
  sqlite.close();
  const older = { ...folder, version: 10 };
  const pattern =
    /^The upgrade from schema 10 to \d+ failed at 0011_webhook_secrets: table webhook_secrets already exists\. The database is unchanged\. /;
  const before = readdirSync(folder.data).sort();
  await expect(upgradeWithCopy(older, NOW, () => {})).rejects.toThrow(pattern);
  await expect(rehearse(older, () => {})).rejects.toThrow(pattern);
  expect(versionIn(folder.file)).toBe(10);
  expect(readdirSync(folder.data).sort()).toEqual(before);
});

test("refuses to upgrade a damaged database", async () => {
  using folder = oldFolder(10);
  const bytes = readFileSync(folder.file);
  // Overwrites a page that belongs to a table.
  bytes.fill(0xff, 40 * 4096, 41 * 4096);
  writeFileSync(folder.file, bytes);
  await expect(upgradeWithCopy({ ...folder, version: 10 }, NOW, () => {})).rejects.toThrow(
    /database is damaged/,
  );
  expect(readFileSync(folder.file).equals(bytes)).toBe(true);
  expect(readdirSync(folder.data).filter((name) => name.startsWith("before"))).toEqual([]);
});

test("a rehearsal reports rows and seconds, changes nothing, and deletes its copy", async () => {
  using folder = oldFolder(10);
  const [before, files] = [readFileSync(folder.file), readdirSync(folder.data).sort()];
  const found = await rehearse({ ...folder, version: 10 }, () => {});
  expect([found.from, found.to, found.before.schema, found.after.schema]).toEqual([
    10,
    SCHEMA_VERSION,
    10,
    SCHEMA_VERSION,
  ]);
  expect(found.before.rows["settings"]).toBe(1);
  expect(found.steps.map(({ name }) => name)).toContain("0011_webhook_secrets");
  expect(readFileSync(folder.file).equals(before)).toBe(true);
  expect(readdirSync(folder.data).sort()).toEqual(files);
});

function versionIn(file: string): unknown {
  const sqlite = new Database(file);
  try {
    return sqlite.pragma("user_version", { simple: true });
  } finally {
    sqlite.close();
  }
}
