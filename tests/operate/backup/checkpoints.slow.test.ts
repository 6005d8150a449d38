import { afterEach, beforeEach, expect, test } from "bun:test";
import Database from "better-sqlite3";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkpoint } from "../../../src/operate/backup/checkpoints.ts";

/** docs/adr/0039-backups.md, docs/threats.md#K06 */

let folder: string;
let writer: Database.Database;
let keeper: Database.Database;
let requests: string[];
/** The keeper's connection. Records its checkpoint calls in `requests`. */
let watched: Database.Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "guildhall-checkpoints-"));
  const file = join(folder, "a.db");
  writer = new Database(file, { timeout: 0 });
  writer.pragma("journal_mode = WAL");
  writer.pragma("synchronous = OFF");
  writer.pragma("wal_autocheckpoint = 0");
  writer.exec("CREATE TABLE filler (bytes BLOB)");
  keeper = new Database(file, { timeout: 0 });
  requests = [];
  watched = new Proxy(keeper, {
    get: (target, name) =>
      name === "pragma"
        ? (text: string) => (requests.push(text.slice(15, -1)), target.pragma(text))
        : undefined,
  });
});
afterEach(() => {
  writer.close();
  keeper.close();
  rmSync(folder, { recursive: true });
});

const PAGE = 4096;
const write = (pages: number): void =>
  void writer.prepare("INSERT INTO filler (bytes) VALUES (zeroblob(?))").run(pages * PAGE);
const log = (): { log: number; checkpointed: number } =>
  (keeper.pragma("wal_checkpoint(NOOP)") as { log: number; checkpointed: number }[])[0]!;
/** Runs one check. Returns the checkpoint modes and syncs that the check asks for. */
const look = (): string[] => {
  requests = [];
  checkpoint(watched, () => void requests.push("sync"));
  return requests.filter((each) => each !== "NOOP");
};

test("skips a short log, checkpoints a longer one without blocking, and restarts a long one at the next write", () => {
  write(3000);
  expect(look()).toEqual([]);
  write(3000);
  // The keeper syncs early, so that no commit has to wait for the sync.
  expect(look()).toEqual(["PASSIVE", "sync"]);
  expect(log().checkpointed).toBe(log().log);
  write(9000);
  expect(look()).toEqual(["PASSIVE", "sync", "FULL"]);
  write(1);
  expect(log().log).toBeLessThan(10);
});

test("checkpoints commits made during a long sync in a separate pass", () => {
  write(9000);
  let writes = 0;
  checkpoint(watched, () => {
    requests.push("sync");
    // Writes many commits during the first sync and fewer during the next.
    if (writes++ === 0) write(1000);
    else write(20);
  });
  expect(requests.filter((each) => each !== "NOOP")).toEqual(["PASSIVE", "sync", "PASSIVE", "sync"]);
  write(1);
  expect(log().log).toBeLessThan(100);
});

test("never waits for a reader of an older state, and checkpoints the whole log after the reader ends", () => {
  write(10);
  const reader = new Database(join(folder, "a.db"), { readonly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM filler").get();
  write(20_000);
  look();
  expect(log().checkpointed).toBeLessThan(100);
  expect(look()).toEqual(["PASSIVE"]);
  write(10);
  reader.close();
  expect(look()).toEqual(["PASSIVE", "sync", "FULL"]);
  write(1);
  expect(log().log).toBeLessThan(10);
});
