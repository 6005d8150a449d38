import { closeSync, constants, openSync, readSync, statSync } from "node:fs";

/**
 * What tells the file that lies there from another one that is put in its place; undefined where there is
 * none.
 */
export function idOfFile(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() && found.size > 0 ? `${found.dev}:${found.ino}` : undefined;
}

/**
 * Where the header of a database says how it is to be read and written: 1 for a plain file, 2 for one with a
 * log beside.
 */
const FORMAT_AT = 18;

/**
 * Whether a reader that opens this file now sees it move. Until the first pages are moved into a file that
 * was copied whole, its header promises a write-ahead log, and whoever opens it then waits for news in a log
 * that never comes. Never of a file that SQLite has open in this program: closing it would end SQLite's locks
 * on it.
 */
export function isMoving(file: string): boolean {
  const handle = openSync(file, "r");
  try {
    const format = Buffer.alloc(2);
    return readSync(handle, format, 0, 2, FORMAT_AT) === 2 && format[0] === 1 && format[1] === 1;
  } finally {
    closeSync(handle);
  }
}

/**
 * Whether what was read before this was whole. Whoever moves a file in place holds the pipe `…-held` open
 * beside it, and the system lets go of that with the process, however it ends: then half of an update may
 * stand in the file, and nobody holds SQLite's lock over it (docs/scaling.md#when-the-file-may-be-read).
 * Without a pipe nobody moves it in place.
 */
export function isHeld(file: string): boolean {
  return hasHolder(file) ?? true;
}

/** Whether somebody holds the pipe beside it; undefined where there is no pipe. */
export function hasHolder(file: string): boolean | undefined {
  try {
    closeSync(openSync(pipeOf(file), constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : false;
  }
}

/** What an engine holds open while it moves the file, as deploy/follow.sh does. */
export function pipeOf(file: string): string {
  return `${file}-held`;
}
