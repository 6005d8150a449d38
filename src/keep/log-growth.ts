import type Database from "better-sqlite3";
import { closeSync, fdatasyncSync, fstatSync, openSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { freeBytes } from "../files/room.ts";

/**
 * A commit that makes the write-ahead log longer waits for the disk twice: for what it wrote, and for what says
 * how long the file is. So the log is made longer before commits come to its end, and by somebody else
 * (docs/adr/0003-sqlite-one-writer.md). What is added are zeros: no frame of SQLite's has page 0, so that it
 * takes them for what they are, the end of the log.
 */

/** So far the log reaches beyond what is written. */
const AHEAD_BYTES = 4 * 1024 * 1024;
/** So much is added at a time, which holds writers up for less than a millisecond. */
const PIECE = Buffer.alloc(1024 * 1024);
/** On a smaller disk the log grows by itself. */
const ROOM_BYTES = 1024 * 1024 * 1024;
const LOG_HEADER = 32;
/** The header of a frame, and its page of 4 KiB. */
const FRAME = 24 + 4096;

export interface Growth {
  /** Adds a piece where the log, of which so many frames are in use, will soon need it. */
  look(framesInUse: number): void;
}

/** `framesMost`: how many a log has when writers begin it anew. */
export function createGrowth(
  sqlite: Database.Database,
  framesMost: number,
  free: (folder: string) => number = freeBytes,
): Growth {
  const log = `${sqlite.name}-wal`;
  const most = LOG_HEADER + framesMost * FRAME;
  let hasFailed = false;

  const wanted = (frames: number): number => Math.min(LOG_HEADER + frames * FRAME + AHEAD_BYTES, most);

  /** Nobody appends while this connection has SQLite's lock; it writes nothing by it. */
  function append(opened: number): void {
    sqlite.exec("BEGIN IMMEDIATE");
    try {
      writeSync(opened, PIECE, 0, PIECE.length, fstatSync(opened).size);
    } finally {
      sqlite.exec("ROLLBACK");
    }
  }

  return {
    look(frames) {
      // Before its first commit a log has not even a header.
      if (hasFailed || frames === 0) return;
      const size = statSync(log, { throwIfNoEntry: false })?.size;
      if (size === undefined || size >= wanted(frames)) return;
      if (free(dirname(log)) < ROOM_BYTES) return;
      // SQLite locks nothing of this file, so that closing it drops no lock.
      const opened = openSync(log, "r+");
      try {
        append(opened);
        // Else the next commit would wait for it.
        fdatasyncSync(opened);
      } catch (error) {
        // Without it commits are slower, and nothing else. One that had the lock is asked again at the next look.
        hasFailed = !String((error as { code?: string }).code).startsWith("SQLITE_BUSY");
      } finally {
        closeSync(opened);
      }
    },
  };
}
