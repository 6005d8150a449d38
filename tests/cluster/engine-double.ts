import { closeSync, existsSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type Database from "better-sqlite3";
import { openSqlite } from "../../src/core/base/db/sqlite.ts";

/**
 * Stub of `litestream restore -f` (Litestream 0.5). Writes pages into the file that readers have open, under
 * SQLite's exclusive lock. The header that the stub writes says that the database has no WAL. The stub reads
 * the leader's folder directly, so no replica storage is needed.
 */
export interface EngineDouble extends Disposable {
  /**
   * Copies the leader's current state into the copy. Throws if a reader holds the copy for longer than a
   * second.
   */
  move(): void;
  /** Calls `move` every `ms`. Writes after the last move are lost with the leader's machine. */
  every(ms: number): void;
  /** Closes the copy and releases its lock. */
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
    // The connection that locks the copy stays open between moves. Closing a file drops every lock that this
    // process holds on the file.
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
          // A reader held the copy for longer than a second. The next `move` copies these pages too.
        }
      }, ms);
    },
    stop,
    [Symbol.dispose]: stop,
  };
}

/** The current pages of a database, including its WAL. */
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
