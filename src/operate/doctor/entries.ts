import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";

export interface Entry {
  /** Full path. */
  path: string;
  /** Path relative to the folder. */
  name: string;
  stats: Stats;
}

/**
 * Maximum number of entries that are read. A data folder has fewer. With more entries, the folder that the
 * operator named is not a data folder.
 */
const ENTRIES_MAX = 20_000;

/**
 * Yields the folder itself, then everything below it. The folder itself may be a symbolic link, but other
 * symbolic links are not followed. Skips entries that disappear meanwhile.
 */
export function* entriesOf(folder: string): Generator<Entry> {
  const waiting: { path: string; name: string }[] = [{ path: folder, name: "" }];
  for (let count = 0; count < ENTRIES_MAX; count++) {
    const next = waiting.shift();
    if (!next) return;
    const stats = (next.name === "" ? statSync : lstatSync)(next.path, { throwIfNoEntry: false });
    if (!stats) continue;
    yield { ...next, stats };
    if (stats.isDirectory()) waiting.push(...below(next.path, next.name));
  }
}

function below(path: string, name: string): { path: string; name: string }[] {
  try {
    return readdirSync(path).map((each) => ({
      path: join(path, each),
      name: name === "" ? each : `${name}/${each}`,
    }));
  } catch {
    // Entries below an unreadable folder are skipped. The checks still report the folder itself, by its owner
    // and mode.
    return [];
  }
}

/** Returns the total size of all files below a folder. */
export function folderSize(folder: string): number {
  let bytes = 0;
  for (const { stats } of entriesOf(folder)) bytes += stats.isFile() ? stats.size : 0;
  return bytes;
}

/** Linux's O_PATH: opens any entry, whatever its type and permissions. */
const HANDLE = 0o10000000;

/**
 * Runs `change` on an entry only if the entry was not replaced since it was read. Otherwise the owner of a
 * folder could make root change any file, through a symbolic link or a hard link. Returns false, and has done
 * nothing, if the entry may have been replaced.
 */
export function changeIfUnchanged(
  { path, stats }: Entry,
  folder: string,
  change: (path: string) => void,
): boolean {
  if (process.platform !== "linux") {
    const now = lstatSync(path, { throwIfNoEntry: false });
    if (!now || !isSame(now, stats)) return false;
    change(path);
    return true;
  }
  const handle = openSync(path, HANDLE | constants.O_NOFOLLOW);
  try {
    const own = `/proc/self/fd/${handle}`;
    const place = readlinkSync(own);
    const root = realpathSync(folder);
    if (place !== root && !place.startsWith(root === "/" ? root : `${root}/`)) return false;
    if (!isSame(fstatSync(handle), stats)) return false;
    change(own);
    return true;
  } finally {
    closeSync(handle);
  }
}

/** Whether this is the same file or folder. False for a file with a second hard link. */
function isSame(now: Entry["stats"], seen: Entry["stats"]): boolean {
  if (now.dev !== seen.dev || now.ino !== seen.ino) return false;
  return now.isDirectory() || (now.isFile() && now.nlink === 1);
}
