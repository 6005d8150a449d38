import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { requirePlain } from "../../files/plain-file.ts";
import type { Bytes } from "./compression.ts";
import { BackupRefused } from "./refused.ts";

/** Where one backup goes, and is read from again. */
export interface BackupFile {
  /** As an operator would name it. */
  name: string;
  /** The folder that it is in; undefined for a bucket. */
  folder?: string;
  /**
   * Stores the bytes, and reads them again by `prove` before anybody could take them for a backup. All of it,
   * or nothing that has the name of one.
   */
  store(bytes: Bytes, prove: (stored: Bytes) => Promise<void>): Promise<void>;
  read(): Bytes;
}

/** Pieces between two syncs: a disk that has to take all at once makes others wait. */
const SYNC_EVERY_BYTES = 16 * 1024 * 1024;

/**
 * A file that its owner alone may read. It gets its name when all of it is on disk and proven; until then it
 * is called `….partial`, which the next backup to the same place replaces.
 */
export function localBackupFile(path: string): BackupFile {
  const partial = `${path}.partial`;
  return {
    name: path,
    folder: dirname(path),
    read: () => piecesOf(path),
    async store(bytes, prove) {
      try {
        discard(partial);
        const file = openSync(partial, "wx", 0o600);
        try {
          await writeAll(file, bytes);
        } finally {
          closeSync(file);
        }
        await prove(createReadStream(partial));
        renameSync(partial, path);
      } catch (error) {
        discard(partial);
        throw asRefusal(error, path);
      }
      syncFolder(dirname(path));
    },
  };
}

async function* piecesOf(path: string): Bytes {
  requirePlain(path, { isHanded: true });
  yield* createReadStream(path);
}

/** What the system says of a file, in words. */
function asRefusal(error: unknown, path: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (code === "ENOSPC" || code === "EDQUOT")
    return new BackupRefused(
      `There is not enough space for the backup in ${dirname(path)}. The partial file was deleted.`,
    );
  if (code !== undefined && /^E[A-Z]+$/.test(code))
    return new BackupRefused(
      `The backup cannot be written to ${path} (${code}). The partial file was deleted.`,
    );
  return error;
}

/** Where its folder is none, Bun's `rm` says something else, force or not. */
function discard(file: string): void {
  if (existsSync(file)) rmSync(file);
}

async function writeAll(file: number, bytes: Bytes): Promise<void> {
  let unsynced = 0;
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length;) at += writeSync(file, piece, at);
    unsynced += piece.length;
    if (unsynced < SYNC_EVERY_BYTES) continue;
    fsyncSync(file);
    unsynced = 0;
  }
  fsyncSync(file);
}

/**
 * Makes a folder for its owner alone, where there is none. Throws BackupRefused where there cannot be one.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new BackupRefused(
      code === "EEXIST"
        ? `${folder} is a file, but Guildhall needs a folder there. Move the file away.`
        : `The folder ${folder} cannot be created (${code}). Give this user write access to its parent.`,
    );
  }
}

/** A rename is on disk when its folder is. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const opened = openSync(folder, "r");
  fsyncSync(opened);
  closeSync(opened);
}
