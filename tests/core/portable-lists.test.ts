import { expect, test } from "bun:test";
import { columnsOf, tableName } from "../../src/core/base/db/tables.ts";
import { formOf, publishedSchema } from "../../src/core/services/transfer/line-format.ts";
import { EXPORTED } from "../../src/core/services/transfer/exported-tables.ts";
import { NOT_EXPORTED } from "../../src/core/services/transfer/not-exported.ts";
import { createTestWorld } from "../support.ts";
import { CREDENTIAL } from "./credentials.ts";

/** Internal tables of FTS5 and AUTOINCREMENT. */
const OF_SQLITE = /^sqlite_|^(?:job_search|post_search|prompt_search|directory_search)_/;

test("every table is exported, or has a documented reason not to be", () => {
  using world = createTestWorld();
  const tables = world.core.db
    .prepare<{ name: string }>("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'view'")
    .all()
    .map(({ name }) => name)
    .filter((name) => !OF_SQLITE.test(name));
  const listed = [...EXPORTED.map(({ twin }) => tableName(twin)), ...Object.keys(NOT_EXPORTED)];
  expect(listed.sort()).toEqual(tables.sort());
  expect(new Set(listed).size).toBe(listed.length);
});

/** Columns whose names look like credentials but are not. */
const NONE = ["apps.id_token_alg", "media.hash"];

test("every column of an exported table is exported or has a reason not to be, and never a credential or bytes", () => {
  const open: string[] = [];
  for (const { twin, columns, leftOut } of EXPORTED) {
    const table = tableName(twin);
    const all = columnsOf(twin);
    expect([table, [...columns, ...Object.keys(leftOut)].sort()]).toEqual([
      table,
      all.map(({ key }) => key).sort(),
    ]);
    const exported = all.filter(({ key }) => columns.includes(key));
    for (const { name, kind } of exported)
      if (kind === "bytes" || CREDENTIAL.test(name)) open.push(`${table}.${name}`);
  }
  expect(open).toEqual(NONE);
});

test("every exported table has a schema of all its columns in standard JSON Schema", () => {
  for (const entity of EXPORTED) {
    const form = formOf(entity);
    const schema = publishedSchema(form) as { properties: Record<string, unknown>; title: string };
    expect(Object.keys(schema.properties)).toEqual(form.columns.map(({ name }) => name));
    expect(JSON.stringify(schema)).not.toMatch(/"(?:fault|tooLong)":/);
  }
});

test("each table is imported after the tables that it refers to", () => {
  using world = createTestWorld();
  const place = new Map(EXPORTED.map(({ twin }, i) => [tableName(twin), i]));
  for (const [name, i] of place)
    for (const { table } of world.core.db.prepare(`PRAGMA foreign_key_list("${name}")`).all() as {
      table: string;
    }[])
      if (place.has(table)) expect([name, table, (place.get(table) ?? 0) <= i]).toEqual([name, table, true]);
});
