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
import { requireRegularFile } from "../../files/regular-file.ts";
import type { Bytes } from "./compression.ts";
import { BackupRefused } from "./refused.ts";

/** Destination of one backup. The stored backup can be read from it again. */
export interface BackupFile {
  /** Path or URL, for messages to the operator. */
  name: string;
  /** Folder of the file; undefined for a bucket. */
  folder?: string;
  /**
   * Stores the bytes, then reads them back with `verify` before the backup gets its name. After an error, no
   * backup of that name exists.
   */
  store(bytes: Bytes, verify: (stored: Bytes) => Promise<void>): Promise<void>;
  read(): Bytes;
}

/** Bytes between two syncs. A single sync of the whole file would delay other writers of the disk. */
const SYNC_EVERY_BYTES = 16 * 1024 * 1024;

/**
 * A file that only its owner can read. Until all bytes are on disk and verified, its name ends in `.partial`.
 * The next backup to the same path replaces a partial file that was left behind.
 */
export function localBackupFile(path: string): BackupFile {
  const partial = `${path}.partial`;
  return {
    name: path,
    folder: dirname(path),
    read: () => piecesOf(path),
    async store(bytes, verify) {
      try {
        discard(partial);
        const file = openSync(partial, "wx", 0o600);
        try {
          await writeAll(file, bytes);
        } finally {
          closeSync(file);
        }
        await verify(createReadStream(partial));
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
  requireRegularFile(path, { mayBePipe: true });
  yield* createReadStream(path);
}

/** Turns an error of the file system into a message for the operator. */
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

/**
 * Deletes a file. Checks first, because Bun's `rm` throws even with `force` if the parent is not a folder.
 */
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

/** Creates a folder that only its owner can read, if it does not exist. Throws BackupRefused. */
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

/** Syncs the folder, because a rename is durable only after the folder is synced. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const opened = openSync(folder, "r");
  fsyncSync(opened);
  closeSync(opened);
}
