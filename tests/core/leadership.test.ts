// docs/contract.md#12.28: the position of a database in its history.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "../../src/core/base/db/sqlite.ts";
import { beginLine } from "../../src/core/base/db/lineage.ts";
import { createTestWorld, createMember } from "../support.ts";

test("each commit increases the position by one and writes the first page of the file", () => {
  using world = createTestWorld();
  const { db } = world.core;
  createMember(world.core, "ada");
  const before = db.position();
  const log = join(world.folder, "guildhall.db-wal");
  const pagesOf = () => {
    const bytes = readFileSync(log);
    const size = bytes.readUInt32BE(8);
    return Array.from({ length: Math.floor((bytes.length - 32) / (24 + size)) }, (_, at) =>
      bytes.readUInt32BE(32 + at * (24 + size)),
    );
  };
  const seen = pagesOf().length;
  createMember(world.core, "bob");
  const { commits, epoch, line } = db.position();
  expect({ epoch, line }).toEqual({ epoch: before.epoch, line: before.line });
  expect(commits).toBeGreaterThan(before.commits);
  expect(
    pagesOf()
      .slice(seen)
      .filter((page) => page === 1).length,
  ).toBe(commits - before.commits);
  db.transact(() => db.prepare("SELECT 1").get());
  expect(db.position().commits).toBe(commits);
});

test("a fenced database stores no transaction from any connection", async () => {
  using world = createTestWorld();
  const { db } = world.core;
  createMember(world.core, "ada");
  const other = openSqlite(join(world.folder, "guildhall.db"), {});
  other.prepare("UPDATE leadership SET fenced_by = epoch + 1").run();
  const before = db.position();
  expect(before.fencedBy).toBe(before.epoch + 1);
  const change = () => db.prepare("UPDATE builders SET username = 'eve'").run();
  expect(() => db.transact(change)).toThrow("Another node now leads");
  await expect(db.write(change)).rejects.toMatchObject({ error: "unavailable", code: "fenced" });
  expect(db.transact(() => db.prepare("SELECT username FROM builders").get())).toEqual({ username: "ada" });
  expect(db.position()).toEqual(before);
  other.close();
});

test("a restored copy starts a new line with a later epoch than the fenced one", () => {
  using world = createTestWorld();
  const file = openSqlite(join(world.folder, "guildhall.db"), {});
  file.prepare("UPDATE leadership SET fenced_by = epoch + 4").run();
  const { line, epoch } = world.core.db.position();
  beginLine(file);
  file.close();
  const restored = world.core.db.position();
  expect(restored.line).not.toBe(line);
  expect(restored).toMatchObject({ epoch: epoch + 5, fencedBy: null });
});
