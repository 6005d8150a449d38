import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPost, listFeed } from "../../src/core/community/feed/feed.ts";
import type { Db } from "../../src/core/base/db/open.ts";
import { openDatabase } from "../../src/core/base/db/open.ts";
import { createStorageFaults } from "../../src/core/base/db/storage-faults.ts";
import { createTestWorld, createMember } from "../support.ts";

// docs/contract.md#12.12
const met = (db: Db): string[] =>
  db.storageFaults.open().map(({ kind, code, times }) => `${kind} ${code} ${times}`);

test("a damaged page is remembered by all connections of the process until a check finds no damage", () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  for (let at = 0; at < 50; at++) createPost(world.core, caller, { text: `post ${at}` });
  const file = join(world.folder, "guildhall.db");
  const root = world.core.db
    .prepare<{ rootpage: number }>("SELECT rootpage FROM sqlite_schema WHERE name = 'posts'")
    .get()?.rootpage;
  world.core.db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  world.core.db.close();
  const bytes = readFileSync(file);
  bytes.fill(0xa5, ((root ?? 0) - 1) * 4096, (root ?? 0) * 4096);
  writeFileSync(file, bytes);

  const db = openDatabase(file, { busyMs: 100 });
  const otherConnection = openDatabase(file, { busyMs: 100, storageFaults: db.storageFaults.shared });
  Object.assign(world.core, { db: otherConnection });
  const before = Date.now();
  expect(met(db)).toEqual([]);
  expect(() => listFeed(world.core, caller, {}, { limit: 10 })).toThrow(/malformed/);
  expect(() => otherConnection.transact(() => createPost(world.core, caller, { text: "more" }))).toThrow(
    /malformed/,
  );
  expect(met(db)).toEqual(["damaged SQLITE_CORRUPT 2"]);
  const [trouble] = db.storageFaults.open();
  expect(trouble?.firstAt).toBeWithin(before, Date.now() + 1);

  db.storageFaults.closeBefore(before);
  expect(met(db)).toHaveLength(1);
  db.storageFaults.closeBefore(Date.now() + 1);
  expect(met(otherConnection)).toEqual([]);
  db.close();
});

test("a full disk is remembered until a commit succeeds; a commit without changes does not count", async () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  const { db } = world.core;
  const pages = db.prepare<{ page_count: number }>("PRAGMA page_count").get()?.page_count ?? 0;
  db.prepare(`PRAGMA max_page_count = ${pages}`).get();
  const write = () => db.write(() => createPost(world.core, caller, { text: "x".repeat(2000) }));
  const refused = await Promise.allSettled(Array.from({ length: 20 }, write));
  expect(refused.map(({ status }) => status)).toContain("rejected");
  // Some writes of the batch fitted on the disk. A few more writes may fit before the disk is full.
  let isFull = false;
  for (let nth = 0; nth < 20 && !isFull; nth++)
    isFull = await write().then(
      () => false,
      () => true,
    );
  expect(isFull).toBe(true);
  expect(met(db)[0]).toMatch(/^unwritable SQLITE_FULL \d+$/);

  db.transact(() => db.prepare("SELECT count(*) FROM posts").get());
  expect(met(db)).toHaveLength(1);
  db.prepare("PRAGMA max_page_count = 1000000").get();
  await write();
  expect(met(db)).toEqual([]);
});

test("ignores constraint errors and held locks", () => {
  using world = createTestWorld();
  const { db } = world.core;
  const again = () => db.prepare("INSERT INTO settings (name, value) VALUES ('origin', 'x')").run();
  db.transact(again);
  expect(() => db.transact(again)).toThrow(/UNIQUE/);
  const other = openDatabase(join(world.folder, "guildhall.db"), {
    busyMs: 0,
    storageFaults: db.storageFaults.shared,
  });
  db.transact(() => expect(() => other.transact(() => {})).toThrow(/locked/));
  other.close();
  expect(met(db)).toEqual([]);
});

test("maps each SQLite code to one kind of fault; the next checkpoint clears a checkpoint's fault", () => {
  const troubles = createStorageFaults();
  const meet = (code: string, isOfCheckpoint = false): string[] => {
    troubles.record(Object.assign(new Error(code), { code }), isOfCheckpoint);
    return troubles.open().map(({ kind }) => kind);
  };
  expect(meet("SQLITE_BUSY_SNAPSHOT")).toEqual([]);
  expect(meet("SQLITE_FULL", true)).toEqual(["unmerged"]);
  expect(meet("SQLITE_IOERR_FSYNC")).toEqual(["unwritable", "unmerged"]);
  expect(meet("SQLITE_IOERR_READ")).toEqual(["unreadable", "unwritable", "unmerged"]);
  expect(meet("SQLITE_NOTADB", true)).toEqual(["damaged", "unreadable", "unwritable", "unmerged"]);
  expect(troubles.open()[2]?.code).toBe("SQLITE_IOERR_FSYNC");
  troubles.reportSuccess("unmerged");
  troubles.reportSuccess("unwritable");
  expect(troubles.open().map(({ kind }) => kind)).toEqual(["damaged", "unreadable"]);
});
