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
    if (!isMade) {
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
