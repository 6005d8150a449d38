import { expect, test } from "bun:test";
import { join } from "node:path";
import Database from "better-sqlite3";
import { MIGRATIONS } from "../../src/core/ground/db/migrations.ts";
import { upgradeDatabase } from "../../src/core/ground/db/open.ts";
import { makeWorld } from "../support.ts";
import { oldDatabase } from "./old-database.ts";

const shape = (file: string): unknown => {
  const sqlite = new Database(file, { readonly: true });
  const found = [
    sqlite.pragma("user_version", { simple: true }),
    sqlite.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all(),
    sqlite.prepare("SELECT name FROM migrations ORDER BY name").all(),
  ];
  sqlite.close();
  return found;
};

/** The last migration that makes a table, and the table. */
function lastTable(): string {
  const tables = MIGRATIONS.flatMap(({ sql }) => [...sql.matchAll(/^CREATE TABLE (\w+)/gm)]);
  return tables.at(-1)?.[1] ?? "";
}

test("an update that breaks off in its last steps, from any version, leaves the old state, and the next start completes it", () => {
  using world = makeWorld();
  const newest = shape(join(world.folder, "guildhall.db"));
  const table = lastTable();
  for (let version = 1; version < MIGRATIONS.length; version++) {
    const file = join(world.folder, `${version}.db`);
    oldDatabase(file, version);
    const isMade = MIGRATIONS.slice(0, version).some(({ sql }) => sql.includes(`CREATE TABLE ${table} `));
    // All of it is one transaction, however much that is: every fifth breaks off, and every one is updated.
    if (!isMade && version % 5 === 1) {
      const obstacle = new Database(file);
      obstacle.exec(`CREATE TABLE ${table} (in_the_way TEXT) STRICT`);
      obstacle.close();
      const before = shape(file);
      expect(() => upgradeDatabase(file)).toThrow(`table ${table} already exists`);
      expect(shape(file)).toEqual(before);
      const cleared = new Database(file);
      cleared.exec(`DROP TABLE ${table}`);
      cleared.close();
    }
    upgradeDatabase(file);
    expect([version, shape(file)]).toEqual([version, newest]);
  }
});

test("of the admins of a database from before there were roles, who set it up is the owner, else who has been here longest", () => {
  // docs/contract.md#12.23
  using world = makeWorld();
  const before = MIGRATIONS.findIndex(({ name }) => name.startsWith("0050_"));
  const rolesAfter = (name: string, change: string): unknown => {
    const file = join(world.folder, `${name}.db`);
    oldDatabase(file, before);
    const old = new Database(file);
    const add = old.prepare(
      "INSERT INTO builders (id, username, name, is_admin, created_at, suspended_at, removed_at) VALUES (?, ?, ?, ?, 1, ?, ?)",
    );
    for (const [username, isAdmin, suspendedAt, removedAt] of [
      ["ada", 1, null, null],
      ["bob", 0, null, null],
      ["cleo", 1, null, null],
      ["dee", 0, 5, 7],
    ] as const)
      add.run(`builder_${username}`, username, username, isAdmin, suspendedAt, removedAt);
    old
      .prepare(
        "INSERT INTO audit_entries (id, subject_id, act, created_at) VALUES (?, ?, 'account.set-up', 1)",
      )
      .run("aud_1", "builder_cleo");
    old.exec(change);
    old.close();
    upgradeDatabase(file);
    const now = new Database(file, { readonly: true });
    const rows = now.prepare("SELECT username, role, removed_at FROM builders ORDER BY id").raw().all();
    now.close();
    return rows;
  };
  const rows = (ada: string, cleo: string) => [
    ["ada", ada, null],
    ["bob", "member", null],
    ["cleo", cleo, null],
    ["dee", "member", 7],
  ];
  expect(rolesAfter("set-up", "")).toEqual(rows("admin", "owner"));
  for (const [name, change, cleo] of [
    ["suspended", "UPDATE builders SET suspended_at = 3 WHERE username = 'cleo'", "admin"],
    ["no-admin", "UPDATE builders SET is_admin = 0 WHERE username = 'cleo'", "member"],
    ["unknown", "DELETE FROM audit_entries", "admin"],
  ] as const)
    expect([name, rolesAfter(name, change)]).toEqual([name, rows("owner", cleo)]);
  expect(rolesAfter("nobody", "UPDATE builders SET is_admin = 0")).toEqual(rows("member", "member"));
});
