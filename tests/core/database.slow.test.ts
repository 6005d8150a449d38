import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { getTableColumns, getTableName, is, Table } from "drizzle-orm";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { SCHEMA_VERSION } from "../../src/core/base/db/migrate.ts";
import { MIGRATIONS } from "../../src/core/base/db/migrations.ts";
import { systemClock } from "../../src/core/base/clock.ts";
import { countOf } from "../../src/core/base/digest.ts";
import { readDatabaseState, openDatabase } from "../../src/core/base/db/open.ts";
import { createLockQueue } from "../../src/core/base/db/lock-queue.ts";
import { createWriter } from "../../src/core/base/db/writer.ts";
import * as community from "../../src/core/base/db/schema.ts";
import * as access from "../../src/core/base/db/schema-access.ts";
import * as applications from "../../src/core/base/db/schema-applications.ts";
import * as charter from "../../src/core/base/db/schema-community.ts";
import * as deletion from "../../src/core/base/db/schema-deletion.ts";
import * as delivery from "../../src/core/base/db/schema-delivery.ts";
import * as jobs from "../../src/core/base/db/schema-jobs.ts";
import * as media from "../../src/core/base/db/schema-media.ts";
import * as moderation from "../../src/core/base/db/schema-moderation.ts";
import * as told from "../../src/core/base/db/schema-notifications.ts";
import * as reach from "../../src/core/base/db/schema-channels.ts";
import { until } from "../delivery/receiver.ts";
import { createTestWorld, createMember } from "../support.ts";
import { oldDatabase } from "./old-database.ts";

const file = (folder: string): string => join(folder, "guildhall.db");

const TWINS = Object.values({
  ...community,
  ...jobs,
  ...access,
  ...applications,
  ...charter,
  ...deletion,
  ...delivery,
  ...told,
  ...media,
  ...moderation,
  ...reach,
}).filter((value) => is(value, Table));

/** Tables without a Drizzle twin, with the reason. */
const WITHOUT_TWIN: Readonly<Record<string, string>> = {
  media_posts: "is written by triggers alone",
  migrations: "is written before there is anything else",
  leadership: "is one row, written by commands and by the transaction that gives up",
  lineage: "is counted up by the transaction itself",
  xp_days: "is added up where it is written",
  quota_spans: "is added up where it is written",
  active_builders: "is written of those who were seen, all at once",
};

test("drizzle's tables match the migrated tables, column by column", () => {
  using world = createTestWorld();
  for (const table of TWINS) {
    const real = world.core.db
      .prepare<{ name: string; type: string; notnull: number }>(`PRAGMA table_info(${getTableName(table)})`)
      .all()
      .map(({ name, type, notnull }) => ({ name, type, isRequired: notnull === 1 }));
    const described = Object.values(getTableColumns(table)).map((column) => ({
      name: column.name,
      type: column.getSQLType().toUpperCase(),
      // An INTEGER PRIMARY KEY is the rowid and never null, whatever SQLite reports.
      isRequired: column.notNull && !(column.primary && column.getSQLType() === "integer"),
    }));
    const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
    expect(described.sort(byName)).toEqual(real.sort(byName));
  }
});

test("every table has a drizzle twin, or a reason for having none", () => {
  using world = createTestWorld();
  const tables = world.core.db
    .prepare<{ name: string }>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all()
    .map(({ name }) => name);
  expect([...TWINS.map((table) => getTableName(table)), ...Object.keys(WITHOUT_TWIN)].sort()).toEqual(
    tables.sort(),
  );
});

test("every table is STRICT", () => {
  using world = createTestWorld();
  const loose = world.core.db
    .prepare<{ name: string }>("SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0")
    .all()
    .filter(({ name }) => !name.startsWith("sqlite_") && !/^job_(?:search|titles)/.test(name));
  expect(loose).toEqual([]);
});

test("deleting a row finds the rows that reference it by an index", () => {
  using world = createTestWorld();
  const { db } = world.core;
  const keys = db
    .prepare<{ child: string; column: string }>(
      `SELECT t.name AS child, f."from" AS column FROM pragma_table_list t, pragma_foreign_key_list(t.name) f WHERE f.on_delete = 'CASCADE'`,
    )
    .all();
  expect(keys.length).toBeGreaterThan(10);
  const slow = keys.filter(({ child, column }) => {
    const plan = db
      .prepare<{ detail: string }>(`EXPLAIN QUERY PLAN SELECT 1 FROM ${child} WHERE ${column} = '1'`)
      .all();
    return !plan.some(({ detail }) => detail.startsWith("SEARCH"));
  });
  expect(slow).toEqual([]);
});

test("commits are synced to disk on the first open and on every later one", () => {
  using world = createTestWorld();
  for (let reopened = 0; reopened < 3; reopened++) {
    const db = openDatabase(file(world.folder), { busyMs: 100 });
    expect(db.prepare("PRAGMA synchronous").get()).toEqual({ synchronous: 2 });
    expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(db.prepare("PRAGMA foreign_keys").get()).toEqual({ foreign_keys: 1 });
    db.close();
  }
});

