import { afterEach, beforeEach, expect, test } from "bun:test";
import Database from "better-sqlite3";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MIGRATIONS } from "../../../src/core/base/db/migrations.ts";
import { copyDatabase, inspectDatabase, memberOf } from "../../../src/operate/backup/database-copy.ts";
import { writeEmptyDatabase } from "../../support.ts";

/** docs/contract.md#12.4, docs/threats.md#K09 */

let folder: string;
let file: string;
let copy: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "guildhall-snapshot-"));
  [file, copy] = [join(folder, "guildhall.db"), join(folder, "copy.db")];
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A Guildhall database with this many rows in `settings`. `write` adds one. */
function community(rows: number) {
  writeEmptyDatabase(file);
  const sqlite = new Database(file);
  sqlite.exec("DELETE FROM settings");
  const insert = sqlite.prepare("INSERT INTO settings (name, value) VALUES (?, ?)");
  let next = 0;
  const write = (): void => void insert.run(`row ${next++}`, "x".repeat(3000));
  sqlite.transaction(() => {
    while (next < rows) write();
  })();
  return { sqlite, write, [Symbol.dispose]: () => void sqlite.close() };
}

test("copies the state at its beginning, although others commit at every step, and never restarts", async () => {
  // Each row fills a page. One step of the backup copies 2,048 pages.
  using living = community(13_000);
  let steps = 0;
  let last = 0;
  await copyDatabase(file, copy, (done) => {
    expect(done).toBeGreaterThanOrEqual(last);
    last = done;
    steps++;
    for (let i = 0; i < 20; i++) living.write();
  });
  expect(steps).toBeGreaterThan(5);
  expect(inspectDatabase(copy).rows["settings"]).toBe(13_000);
  expect(living.sqlite.prepare("SELECT count(*) FROM settings").pluck().get()).toBe(13_000 + 20 * steps);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
});

test("copies commits that are still in the log, also after a server was killed", async () => {
  using living = community(10);
  // Leaves the files as a kill does: a log without its shared memory file.
  const [left, log] = [join(folder, "left.db"), join(folder, "left.db-wal")];
  living.sqlite.pragma("wal_checkpoint(TRUNCATE)");
  living.write();
  copyFileSync(file, left);
  copyFileSync(`${file}-wal`, log);
  const before = createHash("sha256").update(readFileSync(log)).digest("hex");
  await copyDatabase(left, copy);
  expect(inspectDatabase(copy).rows["settings"]).toBe(11);
  expect(createHash("sha256").update(readFileSync(log)).digest("hex")).toBe(before);
});

test("inspecting a copy reports its content and leaves no file beside it", async () => {
  using _living = community(5);
  await copyDatabase(file, copy);
  const [before, bytes] = [readdirSync(folder), readFileSync(copy)];
  expect(inspectDatabase(copy)).toEqual({
    schema: MIGRATIONS.length,
    rows: expect.objectContaining({ settings: 5, posts: 0, migrations: MIGRATIONS.length }),
    newest_event: null,
  });
  expect(readdirSync(folder)).toEqual(before);
  expect(readFileSync(copy).equals(bytes)).toBe(true);
  expect(await memberOf("guildhall.db", copy)).toEqual({
    name: "guildhall.db",
    bytes: statSync(copy).size,
    sha256: createHash("sha256").update(readFileSync(copy)).digest("hex"),
  });
});

test("refuses a copy that is damaged, truncated or inconsistent, with a message", async () => {
  using living = community(2000);
  living.sqlite.pragma("foreign_keys = OFF");
  await copyDatabase(file, copy);
  const whole = readFileSync(copy);
  const messageFor = (bytes: Uint8Array): string => {
    writeFileSync(copy, bytes);
    try {
      inspectDatabase(copy);
      return "whole";
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(messageFor(whole)).toBe("whole");
  const torn = Buffer.from(whole);
  torn.fill(0x5a, whole.length >> 1, (whole.length >> 1) + 4096);
  expect(messageFor(torn)).toContain("The database is damaged");
  expect(messageFor(whole.subarray(0, whole.length - 40 * 4096))).toContain("The database is damaged");
  expect(messageFor(Buffer.alloc(8192, 1))).toContain("The database is damaged");

  living.sqlite
    .prepare("INSERT INTO builder_badges (builder_id, badge, earned_at) VALUES ('bld_nobody', 'early', 0)")
    .run();
  rmSync(copy);
  await copyDatabase(file, copy);
  expect(messageFor(readFileSync(copy))).toContain("refer to missing rows");
});

test("stops when its caller throws, and refuses the database of another program or a newer version", async () => {
  using living = community(3000);
  const ended = copyDatabase(file, copy, () => {
    throw new RangeError("no room");
  });
  expect(await ended.catch((error: Error) => error.message)).toBe("no room");
  rmSync(copy);
  living.sqlite.pragma(`user_version = ${MIGRATIONS.length + 1}`);
  expect(await copyDatabase(file, copy).catch((error: Error) => error.message)).toContain("newer Guildhall");
  rmSync(copy);
  living.sqlite.pragma("application_id = 7");
  expect(await copyDatabase(file, copy).catch((error: Error) => error.message)).toContain("another program");
});
