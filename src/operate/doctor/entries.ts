import { lstatSync, readdirSync, statSync, type Stats } from "node:fs";
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
 * Each that stands below a folder, and the folder first, which may be named by a link; no other link is followed.
 * What is gone meanwhile is left out.
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
    // One that this user may not look into has an owner and rights itself.
    return [];
  }
}

/** Bytes of a folder and all below. */
export function bytesIn(folder: string): number {
  let bytes = 0;
  for (const { stats } of entriesOf(folder)) bytes += stats.isFile() ? stats.size : 0;
  return bytes;
}