test("refuses the database of a newer version and leaves it unchanged", () => {
  using world = createTestWorld();
  world.core.db.close();
  const newer = new Database(file(world.folder));
  newer.pragma(`user_version = ${MIGRATIONS.length + 1}`);
  newer.pragma("journal_mode = DELETE");
  newer.close();
  const before = readFileSync(file(world.folder));
  expect(() => openDatabase(file(world.folder), { busyMs: 100 })).toThrow(
    /newer Guildhall.* Start the newer version/,
  );
  expect(readFileSync(file(world.folder)).equals(before)).toBe(true);
});

test("a read-only open refuses an older database and leaves it unchanged", () => {
  using world = createTestWorld();
  const older = join(world.folder, "older.db");
  oldDatabase(older, SCHEMA_VERSION - 1);
  // A refused open changes nothing in the file, not even the journal mode. An accepted open sets the journal
  // mode first.
  const sqlite = new Database(older);
  sqlite.pragma("journal_mode = DELETE");
  sqlite.close();
  const before = readFileSync(older);
  expect(() => openDatabase(older, { busyMs: 100 })).toThrow(/older Guildhall, .* `guildhall migrate`/);
  expect(readFileSync(older).equals(before)).toBe(true);
  expect(readDatabaseState(older, false, ({ version }) => version)).toBe(SCHEMA_VERSION - 1);
  expect(readFileSync(older).equals(before)).toBe(true);
});

test("reading the state after a kill changes neither the database nor its WAL", () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  createPost(world.core, caller, { text: "in the log alone" });
  const left = join(world.folder, "left.db");
  for (const end of ["", "-wal"]) copyFileSync(`${file(world.folder)}${end}`, `${left}${end}`);
  const before = ["", "-wal"].map((end) => readFileSync(`${left}${end}`));
  expect(before[1]?.length).toBeGreaterThan(0);
  expect(readDatabaseState(left, true, ({ version }) => version)).toBe(SCHEMA_VERSION);
  expect(["", "-wal"].map((end) => readFileSync(`${left}${end}`))).toEqual(before);
});

test("refuses the database of another program and leaves it unchanged", () => {
  using world = createTestWorld();
  const other = join(world.folder, "other.db");
  const sqlite = new Database(other);
  sqlite.exec("CREATE TABLE notes (text TEXT)");
  sqlite.close();
  const before = readFileSync(other);
  expect(() => openDatabase(other, { busyMs: 100 })).toThrow(/another program/);
  expect(readFileSync(other).equals(before)).toBe(true);
});

test("detects a migration that was edited after it was applied", () => {
  using world = createTestWorld();
  world.core.db.transact(() => world.core.db.prepare("UPDATE migrations SET sha256 = 'x'").run());
  expect(() => openDatabase(file(world.folder), { busyMs: 100 })).toThrow(/a different migration 0001/);
});

test("refuses a file that is not a database, or a damaged one", () => {
  using world = createTestWorld();
  writeFileSync(
    join(world.folder, "text.db"),
    "not a database at all, but long enough to be looked at".repeat(50),
  );
  expect(() => openDatabase(join(world.folder, "text.db"), { busyMs: 100 })).toThrow();
});

test("an asynchronous transaction function stores nothing", async () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  expect(() =>
    world.core.db.transact(async () => {
      createPost(world.core, caller, { text: "one" });
    }),
  ).toThrow(/plain function/);
  expect(world.core.db.prepare("SELECT count(*) AS n FROM posts").get()).toEqual({ n: 0 });
});

test("a transaction whose nested part was refused stores nothing, even if the caller catches the error", () => {
  using world = createTestWorld();
  const { db } = world.core;
  const { caller } = createMember(world.core, "ada");
  const count = () => db.prepare("SELECT count(*) AS n FROM posts").get();
  const refusedPart = () => {
    try {
      db.transact(() => {
        createPost(world.core, caller, { text: "half" });
        throw new Error("refused");
      });
    } catch {
      // A buggy caller ignores the error.
    }
    createPost(world.core, caller, { text: "the rest" });
  };
  expect(() => db.transact(refusedPart)).toThrow("a part of this transaction was refused");
  expect(count()).toEqual({ n: 0 });
  db.transact(() => createPost(world.core, caller, { text: "whole" }));
  expect(count()).toEqual({ n: 1 });
});

test("the database version changes during and after a transaction, so that cached reads expire", () => {
  using world = createTestWorld();
  const { db } = world.core;
  const before = db.version();
  const [during, within] = db.transact(() => [db.version(), db.transact(() => db.version())]);
  const after = db.version();
  expect(new Set([before, during, within, after]).size).toBe(4);
  expect(db.version()).toBe(after);
});

test("of writes that are committed together, only the failed write is rolled back", async () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) =>
      world.core.db.write(() => {
        createPost(world.core, caller, { text: `post ${i}` });
        if (i % 5 === 0) throw new Error(`refused ${i}`);
        return i;
      }),
    ),
  );
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(4);
  expect(world.core.db.prepare("SELECT count(*) AS n FROM posts").get()).toEqual({ n: 16 });
});

