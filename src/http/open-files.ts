import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { devNull } from "node:os";

/**
 * Files reserved for the database, deliveries and threads: at most this fraction of the file limit, and at
 * most `KEPT_MAX` files.
 */
const KEPT_PART = 1 / 4;
const KEPT_MAX = 256;

/** Checks whether the process is close to its limit of open files. Connections count as files. */
export interface OpenFiles {
  /** Whether few files are left. Opens and closes a file to learn the lowest free file descriptor. */
  areShort(): boolean;
  /** Whether the last two calls of `areShort` found different descriptors, as after a new connection. */
  haveChanged(): boolean;
  /**
   * Whether enough files are free again. Counts the open files. This check cannot use the lowest free file
   * descriptor, because any closed file frees a low number.
   */
  arePlenty(): boolean;
}

export function openFiles(): OpenFiles {
  const limit = openFilesMax();
  const kept = Math.min(Math.floor(limit * KEPT_PART), KEPT_MAX);
  let last = 0;
  let before = 0;
  return {
    areShort() {
      before = last;
      last = nextFile();
      return last >= limit - kept;
    },
    haveChanged: () => last !== before,
    arePlenty: () => (limit === Infinity ? nextFile() : countFiles()) < limit - 1.5 * kept,
  };
}

function countFiles(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return Infinity;
  }
}

function nextFile(): number {
  try {
    const file = openSync(devNull, "r");
    closeSync(file);
    return file;
  } catch {
    return Infinity;
  }
}

/** Returns the limit of open files, or `Infinity` if the system does not report it. */
function openFilesMax(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
