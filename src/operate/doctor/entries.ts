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

/** A file, folder or link below a folder. */
export interface Entry {
  /** Whole. */
  path: string;
  /** From the folder on. */
  name: string;
  stats: Stats;
}

/** More than a data folder ever has; beyond, a folder of somebody else was named. */
const ENTRIES_MAX = 20_000;

/**
 * Each that stands below a folder, and the folder first, which may be named by a link; no other link is
 * followed. What is gone meanwhile is left out.
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
    // A folder that this user may not read has an owner and rights itself.
    return [];
  }
}

/** Bytes of a folder and all below. */
export function folderSize(folder: string): number {
  let bytes = 0;
  for (const { stats } of entriesOf(folder)) bytes += stats.isFile() ? stats.size : 0;
  return bytes;
}

/** Linux's O_PATH: a handle on what stands there, whatever it is and whoever may read it. */
const HANDLE = 0o10000000;

/**
 * Does something to what was seen, and to nothing that was put in its place since: whoever owns a folder
 * could otherwise have root give them any file, by a link or by another name of it. False where that is not
 * certain, and nothing was done then.
 */
export function changeIfUnchanged(
  { path, stats }: Entry,
  folder: string,
  act: (path: string) => void,
): boolean {
  if (process.platform !== "linux") {
    const now = lstatSync(path, { throwIfNoEntry: false });
    if (!now || !isSame(now, stats)) return false;
    act(path);
    return true;
  }
  const handle = openSync(path, HANDLE | constants.O_NOFOLLOW);
  try {
    const own = `/proc/self/fd/${handle}`;
    const place = readlinkSync(own);
    const root = realpathSync(folder);
    if (place !== root && !place.startsWith(root === "/" ? root : `${root}/`)) return false;
    if (!isSame(fstatSync(handle), stats)) return false;
    act(own);
    return true;
  } finally {
    closeSync(handle);
  }
}

/** The same file or folder, of no other name. */
function isSame(now: Entry["stats"], seen: Entry["stats"]): boolean {
  if (now.dev !== seen.dev || now.ino !== seen.ino) return false;
  return now.isDirectory() || (now.isFile() && now.nlink === 1);
}
