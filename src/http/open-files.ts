import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { devNull } from "node:os";

/**
 * Fraction of the file limit, and maximum number of files, reserved for the database, deliveries and threads.
 */
const KEPT_PART = 1 / 4;
const KEPT_MAX = 256;

/** How close the process is to its limit of open files. Connections count as files. */
export interface OpenFiles {
  /** Whether files run short. Takes two system calls: the next file gets the lowest free number. */
  areShort(): boolean;
  /** Whether enough files are free again. Counts them, because a closed file leaves a low number free. */
  arePlenty(): boolean;
}

export function openFiles(): OpenFiles {
  const limit = openFilesMax();
  const kept = Math.min(Math.floor(limit * KEPT_PART), KEPT_MAX);
  return {
    areShort: () => nextFile() >= limit - kept,
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
