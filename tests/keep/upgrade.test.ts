// What docs/contract.md#12.8 promises of an upgrade, inside one process.
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { SCHEMA_VERSION } from "../../src/core/ground/db/migrate.ts";
import { createSecrets } from "../../src/core/ground/sealed-secrets.ts";
import { holdGround, isOlder, openGround } from "../../src/ground.ts";
import { upgrade } from "../../src/keep/upgrade.ts";
import { oldDatabase } from "../core/old-database.ts";
import { seededBytes } from "../../src/demo/seeded-bytes.ts";

const KEY = Buffer.alloc(32, 7);

/** A data folder as the Guildhall of that time left it, with its key. */
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

test("opening never upgrades: a tool and the delivery thread refuse an older database and leave it as it is", () => {
  using folder = oldFolder(SCHEMA_VERSION - 1);
  const before = readFileSync(folder.file);
  for (const options of [
    { busyMs: 100, mayCreate: true, holds: true },
    { busyMs: 100, mayCreate: false },
    { busyMs: 0, mayCreate: false, isDurable: false },
  ])
    expect(() => openGround(folder, options)).toThrow(/older Guildhall's \(schema \d+, .*guildhall migrate/);
  expect(readFileSync(folder.file).equals(before)).toBe(true);
});

test("the key is checked before anything of the database is changed", () => {
  using folder = oldFolder(SCHEMA_VERSION - 1);
  const before = readFileSync(folder.file);
  writeFileSync(folder.keyFile, `${Buffer.alloc(32, 8).toString("hex")}\n`);
  expect(() => holdGround(folder)).toThrow(/not the key that this database was sealed with/);
  expect(() => openGround(folder, { busyMs: 100, mayCreate: true })).toThrow(/not the key/);
  rmSync(folder.keyFile);
  expect(() => holdGround(folder)).toThrow(/key file .* is missing/);
  expect(readFileSync(folder.file).equals(before)).toBe(true);
  expect(readdirSync(folder.data).sort()).toEqual(["guildhall.db", "guildhall.lock"]);
});

test("an upgrade tells its steps, is done once, and what was refused before opens then", () => {
  using folder = oldFolder(10);
  expect(isOlder(folder)).toBe(true);
  const held = holdGround(folder);
  const told: string[] = [];
  const { from, to, steps } = upgrade(held.file, held.version, (name, done, total) =>
    told.push(`${name} ${done}/${total}`),
  );
  held.release();
  expect([from, to]).toEqual([10, SCHEMA_VERSION]);
  expect(told[0]).toBe(`0011_webhook_secrets 0/${SCHEMA_VERSION - 10}`);
  expect(told.at(-1)).toBe(`foreign keys ${SCHEMA_VERSION - 10}/${SCHEMA_VERSION - 10}`);
  expect(steps.every(({ ms }) => ms >= 0)).toBe(true);
  expect(isOlder(folder)).toBe(false);
  openGround(folder, { busyMs: 100, mayCreate: false }).close();
});

test("a migration that fails is told in words, and the database is as it was", () => {
  using folder = oldFolder(10);
  const sqlite = new Database(folder.file);
  sqlite.exec("CREATE TABLE webhook_secrets (in_the_way TEXT) STRICT");
  sqlite.close();
  expect(() => upgrade(folder.file, 10, () => {})).toThrow(
    /^the upgrade from schema 10 to \d+ failed at 0011_webhook_secrets: table webhook_secrets already exists\. The database is as it was: /,
  );
  const after = new Database(folder.file, { readonly: true });
  expect(after.pragma("user_version", { simple: true })).toBe(10);
  after.close();
});
