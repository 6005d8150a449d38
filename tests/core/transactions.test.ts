import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createPost } from "../../src/core/community/feed/feed.ts";
import type { Core } from "../../src/core/base/core.ts";
import { openDatabase } from "../../src/core/base/db/open.ts";
import { createTestWorld, createMember, type TestWorld } from "../support.ts";

const textsOf = ({ db }: Core): string[] =>
  db
    .prepare<{ text: string }>("SELECT text FROM posts ORDER BY id")
    .all()
    .map(({ text }) => text);

const tracesOf = ({ db }: Core): unknown =>
  db
    .prepare(
      "SELECT (SELECT count(*) FROM post_tags) AS tags, (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM xp_entries) AS earned",
    )
    .get();

/** Makes every post with the tag `refused` fail after its own row is inserted. */
function refuseTagged(core: Core): void {
  core.db
    .prepare(
      "CREATE TEMP TRIGGER refused BEFORE INSERT ON post_tags WHEN NEW.tag = 'refused' BEGIN SELECT RAISE(ABORT, 'half way'); END",
    )
    .run();
}

/** Stops the clock, so that a batch accepts every pending write on any machine. */
function stopClock({ core, folder }: TestWorld): void {
  core.db.close();
  Object.assign(core, { db: openDatabase(join(folder, "guildhall.db"), { busyMs: 100, elapsed: () => 0 }) });
}

test("an operation that throws inside a larger transaction rolls all of it back", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  refuseTagged(core);
  const before = tracesOf(core);
  expect(() =>
    core.db.transact(() => {
      createPost(core, caller, { text: "whole", tags: ["fine"] });
      createPost(core, caller, { text: "half", tags: ["refused"] });
    }),
  ).toThrow("half way");
  expect(textsOf(core)).toEqual([]);
  expect(tracesOf(core)).toEqual(before);
});

test("a transaction that swallows the error of a nested part stores nothing, and the next one works", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  refuseTagged(core);
  const before = tracesOf(core);
  const swallowing = () => {
    createPost(core, caller, { text: "first" });
    expect(() => createPost(core, caller, { text: "half", tags: ["refused"] })).toThrow("half way");
    createPost(core, caller, { text: "last" });
  };
  expect(() => core.db.transact(swallowing)).toThrow("a part of this transaction was refused");
  expect(textsOf(core)).toEqual([]);
  expect(tracesOf(core)).toEqual(before);
  createPost(core, caller, { text: "next" });
  expect(textsOf(core)).toEqual(["next"]);
});

test("in a batch, only a write that throws or swallows an error is rolled back", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  refuseTagged(core);
  const write = (text: string, tags: string[] = []) => createPost(core, caller, { text, tags });
  const outcomes = await Promise.allSettled([
    core.db.write(() => write("one")),
    core.db.write(() => {
      write("taken back");
      write("half", ["refused"]);
    }),
    core.db.write(() => write("two")),
    core.db.write(() => {
      write("swallowed");
      expect(() => write("half", ["refused"])).toThrow("half way");
    }),
    core.db.write(() => write("three")),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  expect(textsOf(core)).toEqual(["one", "two", "three"]);
});

test("a disk that fills up during an operation loses its write, and keeps every acknowledged write", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const limit = (to: number) => core.db.prepare(`PRAGMA max_page_count = ${to}`).get();
  const pages = core.db.prepare<{ page_count: number }>("PRAGMA page_count").get()?.page_count ?? 0;
  const texts = Array.from({ length: 60 }, (_, i) => `${i} ${"x".repeat(1900)}`);
  limit(pages + 8);
  const outcomes = await Promise.allSettled(
    texts.map((text) => core.db.write(() => createPost(core, caller, { text, tags: ["full"] }))),
  );
  const committed = texts.filter((_, i) => outcomes[i]?.status === "fulfilled");
  expect(committed.length).toBeLessThan(texts.length);
  expect(textsOf(core)).toEqual(committed);
  expect(tracesOf(core)).toMatchObject({ tags: committed.length });
  limit(1_000_000);
  await core.db.write(() => createPost(core, caller, { text: "later" }));
  expect(textsOf(core)).toEqual([...committed, "later"]);
  expect(core.db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
});

test("a nested transaction invalidates the cached caller before the outer one ends", () => {
  using world = createTestWorld();
  const { db } = world.core;
  db.transact(() => {
    const before = db.version();
    db.transact(() => db.prepare("UPDATE builders SET bio = ''").run());
    expect(db.version()).not.toBe(before);
  });
});

test("a write alone in its transaction is rolled back if it throws or swallows, and is not retried", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  stopClock(world);
  refuseTagged(core);
  const before = tracesOf(core);
  const write = (text: string, tags: string[] = []) => createPost(core, caller, { text, tags });
  let runs = 0;
  const alone = core.db.write(() => {
    runs++;
    write("taken back");
    // A write that is queued while another one runs has its own transaction.
    void core.db.write(() => write("later"));
    expect(() => write("half", ["refused"])).toThrow("half way");
  });
  expect(await alone.catch((error: Error) => error.message)).toContain("was refused");
  await core.db.write(() => write("next"));
  expect(textsOf(core)).toEqual(["later", "next"]);
  const busy = Object.assign(new Error("locked inside"), { code: "SQLITE_BUSY" });
  const refused = core.db.write(() => {
    runs++;
    write("taken back");
    throw busy;
  });
  expect(await refused.catch((error: unknown) => error)).toBe(busy);
  expect({ runs, texts: textsOf(core) }).toEqual({ runs: 2, texts: ["later", "next"] });
  expect(tracesOf(core)).not.toEqual(before);
});

