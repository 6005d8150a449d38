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
const ANYBODY_MAY_WRITE = 0o002;
const LEFT_HALF_WRITTEN_MS = 60 * 60 * 1000;

/**
 * A file of these bytes below the data folder, this user's alone, and its path. Each start compares it byte
 * by byte: one that is damaged is replaced; by rename, so that whoever has it mapped keeps what they have,
 * and two that start at once both find a whole one. `token` names what is being written. Throws where there
 * can be none, or where another user could put something else in its place.
 */
export function extractToFolder(
  data: string,
  { bytes, sha256, token }: { bytes: Buffer; sha256: string; token: string },
): string {
  const folder = join(data, "driver");
  // Whoever may write in the data folder could swap what is in it after it was looked at.
  refuseOthers(data, statSync(data), { owners: [0, process.geteuid?.()], mask: ANYBODY_MAY_WRITE });
  makeOwn(folder);
  const file = join(folder, `${sha256}.node`);
  if (holds(file, bytes)) return file;
  const half = join(folder, `${token}.tmp`);
  try {
    writeFileSync(half, bytes, { mode: 0o500, flag: "wx" });
    // The mask of the process may have taken something away.
    chmodSync(half, 0o500);
    forgetOthers(folder, half);
    renameSync(half, file);
  } finally {
    rmSync(half, { force: true });
  }
  return file;
}

/** A link, a file or a folder of somebody else's that is in its place is left alone. */
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

/** Windows has other rights, which the data folder hands down to what is in it. */
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
 * Parts of other versions, and what a start that was killed left half written. Windows keeps what is loaded.
 */
function forgetOthers(folder: string, half: string): void {
  const now = lstatSync(half).mtimeMs;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    try {
      const isLeft = name.endsWith(".tmp") && now - lstatSync(path).mtimeMs > LEFT_HALF_WRITTEN_MS;
      if (name.endsWith(".node") || isLeft) rmSync(path, { recursive: true });
    } catch {
      // Another start was faster.
    }
  }
}
