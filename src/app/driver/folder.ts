import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

const OTHERS_MAY_WRITE = 0o022;
const OTHER_USERS_MAY_WRITE = 0o002;
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/**
 * Writes the bytes to a file in the data folder that belongs only to this user, and returns its path. Each
 * start compares the file byte by byte and replaces a damaged one. The replacement is a rename: processes
 * that have mapped the old file keep it, and parallel starts find a whole file. `token` names the temporary
 * file. Throws if the file cannot be written, or if another user could replace it.
 */
export function extractToFolder(
  data: string,
  { bytes, sha256, token }: { bytes: Buffer; sha256: string; token: string },
): string {
  const folder = join(data, "driver");
  // A user with write access to the data folder could replace the file after the check.
  refuseOthers(data, statSync(data), { owners: [0, process.geteuid?.()], mask: OTHER_USERS_MAY_WRITE });
  makeOwn(folder);
  const file = join(folder, `${sha256}.node`);
  if (holds(file, bytes)) return file;
  const half = join(folder, `${token}.tmp`);
  try {
    writeFileSync(half, bytes, { mode: 0o500, flag: "wx" });
    // The umask may have removed permissions.
    chmodSync(half, 0o500);
    deleteOtherVersions(folder, half);
    renameSync(half, file);
  } finally {
    rmSync(half, { force: true });
  }
  return file;
}

/** Creates the folder. Throws if the path is a link, a file, or another user's folder. */
function makeOwn(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const found = lstatSync(folder);
  if (!found.isDirectory()) throw new Error(`${folder} is not a folder`);
  refuseOthers(folder, found, { owners: [process.geteuid?.()], mask: OTHERS_MAY_WRITE });
}

interface Trusted {
  owners: readonly (number | undefined)[];
  mask: number;
}

/** Skipped on Windows, where files inherit their permissions from the data folder. */
function refuseOthers(path: string, { uid, mode }: Stats, { owners, mask }: Trusted): void {
  if (process.platform === "win32") return;
  if (!owners.includes(uid)) throw new Error(`${path} belongs to another user`);
  if ((mode & mask) !== 0) throw new Error(`other users can write to ${path}`);
}

function holds(file: string, bytes: Buffer): boolean {
  try {
    const found = lstatSync(file);
    refuseOthers(file, found, { owners: [process.geteuid?.()], mask: OTHERS_MAY_WRITE });
    return found.isFile() && readFileSync(file).equals(bytes);
  } catch {
    return false;
  }
}

/**
 * Deletes modules of other versions and temporary files of killed starts. On Windows, loaded modules cannot
 * be deleted.
 */
function deleteOtherVersions(folder: string, half: string): void {
  const now = lstatSync(half).mtimeMs;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    try {
      const isAbandoned = name.endsWith(".tmp") && now - lstatSync(path).mtimeMs > ABANDONED_AFTER_MS;
      if (name.endsWith(".node") || isAbandoned) rmSync(path, { recursive: true });
    } catch {
      // A parallel start has deleted the file.
    }
  }
}
