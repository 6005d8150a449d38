import { closeSync, existsSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type Database from "better-sqlite3";
import { openSqlite } from "../../src/core/base/db/sqlite.ts";

/**
 * What moves a copy, as Litestream 0.5 does with `restore -f`: pages into the file that readers have open,
 * under SQLite's own exclusive lock, with a header that says that no log lies beside. It takes them from the
 * leader's own folder, so that it also stands for storage that two machines share.
 */
export interface EngineDouble extends Disposable {
  /**
   * Brings the copy to where the leader is by now. Throws while a reader holds it for longer than a second.
   */
  move(): void;
  /** The same over and over; what is written between two turns is lost with the leader's machine. */
  every(ms: number): void;
  /** Lets go of the copy. */
  stop(): void;
}

const FORMAT_AT = 18;
const PAGE = 4096;
const BUSY_MS = 1000;

export function engineDouble(from: string, to: string): EngineDouble {
  let before: Buffer = Buffer.alloc(0);
  let handle: number | undefined;
  let lock: Database.Database | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;

  function move(): void {
    const pages = pagesOf(from);
    if (!existsSync(to)) closeSync(openSync(to, "a", 0o600));
    handle ??= openSync(to, "r+");
    // Kept open: to close a file drops every lock that this process has on it.
    lock ??= openSqlite(to, { timeout: BUSY_MS });
    lock.exec("BEGIN EXCLUSIVE");
    try {
      for (let at = 0; at < pages.length; at += PAGE) {
        const page = pages.subarray(at, at + PAGE);
        if (!page.equals(before.subarray(at, at + PAGE))) writeSync(handle, page, 0, page.length, at);
      }
      ftruncateSync(handle, pages.length);
      before = pages;
    } finally {
      lock.exec("ROLLBACK");
    }
  }

  function stop(): void {
    clearInterval(timer);
    lock?.close();
    if (handle !== undefined) closeSync(handle);
    lock = handle = undefined;
    before = Buffer.alloc(0);
  }

  return {
    move,
    every(ms) {
      move();
      timer = setInterval(() => {
        try {
          move();
        } catch {
          // Somebody reads for longer than a second: the next turn brings it.
        }
      }, ms);
    },
    stop,
    [Symbol.dispose]: stop,
  };
}

/** All of a database as of now, with what its log holds. */
function pagesOf(file: string): Buffer {
  const sqlite = openSqlite(file, { readonly: true, timeout: BUSY_MS });
  try {
    const pages = sqlite.serialize();
    pages.fill(1, FORMAT_AT, FORMAT_AT + 2);
    return pages;
  } finally {
    sqlite.close();
  }
}
