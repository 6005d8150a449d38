import { afterEach, beforeEach, expect, test } from "bun:test";
import Database from "better-sqlite3";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { createGrowth, type Growth } from "../../src/keep/log-growth.ts";
import { lookAtLog } from "../../src/keep/write-ahead.ts";
import { makeWorld, moveIn } from "../support.ts";

/** docs/adr/0003-sqlite-one-writer.md */

const MIB = 1024 * 1024;
const FRAME = 24 + 4096;
const PLENTY = () => 100 * 1024 * MIB;

let folder: string;
let file: string;
let writer: Database.Database;
let keeper: Database.Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "guildhall-growth-"));
  file = join(folder, "a.db");
  writer = new Database(file, { timeout: 0 });
  writer.pragma("journal_mode = WAL");
  writer.pragma("wal_autocheckpoint = 0");
  keeper = new Database(file, { timeout: 0 });
});
afterEach(() => {
  writer.close();
  keeper.close();
  rmSync(folder, { recursive: true });
});

const write = (bytes: number): void =>
  void writer.exec(`CREATE TABLE IF NOT EXISTS t (x); INSERT INTO t VALUES (randomblob(${bytes}))`);
const framesOf = (of: Database.Database): number =>
  (of.pragma("wal_checkpoint(NOOP)") as { log: number }[])[0]?.log ?? 0;
const sizeOf = (name: string): number => statSync(name).size;
const lookUntilQuiet = (growth: Growth, frames: () => number, log: string): number => {
  let looks = 0;
  for (let before = -1; before !== sizeOf(log); looks++) {
    before = sizeOf(log);
    growth.look(frames());
  }
  return looks;
};

test("the log is kept some megabytes ahead of what is written, a piece at a look, and no commit makes it longer", () => {
  const growth = createGrowth(keeper, 8000, PLENTY);
  const log = `${file}-wal`;
  const frames = () => framesOf(keeper);
  growth.look(frames());
  expect(sizeOf(log)).toBe(0);
  write(100);
  growth.look(frames());
  expect(sizeOf(log)).toBeWithin(MIB, MIB + 10 * FRAME);
  expect(lookUntilQuiet(growth, frames, log)).toBeLessThan(6);
  const grown = sizeOf(log);
  expect(grown).toBeWithin(4 * MIB, 6 * MIB);
  for (let commit = 0; commit < 200; commit++) write(8000);
  expect(sizeOf(log)).toBe(grown);
  expect(lookUntilQuiet(growth, frames, log)).toBeGreaterThan(1);
  expect(writer.pragma("integrity_check", { simple: true })).toBe("ok");
});

test("it ends where writers begin the log anew, whose place it keeps", () => {
  const growth = createGrowth(keeper, 300, PLENTY);
  write(100);
  lookUntilQuiet(growth, () => framesOf(keeper), `${file}-wal`);
  const grown = sizeOf(`${file}-wal`);
  expect(grown).toBeWithin(300 * FRAME, 300 * FRAME + MIB);
  for (let commit = 0; commit < 40; commit++) write(20_000);
  keeper.pragma("wal_checkpoint(FULL)");
  for (let commit = 0; commit < 40; commit++) write(20_000);
  expect(framesOf(keeper)).toBeLessThan(300);
  expect(sizeOf(`${file}-wal`)).toBe(grown);
});

test("a small disk is left alone, and a writer who is just writing waits for nothing", () => {
  write(100);
  const before = sizeOf(`${file}-wal`);
  createGrowth(keeper, 8000, () => 900 * MIB).look(framesOf(keeper));
  expect(sizeOf(`${file}-wal`)).toBe(before);
  const growth = createGrowth(keeper, 8000, PLENTY);
  writer.exec("BEGIN IMMEDIATE");
  growth.look(framesOf(keeper));
  expect(sizeOf(`${file}-wal`)).toBe(before);
  writer.exec("COMMIT");
  growth.look(framesOf(keeper));
  expect(sizeOf(`${file}-wal`)).toBeGreaterThan(before);
});

test("what a killed server leaves behind is whole, and is looked through like any other log", () => {
  using world = makeWorld();
  const { caller } = moveIn(world.core, "ada");
  const own = join(world.folder, "guildhall.db");
  const beside = new Database(own);
  const growth = createGrowth(beside, 8000, PLENTY);
  const texts = Array.from({ length: 20 }, (_, nth) => `post ${nth}`);
  for (const text of texts) {
    createPost(world.core, caller, { text });
    growth.look(framesOf(beside));
  }
  const left = join(world.folder, "left.db");
  for (const end of ["", "-wal"]) copyFileSync(`${own}${end}`, `${left}${end}`);
  expect(
    readFileSync(`${left}-wal`)
      .subarray(-MIB)
      .every((byte) => byte === 0),
  ).toBe(true);
  expect(lookAtLog(left)).toEqual({});
  const opened = new Database(left);
  expect(opened.prepare("SELECT text FROM posts ORDER BY id").pluck().all()).toEqual(texts);
  expect(opened.pragma("integrity_check", { simple: true })).toBe("ok");
  opened.close();
  beside.close();
});