test("a disk that fills up inside a batch fails its earlier writes, and later writes start a new transaction", async () => {
  using world = createTestWorld();
  const sqlite = new Database(file(world.folder));
  sqlite.exec("CREATE TABLE notes (text TEXT) STRICT");
  // The clock does not advance, so that all pending writes form one batch on any machine.
  const { write, figures } = createWriter(
    sqlite,
    (change) => sqlite.transaction(change).immediate(),
    () => 0,
    createLockQueue(),
  );
  const add = (text: string) => () => void sqlite.prepare("INSERT INTO notes VALUES (?)").run(text);
  const pages = sqlite.pragma("page_count", { simple: true }) as number;
  sqlite.pragma(`max_page_count = ${pages + 2}`);
  // SQLite rolls back the whole transaction when the second write does not fit. So the first write fails too,
  // and the third starts a new transaction.
  const outcomes = await Promise.allSettled([
    write(add("first")),
    write(add("x".repeat(100_000))),
    write(add("third")),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  const stored = () => sqlite.prepare("SELECT text FROM notes").pluck().all();
  expect(stored()).toEqual(["third"]);
  const { waiting, commits, writes } = figures();
  expect([waiting, countOf(commits), countOf(writes)]).toEqual([0, 2, 1]);
  sqlite.pragma("max_page_count = 1000000");
  await write(add("later"));
  expect(stored()).toEqual(["third", "later"]);
  sqlite.close();
});

test("waits for another program's lock without blocking the event loop, and gives up in the end", async () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  world.core.db.close();
  // As in a server, SQLite itself does not wait for locks. The clock runs five times as fast: five seconds
  // pass in one.
  const elapsed = (): number => 5 * systemClock.elapsed();
  Object.assign(world.core, { db: openDatabase(file(world.folder), { busyMs: 0, elapsed }) });
  const { db } = world.core;
  const other = new Database(file(world.folder));
  other.exec("BEGIN IMMEDIATE");
  let ticks = 0;
  const ticker = setInterval(() => ticks++, 5);
  let isWritten = false;
  const late = db.write(() => createPost(world.core, caller, { text: "waited" }));
  void late.then(() => (isWritten = true));
  await until(() => ticks >= 20);
  expect(isWritten).toBe(false);
  other.exec("COMMIT");
  expect((await late).text).toBe("waited");

  other.exec("BEGIN IMMEDIATE");
  ticks = 0;
  const refused: { code: string } = await db
    .write(() => createPost(world.core, caller, { text: "gave up" }))
    .catch((error) => error);
  expect(refused.code).toBe("SQLITE_BUSY");
  // About 200 ticks fit into that second. A blocked event loop would have almost none.
  expect(ticks).toBeGreaterThan(20);
  clearInterval(ticker);
  other.exec("ROLLBACK");
  other.close();
  expect(db.prepare("SELECT text FROM posts").all()).toEqual([{ text: "waited" }]);
});

test("an unwritable disk refuses all queued writes at once, and a later write succeeds again", async () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  const { db } = world.core;
  const write = (text: string) => db.write(() => createPost(world.core, caller, { text }));
  db.prepare("PRAGMA query_only = ON").run();
  const refused = await Promise.allSettled([write("one"), write("two"), write("three")]);
  expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  db.prepare("PRAGMA query_only = OFF").run();
  expect((await write("kept")).text).toBe("kept");
  expect(db.prepare("SELECT text FROM posts").all()).toEqual([{ text: "kept" }]);
});

test("a WAL cut at any byte leaves a whole database with a prefix of the commits", async () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  for (let i = 0; i < 40; i++) createPost(world.core, caller, { text: `post ${i}` });
  const log = readFileSync(`${file(world.folder)}-wal`);
  expect(log.length).toBeGreaterThan(100_000);
  let shortest = 40;
  for (let cut = 0; cut < 60; cut++) {
    const copy = join(world.folder, `cut-${cut}.db`);
    copyFileSync(file(world.folder), copy);
    writeFileSync(`${copy}-wal`, log);
    truncateSync(`${copy}-wal`, Math.floor((log.length * cut) / 60));
    const db = new Database(copy);
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'posts'").get()) {
      const texts = db.prepare("SELECT text FROM posts ORDER BY id").pluck().all();
      expect(texts).toEqual(texts.map((_, i) => `post ${i}`));
      shortest = Math.min(shortest, texts.length);
    }
    db.close();
  }
  expect(shortest).toBeLessThan(40);
});

test("applied migrations never change, because every existing database would be refused", () => {
  const applied = MIGRATIONS.filter(({ name }) => name <= "0078_pending_deletions");
  const hash = createHash("sha256");
  for (const { name, sql } of applied) hash.update(`${name}\n${sql}`);
  expect(applied.length).toBe(68);
  expect(hash.digest("hex")).toBe("4aa9ed60230731a2d238b99774e00e583e3a8c0303145b954c7e77a98f5551f3");
});
