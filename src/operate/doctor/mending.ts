import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import type { Entry } from "./entries.ts";

/** Linux's O_PATH: a handle on what stands there, whatever it is and whoever may read it. */
const HANDLE = 0o10000000;

/**
 * Does something to what was seen, and to nothing that was put in its place since: whoever owns a folder could
 * otherwise have root give them any file, by a link or by another name of it. False where that is not certain,
 * and nothing was done then.
 */
export function changeSeen({ path, stats }: Entry, folder: string, act: (path: string) => void): boolean {
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