test("an `atEnd` callback runs once after all writes of the batch, and is rolled back with its write", async () => {
  using world = createTestWorld();
  stopClock(world);
  const { db } = world.core;
  const done: string[] = [];
  const write = (name: string, fails = false) =>
    db.write(() => {
      done.push(name);
      db.transact(() => db.atEnd(() => done.push(`end of ${name}`)));
      if (fails) throw new Error(name);
    });
  await Promise.allSettled([write("one"), write("two", true), write("three")]);
  expect(done).toEqual(["one", "two", "three", "end of one", "end of two", "end of three"]);
  db.transact(() => undefined);
  expect(done).toHaveLength(6);
  expect(() => db.atEnd(() => undefined)).toThrow("no transaction");
  const { caller } = createMember(world.core, "ada");
  const refused = () =>
    db.transact(() => {
      createPost(world.core, caller, { text: "taken back" });
      db.atEnd(() => {
        throw new Error("at the end");
      });
    });
  expect(refused).toThrow("at the end");
  expect(textsOf(world.core)).toEqual([]);
});

/** Page numbers of the frames in a write-ahead log (https://sqlite.org/fileformat2.html, section 4.1). */
function pagesInLog(file: string): Set<number> {
  const log = readFileSync(`${file}-wal`);
  const pages = new Set<number>();
  const frame = 24 + log.readUInt32BE(8);
  for (let at = 32; at + frame <= log.length; at += frame) pages.add(log.readUInt32BE(at));
  return pages;
}

test("every commit includes page 1, except those of a server without other nodes", () => {
  // docs/adr/0064-followers.md
  using world = createTestWorld();
  world.core.db.close();
  const file = join(world.folder, "guildhall.db");
  const pagesOfCommit = (isFollowed?: boolean): Set<number> => {
    const db = openDatabase(file, { busyMs: 100, ...(isFollowed === undefined ? {} : { isFollowed }) });
    db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    db.transact(() => db.prepare("UPDATE event_log SET last_at = last_at + 1").run());
    const pages = pagesInLog(file);
    db.close();
    return pages;
  };
  expect(pagesOfCommit().has(1)).toBe(true);
  expect(pagesOfCommit(true).has(1)).toBe(true);
  const pages = pagesOfCommit(false);
  expect([pages.size, pages.has(1)]).toEqual([2, false]);
});

test("a deleted row of a post takes its tags with it", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const [post] = ["gone", "kept"].map((text) => createPost(core, caller, { text, tags: ["rust", "queues"] }));
  core.db.transact(() => core.db.prepare("DELETE FROM posts WHERE id = ?").run(post?.id));
  expect(
    core.db.prepare("SELECT count(*) AS rows, count(DISTINCT post_id) AS posts FROM post_tags").get(),
  ).toEqual({
    rows: 2,
    posts: 1,
  });
});
