import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isoTime } from "../../core/base/clock.ts";
import { freeName } from "./free-name.ts";
import { lockFile } from "./file-lock.ts";
import { DATABASE_MEMBER, KEY_MEMBER } from "./manifest.ts";
import { MEDIA } from "./media-lock.ts";
import { syncFolder } from "./backup-file.ts";
import { BackupRefused } from "./refused.ts";

/** A restore unpacks into this folder. The contents of the folder are not in use yet. */
export const UNPACKED = "restore-unfinished";
/**
 * Name of the unpacked folder after all of it is on disk and verified. Renaming the folder to this name
 * commits the restore. If the restore is killed after the rename, the next program that opens the data folder
 * completes it (docs/threats.md#M10).
 */
const READY = "restore-ready";
const PLAN = "plan.json";
/**
 * Longest wait for the folder lock, in ms. A command that checks for a running server also holds this lock
 * for a moment.
 */
const HOLD_WITHIN_MS = 100;
const DATABASE_SUFFIXES = ["", "-wal", "-shm"];

/**
 * Makes the unpacked community the current one. The old files move to a folder called `name`, or to a folder
 * with a similar name if `name` is taken.
 */
export function commitRestore(data: string, name: string): void {
  const unpacked = join(data, UNPACKED);
  const keptAs = basename(freeName(join(data, name)));
  writeFileSync(join(unpacked, PLAN), JSON.stringify({ keptAs }), { mode: 0o600, flag: "wx", flush: true });
  syncFolder(unpacked);
  renameSync(unpacked, join(data, READY));
  syncFolder(data);
}

/** Formats a time for a file name: `20261122T160000Z`. */
export function stampOf(now: number): string {
  return isoTime(now).replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
}

/** Whether a restore into this folder is running or was interrupted. */
export function isUnfinished(data: string): boolean {
  return isReady(data) || existsSync(join(data, UNPACKED));
}

/**
 * Completes a restore that was interrupted after its commit. Removes the leftovers of a restore that was
 * interrupted before its commit. Returns what was done, as text. Throws BackupRefused while a restore is
 * running.
 */
export function finishUnfinished(data: string): string[] {
  const lock = lockFile(join(data, "guildhall.lock"), HOLD_WITHIN_MS);
  if (!lock) throw new BackupRefused(`A restore of ${data} is running. Try again when it has finished.`);
  try {
    if (isReady(data)) {
      const { keptAs } = completeRestore(data);
      const before = keptAs === undefined ? "" : ` The previous community is in ${join(data, keptAs)}.`;
      return [`Completed an interrupted restore.${before}`];
    }
    rmSync(join(data, UNPACKED), { recursive: true, force: true });
    return ["Deleted the files of an interrupted restore, which had not changed anything."];
  } finally {
    lock.release();
  }
}

export function isReady(data: string): boolean {
  return existsSync(join(data, READY));
}

/**
 * Replaces the old community with the restored one, file by file with renames. After an interruption, the
 * next call continues. Moves the old files to the folder `keptAs`, which is undefined if there were none. The
 * caller must hold the folder lock.
 */
export function completeRestore(data: string): { keptAs: string | undefined } {
  const ready = join(data, READY);
  const plan = join(ready, PLAN);
  if (!existsSync(plan)) {
    // The interrupted run had moved all files, and only this folder is left to delete.
    rmSync(ready, { recursive: true, force: true });
    return { keptAs: undefined };
  }
  const keptAs = readPlan(plan);
  const kept = join(data, keptAs);
  const isWaiting = (name: string): boolean => existsSync(join(ready, name));
  const old = isWaiting(DATABASE_MEMBER) ? DATABASE_SUFFIXES.map((end) => `${DATABASE_MEMBER}${end}`) : [];
  if (isWaiting(KEY_MEMBER)) old.push(KEY_MEMBER);
  // If restored pictures are still waiting, the pictures in the data folder are the old ones.
  if (isWaiting(MEDIA)) old.push(MEDIA);
  for (const name of old.filter((each) => existsSync(join(data, each)))) {
    mkdirSync(kept, { recursive: true, mode: 0o700 });
    renameSync(join(data, name), join(kept, name));
  }
  if (existsSync(kept)) syncFolder(kept);
  syncFolder(data);
  // The key is moved first. A key without a database is refused with a clear message. A database without its
  // key would ask for another key.
  for (const name of [KEY_MEMBER, MEDIA, DATABASE_MEMBER].filter(isWaiting))
    renameSync(join(ready, name), join(data, name));
  syncFolder(data);
  rmSync(plan);
  rmSync(ready, { recursive: true });
  syncFolder(data);
  return { keptAs: existsSync(kept) ? keptAs : undefined };
}

/**
 * Throws BackupRefused if the plan does not have our format, because a forged plan could move files anywhere.
 */
function readPlan(plan: string): string {
  const [, keptAs] = /^\{"keptAs":"(before-restore-[\w-]+)"\}$/.exec(readFileSync(plan, "utf8")) ?? [];
  if (keptAs !== undefined) return keptAs;
  throw new BackupRefused(`${plan} is damaged. Move its folder out of the data folder, and restore again.`);
}
