// docs/adr/0064-followers.md: a database that an engine changes from outside.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCopy } from "../../src/core/base/db/copy.ts";
import { openSqlite } from "../../src/core/base/db/sqlite.ts";
import { createTestWorld, createMember } from "../support.ts";

test("reads without an await between them see one snapshot and lock out the engine until they end", async () => {
  using world = createTestWorld();
  createMember(world.core, "ada");
  const { file, copy } = copyOf(world.folder);
  const mover = openSqlite(file, { timeout: 0 });
  const read = () => copy.prepare<{ username: string }>("SELECT username FROM builders").get()?.username;
  expect([read(), copy.position().commits > 0]).toEqual(["ada", true]);
  expect(() => mover.exec("BEGIN EXCLUSIVE")).toThrow("locked");
  await Promise.resolve();
  mover.exec("BEGIN EXCLUSIVE; UPDATE builders SET username = 'eve'; COMMIT");
  expect(read()).toBe("eve");
  mover.close();
  copy.close();
});

test("refuses writes before they run, and allows reads in a transaction", async () => {
  using world = createTestWorld();
  createMember(world.core, "ada");
  const { copy } = copyOf(world.folder);
  const change = () => copy.prepare("UPDATE builders SET username = 'eve'").run();
  expect(() => copy.transact(change)).toThrow("is a read-only copy");
  await expect(copy.write(change)).rejects.toMatchObject({ error: "unavailable", code: "reads_only" });
  expect(copy.transact(() => copy.prepare("SELECT username FROM builders").get())).toEqual({
    username: "ada",
  });
  expect(copy.transaction()).toBeUndefined();
  copy.close();
});

function copyOf(folder: string) {
  const sqlite = openSqlite(join(folder, "guildhall.db"), { readonly: true });
  const file = join(folder, "copy.db");
  const pages = sqlite.serialize();
  sqlite.close();
  writeFileSync(file, pages.fill(1, 18, 20));
  return { file, copy: openCopy(file) };
}
