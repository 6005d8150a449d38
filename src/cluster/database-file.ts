import { closeSync, constants, openSync, readSync, statSync } from "node:fs";

/**
 * Returns the device and inode of the file, which change when the file is replaced. Undefined if no file
 * exists or the file is empty.
 */
export function idOfFile(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() && found.size > 0 ? `${found.dev}:${found.ino}` : undefined;
}

/**
 * Offset of the write and read format versions in a database header. 1 means rollback journal, 2 means WAL.
 */
const FORMAT_AT = 18;

/**
 * Whether a reader that opens this file now sees later updates. The header of a freshly copied file says WAL
 * until the engine writes the first pages. A reader that opens the file before then waits for changes in a
 * WAL that is never written. Do not call this for a file that SQLite has open in this process. Closing the
 * file would release SQLite's locks on the file.
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
 * Whether the file was complete during the last read. An engine that updates the file in place holds the pipe
 * `…-held` open. The system closes the pipe when the engine's process ends, even after a kill. The file may
 * then contain half of an update, and nothing holds SQLite's lock on the file
 * (docs/scaling.md#when-the-file-may-be-read). Returns true if there is no pipe, because then no engine
 * updates the file in place.
 */
export function isHeld(file: string): boolean {
  return hasHolder(file) ?? true;
}

/** Whether a process holds the pipe `…-held` open. Undefined if the pipe does not exist. */
export function hasHolder(file: string): boolean | undefined {
  try {
    closeSync(openSync(pipeOf(file), constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : false;
  }
}

/** Path of the pipe. An engine (deploy/follow.sh) holds the pipe open while it updates the database file. */
export function pipeOf(file: string): string {
  return `${file}-held`;
}
