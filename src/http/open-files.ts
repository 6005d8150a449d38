import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { devNull } from "node:os";

/**
 * A part of the files that a process may open, and at most so many, is kept for the program's own: database,
 * deliveries, threads.
 */
const KEPT_PART = 1 / 4;
const KEPT_MAX = 256;

/** How near the process is to its limit of open files, which includes connections. */
export interface OpenFiles {
  /** Costs two system calls: the number that the next file gets is the lowest that is free. */
  areShort(): boolean;
  /** Counts them, as one that was closed meanwhile has left a low number free. */
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

/** Without a figure from the system, there is no limit until a file is refused. */
function openFilesMax(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
