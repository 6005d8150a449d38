import { expect, test } from "bun:test";
import Database from "better-sqlite3";
import { join } from "node:path";
import { HOUR } from "../../src/core/base/clock.ts";
import { openDatabase } from "../../src/core/base/db/open.ts";
import { createLockQueue, type LockQueue } from "../../src/core/base/db/lock-queue.ts";
import { createWriter } from "../../src/core/base/db/writer.ts";
import { createTestWorld } from "../support.ts";

// docs/adr/0004-commits.md

const next = (turns: LockQueue, seen: number, mostMs: number) =>
  new Promise<void>((resolve) => turns.waitForEnd(seen, mostMs, resolve));

const startThread = () => new Worker(new URL("lock-queue-thread.ts", import.meta.url));

test("wakes a waiting thread when another thread reports the end of its transaction", async () => {
  const turns = createLockQueue();
  const thread = startThread();
  const woken = next(turns, turns.endedCount(), HOUR);
  thread.postMessage({ shared: turns.shared, waits: false });
  await woken;
  expect(turns.endedCount()).toBe(1);
  thread.terminate();
});

test("a thread that dies while waiting blocks neither wake-ups nor later requests", async () => {
  const turns = createLockQueue();
  const thread = startThread();
  const waits = new Promise((resolve) => thread.addEventListener("message", resolve));
  thread.postMessage({ shared: turns.shared, waits: true });
  await waits;
  thread.terminate();
  await next(turns, turns.endedCount(), 1);
  const woken = next(turns, turns.endedCount(), HOUR);
  turns.reportEnd();
  await woken;
});

test("does not miss a transaction that ended before the wait began", async () => {
  const turns = createLockQueue();
  const seen = turns.endedCount();
  createLockQueue(turns.shared).reportEnd();
  await next(turns, seen, HOUR);
  expect(turns.endedCount()).toBe(seen + 1);
});

test("every transaction reports its end, even a refused one, except one that found the lock taken", () => {
  using world = createTestWorld();
  const file = join(world.folder, "guildhall.db");
  const { db } = world.core;
  const otherConnection = openDatabase(file, { busyMs: 0, lockQueue: db.lockQueue.shared });
  const seen = db.lockQueue.endedCount();
  otherConnection.transact(() => otherConnection.transact(() => 1));
  expect(db.lockQueue.endedCount()).toBe(seen + 1);
  const refusing = () => {
    throw new Error("refused");
  };
  expect(() => otherConnection.transact(refusing)).toThrow("refused");
  expect(db.lockQueue.endedCount()).toBe(seen + 2);
  const other = new Database(file);
  other.exec("BEGIN IMMEDIATE");
  expect(() => otherConnection.transact(() => 1)).toThrow(/locked/);
  expect(db.lockQueue.endedCount()).toBe(seen + 2);
  other.close();
  otherConnection.close();
});

test("a write that finds the lock taken retries only when the lock may be free", async () => {
  let isTaken = true;
  let begun = 0;
  const waits: { seen: number; goOn: () => void }[] = [];
  let ended = 7;
  const turns: LockQueue = {
    ...createLockQueue(),
    endedCount: () => ended,
    waitForEnd: (seen, _mostMs, then) => void waits.push({ seen, goOn: then }),
  };
  const begin = <Result>(change: () => Result): Result => {
    begun++;
    // The transaction that holds the lock ends just after this attempt.
    ended++;
    if (isTaken) throw Object.assign(new Error("locked"), { code: "SQLITE_BUSY" });
    return change();
  };
  const { write } = createWriter({ inTransaction: true } as Database.Database, begin, () => 0, turns);
  const written = Promise.all([write(() => "one"), write(() => "two")]);
  // Runs the event loop 20 times. A write that retries without waiting would increase `begun`.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect({ begun, waits }).toMatchObject({ begun: 1, waits: [{ seen: 7 }] });
  isTaken = false;
  waits[0]?.goOn();
  expect(await written).toEqual(["one", "two"]);
  expect(waits).toHaveLength(1);
});
